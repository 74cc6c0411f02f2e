package io.sluice.testkit.rabbitmq;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a broker is to be started.
 *
 * @param settings lines of {@code rabbitmq.conf}; they win over the defaults
 * @param definitions what {@code load_definitions} takes: users, hosts, rights, in JSON; null for none
 * @param tls the PEM files of a second listener's key and certificate; null for no such listener
 */
public record RabbitMqOptions(
        Map<String, String> settings,
        @Nullable String definitions,
        @Nullable Tls tls) {
    /** Files in the PEM form. */
    public record Tls(Path certificate, Path key) {}

    public RabbitMqOptions {
        settings = Map.copyOf(settings);
    }

    /** One listener, and the user {@code guest} with the password {@code guest}. */
    public static RabbitMqOptions defaults() {
        return new RabbitMqOptions(Map.of(), null, null);
    }

    /** The same, with one more setting, such as {@code max_message_size}. */
    public RabbitMqOptions with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new RabbitMqOptions(more, definitions, tls);
    }

    /** The same, with these users, hosts and rights, besides the user {@code guest}. */
    public RabbitMqOptions definitions(String json) {
        return new RabbitMqOptions(settings, json, tls);
    }

    /** The same, with one more listener, that speaks TLS. */
    public RabbitMqOptions tls(Path certificate, Path key) {
        return new RabbitMqOptions(settings, definitions, new Tls(certificate, key));
    }
}
