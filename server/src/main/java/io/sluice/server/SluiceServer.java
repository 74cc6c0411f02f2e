package io.sluice.server;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.ClusterConfig;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.config.TcpConfig;
import io.sluice.server.ha.Candidacy;
import io.sluice.server.ha.Cluster;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.health.HealthWatch;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.SharedPools;
import io.sluice.server.metrics.MetricsPort;
import io.sluice.server.metrics.Observed;
import io.sluice.server.tcp.Destination;
import io.sluice.server.tcp.TcpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All instances of one process, the port where clients pull, and the pools of workers that they share.
 *
 * <p>An instance that cannot continue does not take the others with it; when none is left, the server ends. Safe for use by
 * several threads.
 */
public final class SluiceServer {
    private static final Logger LOG = LoggerFactory.getLogger(SluiceServer.class);

    private final List<InstanceSlot> slots = new ArrayList<>();
    /** One for each slot, in their order; none if the server is alone. */
    private final List<Candidacy> candidacies = new ArrayList<>();

    private final Time time;
    private final SharedPools pools;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Cluster cluster;
    private boolean stopped;
    private volatile @Nullable TcpServer port;
    private volatile @Nullable HealthWatch health;
    private volatile @Nullable MetricsPort metrics;

    private SluiceServer(Configuration configuration, Time time) {
        this.time = time;
        this.pools = new SharedPools(configuration, time);
    }

    /** Makes an instance in the time in which it may run here. */
    @FunctionalInterface
    private interface Maker {
        Instance make(InstanceConfig config, OwnershipTerm term);
    }

    /**
     * Starts a server whose entries go to a queue. Alone, it makes and starts all instances of its configuration; if one
     * cannot be made, none is left running. In a cluster, it is a candidate for each of them, and starts those that it owns.
     *
     * @param factory makes a producer for each instance
     * @throws io.sluice.connector.api.producer.ProducerConfigException if the producer's properties are wrong
     * @throws io.sluice.store.cursor.CursorException if an instance's cursor cannot be read
     */
    public static SluiceServer start(Configuration configuration, MessageProducerFactory factory) {
        SluiceServer server = new SluiceServer(configuration, Time.SYSTEM);
        InstanceWiring wiring = new InstanceWiring(server.pools);
        server.run(configuration, (instance, term) -> {
            ServerConfig config = configuration.server();
            Map<String, String> properties = new HashMap<>(config.producerProperties());
            properties.put(MessageProducerFactory.DESTINATION, instance.destination());
            MessageProducer producer = factory.create(properties, term.ownership());
            try {
                return wiring.sending(instance, config.mq(), term, producer, server::instanceFailed);
            } catch (RuntimeException e) {
                producer.close(Duration.ZERO);
                throw e;
            }
        });
        return server;
    }

    /**
     * Starts a server whose entries are pulled by clients, as {@link #start(Configuration, MessageProducerFactory)} does, and
     * opens the port for these. If anything fails, nothing is left running.
     *
     * @throws IOException if the port cannot be opened
     * @throws io.sluice.store.cursor.CursorException if an instance's cursors cannot be read
     */
    public static SluiceServer start(Configuration configuration) throws IOException {
        SluiceServer server = new SluiceServer(configuration, Time.SYSTEM);
        Optional<TcpConfig> tcp = configuration.server().tcp();
        int maxSubscriptions = tcp.map(port -> port.limits().subscriptions()).orElse(0);
        InstanceWiring wiring = new InstanceWiring(server.pools);
        server.run(
                configuration,
                (instance, term) -> wiring.pulled(instance, maxSubscriptions, term, server::instanceFailed));
        if (tcp.isEmpty()) {
            LOG.warn("the port where clients pull is closed, so nothing is delivered: key=canal.withoutNetty");
            return server;
        }
        try {
            server.port = TcpServer.open(tcp.get(), server::destination, server.pools.converters(), server.time);
        } catch (IOException | RuntimeException e) {
            server.stop(Duration.ZERO);
            throw e;
        }
        return server;
    }

    private void run(Configuration configuration, Maker maker) {
        for (InstanceConfig instance : configuration.instances()) {
            slots.add(new InstanceSlot(instance.destination(), instance.lazy(), term -> maker.make(instance, term)));
        }
        observe(configuration.server());
        Optional<ClusterConfig> cluster = configuration.server().cluster();
        if (cluster.isPresent()) {
            stand(cluster.get());
        } else {
            startAll();
            LOG.info(
                    "start CanalInstances{} successfully",
                    configuration.server().destinations());
        }
    }

    /** Begins to watch, and lets others see. A port that cannot be opened is no reason not to deliver. */
    private void observe(ServerConfig config) {
        HealthWatch watch = HealthWatch.start(this::instances, config.stallLimit(), pools.timer(), time);
        health = watch;
        if (config.metrics().isEmpty()) {
            return;
        }
        try {
            metrics = MetricsPort.open(config.metrics().get(), new OurState(watch), time);
        } catch (IOException e) {
            LOG.error("metrics and health cannot be read: {}", e.getMessage());
        }
    }

    private final class OurState implements Observed {
        private final HealthWatch watch;

        OurState(HealthWatch watch) {
            this.watch = watch;
        }

        @Override
        public List<String> destinations() {
            return slots.stream().map(InstanceSlot::name).toList();
        }

        @Override
        public List<Instance> instances() {
            return SluiceServer.this.instances();
        }

        @Override
        public List<InstanceHealth> health() {
            return watch.health();
        }

        @Override
        public Optional<TcpServer> clientPort() {
            return port();
        }
    }

    /** What clients find under a name; null if no such instance runs here. */
    private @Nullable Destination destination(String name) {
        for (int i = 0; i < slots.size(); i++) {
            InstanceSlot slot = slots.get(i);
            if (slot.name().equals(name)) {
                if (slot.isLazy() && slot.instance().isEmpty()) {
                    awaken(i);
                }
                return slot.instance().flatMap(SluiceServer::destination).orElse(null);
            }
        }
        return null;
    }

    /** Starts an instance that has waited for a client; among others, this server wants it from now on. */
    private void awaken(int place) {
        InstanceSlot slot = slots.get(place);
        if (cluster != null) {
            candidacies.get(place).want();
            return;
        }
        synchronized (slot) {
            if (slot.instance().isEmpty()) {
                LOG.info("a client asks for a lazy instance: instance={}", slot.name());
                try {
                    slot.start(OwnershipTerm.sole());
                } catch (RuntimeException e) {
                    LOG.error("a lazy instance cannot be started: instance={}", slot.name(), e);
                }
            }
        }
    }

    private static Optional<Destination> destination(Instance instance) {
        return instance.pullClients().map(clients -> new Destination(clients, instance.storeConfig()));
    }

    private void startAll() {
        try {
            slots.stream().filter(slot -> !slot.isLazy()).forEach(slot -> slot.fill(OwnershipTerm.sole()));
        } catch (RuntimeException e) {
            stop(Duration.ZERO);
            throw e;
        }
        slots.forEach(InstanceSlot::begin);
    }

    private void stand(ClusterConfig config) {
        Cluster joined = Cluster.join(config, time);
        cluster = joined;
        for (InstanceSlot slot : slots) {
            Candidacy candidacy = joined.candidacyFor(slot.name(), slot);
            candidacies.add(candidacy);
            if (!slot.isLazy()) {
                candidacy.want();
            }
        }
    }

    /** Among others, a failed instance is left to them, and tried again here after a while. */
    private void instanceFailed(String instance, Throwable cause) {
        if (cluster == null && slots.stream().allMatch(InstanceSlot::hasFailed)) {
            LOG.error("all instances have failed, the server ends: instances={}", slots.size());
            ended.countDown();
        }
    }

    /** The port where clients pull; empty if there is none. */
    public Optional<TcpServer> port() {
        return Optional.ofNullable(port);
    }

    /** The health of the instances that run here. */
    public List<InstanceHealth> health() {
        HealthWatch watch = health;
        return watch == null ? List.of() : watch.health();
    }

    /** The port where metrics and health are read; empty if there is none. */
    public Optional<MetricsPort> metricsPort() {
        return Optional.ofNullable(metrics);
    }

    /** The instances that run here now, in the order of the configuration. */
    public List<Instance> instances() {
        return slots.stream().flatMap(slot -> slot.instance().stream()).toList();
    }

    /** Waits until the server was stopped, or no instance can continue. */
    public void awaitTermination() throws InterruptedException {
        ended.await();
    }

    /**
     * Stops all instances, then what they share. A second call does nothing.
     *
     * @param limit how long all of them together may finish what is in flight
     */
    public synchronized void stop(Duration limit) {
        if (stopped) {
            return;
        }
        stopped = true;
        TcpServer open = port;
        if (open != null) {
            open.close();
        }
        long deadline = time.nanos() + limit.toNanos();
        candidacies.forEach(candidacy -> candidacy.beginClose(limit));
        for (Candidacy candidacy : candidacies) {
            try {
                candidacy.awaitEnd();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        for (InstanceSlot slot : slots) {
            slot.stop(Duration.ofNanos(Math.max(0, deadline - time.nanos())));
        }
        if (cluster != null) {
            cluster.close();
        }
        if (health != null) {
            health.close();
        }
        if (metrics != null) {
            metrics.close();
        }
        pools.close();
        ended.countDown();
    }
}
