package io.sluice.bench.e2e;

import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is to be measured, as the command line says it.
 *
 * @param runs how often each
 * @param warmup whether each runs once before, uncounted
 * @param own whether our own server is measured
 * @param peers scripts of other bridges
 * @param settings lines for our server's configuration
 * @param threads whether the report shows what each thread spent
 * @param json where the figures go, too; null for nowhere
 * @param patience how long a bridge may take for one workload
 */
record BenchOptions(
        List<Workload> workloads,
        List<Form> forms,
        int runs,
        boolean warmup,
        boolean own,
        List<Path> peers,
        List<String> settings,
        boolean threads,
        @Nullable Path json,
        Duration patience) {
    static final String USAGE = """
            usage: e2e.sh [OPTION]...
              --workload mixed|batch|both  what changes (mixed)
              --mode raw|flat|both         what the records look like (both)
              --rows N                     how many rows change (mixed: 1000000, batch: 2000000)
              --seed N                     other rows (1)
              --runs N                     how often; the median is shown (1)
              --warmup                     run everything once before, uncounted
              --peer SCRIPT                also measure the bridge that this script starts; may be repeated
              --peers-only                 do not measure our own server
              --set KEY=VALUE              a line for our server's configuration; may be repeated
              --threads                    show what each of a bridge's threads spent
              --json FILE                  write the figures of all runs there, too
              --timeout SECONDS            how long one run may take (900)
              --build                      build even if nothing seems to have changed
            environment:
              JAVA_OPTS                    options for our server's JVM
            """;

    /** Reads a command line; throws IllegalArgumentException with the reason if it is wrong. */
    static BenchOptions parse(List<String> arguments) {
        Deque<String> rest = new ArrayDeque<>(arguments);
        List<WorkloadKind> kinds = List.of(WorkloadKind.MIXED);
        List<Form> forms = List.of(Form.values());
        long rows = 0;
        long seed = 1;
        int runs = 1;
        boolean warmup = false;
        boolean own = true;
        List<Path> peers = new ArrayList<>();
        List<String> settings = new ArrayList<>();
        boolean threads = false;
        Path json = null;
        long seconds = 900;
        while (!rest.isEmpty()) {
            String option = rest.remove();
            switch (option) {
                case "--workload" -> kinds = choice(WorkloadKind.values(), option, value(rest, option));
                case "--mode" -> forms = choice(Form.values(), option, value(rest, option));
                case "--rows" -> rows = positive(rest, option);
                case "--seed" -> seed = positive(rest, option);
                case "--runs" -> runs = (int) positive(rest, option);
                case "--warmup" -> warmup = true;
                case "--peers-only" -> own = false;
                case "--peer" -> peers.add(Path.of(value(rest, option)));
                case "--set" -> settings.add(value(rest, option));
                case "--threads" -> threads = true;
                case "--json" -> json = Path.of(value(rest, option));
                case "--timeout" -> seconds = positive(rest, option);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        if (!own && peers.isEmpty()) {
            throw new IllegalArgumentException("--peers-only, but no --peer");
        }
        List<Workload> workloads = new ArrayList<>();
        for (WorkloadKind kind : kinds) {
            workloads.add(new Workload(kind, rows == 0 ? kind.usualRows() : rows, seed));
        }
        return new BenchOptions(
                workloads, forms, runs, warmup, own, peers, settings, threads, json, Duration.ofSeconds(seconds));
    }

    private static <E extends Enum<E>> List<E> choice(E[] all, String option, String value) {
        if (value.equals("both")) {
            return List.of(all);
        }
        for (E one : all) {
            if (one.name().toLowerCase(Locale.ROOT).equals(value)) {
                return List.of(one);
            }
        }
        throw new IllegalArgumentException(option + " " + value);
    }

    private static long positive(Deque<String> rest, String option) {
        String value = value(rest, option);
        try {
            long number = Long.parseLong(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(option + " needs a number, not " + value, e);
        }
        throw new IllegalArgumentException(option + " needs a number above 0, not " + value);
    }

    private static String value(Deque<String> rest, String option) {
        String value = rest.poll();
        if (value == null) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return value;
    }
}
