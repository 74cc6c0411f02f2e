package io.sluice.bench.e2e;

import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.proxy.DelayingProxy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The broker that bridges send to. It may be far from them, and is near for the bench. */
final class Target implements AutoCloseable {
    private final KafkaServer server;
    private final @Nullable DelayingProxy proxy;

    private Target(KafkaServer server, @Nullable DelayingProxy proxy) {
        this.server = server;
        this.proxy = proxy;
    }

    /**
     * Starts Kafka.
     *
     * @param delay how much later its answers arrive at a bridge
     */
    static Target kafka(KafkaOptions options, Duration delay) {
        if (delay.isZero()) {
            return new Target(KafkaServer.start(options), null);
        }
        KafkaServer[] started = new KafkaServer[1];
        DelayingProxy proxy = new DelayingProxy(delay, () -> started[0].gatedPort());
        try {
            started[0] = KafkaServer.start(options.viaGate(proxy.port()));
            return new Target(started[0], proxy);
        } catch (RuntimeException e) {
            proxy.close();
            throw e;
        }
    }

    KafkaServer server() {
        return server;
    }

    /** The address for bridges. */
    String address() {
        return proxy == null ? server.bootstrapServers() : "127.0.0.1:" + proxy.port();
    }

    @Override
    public void close() {
        server.close();
        if (proxy != null) {
            proxy.close();
        }
    }
}
