package io.sluice.bench.e2e;

import io.sluice.bench.broker.NullBroker;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.proxy.DelayingProxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The broker that bridges send to, which may be far from them.
 *
 * @param pid its process
 * @param bootstrapServers its address for the bench
 * @param proxy what makes it far for bridges; null if it is near
 * @param creator creates topics with a number of partitions each
 * @param end stops it
 */
record Target(
        long pid,
        String bootstrapServers,
        @Nullable DelayingProxy proxy,
        BiFunction<List<String>, Integer, Topics> creator,
        Runnable end)
        implements AutoCloseable {
    /** The kind of broker. */
    enum Kind {
        /** Kafka. */
        KAFKA,
        /** Threads of the bench that acknowledge at once and keep nothing. */
        NULL
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
        if (kind == Kind.NULL) {
            NullBroker broker = new NullBroker(advertised);
            port.set(broker.port());
            return new Target(
                    ProcessHandle.current().pid(),
                    "127.0.0.1:" + broker.port(),
                    proxy,
                    (topics, partitions) -> new CountedTopics(broker, topics, partitions),
                    broker::close);
        }
        KafkaServer kafka = KafkaServer.start(options.viaGate(advertised));
        port.set(kafka.gatedPort());
        String servers = kafka.bootstrapServers();
        return new Target(
                kafka.pid(),
                servers,
                proxy,
                (topics, partitions) -> new KafkaTopics(servers, topics, partitions),
                kafka::close);
    }

    /** The address for bridges. */
    String bridgeServers() {
        return proxy == null ? bootstrapServers : "127.0.0.1:" + proxy.port();
    }

    Topics createTopics(List<String> names, int partitionsEach) {
        return creator.apply(names, partitionsEach);
    }

    @Override
    public void close() {
        end.run();
        if (proxy != null) {
            proxy.close();
        }
    }
}
