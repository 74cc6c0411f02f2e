package io.sluice.bench.stage;

import io.sluice.bench.e2e.Form;
import io.sluice.bench.workload.Workload;
import io.sluice.bench.workload.WorkloadKind;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code stage.sh} was asked for.
 *
 * @param workloads what is read
 * @param forms what is made of it
 * @param live whether it is also read from a running server, and pulled from it and thrown away
 * @param runs how often each is measured
 * @param instances how many read it at once
 * @param check whether every row that arrives is looked at, in a run that is not measured
 * @param settings lines for {@code canal.properties}
 * @param threads whether the report has what the threads spent
 * @param json where to write all figures to; null for nowhere
 */
record StageOptions(
        List<Workload> workloads,
        List<Form> forms,
        boolean live,
        int runs,
        int instances,
        boolean check,
        List<String> settings,
        boolean threads,
        @Nullable Path json) {
    static final String USAGE = """
            stage.sh [OPTION ...]
              --workload mixed|batch|both   what is read (both)
              --mode raw|flat|both          what is made of it (both)
              --rows N                      how many rows change (as many as e2e.sh takes)
              --seed N                      of the workload (1)
              --live                        also from a running MySQL, and the limit: pulled from it and thrown away
              --runs N                      how often each is measured (1)
              --instances N                 how many read it at once, each on its own (1)
              --no-check                    counts rows, but does not read them once more to compare their sums
              --set KEY=VALUE               a line for canal.properties; several may be given
              --threads                     adds what each group of threads spent
              --json FILE                   writes all figures
              --build                       builds first, even if nothing has changed
            """;

    StageOptions {
        workloads = List.copyOf(workloads);
        forms = List.copyOf(forms);
        settings = List.copyOf(settings);
    }

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException if they cannot be understood; the message says which
     */
    static StageOptions parse(List<String> arguments) {
        Deque<String> rest = new ArrayDeque<>(arguments);
        List<WorkloadKind> kinds = List.of(WorkloadKind.values());
        List<Form> forms = List.of(Form.values());
        List<String> settings = new ArrayList<>();
        long rows = 0;
        long seed = 1;
        boolean live = false;
        boolean check = true;
        boolean threads = false;
        int runs = 1;
        int instances = 1;
        Path json = null;
        while (!rest.isEmpty()) {
            String option = rest.remove();
            switch (option) {
                case "--workload" -> kinds = choice(WorkloadKind.values(), option, value(rest, option));
                case "--mode" -> forms = choice(Form.values(), option, value(rest, option));
                case "--rows" -> rows = positive(rest, option);
                case "--seed" -> seed = positive(rest, option);
                case "--live" -> live = true;
                case "--runs" -> runs = (int) positive(rest, option);
                case "--instances" -> instances = (int) positive(rest, option);
                case "--no-check" -> check = false;
                case "--set" -> settings.add(value(rest, option));
                case "--threads" -> threads = true;
                case "--json" -> json = Path.of(value(rest, option)).toAbsolutePath();
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        List<Workload> workloads = new ArrayList<>();
        for (WorkloadKind kind : kinds) {
            workloads.add(new Workload(kind, rows == 0 ? kind.usualRows() : rows, seed));
        }
        return new StageOptions(workloads, forms, live, runs, instances, check, settings, threads, json);
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
