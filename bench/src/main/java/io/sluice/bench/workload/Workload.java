package io.sluice.bench.workload;

import java.util.Locale;

/**
 * A reproducible sequence of changes.
 *
 * @param rows the number of row changes
 */
public record Workload(WorkloadKind kind, long rows, long seed) {
    public Workload {
        if (rows < 1) {
            throw new IllegalArgumentException("a workload of " + rows + " rows");
        }
    }

    /** A workload with the default number of rows and the default seed. */
    public static Workload usual(WorkloadKind kind) {
        return new Workload(kind, kind.usualRows(), 1);
    }

    /** The name of the kind in options and reports. */
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
