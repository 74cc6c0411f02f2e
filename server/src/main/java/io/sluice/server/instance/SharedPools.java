package io.sluice.server.instance;

import io.sluice.connector.api.convert.Workspaces;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The pools of threads that all instances of a server share. Thread-safe. */
public final class SharedPools implements AutoCloseable {
    /** Less than the interval between two checks of a source, so that a check never waits for the next one. */
    private static final int WATCH_REST_SECONDS = 2;

    private static final int ASKER_REST_SECONDS = 2;

    /** A cursor waits for its disk, mostly. The store of one that hangs has a thread of its own until so many hang. */
    private static final int MAX_FLUSH_THREADS = 8;

    private final ThreadPoolExecutor encoders;
    private final ExecutorService converters;
    private final ExecutorService watches;
    private final ExecutorService askers;
    private final ScheduledThreadPoolExecutor flushes;
    private final ScheduledExecutorService timer;
    private final EncodingPool encoding;
    private final Workspaces workspaces;
    private final Time time;
    private volatile int instances;

    /** Starts the pools of a server. */
    public SharedPools(Configuration configuration, Time time) {
        int encoderThreads = encoderThreads(configuration.instances());
        this.encoders = new ThreadPoolExecutor(
                encoderThreads, encoderThreads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named("encoder"));
        this.converters = Executors.newFixedThreadPool(converterThreads(configuration), named("converter"));
        this.watches = asMany(WATCH_REST_SECONDS, "watch");
        this.askers = asMany(ASKER_REST_SECONDS, "partitions");
        this.flushes = new ScheduledThreadPoolExecutor(
                flushThreads(configuration.instances().size()), named("cursor-flush"));
        ScheduledThreadPoolExecutor waits = new ScheduledThreadPoolExecutor(1, named("timer"));
        waits.setRemoveOnCancelPolicy(true); // most waits of clients end before their time
        this.timer = waits;
        this.encoding = new EncodingPool(encoders);
        this.workspaces = new Workspaces(configuration.server().mq().format());
        this.time = time;
        this.instances = configuration.instances().size();
    }

    /** As many threads as needed: one at work must not hold up another. */
    private static ExecutorService asMany(int restSeconds, String name) {
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, restSeconds, TimeUnit.SECONDS, new SynchronousQueue<>(), named(name));
    }

    private static int encoderThreads(List<InstanceConfig> instances) {
        return Math.max(
                1,
                instances.stream()
                        .mapToInt(InstanceConfig::encoderThreads)
                        .max()
                        .orElse(1));
    }

    /** More threads than processors would only take turns; the key's default of 8 was chosen for waiting workers. */
    private static int converterThreads(Configuration configuration) {
        return Math.max(
                1,
                Math.min(
                        configuration.server().mq().buildThreads(),
                        Runtime.getRuntime().availableProcessors()));
    }

    private static int flushThreads(int instances) {
        return Math.max(1, Math.min(instances, MAX_FLUSH_THREADS));
    }

    private static ThreadFactory named(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Encode protobuf ahead of the store. */
    EncodingPool encoders() {
        return encoding;
    }

    /** Convert batches into messages. */
    public Executor converters() {
        return converters;
    }

    /** The workspaces of the converters, for the format of this server. */
    Workspaces workspaces() {
        return workspaces;
    }

    /** Query the state of sources, and may wait for them. */
    Executor watches() {
        return watches;
    }

    /** Ask brokers for numbers of partitions, and may wait for them. */
    Executor askers() {
        return askers;
    }

    /** Writes cursors, several at a time and each of them one after the other, and may wait for a disk or for ZooKeeper. */
    ScheduledExecutorService flushes() {
        return flushes;
    }

    /** Ends waits; nothing that it runs waits itself. */
    public ScheduledExecutorService timer() {
        return timer;
    }

    /** The clocks of the process. */
    public Time time() {
        return time;
    }

    /** How many instances share the heap. */
    int instances() {
        return instances;
    }

    /**
     * Sets which instances share the heap and the pools. Those that run already keep their shares of the heap; encoders are as many as the
     * instance with the most of them needs.
     */
    public synchronized void setInstances(List<InstanceConfig> all) {
        instances = all.size();
        flushes.setCorePoolSize(flushThreads(all.size()));
        int threads = encoderThreads(all);
        if (threads > encoders.getMaximumPoolSize()) { // never less than the core size
            encoders.setMaximumPoolSize(threads);
            encoders.setCorePoolSize(threads);
        } else {
            encoders.setCorePoolSize(threads);
            encoders.setMaximumPoolSize(threads);
        }
    }

    /** Ends all threads; what they do is interrupted. */
    @Override
    public void close() {
        encoders.shutdownNow();
        converters.shutdownNow();
        watches.shutdownNow();
        askers.shutdownNow();
        flushes.shutdownNow();
        timer.shutdownNow();
    }
}
