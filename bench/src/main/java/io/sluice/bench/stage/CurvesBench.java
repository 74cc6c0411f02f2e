package io.sluice.bench.stage;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bench.e2e.Form;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The program behind {@code curves.sh}: how the cost of a row grows with what there is around it.
 *
 * <p>Each point is a process of its own, which reads for a while before it is measured, so that the JVM's warm-up is not in it.
 */
public final class CurvesBench {
    private static final Logger LOG = LoggerFactory.getLogger(CurvesBench.class);
    private static final long WARM_ROWS = 250_000;

    private final CurveOptions options;
    private final Path folder;
    private final StageProcess processes;
    private final ObjectMapper json = new ObjectMapper();

    /**
     * Makes one.
     *
     * @param folder where recorded binlogs and figures are kept
     */
    CurvesBench(CurveOptions options, Path folder, StageProcess processes) {
        this.options = options;
        this.folder = folder;
        this.processes = processes;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path folder = Path.of(System.getProperty("sluice.bench.folder"));
        if (List.of(arguments).contains("--help")) {
            System.out.print(CurveOptions.USAGE);
            return;
        }
        CurveOptions options;
        try {
            options = CurveOptions.parse(List.of(arguments), folder);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(CurveOptions.USAGE);
            System.exit(2);
            return;
        }
        Path work = Files.createTempDirectory(Files.createDirectories(folder), "curves-");
        CurveReport report;
        try {
            report = new CurvesBench(options, folder, StageProcess.asShipped(work, StageBench.scripts())).run();
        } finally {
            Folders.delete(work);
        }
        System.out.println();
        System.out.print(report.table());
    }

    /** Measures what was asked for, and draws it together with what was measured before. */
    CurveReport run() throws IOException, InterruptedException {
        Path kept = Files.createDirectories(folder.resolve("curves"));
        List<CurvePoint> points = new ArrayList<>();
        for (Curve curve : Curve.values()) {
            Path file = kept.resolve(curve.spelled() + ".json");
            if (options.curves().contains(curve)) {
                json.writeValue(file.toFile(), measure(curve));
            }
            if (Files.exists(file)) {
                points.addAll(json.readValue(file.toFile(), new TypeReference<List<CurvePoint>>() {}));
            }
        }
        CurveReport report = new CurveReport(points);
        Files.writeString(options.svg(), report.svg());
        return report;
    }

    private List<CurvePoint> measure(Curve curve) throws IOException, InterruptedException {
        Path workloads = Files.createDirectories(folder.resolve("workloads"));
        List<CurvePoint> points = new ArrayList<>();
        for (int place : curve.places()) {
            if (place > options.largest()) {
                continue;
            }
            RecordedBinlog binlog = curve.binlog(place, options.share(), workloads);
            if (curve.source() == StageSource.LIVE) {
                try (MySqlServer mysql = binlog.startServer()) {
                    measure(curve, place, binlog, mysql.port(), points);
                }
            } else {
                measure(curve, place, binlog, 0, points);
            }
        }
        return points;
    }

    private void measure(Curve curve, int place, RecordedBinlog binlog, int port, List<CurvePoint> points)
            throws IOException, InterruptedException {
        for (Form form : Form.values()) {
            StageResult result = processes.run(new StageJob(
                    curve.source(),
                    form,
                    binlog.folder(),
                    port,
                    curve.instances(place),
                    curve.rows(place, options.share()),
                    Math.max(1, Math.round(WARM_ROWS * options.share())),
                    false,
                    List.of(),
                    processes.newFolder()));
            LOG.info(
                    "measured: {}={} form={} cpu_nanos_per_row={} rows_per_second={}",
                    curve.spelled(),
                    place,
                    form.spelled(),
                    Math.round(result.cpuNanosPerRow()),
                    Math.round(result.rowsPerSecond()));
            points.add(new CurvePoint(curve.spelled(), place, form.spelled(), result));
        }
    }
}
