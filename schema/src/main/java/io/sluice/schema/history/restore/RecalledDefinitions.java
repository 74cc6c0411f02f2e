package io.sluice.schema.history.restore;

import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryRow;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The recorded definitions of tables, and character sets that statements took from their schemas, at positions that the stream, restarted at an older one,
 * has still to read.
 *
 * <p>A definition holds before its position too, back to the last statement that changed the table. The texts are not in memory: a
 * definition is the id of its row. Of the statements between two definitions only the last is kept.
 */
public final class RecalledDefinitions {
    /**
     * A definition, or a statement after which an older definition does not hold.
     *
     * @param id the row of the definition; 0 for a statement
     */
    private record Item(HistoryPosition position, @Nullable TableName table, long id) {
        boolean isStatement() {
            return id == 0;
        }
    }

    /** In the order of the binlog; by table and by schema, in lower case. */
    private final Map<String, List<Item>> byName = new HashMap<>();

    private final Map<String, String> shared = new HashMap<>();

    /** By their positions. */
    private final Map<EventKey, String> charsets = new HashMap<>();

    /** The position of an event, without what is not compared. */
    private record EventKey(String binlog, String file, long offset) {}

    /** Adds a row; rows must be added in the order of the binlog. */
    void add(HistoryRow row, Collection<TableName> touched) {
        HistoryPosition position = compact(row.position());
        if (row.isDefinition()) {
            TableName table = new TableName(row.sqlSchema(), row.sqlTable());
            items(table).add(new Item(position, table, row.id()));
        } else {
            touched.forEach(table -> addStatement(table, position));
            String charset = row.charset();
            if (charset != null) {
                charsets.put(new EventKey(position.binlog(), position.file(), position.offset()), share(charset));
            }
        }
    }

    /** The character set that the statement of an event took from its schema or session; null if none is recorded. */
    public @Nullable String charsetAt(String binlog, String file, long offset) {
        return charsets.isEmpty() ? null : charsets.get(new EventKey(binlog, file, offset));
    }

    private void addStatement(TableName name, HistoryPosition position) {
        List<Item> items = items(name);
        Item last = items.isEmpty() ? null : items.get(items.size() - 1);
        // Definitions are not among the items of a schema, so each statement counts there.
        if (last != null
                && last.isStatement()
                && !name.table().isEmpty()
                && last.position().isOfSameOrigin(position)) {
            items.set(
                    items.size() - 1,
                    new Item(position.notBefore(last.position().timeMillis()), null, 0));
        } else {
            items.add(new Item(position, null, 0));
        }
    }

    private List<Item> items(TableName name) {
        return byName.computeIfAbsent(IdentifierCase.fold(name.toString()), key -> new ArrayList<>(1));
    }

    /** Returns a copy of the position without its transaction, and with texts that many share. */
    private HistoryPosition compact(HistoryPosition position) {
        return new HistoryPosition(
                share(position.source()),
                share(position.file()),
                position.offset(),
                share(position.masterId()),
                position.timeMillis(),
                "",
                position.epoch(),
                0);
    }

    private String share(String text) {
        return shared.computeIfAbsent(text, same -> same);
    }

    /**
     * The row with the definition of a table that holds after an event; 0 if there is none.
     *
     * @param now the event; statements that are there are done already
     */
    public long at(HistoryPosition now, int length, TableName table) {
        Item next = next(now, length, table);
        if (next == null || next.isStatement() || !table.equals(next.table())) {
            return 0;
        }
        Item schema = next(now, length, new TableName(table.schema(), ""));
        return schema == null || HistoryPosition.IN_BINLOG.compare(next.position(), schema.position()) <= 0
                ? next.id()
                : 0;
    }

    /** Whether a statement that changes the table is still to come. */
    public boolean changesLater(HistoryPosition now, int length, TableName table) {
        Item next = next(now, length, table);
        return next != null && next.isStatement();
    }

    /** How many definitions and statements it holds. */
    int size() {
        return byName.values().stream().mapToInt(List::size).sum();
    }

    private @Nullable Item next(HistoryPosition now, int length, TableName name) {
        for (Item item : byName.getOrDefault(IdentifierCase.fold(name.toString()), List.of())) {
            HistoryPosition position = item.position();
            boolean isBehind = position.isOfSameBinlog(now)
                    ? HistoryPosition.IN_BINLOG.compare(position, now) >= 0
                    : position.timeMillis() > now.timeMillis();
            boolean isOfTheEvent = position.isOfSameBinlog(now)
                    && position.epoch() == now.epoch()
                    && position.file().equals(now.file())
                    && position.offset() < now.offset() + length;
            if (isBehind && !(isOfTheEvent && item.isStatement())) {
                return item;
            }
        }
        return null;
    }
}
