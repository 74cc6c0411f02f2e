package io.sluice.server;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.ClusterConfig;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.ha.Candidacy;
import io.sluice.server.ha.Cluster;
import io.sluice.server.ha.Tenure;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.SharedPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All instances of one process, and the pools of workers that they share.
 *
 * <p>An instance that cannot go on does not take the others with it; when none is left, the server ends. Safe for use by
 * several threads.
 */
public final class SluiceServer {
    private static final Logger LOG = LoggerFactory.getLogger(SluiceServer.class);

    private final List<InstanceSlot> slots = new ArrayList<>();
    private final List<Candidacy> candidacies = new ArrayList<>();
    private final ExecutorService encoders;
    private final ExecutorService converters;
    private final ScheduledExecutorService scheduler;
    private final CountDownLatch ended = new CountDownLatch(1);
    private @Nullable Cluster cluster;
    private boolean stopped;

    private SluiceServer(Configuration configuration) {
        int encoderThreads = Math.max(
                1,
                configuration.instances().stream()
                        .mapToInt(instance -> instance.parser().threads())
                        .max()
                        .orElse(1));
        this.encoders = Executors.newFixedThreadPool(encoderThreads, named("encoder"));
        this.converters = Executors.newFixedThreadPool(converterThreads(configuration), named("converter"));
        this.scheduler = Executors.newSingleThreadScheduledExecutor(named("cursor-flush"));
    }

    /** More threads than processors would only take turns; the key's default of 8 was chosen for waiting workers. */
    private static int converterThreads(Configuration configuration) {
        return Math.max(
                1,
                Math.min(
                        configuration.server().mq().buildThreads(),
                        Runtime.getRuntime().availableProcessors()));
    }

    /**
     * Starts a server. Alone, it makes and starts all instances of its configuration; if one cannot be made, none is left
     * running. Among others, it stands for each of them, and starts it when it is its turn.
     *
     * @param factory makes a producer for each instance
     * @throws io.sluice.connector.api.producer.ProducerConfigException if the producer's properties are wrong
     * @throws io.sluice.store.cursor.CursorException if an instance's cursor cannot be read
     */
    public static SluiceServer start(Configuration configuration, MessageProducerFactory factory) {
        SluiceServer server = new SluiceServer(configuration);
        server.makeSlots(configuration, factory);
        Optional<ClusterConfig> cluster = configuration.server().cluster();
        if (cluster.isPresent()) {
            server.stand(cluster.get());
        } else {
            server.startAll();
            LOG.info(
                    "start CanalInstances{} successfully",
                    configuration.server().destinations());
        }
        return server;
    }

    private void makeSlots(Configuration configuration, MessageProducerFactory factory) {
        SharedPools pools = new SharedPools(encoders, converters, scheduler);
        ServerConfig server = configuration.server();
        for (InstanceConfig instance : configuration.instances()) {
            slots.add(new InstanceSlot(instance.destination(), tenure -> {
                MessageProducer producer = factory.create(server.producerProperties(), tenure.ownership());
                try {
                    return new Instance(instance, server.mq(), pools, tenure, producer, this::instanceFailed);
                } catch (RuntimeException e) {
                    producer.close(Duration.ZERO);
                    throw e;
                }
            }));
        }
    }

    private void startAll() {
        try {
            slots.forEach(slot -> slot.fill(Tenure.sole()));
        } catch (RuntimeException e) {
            stop(Duration.ZERO);
            throw e;
        }
        slots.forEach(InstanceSlot::begin);
    }

    private void stand(ClusterConfig config) {
        Cluster joined = Cluster.join(config);
        cluster = joined;
        slots.forEach(slot -> candidacies.add(joined.standFor(slot.name(), slot)));
    }

    /** Among others, a failed instance is left to them, and tried again here after a while. */
    private void instanceFailed(Instance failed, Throwable cause) {
        if (cluster == null && slots.stream().allMatch(InstanceSlot::hasFailed)) {
            LOG.error("no instance is left that can go on, the server ends: instances={}", slots.size());
            ended.countDown();
        }
    }

    /** The instances that run here now, in the order of the configuration. */
    public List<Instance> instances() {
        return slots.stream().flatMap(slot -> slot.instance().stream()).toList();
    }

    /** Waits until the server was stopped, or no instance can go on. */
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
        long deadline = System.nanoTime() + limit.toNanos();
        candidacies.forEach(candidacy -> candidacy.beginClose(limit));
        for (Candidacy candidacy : candidacies) {
            try {
                candidacy.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        for (InstanceSlot slot : slots) {
            slot.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
        if (cluster != null) {
            cluster.close();
        }
        encoders.shutdownNow();
        converters.shutdownNow();
        scheduler.shutdownNow();
        ended.countDown();
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
