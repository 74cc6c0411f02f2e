package io.sluice.bench.e2e;

import io.sluice.bench.limit.BenchmarkFigures;
import io.sluice.bench.limit.BinlogPull;
import io.sluice.bench.limit.ProducerBenchmark;
import io.sluice.bench.limit.ProducerFigures;
import io.sluice.bench.limit.ProducerLimit;
import io.sluice.bench.limit.PullFigures;
import io.sluice.bench.limit.RecordCopies;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures all bridges in all cases of a workload, and the machine's limits beside them. For one thread. */
final class CellBench {
    private static final Logger LOG = LoggerFactory.getLogger(CellBench.class);
    /** The first pull after MySQL was started is no limit yet. */
    private static final int PULLS = 4;

    private final BenchOptions options;
    private final List<Bridge> bridges;
    private final KafkaServer kafka;
    private final Run run;
    private final Path folder;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Limits> limits = new ArrayList<>();

    /**
     * Makes one.
     *
     * @param folder where copies of records are kept for a while
     */
    CellBench(BenchOptions options, List<Bridge> bridges, KafkaServer kafka, Run run, Path folder) {
        this.options = options;
        this.bridges = bridges;
        this.kafka = kafka;
        this.run = run;
        this.folder = folder;
    }

    /** What was measured so far. */
    Results results() {
        return new Results(measurements, limits);
    }

    /** Measures all cases of a workload that a server has the binlog of. */
    void measure(Workload workload, RecordedBinlog binlog, MySqlServer mysql) throws IOException, InterruptedException {
        PullFigures pull = null;
        if (options.limits()) {
            pull = new BinlogPull(new ServerAddress(mysql.host(), mysql.port()), binlog).best(PULLS);
            LOG.info(
                    "binlog pulled: workload={} rows_per_second={} mebibytes_per_second={}",
                    workload.name(),
                    Math.round(pull.rowsPerSecond()),
                    Math.round(pull.mebibytesPerSecond()));
        }
        for (Cell cell : options.cells(workload)) {
            if (pull == null) {
                measure(cell, binlog, mysql, null);
            } else {
                measureWithLimits(cell, binlog, mysql, pull);
            }
        }
    }

    private void measureWithLimits(Cell cell, RecordedBinlog binlog, MySqlServer mysql, PullFigures pull)
            throws IOException, InterruptedException {
        Path copied = Files.createDirectories(folder.resolve("copies-" + limits.size()));
        try {
            try (RecordCopies copies = new RecordCopies(copied)) {
                measure(cell, binlog, mysql, copies);
            }
            ProducerFigures producer = new ProducerLimit(kafka, copied)
                    .best(
                            options.runs(),
                            cell.workload().rows(),
                            cell.layout().topics("", cell.workload().kind()).size(),
                            cell.layout().partitions(),
                            cell.compression().spelled());
            LOG.info(
                    "bare producer: cell={} rows_per_second={} mebibytes_per_second={} cpu_seconds={}",
                    cell,
                    Math.round(producer.rowsPerSecond()),
                    Math.round(producer.mebibytesPerSecond()),
                    producer.cpuSeconds());
            BenchmarkFigures benchmark = benchmark(cell, copied, producer);
            limits.add(new Limits(
                    cell.workload().name(),
                    cell.form().spelled(),
                    cell.layout().spelled(),
                    cell.compression().spelled(),
                    pull,
                    producer,
                    benchmark));
        } finally {
            Folders.delete(copied);
        }
    }

    /** Runs Kafka's own benchmark, which is about records that are not compressed. */
    private @Nullable BenchmarkFigures benchmark(Cell cell, Path copied, ProducerFigures producer)
            throws IOException, InterruptedException {
        if (cell.compression() != Compression.NONE) {
            return null;
        }
        BenchmarkFigures benchmark = new ProducerBenchmark(kafka, copied)
                .best(options.runs(), cell.workload().rows(), producer.records(), producer.bytes());
        LOG.info(
                "Kafka's benchmark: cell={} rows_per_second={} mebibytes_per_second={}",
                cell,
                Math.round(benchmark.rowsPerSecond()),
                Math.round(benchmark.mebibytesPerSecond()));
        return benchmark;
    }

    /**
     * Lets bridges take turns, so that what else the machine does in the meantime hits them alike.
     *
     * @param copies gets the records of the first bridge's last run
     */
    private void measure(Cell cell, RecordedBinlog binlog, MySqlServer mysql, @Nullable RecordCopies copies)
            throws IOException, InterruptedException {
        for (int i = options.warmup() ? -1 : 0; i < options.runs(); i++) {
            for (Bridge bridge : bridges) {
                boolean isCopied = i == options.runs() - 1 && bridge == bridges.get(0);
                Measurement one;
                try {
                    one = run.measure(bridge, cell, binlog, mysql, isCopied ? copies : null);
                } catch (UnsupportedCellException e) {
                    LOG.info("left out: bridge={} cell={} reason={}", bridge.name(), cell, e.getMessage());
                    continue;
                }
                LOG.info(
                        "{}: bridge={} cell={} rows_per_second={} cpu_seconds={} problem={}",
                        i < 0 ? "warm-up" : "run " + (i + 1),
                        one.bridge(),
                        cell,
                        Math.round(one.rowsPerSecond()),
                        one.spent().bridge(),
                        one.problem());
                if (i >= 0) {
                    measurements.add(one);
                }
            }
        }
    }
}
