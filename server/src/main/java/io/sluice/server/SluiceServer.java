package io.sluice.server;

import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.instance.SharedPools;
import io.sluice.server.tcp.TcpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All instances of one process, the port where clients pull, and the pools of workers that they share.
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
    private volatile @Nullable TcpServer port;

    private SluiceServer(Configuration configuration) {
        int encoderThreads = Math.max(
                1,
                configuration.instances().stream()
                        .mapToInt(instance -> instance.parser().threads())
                        .max()
                        .orElse(1));
        this.encoders = Executors.newFixedThreadPool(encoderThreads, named("encoder"));
        this.converters = Executors.newFixedThreadPool(converterThreads(configuration), named("converter"));
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("timer"));
        timer.setRemoveOnCancelPolicy(true); // most waits of clients end before their time
        this.scheduler = timer;
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
     * Makes and starts all instances of a configuration, whose entries go to a queue. If one cannot be made, none is left
     * running.
     *
     * @param factory makes a producer for each instance
     * @throws io.sluice.connector.api.producer.ProducerConfigException if the producer's properties are wrong
     * @throws io.sluice.store.cursor.CursorException if an instance's cursor cannot be read
     */
    public static SluiceServer start(Configuration configuration, MessageProducerFactory factory) {
        SluiceServer server = new SluiceServer(configuration);
        try {
            server.makeInstances(
                    configuration, (instance, pools) -> server.sending(configuration, factory, instance, pools));
        } catch (RuntimeException e) {
            server.stop(Duration.ZERO);
            throw e;
        }
        server.startInstances();
        return server;
    }

    /**
     * Makes and starts all instances of a configuration, whose entries are pulled by clients, and then opens the port for
     * these. If anything fails, nothing is left running.
     *
     * @throws IOException if the port cannot be opened
     * @throws io.sluice.store.cursor.CursorException if an instance's cursors cannot be read
     */
    public static SluiceServer start(Configuration configuration) throws IOException {
        SluiceServer server = new SluiceServer(configuration);
        try {
            server.makeInstances(
                    configuration, (instance, pools) -> Instance.pulled(instance, pools, server::instanceFailed));
            server.startInstances();
            if (configuration.server().tcp().isPresent()) {
                server.port = TcpServer.open(
                        configuration.server().tcp().get(),
                        new RunningDestinations(server.instances()),
                        server.converters);
            } else {
                LOG.warn("the port where clients pull is closed, so nothing is delivered: key=canal.withoutNetty");
            }
        } catch (IOException | RuntimeException e) {
            server.stop(Duration.ZERO);
            throw e;
        }
        return server;
    }

    private void startInstances() {
        instances.forEach(Instance::start);
        LOG.info(
                "start CanalInstances{} successfully",
                instances.stream().map(Instance::name).toList());
    }

    private void makeInstances(Configuration configuration, BiFunction<InstanceConfig, SharedPools, Instance> maker) {
        SharedPools pools = new SharedPools(encoders, converters, scheduler);
        for (InstanceConfig instance : configuration.instances()) {
            instances.add(maker.apply(instance, pools));
        }
    }

    private Instance sending(
            Configuration configuration, MessageProducerFactory factory, InstanceConfig instance, SharedPools pools) {
        MessageProducer producer = factory.create(configuration.server().producerProperties());
        try {
            return Instance.sending(instance, configuration.server().mq(), pools, producer, this::instanceFailed);
        } catch (RuntimeException e) {
            producer.close(Duration.ZERO);
            throw e;
        }
    }

    private void instanceFailed(Instance failed, Throwable cause) {
        if (instances.stream().allMatch(instance -> instance.state() == InstanceState.FAILED)) {
            LOG.error("no instance is left that can go on, the server ends: instances={}", instances.size());
            ended.countDown();
        }
    }

    /** The port where clients pull; empty if there is none. */
    public Optional<TcpServer> port() {
        return Optional.ofNullable(port);
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
        TcpServer open = port;
        if (open != null) {
            open.close();
        }
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
