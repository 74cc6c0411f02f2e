package io.sluice.bench.workload;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * A reproducible sequence of changes.
 *
 * @param rows the number of row changes
 * @param tableCount the number of tables over which they are spread
 */
public record Workload(WorkloadKind kind, long rows, long seed, int tableCount) {
    public Workload {
        if (rows < 1 || tableCount < 1) {
            throw new IllegalArgumentException("a workload of %d rows in %d tables".formatted(rows, tableCount));
        }
    }

    /** A workload with the default number of tables. */
    public Workload(WorkloadKind kind, long rows, long seed) {
        this(kind, rows, seed, kind.usualTables());
    }

    /** Returns a copy with as many changes, spread over the given number of tables. */
    public Workload over(int tables) {
        return new Workload(kind, rows, seed, tables);
    }

    /** A workload with the default number of rows and the default seed. */
    public static Workload usual(WorkloadKind kind) {
        return new Workload(kind, kind.usualRows(), 1);
    }

    /** Whether the changes are on as many tables as by default. */
    public boolean hasUsualTables() {
        return tableCount == kind.usualTables();
    }

    /** The name of the kind in options and reports. */
    public String name() {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** The names of the changed tables, without the marker's. */
    public List<String> tables() {
        return IntStream.range(0, tableCount)
                .mapToObj(table -> Tables.name(table, tableCount))
                .toList();
    }

    /** The name of the folder of its binlog. */
    String folder() {
        String folder = "%s-%d-seed%d".formatted(name(), rows, seed);
        return hasUsualTables() ? folder : folder + "-tables" + tableCount;
    }

    ChangeScript script() {
        return switch (kind) {
            case MIXED -> new MixedScript(this);
            case BATCH -> new BatchScript(this);
        };
    }
}
