package io.sluice.bench.workload;

import java.util.Locale;

/**
 * Changes that are the same whenever they are made.
 *
 * @param rows how many rows change in all
 */
public record Workload(WorkloadKind kind, long rows, long seed) {
    public Workload {
        if (rows < 1) {
            throw new IllegalArgumentException("a workload of " + rows + " rows");
        }
    }

    /** As many rows as the kind has usually, with the usual seed. */
    public static Workload usual(WorkloadKind kind) {
        return new Workload(kind, kind.usualRows(), 1);
    }

    /** The kind, as options and reports spell it. */
    public String name() {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    ChangeScript script() {
        return switch (kind) {
            case MIXED -> new MixedScript(this);
            case BATCH -> new BatchScript(this);
        };
    }
}
