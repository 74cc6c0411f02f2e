package io.sluice.bench.e2e;

import io.sluice.bench.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be measured, as the command line says it.
 *
 * @param runs how often each
 * @param warmup whether each runs once before, uncounted
 * @param own whether our own server is measured
 * @param peers scripts of other bridges
 * @param settings lines for our server's configuration
 * @param limits whether what the machine can do is measured, too
 * @param threads whether the report shows what each thread spent
 * @param json where the figures go, too; null for nowhere
 * @param from files of figures to report on instead of measuring; empty to measure
 * @param report a folder for the tables against the goals and the pictures; null for nowhere
 * @param profile a folder for where our server's processor time goes; null for nowhere
 * @param patience how long a bridge may take for one workload
 */
record BenchOptions(
        List<Workload> workloads,
        List<Form> forms,
        List<Layout> layouts,
        List<Compression> compressions,
        int runs,
        boolean warmup,
        boolean own,
        List<Path> peers,
        List<String> settings,
        boolean limits,
        boolean threads,
        @Nullable Path json,
        List<Path> from,
        @Nullable Path report,
        @Nullable Path profile,
        Duration patience) {
    static final String USAGE = """
            usage: e2e.sh [OPTION]...
              --workload mixed|batch|both  what changes (mixed)
              --mode raw|flat|both         what the records look like (both)
              --layout 1x1|1x3|topics|all  one topic with one partition, or with three by the hash of the primary key,
                                           or a topic for each table (1x1)
              --compression none|lz4|both  what the producer does with its batches (none)
              --cells all                  all of these four
              --rows N                     how many rows change (mixed: 1000000, batch: 2000000)
              --seed N                     other rows (1)
              --runs N                     how often; the median is shown (1)
              --warmup                     run everything once before, uncounted
              --peer SCRIPT                also measure the bridge that this script starts; may be repeated
              --peers-only                 do not measure our own server
              --set KEY=VALUE              a line for our server's configuration; may be repeated
              --limits                     also measure how fast the binlog can be pulled, and how fast Kafka's own
                                           producer sends the same records
              --threads                    show what each of a bridge's threads spent
              --json FILE                  write the figures of all runs there, too
              --from FILE                  measure nothing, but report on what --json wrote; may be repeated
              --report FOLDER              write the tables against the goals, and the pictures, there
              --profile FOLDER             have our server's stacks sampled, and write there what its processor time is spent on,
                                           as a table and as flame graphs
              --timeout SECONDS            how long one run may take (900)
              --build                      build even if nothing seems to have changed
            environment:
              JAVA_OPTS                    options for our server's JVM
            """;

    /** Reads a command line; throws IllegalArgumentException with the reason if it is wrong. */
    static BenchOptions parse(List<String> arguments) {
        return new BenchArguments().read(arguments);
    }

    /** All cases of a workload. */
    List<Cell> cells(Workload workload) {
        return forms.stream()
                .flatMap(form -> layouts.stream()
                        .flatMap(layout -> compressions.stream()
                                .map(compression -> new Cell(workload, form, layout, compression))))
                .toList();
    }
}
