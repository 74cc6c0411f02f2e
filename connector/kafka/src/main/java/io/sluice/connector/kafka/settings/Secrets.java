package io.sluice.connector.kafka.settings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;

/** What is secret in the options of a client: texts of others may quote it, as what gives out tokens may quote a login. Immutable. */
public final class Secrets {
    private static final String MASK = "***";

    /** Shorter ones are masked as words only. */
    private static final int TELLING = 4;

    /** Options of a login that are secret. */
    private static final Pattern SECRET_NAME = Pattern.compile("(?i).*(pass|secret|token|credential).*");

    /** User and password, and parameters, of a URL. */
    private static final Pattern IN_URL =
            Pattern.compile("\\w+://(?:[^/?#@]*:(?<password>[^/?#]*)@)?[^?#]*(?:\\?(?<query>[^#]*))?.*");

    private final List<String> values;

    private Secrets(List<String> values) {
        this.values = values.stream()
                .filter(value -> !value.isBlank() && !value.equals("true") && !value.equals("false"))
                .distinct()
                .sorted(Comparator.comparingInt(String::length).reversed()) // one may be a part of another
                .toList();
    }

    /** Of a producer's options, without logging them once more. */
    static Secrets of(Map<String, ?> options) {
        AbstractConfig config = new AbstractConfig(ProducerConfig.configDef(), options, false);
        List<String> found = new ArrayList<>();
        config.values().forEach((option, value) -> {
            if (option.equals(ClientOptions.SASL_LOGIN) && value instanceof Password login) {
                addOfLogin(login, found);
            } else if (value instanceof Password password) {
                found.add(password.value());
            } else if (option.endsWith(".url") && value instanceof String url) {
                addOfUrl(url, found);
            }
        });
        return new Secrets(found);
    }

    private static void addOfLogin(Password login, List<String> found) {
        JaasContext.loadClientContext(Map.of(ClientOptions.SASL_LOGIN, login))
                .configurationEntries()
                .forEach(entry -> entry.getOptions().forEach((name, value) -> {
                    if (SECRET_NAME.matcher(name).matches()) {
                        found.add(String.valueOf(value));
                    }
                }));
    }

    private static void addOfUrl(String url, List<String> found) {
        Matcher parts = IN_URL.matcher(url);
        if (parts.matches()) {
            for (String part : List.of("password", "query")) {
                if (parts.group(part) != null) {
                    found.add(parts.group(part));
                }
            }
        }
    }

    /** A text with a mask in place of each secret. */
    public String maskedIn(String text) {
        String masked = text;
        for (String value : values) {
            String quoted = Pattern.quote(value);
            masked = value.length() < TELLING
                    ? masked.replaceAll("(?<!\\w)" + quoted + "(?!\\w)", Matcher.quoteReplacement(MASK))
                    : masked.replace(value, MASK);
        }
        return masked;
    }
}
