package io.sluice.server.config.server;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Which names a broker's topics can have. What is left to the broker to judge is taken. */
public final class TopicNames {
    private static final Pattern KAFKA = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");
    private static final Pattern ROCKETMQ = Pattern.compile("[%|a-zA-Z0-9_-]{1,127}");
    private static final int ROUTING_KEY_BYTES = 255;

    private TopicNames() {}

    /** Why a broker cannot have a topic of that name; null if it can. */
    public static @Nullable String problemOf(ServerMode mode, String topic) {
        if (topic.isEmpty()) {
            return "a topic needs a name";
        }
        return switch (mode) {
            case KAFKA ->
                KAFKA.matcher(topic).matches()
                        ? null
                        : "Kafka takes letters and digits of ASCII, '.', '_' and '-', at most 249, and neither '.' nor '..'";
            case ROCKETMQ ->
                ROCKETMQ.matcher(topic).matches()
                        ? null
                        : "RocketMQ takes letters and digits of ASCII, '_', '-', '%' and '|', at most 127";
            case RABBITMQ ->
                topic.getBytes(StandardCharsets.UTF_8).length <= ROUTING_KEY_BYTES
                        ? null
                        : "a routing key of RabbitMQ has at most 255 bytes";
            default -> null;
        };
    }
}
