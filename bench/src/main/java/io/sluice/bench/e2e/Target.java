package io.sluice.bench.e2e;

import io.sluice.bench.broker.NullServer;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.proxy.DelayingProxy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The broker that bridges send to, which may be far from them. */
final class Target implements AutoCloseable {
    private final RestartableServer server;
    private final String bootstrapServers;
    private final @Nullable DelayingProxy proxy;

    /** The kind of broker. */
    enum Kind {
        /** Kafka. */
        KAFKA,
        /** A process that acknowledges at once and keeps nothing. */
        NULL
    }

    private Target(RestartableServer server, String bootstrapServers, @Nullable DelayingProxy proxy) {
        this.server = server;
        this.bootstrapServers = bootstrapServers;
        this.proxy = proxy;
    }

    /**
     * Starts a broker.
     *
     * @param options for Kafka
     * @param delay how much later its answers arrive at a bridge
     */
    static Target start(Kind kind, KafkaOptions options, Duration delay) {
        AtomicInteger port = new AtomicInteger();
        DelayingProxy proxy = delay.isZero() ? null : new DelayingProxy(delay, port::get);
        int advertised = proxy == null ? 0 : proxy.port();
        try {
            if (kind == Kind.NULL) {
                NullServer server = NullServer.start(advertised);
                port.set(server.port());
                return new Target(server, "127.0.0.1:" + server.port(), proxy);
            }
            KafkaServer server = KafkaServer.start(options.viaGate(advertised));
            port.set(server.gatedPort());
            return new Target(server, server.bootstrapServers(), proxy);
        } catch (RuntimeException e) {
            if (proxy != null) {
                proxy.close();
            }
            throw e;
        }
    }

    /** The address for the bench. */
    String bootstrapServers() {
        return bootstrapServers;
    }

    /** The address for bridges. */
    String bridgeServers() {
        return proxy == null ? bootstrapServers : "127.0.0.1:" + proxy.port();
    }

    long pid() {
        return server.pid();
    }

    /** Whether records can be read. */
    boolean keepsRecords() {
        return !(server instanceof NullServer);
    }

    /** What a broker that keeps nothing has rejected; empty if nothing. */
    String errors() throws IOException {
        return server instanceof NullServer keepsNothing ? keepsNothing.errors() : "";
    }

    @Override
    public void close() {
        server.close();
        if (proxy != null) {
            proxy.close();
        }
    }
}
