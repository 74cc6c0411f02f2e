package io.sluice.connector.kafka.settings;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;

/** What is secret in the options of a client: texts of others may quote it, as what gives out tokens may quote a login. Immutable. */
public final class Secrets {
    private static final String MASK = "***";

    /** Shorter ones are masked as words only. */
    private static final int TELLING = 4;

    /** Options of a login that are secret. */
    private static final Pattern SECRET_NAME = Pattern.compile("(?i).*(pass|secret|token|credential).*");

    /** Options of a login that say whose secret it is. */
    private static final Pattern USER_NAME = Pattern.compile("(?i)client[._]?id|user(name)?");

    /** User and password, and parameters, of a URL. */
    private static final Pattern IN_URL =
            Pattern.compile("\\w+://(?:[^/?#@]*:(?<password>[^/?#]*)@)?[^?#]*(?:\\?(?<query>[^#]*))?.*");

    private final List<String> values;

    private Secrets(List<String> values) {
        this.values = values.stream()
                .filter(value -> !value.isBlank() && !value.equals("true") && !value.equals("false"))
                .flatMap(value -> Stream.of(value, encoded(value)))
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
        String user = config.getString(SaslConfigs.SASL_OAUTHBEARER_CLIENT_CREDENTIALS_CLIENT_ID);
        Password secret = config.getPassword(SaslConfigs.SASL_OAUTHBEARER_CLIENT_CREDENTIALS_CLIENT_SECRET);
        if (user != null && secret != null) {
            addOfHeader(user, secret.value(), found);
        }
        return new Secrets(found);
    }

    private static void addOfLogin(Password login, List<String> found) {
        JaasContext.loadClientContext(Map.of(ClientOptions.SASL_LOGIN, login))
                .configurationEntries()
                .forEach(entry -> {
                    List<String> secrets = valuesOf(entry, SECRET_NAME);
                    found.addAll(secrets);
                    for (String user : valuesOf(entry, USER_NAME)) {
                        secrets.forEach(secret -> addOfHeader(user, secret, found));
                    }
                });
    }

    /** The values of options whose names match. */
    private static List<String> valuesOf(AppConfigurationEntry login, Pattern names) {
        return login.getOptions().entrySet().stream()
                .filter(option -> names.matcher(option.getKey()).matches())
                .map(option -> String.valueOf(option.getValue()))
                .toList();
    }

    /** What the header {@code Authorization} of a request for a token has; the parts are encoded, too, if an option asks for it. */
    private static void addOfHeader(String user, String secret, List<String> found) {
        for (String login : List.of(user + ":" + secret, encoded(user) + ":" + encoded(secret))) {
            found.add(Base64.getEncoder().withoutPadding().encodeToString(login.getBytes(StandardCharsets.UTF_8)));
        }
    }

    /** As in a URL or a form. */
    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
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
