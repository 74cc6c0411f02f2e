package io.sluice.testkit.kafka;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How a broker is to be started.
 *
 * @param settings lines of {@code server.properties}; they win over the defaults
 * @param jvmOptions options of the broker's JVM
 * @param gate the port of 127.0.0.1 that clients of a second listener are sent to; 0 if there is no such listener
 * @param listeners more ports besides: the listener's name, and its protocol, such as {@code SASL_SSL}
 */
public record KafkaOptions(
        Map<String, String> settings, List<String> jvmOptions, int gate, Map<String, String> listeners) {
    public KafkaOptions {
        listeners = Map.copyOf(listeners);
        settings = Map.copyOf(settings);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** A broker for tests: 256 MB of heap, and quick to start rather than quick in the long run. */
    public static KafkaOptions defaults() {
        return new KafkaOptions(
                Map.of(), List.of("-Xms64m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"), 0, Map.of());
    }

    /** Returns a copy with one more setting, such as {@code message.max.bytes}. */
    public KafkaOptions with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name, value);
        return new KafkaOptions(more, jvmOptions, gate, listeners);
    }

    /** Returns a copy with one more port; what its protocol needs, such as {@code ssl.keystore.location}, is to be set. */
    public KafkaOptions listener(String name, String protocol) {
        Map<String, String> more = new LinkedHashMap<>(listeners);
        more.put(name, protocol);
        return new KafkaOptions(settings, jvmOptions, gate, more);
    }

    /** Returns a copy with one more option of the JVM. */
    public KafkaOptions jvmOption(String option) {
        List<String> more = new ArrayList<>(jvmOptions);
        more.add(option);
        return new KafkaOptions(settings, more, gate, listeners);
    }

    /** Returns a copy with the given options of the JVM in place of all others, as a bench may need them. */
    public KafkaOptions jvmOptions(String... options) {
        return new KafkaOptions(settings, List.of(options), gate, listeners);
    }

    /** Returns a copy with a second listener that has its clients go through a gate, by its port. */
    public KafkaOptions viaGate(int gatePort) {
        return new KafkaOptions(settings, jvmOptions, gatePort, listeners);
    }
}
