package io.sluice.schema.history.rows;

import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.table.SchemaHeap;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * An endless sequence of writes to a history, the same for the same seed: rows of DDL, definitions that are written again with another
 * text, snapshots that replace others, and purges. Knows what the tables hold after each of them.
 */
final class HistoryWorkload {
    private static final long TIME = 1_700_000_000_000L;
    private static final int KEPT = 300;
    private static final int SNAPSHOT_POSITIONS = 3;
    private static final int EVENT_LENGTH = 100;

    private final long seed;
    private final List<String> rows = new ArrayList<>();
    private final List<Long> rowTimes = new ArrayList<>();
    private final Map<Long, String> snapshots = new HashMap<>();
    private final Map<Long, Long> snapshotTimes = new HashMap<>();
    private long applied = -1;

    HistoryWorkload(long seed) {
        this.seed = seed;
    }

    /** Writes step n, which takes effect as a whole once it returns. */
    void write(HistoryTables tables, long n) throws IOException {
        switch (kind(n)) {
            case ROW -> tables.rows().add(row(n), EVENT_LENGTH);
            case DEFINITION -> tables.rows().add(definition(n), EVENT_LENGTH);
            case SNAPSHOT -> tables.snapshots().add(snapshotPosition(n), null, false, snapshotState(n));
            case PURGE -> tables.purge(TIME + n - KEPT, TIME + n - KEPT, Long.MAX_VALUE);
        }
    }

    private enum Kind {
        ROW,
        DEFINITION,
        SNAPSHOT,
        PURGE
    }

    private Kind kind(long n) {
        int dice = random(n).nextInt(100);
        if (dice < 83) {
            return Kind.ROW;
        }
        return dice < 90 ? Kind.DEFINITION : dice < 98 ? Kind.SNAPSHOT : Kind.PURGE;
    }

    private Random random(long n) {
        return new Random(Objects.hash(seed, n));
    }

    private String filler(long n) {
        Random random = random(n);
        random.nextInt();
        int dice = random.nextInt(100);
        int length = dice < 60 ? random.nextInt(300) : dice < 95 ? random.nextInt(5_000) : random.nextInt(120_000);
        StringBuilder text = new StringBuilder(length);
        while (text.length() < length) {
            text.append(Long.toString(random.nextLong(), 36)).append('ä');
        }
        return text.toString();
    }

    private HistoryRow row(long n) {
        HistoryPosition position =
                new HistoryPosition("uuid", "binlog.000001", 1_000 + n * EVENT_LENGTH, "1", TIME + n, "gtid:" + n);
        return new HistoryRow(
                0,
                position,
                "shop",
                "shop",
                "t",
                "alter table t add c%d int comment '%s'".formatted(n, filler(n)),
                "ALTER",
                Map.of(HistoryRow.SOURCE, "uuid", HistoryRow.GTID, "gtid:" + n));
    }

    /** At one event for ever, so that it replaces the text of the one before. */
    private HistoryRow definition(long n) {
        HistoryPosition position = new HistoryPosition("uuid", "binlog.000001", 4, "1", TIME + (1L << 40), "");
        return new HistoryRow(
                0,
                position,
                "shop",
                "shop",
                "d",
                "create table d (c%d int) /* %s */".formatted(n, filler(n)),
                "CREATE",
                Map.of(HistoryRow.SOURCE, "uuid", HistoryRow.KIND, HistoryRow.DEFINITION));
    }

    private static HistoryPosition snapshotPosition(long n) {
        return new HistoryPosition("uuid", "binlog.000001", 1 + n % SNAPSHOT_POSITIONS, "1", TIME + n, "");
    }

    private SchemaState snapshotState(long n) {
        return new SchemaState(Map.of("shop", "create table s%d (a int);%s".formatted(n, filler(n))), Map.of());
    }

    /** Brings what is known of the tables to what they hold after step n. */
    void advanceTo(long n) {
        while (applied < n) {
            applied++;
            expect(applied);
        }
    }

    private void expect(long n) {
        switch (kind(n)) {
            case ROW -> put(row(n));
            case DEFINITION -> put(definition(n));
            case SNAPSHOT -> {
                HistoryPosition position = snapshotPosition(n);
                snapshots.put(position.offset(), text(position, snapshotState(n)));
                snapshotTimes.put(position.offset(), position.timeMillis());
            }
            case PURGE -> {
                long before = TIME + n - KEPT;
                for (int i = rows.size() - 1; i >= 0; i--) {
                    if (rowTimes.get(i) < before) {
                        rows.remove(i);
                        rowTimes.remove(i);
                    }
                }
                snapshotTimes.values().removeIf(time -> time < before);
                snapshots.keySet().retainAll(snapshotTimes.keySet());
            }
        }
    }

    private void put(HistoryRow row) {
        String text = text(row);
        for (int i = 0; row.isDefinition() && i < rows.size(); i++) {
            if (rowTimes.get(i) == row.position().timeMillis()) {
                rows.set(i, text);
                return;
            }
        }
        rows.add(text);
        rowTimes.add(row.position().timeMillis());
    }

    /** What the tables hold after the step that it was brought to: rows in the order of their ids, then snapshots by offset. */
    List<String> expected() {
        List<String> expected = new ArrayList<>(rows);
        snapshots.keySet().stream().sorted().map(snapshots::get).forEach(expected::add);
        return expected;
    }

    /** What real tables hold, in the order of {@link #expected}; fails if ids do not ascend in both tables and to the last. */
    static List<String> actual(HistoryTables tables) throws IOException {
        List<String> actual = new ArrayList<>();
        long lastId = 0;
        for (HistoryRow row : tables.rows().read(0, Long.MAX_VALUE, Integer.MAX_VALUE)) {
            actual.add(text(row));
            lastId = Math.max(lastId, row.id());
        }
        List<HistorySnapshot> snapshots = new ArrayList<>(tables.snapshots().all());
        snapshots.sort(
                (a, b) -> Long.compare(a.position().offset(), b.position().offset()));
        for (HistorySnapshot snapshot : snapshots) {
            actual.add(text(snapshot.position(), tables.snapshots().state(snapshot, new SchemaHeap())));
            lastId = Math.max(lastId, snapshot.id());
        }
        if (tables.identity().lastId() < lastId) {
            throw new IllegalStateException("the newest id is %d, and %d is used"
                    .formatted(tables.identity().lastId(), lastId));
        }
        return actual;
    }

    private static String text(HistoryRow row) {
        return "row %s %s %s %s %s %s %s"
                .formatted(
                        row.position(),
                        row.useSchema(),
                        row.sqlSchema(),
                        row.sqlTable(),
                        row.type(),
                        TextMapJson.write(row.extra()),
                        row.text());
    }

    private static String text(HistoryPosition position, SchemaState state) {
        return "snapshot %s %s".formatted(position, TextMapJson.write(state.definitions()));
    }

    /** The step, of two neighbours, after which tables hold what they do; null if they hold something else. */
    static @Nullable Long stepOf(HistoryWorkload workload, List<String> actual, long confirmed) {
        for (long n = confirmed; n <= confirmed + 1; n++) {
            workload.advanceTo(n);
            if (workload.expected().equals(actual)) {
                return n;
            }
        }
        return null;
    }
}
