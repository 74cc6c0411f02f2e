package io.sluice.bench.stage;

import io.sluice.bench.e2e.Form;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The program behind {@code stage.sh}. */
public final class StageBench {
    private static final Logger LOG = LoggerFactory.getLogger(StageBench.class);

    private final StageOptions options;
    private final Path workloads;
    private final StageProcess processes;
    private final List<StageFigures> figures = new ArrayList<>();

    /**
     * Makes one.
     *
     * @param workloads where recorded binlogs are kept
     */
    StageBench(StageOptions options, Path workloads, StageProcess processes) {
        this.options = options;
        this.workloads = workloads;
        this.processes = processes;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (List.of(arguments).contains("--help")) {
            System.out.print(StageOptions.USAGE);
            return;
        }
        StageOptions options;
        try {
            options = StageOptions.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(StageOptions.USAGE);
            System.exit(2);
            return;
        }
        Path folder = Path.of(System.getProperty("sluice.bench.folder"));
        Path work = Files.createTempDirectory(Files.createDirectories(folder), "stage-");
        StageReport report;
        try {
            report =
                    new StageBench(options, folder.resolve("workloads"), StageProcess.asShipped(work, scripts())).run();
        } finally {
            Folders.delete(work);
        }
        System.out.println();
        System.out.print(report.table());
        if (options.threads()) {
            System.out.print(report.threads());
        }
        if (options.json() != null) {
            report.writeJson(options.json());
        }
        System.exit(report.isComplete() ? 0 : 1);
    }

    /** The folder of the package's scripts, as {@code stage.sh} named it. */
    static Path scripts() {
        return Path.of(System.getProperty("sluice.scripts"));
    }

    /** Measures all that was asked for. */
    StageReport run() throws IOException, InterruptedException {
        for (Workload workload : options.workloads()) {
            RecordedBinlog binlog = RecordedBinlog.of(workload, Files.createDirectories(workloads));
            measure(workload, binlog, StageSource.FILE, 0);
            if (options.live()) {
                try (MySqlServer mysql = binlog.startServer()) {
                    measure(workload, binlog, StageSource.LIVE, mysql.port());
                }
            }
        }
        return new StageReport(figures);
    }

    private void measure(Workload workload, RecordedBinlog binlog, StageSource source, int port)
            throws IOException, InterruptedException {
        for (int i = 0; i < options.runs(); i++) {
            if (source == StageSource.LIVE) {
                measure(workload, job(binlog, StageSource.PULL, Form.RAW, port, false));
            }
            for (Form form : options.forms()) {
                measure(workload, job(binlog, source, form, port, options.check() && i == 0));
            }
        }
    }

    private StageJob job(RecordedBinlog binlog, StageSource source, Form form, int port, boolean check)
            throws IOException {
        return new StageJob(
                source,
                form,
                binlog.folder(),
                port,
                source == StageSource.PULL ? 1 : options.instances(),
                check,
                options.settings(),
                processes.newFolder());
    }

    private void measure(Workload workload, StageJob job) throws IOException, InterruptedException {
        StageFigures one = new StageFigures(
                workload.name(),
                job.source().spelled(),
                job.source() == StageSource.PULL ? "-" : job.form().spelled(),
                processes.run(job));
        LOG.info(
                "measured: workload={} from={} form={} rows_per_second={} cpu_seconds={} problem={}",
                one.workload(),
                one.source(),
                one.form(),
                Math.round(one.result().rowsPerSecond()),
                one.result().cpuSeconds(),
                one.result().problem());
        figures.add(one);
    }
}
