package io.sluice.bench.stage;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What {@code curves.sh} was asked for.
 *
 * @param curves which are measured; of the others the figures of the last time are shown
 * @param svg where the picture goes
 * @param largest places beyond this are left out
 * @param share how much of the usual rows is read
 */
record CurveOptions(Set<Curve> curves, Path svg, int largest, double share) {
    static final String USAGE = """
            curves.sh [OPTION ...]
              --only tables|columns|instances|rows   measures that one, and shows the others as they were; several may be given
              --svg FILE                             where the picture goes (target/curves.svg)
              --largest N                            leaves out what is larger, such as 10,000 tables
              --percent N                            reads that much of the usual rows, for a quick look (100)
              --build                                builds first, even if nothing has changed
            """;

    CurveOptions {
        curves = Set.copyOf(curves);
    }

    /**
     * Reads them.
     *
     * @param folder where the picture goes if they do not say
     * @throws IllegalArgumentException if they cannot be understood; the message says which
     */
    static CurveOptions parse(List<String> arguments, Path folder) {
        Deque<String> rest = new ArrayDeque<>(arguments);
        Set<Curve> curves = new LinkedHashSet<>();
        Path svg = folder.resolve("curves.svg");
        int largest = Integer.MAX_VALUE;
        double share = 1;
        while (!rest.isEmpty()) {
            String option = rest.remove();
            String value = rest.poll();
            if (value == null) {
                throw new IllegalArgumentException(option + " needs a value, or is unknown");
            }
            switch (option) {
                case "--only" -> curves.add(Curve.valueOf(value.toUpperCase(Locale.ROOT)));
                case "--svg" -> svg = Path.of(value).toAbsolutePath();
                case "--largest" -> largest = Integer.parseInt(value);
                case "--percent" -> share = Integer.parseInt(value) / 100.0;
                default -> throw new IllegalArgumentException("unknown option " + option);
            }
        }
        return new CurveOptions(curves.isEmpty() ? Set.of(Curve.values()) : curves, svg, largest, share);
    }
}
