package io.sluice.server;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.instance.SharedPools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
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

    private final List<Instance> instances = new ArrayList<>();
    private final ExecutorService encoders;
    private final ExecutorService converters;
    private final ScheduledExecutorService scheduler;
    private final CountDownLatch ended = new CountDownLatch(1);
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
     * Makes and starts all instances of a configuration. If one cannot be made, none is left running.
     *
     * @param factory makes a producer for each instance
     * @throws io.sluice.connector.api.producer.ProducerConfigException if the producer's properties are wrong
     * @throws io.sluice.store.cursor.CursorException if an instance's cursor cannot be read
     */
    public static SluiceServer start(Configuration configuration, MessageProducerFactory factory) {
        SluiceServer server = new SluiceServer(configuration);
        try {
            server.makeInstances(configuration, factory);
        } catch (RuntimeException e) {
            server.stop(Duration.ZERO);
            throw e;
        }
        server.instances.forEach(Instance::start);
        LOG.info("start CanalInstances{} successfully", configuration.server().destinations());
        return server;
    }

    private void makeInstances(Configuration configuration, MessageProducerFactory factory) {
        SharedPools pools = new SharedPools(encoders, converters, scheduler);
        for (InstanceConfig instance : configuration.instances()) {
            MessageProducer producer = factory.create(configuration.server().producerProperties());
            try {
                instances.add(
                        new Instance(instance, configuration.server().mq(), pools, producer, this::instanceFailed));
            } catch (RuntimeException e) {
                producer.close(Duration.ZERO);
                throw e;
            }
        }
    }

    private void instanceFailed(Instance failed, Throwable cause) {
        if (instances.stream().allMatch(instance -> instance.state() == InstanceState.FAILED)) {
            LOG.error("no instance is left that can go on, the server ends: instances={}", instances.size());
            ended.countDown();
        }
    }

    /** The instances, in the order of the configuration. */
    public List<Instance> instances() {
        return List.copyOf(instances);
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
        for (Instance instance : instances) {
            try {
                instance.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException e) {
                LOG.error("an instance did not stop in good order: instance={}", instance.name(), e);
            }
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
