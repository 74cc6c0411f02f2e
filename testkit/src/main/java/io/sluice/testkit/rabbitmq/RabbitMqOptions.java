package io.sluice.testkit.rabbitmq;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a broker is to be started.
 *
 * @param settings lines of {@code rabbitmq.conf}; they win over the defaults
 * @param users besides {@code guest}, whose password is {@code guest}
 * @param tls the PEM files of a second listener's key and certificate; null for no such listener
 */
public record RabbitMqOptions(
        Map<String, String> settings,
        List<User> users,
        @Nullable Tls tls) {
    /** Files in the PEM form. */
    public record Tls(Path certificate, Path key) {}

    /**
     * A user that may log in, and may read all.
     *
     * @param virtualHost the only one that it may use; made if it is not there
     * @param configure which queues and exchanges it may declare, as a regular expression
     * @param write to which exchanges it may send
     * @param topics with which routing keys it may send to {@code amq.topic}; empty for any
     */
    public record User(
            String name, String password, String virtualHost, String configure, String write, String topics) {}

    public RabbitMqOptions {
        settings = Map.copyOf(settings);
        users = List.copyOf(users);
    }

    /** One listener, and the user {@code guest}. */
    public static RabbitMqOptions defaults() {
        return new RabbitMqOptions(Map.of(), List.of(), null);
    }

    /** Returns a copy with one more setting, such as {@code max_message_size}. */
    public RabbitMqOptions with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new RabbitMqOptions(more, users, tls);
    }

    /** Returns a copy with one more user. */
    public RabbitMqOptions with(User user) {
        List<User> more = new ArrayList<>(users);
        more.add(user);
        return new RabbitMqOptions(settings, more, tls);
    }

    /** Returns a copy with one more listener, which speaks TLS. */
    public RabbitMqOptions tls(Path certificate, Path key) {
        return new RabbitMqOptions(settings, users, new Tls(certificate, key));
    }
}
