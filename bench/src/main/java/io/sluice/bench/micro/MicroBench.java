package io.sluice.bench.micro;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.bench.folder.Paths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/**
 * Runs the JMH benches of this checkout, or of several built checkouts in alternating turns, and compares processor time per row.
 */
@Command(
        name = "micro",
        description = "Runs the JMH benches; with --other in alternating turns of two builds.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class MicroBench implements Callable<Integer> {
    /** Options that JMH gets unless they are given. */
    private static final Map<String, String> DEFAULTS = Map.of("-wi", "3", "-w", "2", "-i", "5", "-r", "2");

    @Parameters(
            arity = "0..1",
            defaultValue = ".*",
            description = "benches, a regular expression such as DecodeBench.flat")
    private String pattern = ".*";

    @Option(
            names = "--other",
            paramLabel = "CHECKOUT",
            description =
                    "a checkout of another commit, built by ./mvnw -Dquick -DskipTests package; it is the base of the ratios")
    private List<Path> others = List.of();

    @Option(names = "--turns", description = "turns of each build (default: ${DEFAULT-VALUE})")
    private int turns = 1;

    @Unmatched
    private List<String> jmhOptions = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Map<String, String> classPaths = new LinkedHashMap<>();
        for (Path other : others) {
            Path target = other.toAbsolutePath().resolve("bench/target");
            String libraries = Files.readString(target.resolve("class-path")).strip();
            classPaths.put(other.toString(), target.resolve("classes") + ":" + libraries);
        }
        classPaths.put("this", System.getProperty("java.class.path"));
        Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>();
        for (int turn = 0; turn < turns; turn++) {
            for (Map.Entry<String, String> build : classPaths.entrySet()) {
                run(build.getValue())
                        .forEach((bench, nanos) -> figures.computeIfAbsent(bench, name -> new LinkedHashMap<>())
                                .computeIfAbsent(build.getKey(), name -> new ArrayList<>())
                                .add(nanos));
            }
        }
        System.out.println("\n| bench | build | CPU ns/row | ratio |\n| --- | --- | ---: | ---: |");
        figures.forEach(MicroBench::print);
        return 0;
    }

    /** Runs JMH in a process of its own; returns the processor time of each bench. */
    private Map<String, Double> run(String classPath) throws IOException, InterruptedException {
        Path result = Files.createTempFile(Paths.work(), "jmh", ".json");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classPath,
                "org.openjdk.jmh.Main",
                pattern,
                "-prof",
                CpuProfiler.class.getName(),
                "-rf",
                "json",
                "-rff",
                result.toString(),
                "-jvmArgsPrepend",
                "-Dsluice.bench.folder=%s -Dsluice.servers=%s"
                        .formatted(Paths.target(), System.getProperty("sluice.servers"))));
        DEFAULTS.forEach((option, value) -> {
            if (!jmhOptions.contains(option)) {
                command.addAll(List.of(option, value));
            }
        });
        command.addAll(jmhOptions);
        int status = new ProcessBuilder(command).inheritIO().start().waitFor();
        if (status != 0) {
            throw new IOException("JMH ended with status " + status);
        }
        return read(result);
    }

    static Map<String, Double> read(Path result) throws IOException {
        Map<String, Double> nanosPerRow = new LinkedHashMap<>();
        for (JsonNode one : new ObjectMapper().readTree(result.toFile())) {
            String name = one.path("benchmark").asText().replaceFirst(".*\\.(\\w+\\.\\w+)$", "$1");
            StringBuilder bench = new StringBuilder(name);
            one.path("params")
                    .properties()
                    .forEach(parameter ->
                            bench.append(' ').append(parameter.getValue().asText()));
            one.path("secondaryMetrics").properties().forEach(metric -> {
                if (metric.getKey().endsWith("cpu")) {
                    nanosPerRow.put(
                            bench.toString(), metric.getValue().path("score").asDouble());
                }
            });
        }
        return nanosPerRow;
    }

    private static void print(String bench, Map<String, List<Double>> byBuild) {
        double base = 0;
        for (Map.Entry<String, List<Double>> build : byBuild.entrySet()) {
            double[] sorted = build.getValue().stream()
                    .mapToDouble(Double::doubleValue)
                    .sorted()
                    .toArray();
            double median = sorted[sorted.length / 2];
            base = base == 0 ? median : base;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %.1f (%.1f to %.1f) | %.3f |%n",
                    bench,
                    build.getKey(),
                    median,
                    sorted[0],
                    sorted[sorted.length - 1],
                    median / base);
        }
    }
}
