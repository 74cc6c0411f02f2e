package io.sluice.deployer.e2e;

import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Rows whose values say which column they were written to, and when: {@code <column>#<version>}.
 *
 * <p>So a value under another column's name is seen, whatever the table schemas were before and are later. A row's key is unique
 * among all tables. For one thread.
 */
final class NamedValues {
    /** The column of the key, which no statement renames. */
    static final String KEY = "id";

    private static final int LONG_VALUE = 240;
    private static final int MAX_SHOWN = 20;

    private final Map<Long, Long> written = new HashMap<>();
    private final Map<Long, Long> delivered = new HashMap<>();
    private final List<String> mislabelled = new ArrayList<>();
    private long mislabelledCount;
    private long changes;

    /** The value of a column in a version of a row. */
    static String value(String column, long version) {
        return column + "#" + version;
    }

    /** The value of a column in a version of a row, with zeros before the version: 240 characters. */
    static String longValue(String column, long version) {
        String number = Long.toString(version);
        return column + "#" + "0".repeat(LONG_VALUE - column.length() - 1 - number.length()) + number;
    }

    /** Notes what is committed: the row exists in this version, and is not older in any later one. */
    void wrote(long key, long version) {
        written.put(key, version);
    }

    /** Notes what was delivered. */
    void deliver(Change change) {
        if (!(change instanceof Change.OfRow row) || row.after() == null) {
            return;
        }
        changes++;
        Row after = row.after();
        long newest = -1;
        for (String column : after.columns()) {
            if (column.equals(KEY)) {
                continue;
            }
            String value = String.valueOf(after.value(column));
            int mark = value.lastIndexOf('#');
            if (mark < 0 || !value.substring(0, mark).equals(column)) {
                mislabelledCount++;
                if (mislabelled.size() < MAX_SHOWN) {
                    mislabelled.add("%s.%s of row %s is %s".formatted(row.table(), column, after.value(KEY), value));
                }
            } else {
                newest = Math.max(newest, Long.parseLong(value.substring(mark + 1)));
            }
        }
        delivered.put(Long.valueOf(Objects.requireNonNull(after.value(KEY))), newest);
    }

    /** What is wrong: values under names of other columns, rows that never came, rows that are older than at the source. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (mislabelledCount > 0) {
            problems.add("%d values are under the name of another column: %s".formatted(mislabelledCount, mislabelled));
        }
        List<Long> missing = written.keySet().stream()
                .filter(key -> !delivered.containsKey(key))
                .sorted()
                .toList();
        if (!missing.isEmpty()) {
            problems.add("%d of %d rows never came, from %d to %d"
                    .formatted(missing.size(), written.size(), missing.get(0), missing.get(missing.size() - 1)));
        }
        List<Long> old = written.keySet().stream()
                .filter(key -> delivered.containsKey(key) && !Objects.equals(delivered.get(key), written.get(key)))
                .sorted()
                .limit(MAX_SHOWN)
                .toList();
        if (!old.isEmpty()) {
            problems.add("rows that are in an older version: " + old);
        }
        return problems;
    }

    @Override
    public String toString() {
        return "rows=%d delivered=%d changes=%d".formatted(written.size(), delivered.size(), changes);
    }
}
