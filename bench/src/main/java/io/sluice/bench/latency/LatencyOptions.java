package io.sluice.bench.latency;

import io.sluice.bench.e2e.Form;
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
 * @param loads one after the other, while the same server runs
 * @param warmUp what is written before, uncounted
 * @param connections how many commit at the same time
 * @param settings lines for the server's configuration
 * @param json where the figures go, too; null for nowhere
 */
record LatencyOptions(
        List<Form> forms,
        List<Schedule> loads,
        Schedule warmUp,
        int connections,
        List<String> settings,
        @Nullable Path json) {
    static final String USAGE = """
            usage: latency.sh [OPTION]...
              --loads LOAD,...        rows per second, or idle: a row every 200 ms (idle,1000,10000,50000)
              --mode raw|flat|both    what the records look like (both)
              --seconds N             how long each load is measured (10)
              --warmup N              for so many seconds 10,000 rows/s are written before, uncounted (20)
              --connections N         how many connections commit (4)
              --set KEY=VALUE         a line for the server's configuration; may be repeated
              --json FILE             write the figures there, too, with the points of their curves
              --build                 build even if nothing seems to have changed
            environment:
              JAVA_OPTS               options for the server's JVM
            """;

    /** What does not count at the beginning of each load. */
    private static final Duration LEAD_IN = Duration.ofSeconds(1);

    private static final long WARM_UP_RATE = 10_000;

    /** Reads a command line; throws IllegalArgumentException with the reason if it is wrong. */
    static LatencyOptions parse(List<String> arguments) {
        Deque<String> rest = new ArrayDeque<>(arguments);
        List<Form> forms = List.of(Form.values());
        List<String> loads = List.of("idle", "1000", "10000", "50000");
        Duration length = Duration.ofSeconds(10);
        Duration warmUp = Duration.ofSeconds(20);
        int connections = 4;
        List<String> settings = new ArrayList<>();
        Path json = null;
        while (!rest.isEmpty()) {
            String option = rest.remove();
            String value = rest.poll();
            if (value == null) {
                throw new IllegalArgumentException(option + " is no option, or needs a value");
            }
            switch (option) {
                case "--loads" -> loads = List.of(value.split(","));
                case "--mode" -> forms = forms(value);
                case "--seconds" -> length = Duration.ofSeconds(positive(option, value));
                case "--warmup" -> warmUp = Duration.ofSeconds(positive(option, value));
                case "--connections" -> connections = (int) positive(option, value);
                case "--set" -> settings.add(value);
                case "--json" -> json = Path.of(value);
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        List<Schedule> schedules = new ArrayList<>();
        for (String load : loads) {
            schedules.add(
                    load.equals("idle")
                            ? Schedule.idle(LEAD_IN, length)
                            : Schedule.steady(positive("--loads", load), LEAD_IN, length));
        }
        return new LatencyOptions(
                forms, schedules, Schedule.steady(WARM_UP_RATE, Duration.ZERO, warmUp), connections, settings, json);
    }

    private static List<Form> forms(String value) {
        return switch (value) {
            case "both" -> List.of(Form.values());
            case "raw", "flat" -> List.of(Form.valueOf(value.toUpperCase(Locale.ROOT)));
            default -> throw new IllegalArgumentException("--mode " + value);
        };
    }

    private static long positive(String option, String value) {
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
}
