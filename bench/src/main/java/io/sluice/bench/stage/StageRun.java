package io.sluice.bench.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bench.e2e.ProcessUsage;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.Configuration;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The program that is measured: does one job, and writes down what it took.
 *
 * <p>Its arguments are two files: the job, and where the result goes.
 */
public final class StageRun {
    /** How often it is asked how far it is; a figure is as exact. */
    private static final Duration LOOK = Duration.ofMillis(4);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final StageJob job;
    private final RecordedBinlog binlog;
    private final ProcessUsage process =
            new ProcessUsage(ProcessHandle.current().pid());

    StageRun(StageJob job) {
        this.job = job;
        this.binlog = RecordedBinlog.at(job.binlog());
    }

    public static void main(String[] arguments) throws IOException, ConfigException {
        ObjectMapper json = new ObjectMapper();
        StageJob job = json.readValue(Path.of(arguments[0]).toFile(), StageJob.class);
        json.writeValue(Path.of(arguments[1]).toFile(), new StageRun(job).run());
        System.exit(0);
    }

    /** Does the job. */
    StageResult run() throws IOException, ConfigException {
        if (job.source() == StageSource.PULL) {
            return pull();
        }
        if (job.warmRows() > 0) {
            measure("warm", new Sink(null, 1), Math.min(job.warmRows(), allRows()));
        }
        long rows = job.rows() == 0 ? allRows() : Math.min(job.rows(), allRows());
        StageResult result = measure("measured", new Sink(null, 1), rows);
        if (job.check()) {
            Sink sink = new Sink(job.form(), 1);
            measure("checked", sink, allRows());
            result = result.with(sink.problem(binlog.totals()));
        }
        return result;
    }

    /** A moment of a run. */
    private record Look(long rows, long nanos, long cpuNanos, double compileSeconds) {}

    private Look look(long rows) throws IOException {
        return new Look(rows, System.nanoTime(), CpuClock.nanos(), compileSeconds());
    }

    private double compileSeconds() throws IOException {
        return process.cpuSecondsByThread().entrySet().stream()
                .filter(group -> group.getKey().contains("Compiler"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static double readCpuSeconds(Look begin, Look end) {
        return seconds(end.cpuNanos() - begin.cpuNanos()) - (end.compileSeconds() - begin.compileSeconds());
    }

    private long allRows() {
        return (binlog.totals().rows() + 1) * job.instances();
    }

    private StageResult measure(String home, Sink sink, long expected) throws IOException, ConfigException {
        Configuration configuration =
                StageConfiguration.of(job, binlog, job.work().resolve(home));
        Look begin = look(0);
        try (Stages stages = open(configuration, sink)) {
            Look first = await(stages, 1, begin);
            Look quarter = await(stages, expected / 4, first);
            Look end = await(stages, expected, quarter);
            return result(begin, first, quarter, end, sink);
        }
    }

    private Stages open(Configuration configuration, Sink sink) throws IOException {
        return job.source() == StageSource.FILE
                ? new FileStages(configuration, binlog, sink)
                : new LiveStages(configuration, sink);
    }

    /** Waits for so many rows. */
    private Look await(Stages stages, long wanted, Look last) throws IOException {
        long rows = last.rows();
        long movedNanos = System.nanoTime();
        while (rows < wanted) {
            LockSupport.parkNanos(LOOK.toNanos());
            long now = stages.rows();
            if (now > rows) {
                rows = now;
                movedNanos = System.nanoTime();
            } else if (System.nanoTime() - movedNanos > PATIENCE.toNanos()) {
                throw new IOException("nothing moves: %d rows of %d are confirmed".formatted(rows, wanted));
            }
        }
        return rows == last.rows() ? last : look(rows);
    }

    private StageResult result(Look begin, Look first, Look quarter, Look end, Sink sink) throws IOException {
        return new StageResult(
                end.rows(),
                seconds(first.nanos() - begin.nanos()),
                seconds(end.nanos() - begin.nanos()),
                seconds(end.cpuNanos()),
                readCpuSeconds(begin, end),
                end.rows() - quarter.rows(),
                seconds(end.nanos() - quarter.nanos()),
                seconds(end.cpuNanos() - quarter.cpuNanos()),
                process.peakBytes(),
                Thread.getAllStackTraces().size(),
                process.cpuSecondsByThread(),
                sink.messages(),
                sink.bytes(),
                binlog.bytes() * job.instances(),
                null);
    }

    private StageResult pull() throws IOException {
        Look begin = look(0);
        long bytes = PulledEvents.pull(binlog, job.port());
        Look end = look(binlog.totals().rows() + 1);
        StageResult result = new StageResult(
                end.rows(),
                0,
                seconds(end.nanos() - begin.nanos()),
                seconds(end.cpuNanos()),
                readCpuSeconds(begin, end),
                end.rows(),
                seconds(end.nanos() - begin.nanos()),
                seconds(end.cpuNanos() - begin.cpuNanos()),
                process.peakBytes(),
                Thread.getAllStackTraces().size(),
                Map.of(),
                0,
                bytes,
                binlog.bytes(),
                null);
        return bytes < binlog.bytes()
                ? result.with("only %d bytes of %d came".formatted(bytes, binlog.bytes()))
                : result;
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
