package io.sluice.testkit.pulsar;

import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.broker.GatedBroker;
import io.sluice.testkit.proxy.Gate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Pulsar broker with a gate in front of it. Its topics are in {@code public/default}. */
public final class PulsarBroker extends GatedBroker<PulsarServer> {
    private static final Pattern COUNT = Pattern.compile("\"msgInCounter\"\\s*:\\s*(\\d+)");

    private PulsarBroker(PulsarServer server, Gate gate) {
        super(server, gate);
    }

    /** Starts a broker with the defaults and returns when it answers. */
    public static PulsarBroker start() {
        PulsarServer[] started = new PulsarServer[1];
        Gate gate = new Gate(() -> started[0].port());
        try {
            started[0] = PulsarServer.start(PulsarOptions.defaults().viaGate(gate.port()));
            return new PulsarBroker(started[0], gate);
        } catch (RuntimeException e) {
            gate.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "pulsar";
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "canal.serverMode",
                "pulsarMQ",
                "pulsarmq.serverUrl",
                "pulsar://127.0.0.1:" + gate().port(),
                "pulsarmq.listenerName",
                PulsarOptions.GATE,
                "pulsarmq.topicTenantPrefix",
                "public/default");
    }

    @Override
    public Map<String, String> shortTimeouts() {
        return Map.of("pulsarmq.sendTimeoutMs", "3000");
    }

    @Override
    public void createTopic(String topic, int partitions) {
        server().createTopic(topic, partitions);
    }

    /** Since the broker was started last. */
    @Override
    public long delivered(String topic) {
        Matcher total = COUNT.matcher(server().admin(
                        "GET", "persistent/public/default/" + topic + "/partitioned-stats?perPartition=false", ""));
        return total.find() ? Long.parseLong(total.group(1)) : 0;
    }

    @Override
    public void read(String topic, Consumer<BrokerRecord> receiver, BooleanSupplier condition, Duration atMost) {
        Map<Integer, Long> offsets = new HashMap<>();
        server().reader()
                .read(
                        topic,
                        message -> receiver.accept(
                                recordOf(topic, message, offsets.merge(message.partition(), 1L, Long::sum) - 1)),
                        condition,
                        atMost);
    }

    private static BrokerRecord recordOf(String topic, PulsarMessage message, long offset) {
        String key = message.key();
        return new BrokerRecord(
                topic,
                message.partition(),
                offset,
                key == null ? null : key.getBytes(StandardCharsets.UTF_8),
                message.value(),
                message.properties());
    }
}
