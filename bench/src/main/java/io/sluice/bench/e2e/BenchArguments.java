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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads one command line of the bench. For one use. */
final class BenchArguments {
    private final Deque<String> rest = new ArrayDeque<>();
    private List<WorkloadKind> kinds = List.of(WorkloadKind.MIXED);
    private List<Form> forms = List.of(Form.values());
    private List<Layout> layouts = List.of(Layout.SINGLE);
    private List<Compression> compressions = List.of(Compression.NONE);
    private long rows;
    private long seed = 1;
    private int runs = 1;
    private boolean warmup;
    private boolean own = true;
    private final List<Path> peers = new ArrayList<>();
    private final List<String> settings = new ArrayList<>();
    private boolean limits;
    private boolean threads;
    private @Nullable Path json;
    private final List<Path> from = new ArrayList<>();
    private @Nullable Path report;
    private @Nullable Path profile;
    private long seconds = 900;

    /** Reads it; throws IllegalArgumentException with the reason if it is wrong. */
    BenchOptions read(List<String> arguments) {
        rest.addAll(arguments);
        while (!rest.isEmpty()) {
            readOption(rest.remove());
        }
        if (!own && peers.isEmpty()) {
            throw new IllegalArgumentException("--peers-only, but no --peer");
        }
        if (profile != null && (!own || !from.isEmpty())) {
            throw new IllegalArgumentException("--profile, but our server does not run");
        }
        List<Workload> workloads = kinds.stream()
                .map(kind -> new Workload(kind, rows == 0 ? kind.usualRows() : rows, seed))
                .toList();
        return new BenchOptions(
                workloads,
                forms,
                layouts,
                compressions,
                runs,
                warmup,
                own,
                peers,
                settings,
                limits,
                threads,
                json,
                from,
                report,
                profile,
                Duration.ofSeconds(seconds));
    }

    private void readOption(String option) {
        switch (option) {
            case "--workload" -> kinds = choice(WorkloadKind.values(), BenchArguments::lowerCase, "both", option);
            case "--mode" -> forms = choice(Form.values(), Form::spelled, "both", option);
            case "--layout" -> layouts = choice(Layout.values(), Layout::spelled, "all", option);
            case "--compression" -> compressions = choice(Compression.values(), Compression::spelled, "both", option);
            case "--cells" -> allCells(option);
            case "--rows" -> rows = positive(option);
            case "--seed" -> seed = positive(option);
            case "--runs" -> runs = (int) positive(option);
            case "--warmup" -> warmup = true;
            case "--peers-only" -> own = false;
            case "--peer" -> peers.add(Path.of(value(option)));
            case "--set" -> settings.add(value(option));
            case "--limits" -> limits = true;
            case "--threads" -> threads = true;
            case "--json" -> json = Path.of(value(option));
            case "--from" -> from.add(Path.of(value(option)));
            case "--report" -> report = Path.of(value(option));
            case "--profile" -> profile = Path.of(value(option));
            case "--timeout" -> seconds = positive(option);
            default -> throw new IllegalArgumentException("unknown option " + option);
        }
    }

    private void allCells(String option) {
        String value = value(option);
        if (!value.equals("all")) {
            throw new IllegalArgumentException(option + " " + value);
        }
        kinds = List.of(WorkloadKind.values());
        forms = List.of(Form.values());
        layouts = List.of(Layout.values());
        compressions = List.of(Compression.values());
    }

    private <E extends Enum<E>> List<E> choice(E[] all, Function<E, String> spelled, String wordForAll, String option) {
        String value = value(option);
        if (value.equals(wordForAll)) {
            return List.of(all);
        }
        for (E one : all) {
            if (spelled.apply(one).equals(value)) {
                return List.of(one);
            }
        }
        throw new IllegalArgumentException(option + " " + value);
    }

    private static String lowerCase(Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT);
    }

    private long positive(String option) {
        String value = value(option);
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

    private String value(String option) {
        String value = rest.poll();
        if (value == null) {
            throw new IllegalArgumentException(option + " needs a value");
        }
        return value;
    }
}
