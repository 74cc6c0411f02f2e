package io.sluice.stream.reader;

import io.sluice.format.entry.BinlogEntry;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.row.MappedTable;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.schema.table.TableName;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.Event;
import io.sluice.stream.options.TransactionSpill;
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
 * The open transaction, whose entries are held until it ends, since the source may have rolled back rows that it has logged: these are left
 * out.
 *
 * <p>MariaDB, and MySQL before 8.0, log a transaction with what it has rolled back, followed by {@code ROLLBACK TO} or {@code ROLLBACK}, if
 * it has created or dropped temporary tables or, on MariaDB, changed tables of an engine without transactions. Rows of such tables are not
 * among what is rolled back: they are logged in a transaction of their own, which is committed. But statements may be, so none is removed.
 *
 * <p>MySQL from 5.7.19 on states in the GTID event, which is also there without GTIDs, whether a transaction contains a statement as text,
 * as it does after the use of temporary tables: without one its rows are not held. MariaDB states nothing before the end.
 *
 * <p>The entries are held in the chunk while it has room, then in a {@linkplain SpilledTransaction file}. Without that they are handed on
 * when the chunk is full; then rows cannot be removed any more that were handed on, nor those after a savepoint that is not known. They are
 * reported, for the first time of each table, and counted. For one thread, but for {@link #delivered} and {@link #spilledBytes}.
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

    /** What exceeds the chunk; null if that is handed on. */
    private final @Nullable SpilledTransaction spill;

    private boolean mayRollBack;
    private boolean hasRowsOnly;
    private boolean isOpen;

    /** Whether the transaction, or a savepoint, began in the chunk that is filled, so that rows after it can be removed. */
    private boolean isUndoable;

    /** Whether the transaction has ended in the chunk that is filled, and entries before are in the file. */
    private boolean isEnding;

    /** Whether the connection broke, and the begin of the transaction is expected again. */
    private boolean isReadAgain;

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
     * @param spilled what names it in the file; −1 if it is not there
     */
    private record Savepoint(long tick, int index, long spilled) {}

    /** The ticks of a table's first and newest rows that were handed on. */
    private record Ticks(long first, long newest) {
        Ticks and(Ticks later) {
            return new Ticks(first, later.newest);
        }
    }

    /** Makes a tracker without an open transaction; entries that exceed a chunk are handed on if {@code spill} is null. */
    OpenTransaction(@Nullable TransactionSpill spill) {
        this.spill = spill == null ? null : new SpilledTransaction(spill);
    }

    /** States whether the source may log rows that it rolls back; if not, nothing is held. */
    void setMayRollBack(boolean mayRollBack) {
        this.mayRollBack = mayRollBack;
    }

    /** States whether the next transaction contains rows and no statements as text, as far as the source has announced that. */
    void announce(boolean rowsOnly) {
        hasRowsOnly = rowsOnly;
    }

    /**
     * Begins to follow a transaction, whose entries are after those that are in the chunk.
     *
     * @param isNew whether its begin was not read before the connection broke; else it is the same transaction
     */
    void begin(Chunk chunk, boolean isNew) {
        start = chunk.entries().size();
        if (isReadAgain && !isNew) {
            isReadAgain = false;
            return;
        }
        drop();
        isOpen = true;
        isUndoable = true;
    }

    /** Forgets the transaction, which has ended. */
    void end() {
        if (!isOpen) {
            return;
        }
        isEnding = isSpilling();
        forget();
    }

    /** Forgets the transaction, which the source never committed; removes what was not handed on. */
    void cutOff(Chunk chunk) {
        if (isOpen && isHeld() && spill != null) {
            chunk.entries().subList(start, chunk.entries().size()).clear();
        }
        drop();
    }

    /** Forgets the transaction if it is open: it is read again as another one, or not at all. */
    void drop() {
        if (isOpen) {
            SpilledTransaction held = spill;
            if (held != null && held.isSpilling()) {
                held.discard();
            }
            forget();
        }
    }

    private void forget() {
        isOpen = false;
        isUndoable = false;
        isReadAgain = false;
        hasRowsOnly = false;
        savepoints.clear();
        handedOn.clear();
        tick = 0;
        chunkTick = 0;
        if (!isEnding) {
            statements.clear();
        }
    }

    /** States that the next events come from a new connection: if the transaction is open, its begin comes again. */
    void onReconnect() {
        hasRowsOnly = false;
        if (isSpilling()) {
            isReadAgain = true;
        } else {
            drop();
        }
    }

    /** Frees what it holds. */
    void close() {
        drop();
        SpilledTransaction held = spill;
        if (held != null) {
            held.discard();
        }
    }

    /** Whether a transaction is open of which the begin was read. */
    boolean isOpen() {
        return isOpen;
    }

    /** Whether the chunk should be held until the transaction ends, if it has room. */
    boolean holdsChunk() {
        return isUndoable && isHeld() && !isSpilling();
    }

    private boolean isHeld() {
        return mayRollBack && !hasRowsOnly;
    }

    private boolean isSpilling() {
        SpilledTransaction held = spill;
        return isOpen && held != null && held.isSpilling();
    }

    /** Whether the transaction has ended in the chunk that is filled, and must be replayed before more is read. */
    boolean isEnding() {
        return isEnding;
    }

    /** Whether entries of a transaction that has ended are to be read, before anything else is. */
    boolean isReplaying() {
        SpilledTransaction held = spill;
        return held != null && held.isReplaying();
    }

    /** The size of the next entry of the replay if it is large and read alone; else 0. */
    int nextLargeBytes() {
        SpilledTransaction held = spill;
        return held != null && held.isReplaying() ? held.nextLargeBytes() : 0;
    }

    /** Moves entries of the transaction that has ended into a chunk. */
    void replay(Chunk chunk, int wantedBytes) {
        SpilledTransaction held = spill;
        if (held != null) {
            held.replay(chunk, wantedBytes);
        }
    }

    /** How many bytes of a transaction are in its file, and not handed on yet. May be called by any thread. */
    long spilledBytes() {
        SpilledTransaction held = spill;
        return held == null ? 0 : held.bytes();
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
        if (isOpen && table != null && !isSpilling()) {
            handedOn.merge(new TableName(table.schema(), table.table()), new Ticks(tick, tick), Ticks::and);
        }
    }

    /** States that no more is added to the chunk; moves into the file what is to be held. */
    void onChunkEnd(Chunk chunk) {
        SpilledTransaction held = spill;
        if (isEnding && held != null) {
            isEnding = false;
            spillTail(chunk, held);
            held.seal();
        } else if (isOpen && !isReadAgain) {
            if (mayRollBack) {
                noteRows(chunk);
            }
            if (held != null && isHeld()) {
                if (!held.isSpilling()) {
                    held.begin();
                }
                spillTail(chunk, held);
            }
            savepoints.replaceAll((name, savepoint) -> new Savepoint(savepoint.tick(), 0, savepoint.spilled()));
            isUndoable = false;
            chunkTick = tick;
        }
        statements.clear();
        start = 0;
    }

    /** Moves the entries of the transaction into the file, with the savepoints between them. */
    private void spillTail(Chunk chunk, SpilledTransaction held) {
        chunk.bytes().settle(chunk.events().array());
        List<Entry> tail = chunk.entries().subList(start, chunk.entries().size());
        List<Entry> moved = List.copyOf(tail);
        tail.clear(); // first, since they must not be handed on if this fails
        Iterator<Map.Entry<String, Savepoint>> inChunk = savepoints.entrySet().stream()
                .filter(s -> s.getValue().spilled() < 0)
                .iterator();
        Map.Entry<String, Savepoint> next = inChunk.hasNext() ? inChunk.next() : null;
        for (int i = 0; i < moved.size() || next != null; i++) {
            while (next != null && (next.getValue().index() <= start + i || i == moved.size())) {
                next.setValue(
                        new Savepoint(next.getValue().tick(), next.getValue().index(), held.savepoint()));
                next = inChunk.hasNext() ? inChunk.next() : null;
            }
            if (i < moved.size() && moved.get(i) instanceof BinlogEntry entry) {
                boolean isStatement = entry instanceof StatementEntry && statements.get(start + i);
                boolean isOfRows = entry.kind() == EntryKind.ROWS || entry instanceof StatementEntry && !isStatement;
                held.append(entry, isOfRows);
            }
        }
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

    /**
     * Sets a savepoint, or moves the one of that name.
     *
     * @param isNew whether the event was not read before the connection broke
     */
    void savepoint(Chunk chunk, EventBody sql, boolean isNew) {
        if (!isOpen || !isNew && isSpilling()) { // if it is not open the binlog is damaged
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
        savepoints.put(name, new Savepoint(tick, chunk.entries().size(), -1));
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
        if (!isOpen || !isNew && isSpilling()) { // if it is not open the binlog is damaged
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
        SpilledTransaction held = spill;
        if (held != null && savepoint.spilled() >= 0) {
            held.undoAfter(savepoint.spilled());
        }
        savepoints.values().removeIf(other -> other.tick() > savepoint.tick());
        Set<TableName> tables = new LinkedHashSet<>();
        for (Map.Entry<TableName, Ticks> table : handedOn.entrySet()) {
            if (table.getValue().newest() >= savepoint.tick()) {
                tables.add(table.getKey());
                table.setValue(new Ticks(table.getValue().first(), savepoint.tick() - 1));
            }
        }
        handedOn.values().removeIf(ticks -> ticks.first() >= savepoint.tick());
        if (isNew && !isSpilling()) {
            report(tables, event);
        }
    }

    /** Removes all rows; the transaction has ended. */
    void rollback(Chunk chunk, Event event, boolean isNew) {
        if (isReadAgain) { // that of another one: the source has lost the one that is open
            drop();
            return;
        }
        if (isOpen) {
            remove(chunk, start, event);
            SpilledTransaction held = spill;
            if (held != null && isSpilling()) {
                held.undoAll();
            } else if (isNew) {
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
                        "rows of a table were delivered that the source rolled back, since large transactions are not held or"
                                + " the savepoint is not known: table={} rollback={}",
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
