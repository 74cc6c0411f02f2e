package io.sluice.bench.stage;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bench.folder.Paths;
import io.sluice.bench.record.Format;
import io.sluice.bench.stage.StageJob.Stage;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the stages of an instance from a recorded binlog to a producer that acknowledges at once. Each run is a process of
 * its own with the JVM options of {@code startup.sh}.
 */
@Command(
        name = "stage",
        description = "Measures reader, encoders and sender from a binlog file, without MySQL and a broker.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class StageBench implements Callable<Integer> {
    private static final String HEAD = """
            | workload | until | format | rows/s | second half | CPU s per M rows | second half | RSS MiB | check |
            | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | --- |
            """;

    @Option(names = "--workload", split = ",", description = "mixed, batch (default: both)")
    private List<WorkloadKind> workloads = List.of(WorkloadKind.values());

    @Option(
            names = "--until",
            split = ",",
            description = "read: the reader alone; encode: reader and encoders; send (default): all stages")
    private List<Stage> stages = List.of(Stage.SEND);

    @Option(names = "--format", split = ",", description = "raw, flat, debezium (default: raw,flat); only for send")
    private List<Format> formats = List.of(Format.RAW, Format.FLAT);

    @Option(names = "--rows", description = "rows of each workload (default: mixed 1000000, batch 2000000)")
    private long rows;

    @Option(names = "--runs", description = "runs of each; the median by rows/s is shown (default: ${DEFAULT-VALUE})")
    private int runs = 1;

    @Option(names = "--no-check", description = "do not check the rows in one more run")
    private boolean unchecked;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "a line for canal.properties")
    private List<String> settings = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        List<String> options = ShippedOptions.of(Paths.scripts(), Paths.work().resolve("package"), java);
        StringBuilder table = new StringBuilder(HEAD);
        boolean isCorrect = true;
        for (WorkloadKind kind : workloads) {
            Workload workload = new Workload(kind, rows == 0 ? kind.usualRows() : rows, 1);
            Path binlog = RecordedBinlog.of(workload, Paths.workloads()).folder();
            for (Stage stage : stages) {
                for (Format format : stage == Stage.SEND ? formats : List.of(Format.RAW)) {
                    List<StageResult> results = new ArrayList<>();
                    for (int i = 0; i < runs; i++) {
                        results.add(run(java, options, stage, format, binlog, false));
                    }
                    String problem = unchecked || stage != Stage.SEND
                            ? null
                            : run(java, options, stage, format, binlog, true).problem();
                    isCorrect &= problem == null;
                    table.append(line(workload, stage, format, results, problem));
                }
            }
        }
        System.out.printf("%n%s", table);
        return isCorrect ? 0 : 1;
    }

    private StageResult run(Path java, List<String> options, Stage stage, Format format, Path binlog, boolean isChecked)
            throws IOException, InterruptedException {
        Path work = Files.createTempDirectory(Paths.work(), "job-");
        StageJob job = new StageJob(stage, format, binlog, isChecked, settings, work);
        Path jobFile = work.resolve("job.json");
        Path resultFile = work.resolve("result.json");
        ObjectMapper json = new ObjectMapper();
        json.writeValue(jobFile.toFile(), job);
        List<String> command = new ArrayList<>(List.of(java.toString()));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), StageRun.class.getName()));
        command.addAll(List.of(jobFile.toString(), resultFile.toString()));
        Process process =
                new ProcessBuilder(command).directory(work.toFile()).inheritIO().start();
        try {
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException("the process of %s ended with status %d".formatted(job, status));
            }
        } finally {
            process.destroyForcibly();
        }
        return json.readValue(resultFile.toFile(), StageResult.class);
    }

    private static String line(
            Workload workload, Stage stage, Format format, List<StageResult> results, @Nullable String problem) {
        List<StageResult> slowestFirst = results.stream()
                .sorted(Comparator.comparingDouble(StageResult::rowsPerSecond))
                .toList();
        StageResult median = slowestFirst.get(slowestFirst.size() / 2);
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | %,.0f | %,.0f | %.2f | %.2f | %d | %s |%n",
                workload.name(),
                stage.name().toLowerCase(Locale.ROOT),
                stage == Stage.READ ? "-" : format.spelled(),
                median.rowsPerSecond(),
                median.halfRowsPerSecond(),
                median.cpuSeconds() * 1e6 / median.rows(),
                median.halfCpuSeconds() * 1e6 / Math.max(1, median.halfRows()),
                median.peakBytes() >> 20,
                problem == null ? "ok" : "WRONG: " + problem);
    }
}
