package io.sluice.bench.micro;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Prints what each stage costs for a row: processor time and allocated bytes, by workload, as a table of Markdown. */
public final class StageTable {
    private static final Map<String, String> STAGES = stages();

    private StageTable() {}

    private static Map<String, String> stages() {
        Map<String, String> stages = new LinkedHashMap<>();
        stages.put("DecodeBench.read", "framing events (reader)");
        stages.put("DecodeBench.protobuf", "row images to protobuf (encoder)");
        stages.put("DecodeBench.flat", "row images to flat JSON (converter)");
        stages.put("DecodeBench.hash", "hashes of keys (converter)");
        stages.put("DecodeBench.packets", "packets of encoded entries (converter)");
        stages.put("RingBench.putGetAck", "put, get and ack (ring)");
        return stages;
    }

    /** Takes options of the JVM that the stages run in, such as {@code -XX:TieredStopAtLevel=1}. */
    public static void main(String[] jvmOptions) throws RunnerException {
        List<String> own = new ArrayList<>(List.of("-Xms512m", "-Xmx512m"));
        own.addAll(List.of(jvmOptions));
        if (own.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w*GC"))) {
            own.add("-XX:+UseSerialGC");
        }
        OptionsBuilder options = new OptionsBuilder();
        STAGES.keySet().forEach(name -> options.include(name.replace(".", "\\.") + "$"));
        Options run = options.param("chunk", "300")
                .forks(1)
                .warmupIterations(4)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(5)
                .measurementTime(TimeValue.seconds(1))
                .addProfiler(CpuProfiler.class)
                .addProfiler(GCProfiler.class)
                .jvmArgsPrepend(
                        "-Dsluice.bench.folder=" + System.getProperty("sluice.bench.folder"),
                        "-Dsluice.servers=" + System.getProperty("sluice.servers"))
                .jvmArgsAppend(own.toArray(String[]::new))
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build();
        Collection<RunResult> results = new Runner(run).run();
        System.out.println("| stage | workload | CPU ns/row | B/row |\n|---|---|---|---|");
        STAGES.forEach((name, stage) -> results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith(name))
                .forEach(result -> System.out.println(line(stage, result))));
    }

    @SuppressWarnings("rawtypes") // as JMH has them
    private static String line(String stage, RunResult result) {
        String workload = result.getParams().getParam("workload");
        double cpu = 0;
        double allocated = 0;
        for (var next : result.getSecondaryResults().entrySet()) {
            if (next.getKey().endsWith("cpu")) {
                cpu = next.getValue().getScore();
            } else if (next.getKey().endsWith("gc.alloc.rate.norm")) {
                allocated = next.getValue().getScore() / Recorded.ROWS;
            }
        }
        return String.format(
                Locale.ROOT,
                "| %s | %s | %.0f | %.0f |",
                stage,
                workload == null ? "mixed" : workload.toLowerCase(Locale.ROOT),
                cpu,
                allocated);
    }
}
