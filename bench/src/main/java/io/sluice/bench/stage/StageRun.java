package io.sluice.bench.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import io.sluice.bench.bridge.ProcessUsage;
import io.sluice.bench.micro.PassingStore;
import io.sluice.bench.micro.Recorded;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.SharedPools;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The program that is measured: runs one job. Its arguments are two files: the job, and the result to write. */
public final class StageRun {
    private static final Duration POLL = Duration.ofMillis(4);
    private static final Duration STALL_LIMIT = Duration.ofSeconds(60);
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final StageJob job;
    private final RecordedBinlog binlog;
    private final Configuration configuration;
    private final long expected;

    private StageRun(StageJob job) throws IOException, ConfigException {
        this.job = job;
        this.binlog = RecordedBinlog.at(job.binlog());
        this.configuration = job.configuration(binlog);
        this.expected = binlog.totals().rows() + 1; // and the marker
    }

    public static void main(String[] arguments)
            throws IOException, ConfigException, InterruptedException, ExecutionException {
        ObjectMapper json = new ObjectMapper();
        StageJob job = json.readValue(Path.of(arguments[0]).toFile(), StageJob.class);
        StageRun run = new StageRun(job);
        StageResult result = job.until() == StageJob.Stage.SEND ? run.send() : run.read();
        json.writeValue(Path.of(arguments[1]).toFile(), result);
        System.exit(0);
    }

    /** The number of rows so far. */
    private interface Progress {
        long rows() throws IOException;
    }

    private record Moment(long rows, long nanos, long cpuNanos) {
        static Moment now(long rows) {
            return new Moment(rows, System.nanoTime(), SYSTEM.getProcessCpuTime());
        }
    }

    private StageResult read() throws IOException, InterruptedException, ExecutionException {
        PassingStore counter = new PassingStore();
        ExecutorService encoders = encoders();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        Moment begin = Moment.now(0);
        Future<?> reading = reader.submit(() -> {
            Recorded.of(binlog)
                    .readInto(counter, job.until() == StageJob.Stage.ENCODE ? new EncodingPool(encoders) : null);
            return null;
        });
        try {
            return measure(begin, () -> null, () -> {
                if (reading.isDone() && counter.rows() < expected) {
                    throw new IOException("reading ended after %d rows of %d".formatted(counter.rows(), expected));
                }
                return counter.rows();
            });
        } finally {
            reading.get();
            reader.shutdownNow();
            encoders.shutdownNow();
        }
    }

    private StageResult send() throws IOException {
        try (SharedPools pools = new SharedPools(configuration, Time.SYSTEM)) {
            InstanceWiring wiring = new InstanceWiring(pools);
            return send(new Sink(job.check() ? job.format() : null), wiring);
        }
    }

    private StageResult send(Sink sink, InstanceWiring wiring) throws IOException {
        Moment begin = Moment.now(0);
        try (FileInstance instance = new FileInstance(
                configuration.instances().get(0), configuration.server().mq(), binlog, wiring, sink)) {
            instance.start();
            return measure(begin, () -> job.check() ? sink.problem(binlog.totals()) : null, instance::rows);
        }
    }

    private ExecutorService encoders() {
        return Executors.newFixedThreadPool(configuration.instances().get(0).encoderThreads());
    }

    private StageResult measure(Moment begin, Supplier<@Nullable String> problem, Progress progress)
            throws IOException {
        Moment half = await(progress, expected / 2);
        Moment end = await(progress, expected);
        return new StageResult(
                end.rows(),
                seconds(end.nanos() - begin.nanos()),
                seconds(end.cpuNanos()),
                end.rows() - half.rows(),
                seconds(end.nanos() - half.nanos()),
                seconds(end.cpuNanos() - half.cpuNanos()),
                new ProcessUsage(ProcessHandle.current().pid()).peakBytes(),
                problem.get());
    }

    private static Moment await(Progress progress, long wanted) throws IOException {
        long last = -1;
        long changedNanos = System.nanoTime();
        while (true) {
            long rows = progress.rows();
            if (rows >= wanted) {
                return Moment.now(rows);
            }
            if (rows > last) {
                last = rows;
                changedNanos = System.nanoTime();
            } else if (System.nanoTime() - changedNanos > STALL_LIMIT.toNanos()) {
                throw new IOException("no progress for %s at %d rows of %d".formatted(STALL_LIMIT, rows, wanted));
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
