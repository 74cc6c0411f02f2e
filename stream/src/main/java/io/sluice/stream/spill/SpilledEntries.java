package io.sluice.stream.spill;

import io.sluice.format.entry.BinlogEntry;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.EventBytes;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowRules;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.entry.XaText;
import io.sluice.format.row.MappedTable;
import io.sluice.format.value.PartialJson;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.stream.xa.HeldSpace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one transaction in a file, or in a buffer as long as they fit into it.
 *
 * <p>They are appended, then sealed, then read once in the same order, then discarded. Until they are sealed, those after a savepoint, or
 * all, can be undone. A record, big-endian, is:
 *
 * <pre>
 *   0      1          2      3      4      8      12     16         20       24       32       40     48        49
 *   +------+----------+------+------+------+------+------+----------+--------+--------+--------+------+---------+
 *   | kind | can be   | type | mode | tail | file | GTID | sequence | length | offset | server | time | is a    |
 *   | i8   | undone   | i8   | i8   | i32  | i32  | i32  | i32      | i32    | i64    | i64    | i64  | boundary|
 *   +------+----------+------+------+------+------+------+----------+--------+--------+--------+------+---------+
 *   49      53      57          61       69
 *   +-------+-------+-----------+--------+----------------------------------------------+
 *   | table | rules | first row | number | so many bytes as the tail states: row images,|
 *   | i32   | i32   | i32       | i64    | texts, or the size of an event that is unread|
 *   +-------+-------+-----------+--------+----------------------------------------------+
 * </pre>
 *
 * <p>File, GTID, table and rules are numbers of objects in memory. The number of a savepoint is the offset up to which what follows it is
 * undone; it is overwritten when that happens, so that memory does not grow with the savepoints. For one thread.
 */
public final class SpilledEntries {
    private static final int HEADER_BYTES = 69;
    private static final int NUMBER_OFFSET = 61;

    /** An entry counts so much in a chunk besides its bytes. */
    private static final int ENTRY_BYTES = 128;

    private static final byte ROWS = 1;
    private static final byte UNREAD = 2;
    private static final byte STATEMENT = 3;
    private static final byte BEGIN = 4;
    private static final byte END = 5;
    private static final byte SAVEPOINT = 6;

    private static final List<PartialJson> PARTIAL_JSON = List.of(PartialJson.values());

    private final SpillFile file;
    private final SharedObjects<LogFile> files = new SharedObjects<>();
    private final SharedObjects<TransactionGtid> gtids = new SharedObjects<>();
    private final SharedObjects<MappedTable> tables = new SharedObjects<>();
    private final SharedObjects<RowRules> rules = new SharedObjects<>();
    private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);

    /** What was appended before this offset and can be undone is undone. */
    private long undoneTo;

    /** Whether the header of the next entry was read. */
    private boolean hasHeader;

    /**
     * Makes an empty one.
     *
     * @param space names the file
     * @param maxBytes how large it may become
     */
    public SpilledEntries(HeldSpace space, long maxBytes) {
        this.file = new SpillFile(space, maxBytes);
    }

    /**
     * Appends an entry.
     *
     * @param canBeUndone whether it is left out if the source rolls it back
     * @throws IOException if it cannot be written, or there would be too many bytes
     */
    public void append(BinlogEntry entry, boolean canBeUndone) throws IOException {
        if (entry instanceof RowsEntry rows) {
            EventBody images = rows.images();
            PartialJson partial = rows.partialJson();
            int mode = partial == null ? -1 : PARTIAL_JSON.indexOf(partial);
            start(ROWS, canBeUndone, rows.eventType(), mode, images.remaining(), rows.origin());
            finish(tables.numberOf(rows.table()), rules.numberOf(rows.rules()), rows.firstRow(), rows.tableId());
            file.write(images.array(), images.offset(), images.remaining());
        } else if (entry instanceof UnreadRowsEntry unread) {
            byte[] size =
                    ByteBuffer.allocate(Long.BYTES).putLong(0, unread.bytes()).array();
            start(UNREAD, canBeUndone, unread.eventType(), -1, size.length, unread.origin());
            finish(tables.numberOf(unread.table()), -1, 0, unread.largest());
            file.write(size, 0, size.length);
        } else if (entry instanceof StatementEntry statement) {
            append(statement, canBeUndone);
        } else if (entry instanceof TransactionBoundary boundary) {
            XaText xa = boundary.xa();
            byte[] texts = xa == null ? new byte[0] : Texts.bytes(xa.type(), xa.xid());
            byte kind = boundary.kind() == EntryKind.BEGIN ? BEGIN : END;
            start(kind, canBeUndone, EventType.QUERY, -1, texts.length, boundary.origin());
            finish(-1, -1, 0, boundary.number());
            file.write(texts, 0, texts.length);
        } else {
            throw new IllegalArgumentException("no entry of a transaction: " + entry.kind());
        }
    }

    private void append(StatementEntry statement, boolean canBeUndone) throws IOException {
        XaText xa = statement.xa();
        byte[] texts = Texts.bytes(
                xa == null ? null : xa.type(),
                xa == null ? null : xa.xid(),
                statement.schema(),
                statement.table(),
                statement.sql(),
                statement.sessionSchema());
        Boolean ddl = statement.ddl();
        int mode = ddl == null ? -1 : ddl ? 1 : 0;
        start(STATEMENT, canBeUndone, statement.eventType(), mode, texts.length, statement.origin());
        finish(-1, -1, 0, 0);
        file.write(texts, 0, texts.length);
    }

    private void start(byte kind, boolean canBeUndone, EventType type, int mode, int tail, Origin origin) {
        header.clear()
                .put(kind)
                .put((byte) (canBeUndone ? 1 : 0))
                .put((byte) type.getNumber())
                .put((byte) mode)
                .putInt(tail)
                .putInt(files.numberOf(origin.file()))
                .putInt(gtids.numberOf(origin.gtid()))
                .putInt(origin.sequence())
                .putInt(origin.length())
                .putLong(origin.offset())
                .putLong(origin.serverId())
                .putLong(origin.timeMillis())
                .put((byte) (origin.isBoundary() ? 1 : 0));
    }

    private void finish(int table, int rule, int firstRow, long number) throws IOException {
        header.putInt(table).putInt(rule).putInt(firstRow).putLong(number);
        file.write(header.array(), 0, HEADER_BYTES);
    }

    /** Appends a savepoint, and returns its offset. */
    public long savepoint() throws IOException {
        long offset = file.written();
        file.write(new byte[] {SAVEPOINT}, 0, 1);
        file.write(new byte[HEADER_BYTES - 1 - Long.BYTES], 0, HEADER_BYTES - 1 - Long.BYTES);
        file.write(new byte[Long.BYTES], 0, Long.BYTES);
        return offset;
    }

    /** Undoes what was appended after a savepoint and can be undone. */
    public void undoAfter(long savepoint) throws IOException {
        file.overwrite(savepoint + NUMBER_OFFSET, file.written());
    }

    /** Undoes all that was appended and can be undone. */
    public void undoAll() {
        undoneTo = file.written();
    }

    /** How many bytes were appended and not read. */
    public long bytes() {
        return file.written() - file.read();
    }

    /** The file that holds them; null if the buffer does. */
    public @Nullable Path path() {
        return file.path();
    }

    /** States that all entries were appended. */
    public void seal() throws IOException {
        file.seal();
    }

    /** The size of the next entry if it is large, so that {@link #read} reads it alone; 0 if it is not, or there is none. */
    public int nextLargeBytes() throws IOException {
        return find() && tail() > EventSource.LARGEST_WHOLE ? tail() : 0;
    }

    /**
     * Reads entries.
     *
     * @param events takes the bytes of their rows
     * @param bytes will state those bytes
     * @param wanted how many bytes the entries shall have, about
     * @return false if there are no more
     */
    public boolean read(ByteWriter events, EventBytes bytes, List<Entry> entries, int wanted) throws IOException {
        long size = 0;
        while (size < wanted && find()) {
            int tail = tail();
            boolean isLarge = tail > EventSource.LARGEST_WHOLE;
            if (isLarge && size > 0) { // there must be room for it
                return true;
            }
            hasHeader = false;
            entries.add(entry(events, bytes, isLarge));
            size += isLarge ? wanted : tail + ENTRY_BYTES;
        }
        return find();
    }

    private int tail() {
        return header.getInt(4);
    }

    /** Reads the header of the next entry that is not undone; false if there is none. */
    private boolean find() throws IOException {
        while (!hasHeader && bytes() > 0) {
            long offset = file.read();
            file.read(header.array(), 0, HEADER_BYTES);
            if (header.get(0) == SAVEPOINT) {
                undoneTo = Math.max(undoneTo, header.getLong(NUMBER_OFFSET));
            } else if (offset < undoneTo && header.get(1) != 0) {
                file.skip(tail());
            } else {
                hasHeader = true;
            }
        }
        return hasHeader;
    }

    private Entry entry(ByteWriter events, EventBytes bytes, boolean isLarge) throws IOException {
        byte kind = header.get(0);
        EventType type = EventType.forNumber(header.get(2));
        Origin origin = new Origin(
                files.object(header.getInt(8)),
                header.getLong(24),
                header.getLong(32),
                header.getLong(40),
                header.getInt(20),
                header.getInt(16),
                gtids.objectOrNull(header.getInt(12)),
                header.get(48) != 0);
        long number = header.getLong(NUMBER_OFFSET);
        return switch (kind) {
            case ROWS -> rows(origin, type, events, bytes, isLarge);
            case UNREAD ->
                new UnreadRowsEntry(
                        origin,
                        type,
                        tables.object(header.getInt(49)),
                        tailBytes().getLong(),
                        number);
            case STATEMENT -> statement(origin, type);
            default -> boundary(origin, kind, number);
        };
    }

    private RowsEntry rows(Origin origin, EventType type, ByteWriter events, EventBytes bytes, boolean isLarge)
            throws IOException {
        int tail = tail();
        int from = 0;
        EventBytes source = bytes;
        if (isLarge) {
            byte[] own = new byte[tail];
            file.read(own, 0, tail);
            source = EventBytes.of(own);
        } else {
            from = events.size();
            events.ensure(tail);
            file.read(events.array(), from, tail);
            events.setSize(from + tail);
        }
        int mode = header.get(3);
        return new RowsEntry(
                origin,
                type,
                tables.object(header.getInt(49)),
                header.getLong(NUMBER_OFFSET),
                source,
                from,
                from + tail,
                mode < 0 ? null : PARTIAL_JSON.get(mode),
                header.getInt(57),
                rules.object(header.getInt(53)));
    }

    private StatementEntry statement(Origin origin, EventType type) throws IOException {
        ByteBuffer texts = tailBytes();
        XaText xa = xa(texts);
        String schema = Texts.next(texts);
        String table = Texts.next(texts);
        String sql = Texts.required(texts);
        int mode = header.get(3);
        return xa == null
                ? new StatementEntry(
                        origin, type, schema, table, mode < 0 ? null : mode > 0, sql, Texts.required(texts))
                : new StatementEntry(origin, type, sql, xa);
    }

    private TransactionBoundary boundary(Origin origin, byte kind, long number) throws IOException {
        ByteBuffer texts = tailBytes();
        XaText xa = texts.hasRemaining() ? xa(texts) : null;
        if (xa == null) {
            return kind == BEGIN ? TransactionBoundary.begin(origin, number) : TransactionBoundary.end(origin, number);
        }
        return kind == BEGIN ? TransactionBoundary.begin(origin, number, xa) : TransactionBoundary.end(origin, xa);
    }

    private ByteBuffer tailBytes() throws IOException {
        byte[] bytes = new byte[tail()];
        file.read(bytes, 0, bytes.length);
        return ByteBuffer.wrap(bytes);
    }

    private static @Nullable XaText xa(ByteBuffer texts) {
        String type = Texts.next(texts);
        String xid = Texts.next(texts);
        return type == null || xid == null ? null : new XaText(type, xid);
    }

    /** Deletes the file, if there is one. Idempotent. */
    public void discard() {
        file.discard();
    }
}
