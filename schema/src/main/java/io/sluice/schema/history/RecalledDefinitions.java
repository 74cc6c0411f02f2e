package io.sluice.schema.history;

import io.sluice.schema.ddl.TableName;
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
 * <p>An answer holds before its position too, back to the last statement that changed the table. The answers' texts are not in memory:
 * an answer is the id of its row. Of the statements between two answers only the last is remembered.
 */
final class RecalledDefinitions {
    /**
     * An answer, or a statement after which an older answer does not hold.
     *
     * @param id the row of the answer; 0 for a statement
     */
    private record Item(HistoryPosition position, @Nullable TableName table, long id) {
        boolean isStatement() {
            return id == 0;
        }
    }

    /** In the order of the binlog; by table and by schema, in lower case. */
    private final Map<String, List<Item>> byName = new HashMap<>();

    private final Map<String, String> shared = new HashMap<>();

    /** Takes a row; rows must come in the order of the binlog. */
    void add(HistoryRow row, Collection<TableName> touched) {
        HistoryPosition position = compact(row.position());
        if (row.isDefinition()) {
            TableName table = new TableName(row.sqlSchema(), row.sqlTable());
            items(table).add(new Item(position, table, row.id()));
        } else {
            touched.forEach(table -> addStatement(table, position));
        }
    }

    private void addStatement(TableName name, HistoryPosition position) {
        List<Item> items = items(name);
        Item last = items.isEmpty() ? null : items.get(items.size() - 1);
        // Answers are not among the items of a schema, so there each statement counts.
        if (last != null
                && last.isStatement()
                && !name.table().isEmpty()
                && last.position().isOfSameOrigin(position)) {
            items.set(items.size() - 1, new Item(position.notBefore(last.position().timeMillis()), null, 0));
        } else {
            items.add(new Item(position, null, 0));
        }
    }

    private List<Item> items(TableName name) {
        return byName.computeIfAbsent(name.toString().toLowerCase(Locale.ROOT), key -> new ArrayList<>(1));
    }

    /** The same without its transaction, and with texts that many share. */
    private HistoryPosition compact(HistoryPosition position) {
        return new HistoryPosition(
                share(position.source()),
                share(position.file()),
                position.offset(),
                share(position.masterId()),
                position.timeMillis(),
                "");
    }

    private String share(String text) {
        return shared.computeIfAbsent(text, same -> same);
    }

    /**
     * The row that says what holds of a table after an event; 0 if it is not known.
     *
     * @param now the event; statements that are there are done already
     */
    long at(HistoryPosition now, int length, TableName table) {
        Item next = next(now, length, table);
        if (next == null || next.isStatement() || !table.equals(next.table())) {
            return 0;
        }
        Item schema = next(now, length, new TableName(table.schema(), ""));
        return schema == null || HistoryPosition.IN_BINLOG.compare(next.position(), schema.position()) <= 0 ? next.id() : 0;
    }

    /** Whether a statement that changes the table is still to come. */
    boolean changesLater(HistoryPosition now, int length, TableName table) {
        Item next = next(now, length, table);
        return next != null && next.isStatement();
    }

    /** How many answers and statements it holds. */
    int size() {
        return byName.values().stream().mapToInt(List::size).sum();
    }

    private @Nullable Item next(HistoryPosition now, int length, TableName name) {
        for (Item item : byName.getOrDefault(name.toString().toLowerCase(Locale.ROOT), List.of())) {
            HistoryPosition position = item.position();
            boolean isBehind = position.isOfSameBinlog(now)
                    ? HistoryPosition.IN_BINLOG.compare(position, now) >= 0
                    : position.timeMillis() > now.timeMillis();
            boolean isOfTheEvent = position.isOfSameBinlog(now)
                    && position.file().equals(now.file())
                    && position.offset() < now.offset() + length;
            if (isBehind && !(isOfTheEvent && item.isStatement())) {
                return item;
            }
        }
        return null;
    }
}
