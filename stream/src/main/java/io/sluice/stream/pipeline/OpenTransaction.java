package io.sluice.stream.pipeline;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.row.MappedTable;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.schema.ddl.TableName;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The savepoints of the open transaction, and which of its entries are still in the chunk: rows that the source has rolled back are removed
 * from it.
 *
 * <p>MariaDB, and MySQL before 8.0, log a transaction with what it has rolled back, followed by {@code ROLLBACK TO} or {@code ROLLBACK}, if
 * it has used temporary tables or, on MariaDB, changed tables of an engine without transactions. Rows of such tables are not among what
 * is rolled back: they are logged in a transaction of their own, which is committed. But statements may be, so none is removed.
 *
 * <p>Rows that were handed on cannot be removed: they are reported, for the first time of each table, and counted. For one thread, but for
 * {@link #delivered}.
 */
final class OpenTransaction {
    private static final Logger LOG = LoggerFactory.getLogger(OpenTransaction.class);

    /** A transaction may have a savepoint for each row. */
    private static final int MAX_SAVEPOINTS = 1_000;

    private static final int MAX_TABLES = 100;

    private final Map<String, Savepoint> savepoints = new LinkedHashMap<>();

    /** The tables of rows that were handed on. */
    private final Map<TableName, Ticks> handedOn = new LinkedHashMap<>();

    /** Which entries of the chunk are not of rows, by their index. */
    private final BitSet statements = new BitSet();

    private final Set<TableName> reported = new HashSet<>();
    private boolean isOpen;
    private boolean isUndoable;

    /** The index in the chunk of the first entry that may be of the transaction. */
    private int start;

    /** Counts the savepoints: rows have the number of savepoints before them. */
    private long tick;

    private long chunkTick;
    private volatile long delivered;

    /**
     * A savepoint.
     *
     * @param tick that of the rows after it
     * @param index the index in the chunk of the first entry after it; 0 if it was in a chunk before
     */
    private record Savepoint(long tick, int index) {}

    /** The ticks of a table's first and newest rows that were handed on. */
    private record Ticks(long first, long newest) {
        Ticks and(Ticks later) {
            return new Ticks(first, later.newest);
        }
    }

    /** Begins to follow a transaction, whose entries are after those that are in the chunk. */
    void begin(Chunk chunk) {
        end();
        isOpen = true;
        isUndoable = true;
        start = chunk.entries().size();
    }

    /** Forgets the transaction, which has ended. */
    void end() {
        if (!isOpen) {
            return;
        }
        isOpen = false;
        isUndoable = false;
        savepoints.clear();
        handedOn.clear();
        statements.clear();
        tick = 0;
        chunkTick = 0;
    }

    /** Whether a transaction is open of which the begin was read. */
    boolean isOpen() {
        return isOpen;
    }

    /** Whether the transaction, or a savepoint, began in the chunk that is filled, so that rows after it can be removed. */
    boolean isUndoable() {
        return isUndoable;
    }

    /** How often rows were rolled back that had been handed on. May be called by any thread. */
    long delivered() {
        return delivered;
    }

    /** States that the chunk's last entry is of a statement that is in the binlog as text. */
    void keepLast(Chunk chunk) {
        if (isOpen) {
            statements.set(chunk.entries().size() - 1);
        }
    }

    /** States that rows were read which were handed on before the connection broke; null if no rows of that table are delivered. */
    void passAgain(@Nullable MappedTable table) {
        if (isOpen && table != null) {
            handedOn.merge(new TableName(table.schema(), table.table()), new Ticks(tick, tick), Ticks::and);
        }
    }

    /**
     * States that no more is added to the chunk.
     *
     * @param mayRollBack whether the source may log rows that it rolls back; if not, they are not noted
     */
    void onChunkEnd(Chunk chunk, boolean mayRollBack) {
        if (!isOpen) {
            return;
        }
        if (mayRollBack) {
            noteRows(chunk);
        }
        savepoints.replaceAll((name, savepoint) -> new Savepoint(savepoint.tick(), 0));
        statements.clear();
        isUndoable = false;
        start = 0;
        chunkTick = tick;
    }

    private void noteRows(Chunk chunk) {
        List<Entry> entries = chunk.entries();
        Iterator<Savepoint> inChunk =
                savepoints.values().stream().filter(s -> s.tick() > chunkTick).iterator();
        Savepoint next = inChunk.hasNext() ? inChunk.next() : null;
        long newest = chunkTick;
        String schema = "";
        String table = "";
        for (int i = start; i < entries.size(); i++) {
            while (next != null && next.index() <= i) {
                newest = next.tick();
                table = "";
                next = inChunk.hasNext() ? inChunk.next() : null;
            }
            Entry entry = entries.get(i);
            boolean isSame =
                    entry.tableName().equals(table) && entry.schemaName().equals(schema);
            if (entry.kind() == EntryKind.ROWS && !isSame) {
                schema = entry.schemaName();
                table = entry.tableName();
                handedOn.merge(new TableName(schema, table), new Ticks(newest, newest), Ticks::and);
            }
        }
    }

    /** Sets a savepoint, or moves the one of that name. */
    void savepoint(Chunk chunk, EventBody sql) {
        if (!isOpen) { // only a damaged binlog has it there
            return;
        }
        tick++;
        String name = nameOf(sql, "SAVEPOINT ");
        if (name == null) {
            savepoints.clear(); // it may replace any of them
            return;
        }
        isUndoable = true;
        savepoints.remove(name);
        savepoints.put(name, new Savepoint(tick, chunk.entries().size()));
        if (savepoints.size() > MAX_SAVEPOINTS) {
            savepoints.remove(savepoints.keySet().iterator().next());
        }
    }

    /**
     * Removes the rows after a savepoint.
     *
     * @param isNew whether the event was not read before the connection broke; else what was handed on was reported then
     */
    void rollbackTo(Chunk chunk, EventBody sql, Event event, boolean isNew) {
        if (!isOpen) { // only a damaged binlog has it there
            return;
        }
        String name = nameOf(sql, "ROLLBACK TO ");
        Savepoint savepoint = name == null ? null : savepoints.get(name);
        if (savepoint == null) { // any of the rows may be rolled back
            if (isNew) {
                Set<TableName> tables = new LinkedHashSet<>(handedOn.keySet());
                for (Entry entry :
                        chunk.entries().subList(start, chunk.entries().size())) {
                    if (entry.kind() == EntryKind.ROWS) {
                        tables.add(tableOf(entry));
                    }
                }
                report(tables, event);
            }
            return;
        }
        remove(chunk, Math.max(start, savepoint.index()), event);
        savepoints.values().removeIf(other -> other.tick() > savepoint.tick());
        Set<TableName> tables = new LinkedHashSet<>();
        for (Map.Entry<TableName, Ticks> table : handedOn.entrySet()) {
            if (table.getValue().newest() >= savepoint.tick()) {
                tables.add(table.getKey());
                table.setValue(new Ticks(table.getValue().first(), savepoint.tick() - 1));
            }
        }
        handedOn.values().removeIf(ticks -> ticks.first() >= savepoint.tick());
        if (isNew) {
            report(tables, event);
        }
    }

    /** Removes all rows; the transaction has ended. */
    void rollback(Chunk chunk, Event event, boolean isNew) {
        if (isOpen) {
            remove(chunk, start, event);
            if (isNew) {
                report(handedOn.keySet(), event);
            }
        }
        end();
    }

    private void remove(Chunk chunk, int from, Event event) {
        List<Entry> tail = chunk.entries().subList(from, chunk.entries().size());
        List<Entry> stay = tail.stream()
                .filter(entry -> entry.kind() != EntryKind.ROWS)
                .filter(entry -> !(entry instanceof StatementEntry) || isStatement(chunk, entry, from))
                .toList();
        int removed = tail.size() - stay.size();
        if (removed > 0) {
            LOG.debug("rows that the source rolled back are left out: entries={} at={}", removed, event.position());
            tail.clear();
            statements.clear(from, Integer.MAX_VALUE);
            for (Entry entry : stay) {
                chunk.entries().add(entry);
                if (entry instanceof StatementEntry) {
                    keepLast(chunk);
                }
            }
        }
    }

    private boolean isStatement(Chunk chunk, Entry entry, int from) {
        for (int i = statements.nextSetBit(from); i >= 0; i = statements.nextSetBit(i + 1)) {
            if (chunk.entries().get(i) == entry) {
                return true;
            }
        }
        return false;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // the counter has one writer
    private void report(Set<TableName> tables, Event event) {
        if (tables.isEmpty()) {
            return;
        }
        delivered++;
        for (TableName table : tables) {
            if (reported.size() < MAX_TABLES && reported.add(table)) {
                LOG.warn(
                        "rows of a table were delivered that the source rolled back, since their transaction is large or the"
                                + " connection broke within it: table={} rollback={}",
                        table,
                        event.position());
            }
        }
    }

    private static TableName tableOf(Entry entry) {
        return new TableName(entry.schemaName(), entry.tableName());
    }

    /**
     * The name that follows the keywords, so that equal texts are equal names; null if a server may take another text for the same
     * name, as it ignores accents. The quotes depend on the {@code sql_mode} of the session, or of the procedure that is called.
     */
    private static @Nullable String nameOf(EventBody sql, String keywords) {
        String text = new String(sql.array(), sql.offset(), sql.end() - sql.offset(), StandardCharsets.ISO_8859_1);
        String name = unquoted(text.strip().substring(keywords.length()).strip());
        boolean isPlain = name.chars().allMatch(c -> c >= ' ' && c < 0x7f) && !name.endsWith(" ");
        return isPlain ? name.toLowerCase(Locale.ROOT) : null;
    }

    private static String unquoted(String written) {
        for (String quote : List.of("`", "\"")) {
            if (written.length() > 1 && written.startsWith(quote) && written.endsWith(quote)) {
                return written.substring(1, written.length() - 1).replace(quote + quote, quote);
            }
        }
        return written;
    }
}
