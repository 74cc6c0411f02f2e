package io.sluice.bench.latency;

import io.sluice.bench.bridge.Bridge;
import io.sluice.bench.bridge.BridgeJob;
import io.sluice.bench.bridge.RunningBridge;
import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.bench.workload.Totals;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs loads of live changes through a bridge, one after the other. For one thread, except {@link #stop}. */
final class LatencyRun {
    private static final Logger LOG = LoggerFactory.getLogger(LatencyRun.class);

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 20;
    /** The time from the creation of a schedule's moments to its first transaction. */
    private static final Duration AHEAD = Duration.ofMillis(100);

    private final MySqlServer mysql;
    private final KafkaServer kafka;
    private final Path folder;
    private final int connections;
    private final RunningBridge running = new RunningBridge();
    private long nextNumber;

    /**
     * Creates the tables.
     *
     * @param folder the parent of the bridges' folders
     * @param connections the number of connections that commit
     */
    LatencyRun(MySqlServer mysql, KafkaServer kafka, Path folder, int connections) {
        this.mysql = mysql;
        this.kafka = kafka;
        this.folder = folder;
        this.connections = connections;
        mysql.createReplicationUser(RecordedBinlog.USER, RecordedBinlog.PASSWORD, AuthPlugin.MYSQL_NATIVE_PASSWORD);
        mysql.execute("CREATE DATABASE " + Tables.SCHEMA);
        for (Tables.TableText table : Tables.all()) {
            mysql.execute("USE " + Tables.SCHEMA, table.create());
        }
    }

    /** Starts the bridge at the end of the binlog and measures each load after a warm-up. */
    List<Figures> measure(Bridge bridge, Format format, Schedule warmUp, List<Schedule> loads)
            throws IOException, InterruptedException, SQLException {
        String topic = "latency-" + format.spelled();
        kafka.createTopic(topic, 1);
        BinlogEnd end = mysql.rotateBinlog();
        BridgeJob next = BridgeJob.single(
                mysql.host(),
                mysql.port(),
                new RecordedBinlog(mysql.binlogDirectory(), end.file(), end.offset(), Totals.NONE),
                kafka.bootstrapServers(),
                topic,
                format,
                Files.createDirectories(folder.resolve(bridge.name() + "-" + format.spelled())));
        List<Figures> figures = new ArrayList<>();
        try (Writers writers = new Writers(mysql, connections);
                Arrivals arrivals = new Arrivals(kafka.bootstrapServers(), topic)) {
            ProcessHandle process = ProcessHandle.of(running.start(bridge, next))
                    .orElseThrow(() -> new IllegalStateException(bridge.name() + "'s process has ended"));
            ProcessHandle broker = ProcessHandle.of(kafka.pid()).orElseThrow();
            carry(writers, arrivals, warmUp, bridge, next);
            for (Schedule load : loads) {
                double before = cpuSeconds(process);
                double brokerBefore = cpuSeconds(broker);
                Moments moments = carry(writers, arrivals, load, bridge, next);
                figures.add(
                        new Figures(format, moments, cpuSeconds(process) - before, cpuSeconds(broker) - brokerBefore));
                LOG.info("measured: bridge={} format={} load={}", bridge.name(), format.spelled(), load.name());
            }
        } finally {
            running.stop();
            Folders.delete(next.folder());
        }
        return figures;
    }

    private Moments carry(Writers writers, Arrivals arrivals, Schedule schedule, Bridge bridge, BridgeJob carried)
            throws InterruptedException, IOException {
        Moments moments = new Moments(schedule, nextNumber, System.nanoTime() + AHEAD.toNanos());
        nextNumber += schedule.transactions();
        arrivals.noteIn(moments);
        writers.write(moments);
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!moments.isComplete()) {
            arrivals.requireReading();
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(
                        "timeout: not all rows of %s arrived within %d s; the log of %s ends with: %s"
                                .formatted(
                                        schedule.name(), TIMEOUT.toSeconds(), bridge.name(), bridge.logTail(carried)));
            }
            Thread.sleep(POLL_MILLIS);
        }
        return moments;
    }

    private static double cpuSeconds(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis() / 1000.0;
    }

    /** Stops the running bridge, if there is one. */
    void stop() {
        running.stop();
    }
}
