package io.sluice.connector.kafka.settings;

import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.utils.Utils;

/** Checks the options of Kafka's producer by what Kafka's client knows of them, without showing a secret. */
final class OptionCheck {
    private static final int MAX_PORT = 65_535;

    /** Of many wrong addresses. */
    private static final int MAX_SHOWN = 5;

    private OptionCheck() {}

    /** Notes all that is wrong with options that are complete. */
    static void run(ClientOptions options) {
        int before = options.problems().size();
        if (!options.has(BOOTSTRAP_SERVERS_CONFIG)) {
            options.problem(BOOTSTRAP_SERVERS_CONFIG, "missing: the brokers, as host:port,host:port");
            options.put(BOOTSTRAP_SERVERS_CONFIG, "missing:1"); // so that Kafka does not report it once more
        } else {
            checkAddresses(options);
        }
        ConfigDef definition = ProducerConfig.configDef();
        for (ConfigValue value : definition.validate(options.values())) {
            if (!value.errorMessages().isEmpty()) { // a second one is about the null that replaces what cannot be read
                options.problem(
                        value.name(),
                        isSecret(value.name(), definition)
                                ? "is not valid"
                                : value.errorMessages().get(0));
            }
        }
        checkLogin(options);
        if (options.problems().size() == before) {
            checkTogether(options);
        }
    }

    /** Kafka's client parses them in this way, but only when a producer is made, where it resolves them, too. */
    private static void checkAddresses(ClientOptions options) {
        if (options.has(AbstractConfig.CONFIG_PROVIDERS_CONFIG)) {
            return; // a provider may have them
        }
        List<String> wrong = Arrays.stream(options.get(BOOTSTRAP_SERVERS_CONFIG).split(","))
                .filter(address -> !isAddress(address))
                .limit(MAX_SHOWN)
                .toList();
        if (!wrong.isEmpty()) {
            options.problem(
                    BOOTSTRAP_SERVERS_CONFIG,
                    "each broker is host:port, such as broker1:9092, and this is not: " + String.join(", ", wrong));
        }
    }

    private static boolean isAddress(String address) {
        try {
            Integer port = Utils.getPort(address);
            return Utils.getHost(address) != null && port != null && port > 0 && port <= MAX_PORT;
        } catch (NumberFormatException e) { // more digits than a number has
            return false;
        }
    }

    /** Kafka reads it when it connects, and its messages quote what it found, which may be a part of a password. */
    private static void checkLogin(ClientOptions options) {
        String login = options.get(ClientOptions.SASL_LOGIN);
        if (login.isEmpty() || options.has(AbstractConfig.CONFIG_PROVIDERS_CONFIG)) {
            return;
        }
        try {
            JaasContext.loadClientContext(Map.of(ClientOptions.SASL_LOGIN, new Password(login)));
        } catch (IllegalArgumentException e) {
            options.problem(
                    ClientOptions.SASL_LOGIN,
                    "is not one login: it must be <module> required name=\"value\" …; with values in quotes, and a semicolon");
        }
    }

    /** Kafka's checks of options against each other, which end at the first problem. */
    private static void checkTogether(ClientOptions options) {
        try {
            ParsedOptions.of(options.values());
        } catch (ConfigException e) {
            options.problem("*", String.valueOf(e.getMessage()));
        }
    }

    private static boolean isSecret(String option, ConfigDef definition) {
        ConfigDef.ConfigKey key = definition.configKeys().get(option);
        String name = option.toLowerCase(Locale.ROOT);
        return (key != null && key.type == ConfigDef.Type.PASSWORD)
                || name.contains("password")
                || name.contains("jaas");
    }
}
