package io.sluice.testkit.kafka;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a broker is to be started.
 *
 * @param settings lines of {@code server.properties}; they win over the defaults
 * @param jvmOptions options of the broker's JVM
 * @param proxied a second port for clients that come through a proxy; null if there is none
 */
public record KafkaOptions(
        Map<String, String> settings,
        List<String> jvmOptions,
        @Nullable Proxied proxied) {
    /**
     * Two ports of 127.0.0.1.
     *
     * @param port where the broker listens, too
     * @param proxyPort where it tells clients of that port to go, be there a proxy yet or not
     */
    public record Proxied(int port, int proxyPort) {}

    public KafkaOptions {
        settings = Map.copyOf(settings);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** A broker for tests: 256 MB of heap, and quick to start rather than quick in the long run. */
    public static KafkaOptions defaults() {
        return new KafkaOptions(
                Map.of(), List.of("-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), null);
    }

    /** The same, with one more setting, such as {@code message.max.bytes}. */
    public KafkaOptions with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new KafkaOptions(more, jvmOptions, proxied);
    }

    /** The same, with other options of its JVM, as a bench may want them. */
    public KafkaOptions jvmOptions(String... options) {
        return new KafkaOptions(settings, List.of(options), proxied);
    }

    /** The same, with a second port for clients that come through a proxy. */
    public KafkaOptions behind(Proxied ports) {
        return new KafkaOptions(settings, jvmOptions, ports);
    }
}
