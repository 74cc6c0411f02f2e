package io.sluice.parse.history;

import io.sluice.parse.schema.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the source said of tables at positions that are still to come, since a stream was begun at an older one again.
 *
 * <p>An answer holds before its position too, back to the last statement that changed the table.
 */
final class RecalledDefinitions {
    /**
     * An answer, or a statement after which an older answer does not hold.
     *
     * @param text null for a statement
     */
    private record Item(
            Stamp stamp,
            @Nullable TableName table,
            @Nullable String text) {}

    /** In the order of the binlog; by table and by schema, in lower case. */
    private final Map<String, List<Item>> byName = new HashMap<>();

    /** Takes a row; rows must come in the order of the binlog. */
    void add(HistoryRow row, Collection<TableName> touched) {
        if (row.isDefinition()) {
            TableName table = new TableName(row.sqlSchema(), row.sqlTable());
            items(table).add(new Item(row.stamp(), table, row.text()));
        } else {
            touched.forEach(table -> items(table).add(new Item(row.stamp(), null, null)));
        }
    }

    private List<Item> items(TableName name) {
        return byName.computeIfAbsent(name.toString().toLowerCase(Locale.ROOT), key -> new ArrayList<>());
    }

    /**
     * What holds of a table behind an event; null if it is not known.
     *
     * @param now the event; statements that stand there are done already
     */
    @Nullable String at(Stamp now, int length, TableName table) {
        Item next = next(now, length, table);
        if (next == null || next.text() == null || !table.equals(next.table())) {
            return null;
        }
        Item schema = next(now, length, new TableName(table.schema(), ""));
        return schema == null || Stamp.IN_BINLOG.compare(next.stamp(), schema.stamp()) <= 0 ? next.text() : null;
    }

    /** Whether a statement that changes the table is still to come. */
    boolean changesLater(Stamp now, int length, TableName table) {
        Item next = next(now, length, table);
        return next != null && next.text() == null;
    }

    private @Nullable Item next(Stamp now, int length, TableName name) {
        for (Item item : byName.getOrDefault(name.toString().toLowerCase(Locale.ROOT), List.of())) {
            Stamp stamp = item.stamp();
            boolean isBehind = stamp.isOfSameBinlog(now)
                    ? Stamp.IN_BINLOG.compare(stamp, now) >= 0
                    : stamp.timeMillis() > now.timeMillis();
            boolean isOfTheEvent = stamp.isOfSameBinlog(now)
                    && stamp.file().equals(now.file())
                    && stamp.offset() < now.offset() + length;
            if (isBehind && !(isOfTheEvent && item.text() == null)) {
                return item;
            }
        }
        return null;
    }
}
