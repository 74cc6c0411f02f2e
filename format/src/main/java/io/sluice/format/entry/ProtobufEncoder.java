package io.sluice.format.entry;

import io.sluice.format.value.Digits;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries as protobuf messages {@code Entry}, each where it is to be: what is in front of a value is written before it, with
 * room for what is known only after it, and moved in the rare case that the room is too small or too large.
 */
public final class ProtobufEncoder implements MessageEncoder {
    private static final int TAG_LOGFILE_OFFSET = 0x18;
    private static final int TAG_SERVER_ID = 0x20;
    private static final byte[] SERVEREN_CODE = {0x2A, 5, 'U', 'T', 'F', '-', '8'};
    private static final int TAG_EXECUTE_TIME = 0x30;
    private static final byte[] SOURCE_TYPE_MYSQL = {0x38, 2};
    private static final int TAG_EVENT_LENGTH = 0x50;
    private static final int TAG_EVENT_TYPE = 0x58;

    private static final int TAG_SCHEMA_NAME = 0x42;
    private static final int TAG_TABLE_NAME = 0x4A;
    private static final byte[] NO_NAMES = {TAG_SCHEMA_NAME, 0, TAG_TABLE_NAME, 0};

    private static final int TAG_HEADER = 0x0A;
    private static final int TAG_ENTRY_TYPE = 0x10;
    private static final int TAG_STORE_VALUE = 0x1A;

    /** A pair of {@code props} up to the length of its value: the count of rows. */
    private static final byte[] ROWS_COUNT = {0x62, 0, 0x0A, 9, 'r', 'o', 'w', 's', 'C', 'o', 'u', 'n', 't', 0x12};

    /** How long the pair is beside the digits of its value. */
    private static final int PAIR_LENGTH = ROWS_COUNT.length - 1;

    /** How much the numbers of a header take at most, with the count of rows, and what is between header and value. */
    private static final int HEADER_ROOM = 128;

    /** How much they take mostly. */
    private static final int USUAL_NUMBERS = 28;

    /** Larger events are encoded when they are sent, and may never be if no sink accepts so many bytes. */
    static final int MAX_AHEAD_BYTES = 1 << 20;

    /** Buffers that one large event made larger than this are not kept. */
    private static final int LARGEST_KEPT = 1 << 20;

    private final RowsProtobuf rows = new RowsProtobuf();
    private final ByteWriter header = new ByteWriter(256);
    private ByteWriter ahead = new ByteWriter(1);

    /** The fields of server and time as the last header had them: those of the next are the same nearly always. */
    private byte[] serverAndTime = {};

    private long serverId = -1;
    private long timeMillis = -1;

    /** What was right for the last entry with rows: the guess for the next. */
    private int rowsOfLast = 1;

    private int valueLengthBytes = 2;

    /**
     * The encoded form of an entry; the entry itself if it is large, or encoded already.
     *
     * @throws io.sluice.mysql.binlog.MalformedEventException if the bytes of its event are damaged
     */
    public Entry encoded(Entry entry) {
        if (!(entry instanceof BinlogEntry image)
                || image instanceof UnreadRowsEntry
                || image.sourceBytes() > MAX_AHEAD_BYTES) {
            return entry;
        }
        ahead.clear();
        try {
            write(image, ahead);
            int firstRow = image instanceof RowsEntry rows ? rows.firstRow() : 0;
            return new EncodedEntry(
                    image.origin(),
                    image.kind(),
                    image.eventType(),
                    image.schemaName(),
                    image.tableName(),
                    firstRow,
                    image.rowCount(),
                    ahead.toByteArray());
        } finally {
            if (ahead.array().length > LARGEST_KEPT) {
                ahead = new ByteWriter(1);
            }
        }
    }

    /** Every entry has a message in this format. */
    @Override
    public boolean encode(Entry entry, BatchStamp batch, ByteWriter out) {
        encode(entry, out);
        return true;
    }

    /** Appends the message of an entry, which says nothing of a batch; nothing is appended if that fails. */
    public void encode(Entry entry, ByteWriter out) {
        if (entry instanceof EncodedEntry encoded) {
            out.write(encoded.bytes());
        } else if (entry instanceof BinlogEntry image) {
            write(image, out);
        } else {
            throw new IllegalStateException("no image of a binlog: " + entry.getClass());
        }
    }

    private void write(BinlogEntry entry, ByteWriter out) {
        int start = out.size();
        try {
            writeWhole(entry, out);
        } catch (RuntimeException e) {
            out.setSize(start);
            throw e;
        }
    }

    private void writeWhole(BinlogEntry entry, ByteWriter out) {
        SplitRows split = splitOf(entry);
        int known = countedRows(entry, split);
        int expected = known >= 0 ? known : rowsOfLast;
        int start = out.size();
        int countAt = start;
        byte[] shared = split == null ? null : split.header();
        if (shared == null) {
            countAt = writeHeader(entry, expected, out);
            if (split != null) {
                split.keepHeader(Arrays.copyOfRange(out.array(), start, out.size()));
            }
        } else {
            out.write(shared); // its rows are those of the whole event, which are known
        }
        int headerEnd = out.size();
        out.ensure(HEADER_ROOM);
        out.writeByte(TAG_ENTRY_TYPE);
        out.writeByte(typeOf(entry).getNumber());
        out.writeByte(TAG_STORE_VALUE);
        int lengthAt = out.size();
        out.setSize(lengthAt + valueLengthBytes);
        int count = writeStoreValue(entry, out);
        valueLengthBytes = ProtobufFields.closeLength(out, lengthAt, valueLengthBytes);
        if (count != expected) {
            rowsOfLast = count;
            if (isDigit(count) && isDigit(expected)) {
                out.array()[countAt + ROWS_COUNT.length + 1] = (byte) ('0' + count);
            } else {
                replaceHeader(entry, count, out, start, headerEnd);
            }
        }
    }

    /** The rows that share their header with this entry; null if there are none. */
    private static @Nullable SplitRows splitOf(BinlogEntry entry) {
        RowChoice choice = entry instanceof RowsEntry rows ? rows.choice() : null;
        return choice != null && choice.part() == ChangeId.Part.WHOLE ? choice.of() : null;
    }

    /**
     * How many rows the header states: those of the whole event, also for some of its rows. Less than zero if that is known only
     * when they are written. Of an event that is large they are counted now, so that its bytes need not be moved.
     */
    private static int countedRows(BinlogEntry entry, @Nullable SplitRows split) {
        if (!(entry instanceof RowsEntry rows)) {
            return 0;
        }
        if (split != null) {
            return split.rowCount();
        }
        RowChoice choice = rows.choice();
        if (choice != null) {
            return choice.of().rowCount();
        }
        return rows.sourceBytes() > MAX_AHEAD_BYTES ? rows.rowCount() : rows.knownRowCount();
    }

    private static EntryType typeOf(BinlogEntry entry) {
        return switch (entry.kind()) {
            case BEGIN -> EntryType.TRANSACTIONBEGIN;
            case END -> EntryType.TRANSACTIONEND;
            case ROWS, DDL, STATEMENT -> EntryType.ROWDATA;
        };
    }

    /** The header's fields {@code schemaName} and {@code tableName}. */
    private static byte[] namesOf(BinlogEntry entry) {
        if (entry instanceof TableEntry rows) {
            return rows.table().names;
        }
        return entry instanceof StatementEntry statement ? namesOf(statement) : NO_NAMES;
    }

    private static byte[] namesOf(StatementEntry statement) {
        ByteWriter out = new ByteWriter(64);
        writeText(out, TAG_SCHEMA_NAME, statement.schema());
        writeText(out, TAG_TABLE_NAME, statement.table());
        return out.toByteArray();
    }

    private static void writeText(ByteWriter out, int tag, @Nullable String text) {
        if (text != null) {
            ProtobufFields.writeString(out, tag, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Appends the message in {@code storeValue}; returns how many rows the header must state. */
    private int writeStoreValue(BinlogEntry entry, ByteWriter out) {
        if (entry instanceof RowsEntry rows) {
            return writeRows(rows, out);
        }
        if (entry instanceof UnreadRowsEntry unread) {
            throw unread.tooLarge();
        }
        if (entry instanceof StatementEntry statement) {
            StatementProtobuf.write(statement, out);
        } else if (entry instanceof TransactionBoundary boundary) {
            BoundaryProtobuf.write(boundary, out);
        }
        return 0;
    }

    private int writeRows(RowsEntry entry, ByteWriter out) {
        try {
            int written = rows.write(entry, out);
            RowChoice choice = entry.choice();
            return choice == null ? written : choice.of().rowCount();
        } catch (MalformedEventException e) {
            throw entry.located(e);
        } finally {
            rows.close();
        }
    }

    private static boolean isDigit(int count) {
        return count > 0 && count < 10;
    }

    private void replaceHeader(BinlogEntry entry, int count, ByteWriter out, int start, int end) {
        header.clear();
        writeHeader(entry, count, header);
        int moved = start + header.size();
        int length = out.size() - end;
        out.ensure(Math.max(0, moved - end));
        byte[] bytes = out.array();
        System.arraycopy(bytes, end, bytes, moved, length);
        System.arraycopy(header.array(), 0, bytes, start, header.size());
        out.setSize(moved + length);
    }

    /**
     * Appends the header with its tag and length.
     *
     * @param count of its rows; none is stated if it is 0
     * @return where the pair with the count is
     */
    private int writeHeader(BinlogEntry entry, int count, ByteWriter out) {
        Origin origin = entry.origin();
        GtidStamp gtid = origin.gtid();
        byte[] file = origin.file().headerStart();
        byte[] names = namesOf(entry);
        byte[] server = serverAndTime(origin);
        int gtidBytes = gtid == null ? 0 : gtid.props().length + gtid.headerEnd().length;
        int sure = file.length + server.length + names.length + gtidBytes;
        out.ensure(sure + HEADER_ROOM);

        byte[] target = out.array();
        int to = out.size();
        target[to++] = TAG_HEADER;
        int lengthAt = to;
        int lengthBytes = ByteWriter.varintLength(sure + USUAL_NUMBERS);
        to = put(file, target, to + lengthBytes);
        target[to] = TAG_LOGFILE_OFFSET;
        to = ByteWriter.putVarint(target, to + 1, origin.offset());
        to = put(server, target, to);
        to = put(names, target, to);
        target[to] = TAG_EVENT_LENGTH;
        to = ByteWriter.putVarint(target, to + 1, origin.length());
        EventType type = entry.eventType();
        if (type != null) {
            target[to] = TAG_EVENT_TYPE;
            to = ByteWriter.putVarint(target, to + 1, type.getNumber());
        }
        if (gtid != null) {
            to = put(gtid.props(), target, to);
        }
        int countAt = to;
        if (count > 0) {
            to = putCount(target, to, count);
        }
        if (gtid != null) {
            to = put(gtid.headerEnd(), target, to);
        }
        out.setSize(to);
        return countAt + ProtobufFields.closeLength(out, lengthAt, lengthBytes) - lengthBytes;
    }

    private static int put(byte[] bytes, byte[] target, int to) {
        System.arraycopy(bytes, 0, target, to, bytes.length);
        return to + bytes.length;
    }

    private static int putCount(byte[] target, int at, int count) {
        int digits = at + ROWS_COUNT.length + 1;
        System.arraycopy(ROWS_COUNT, 0, target, at, ROWS_COUNT.length);
        int end = Digits.putLong(target, digits, count);
        target[digits - 1] = (byte) (end - digits);
        target[at + 1] = (byte) (PAIR_LENGTH + end - digits);
        return end;
    }

    private byte[] serverAndTime(Origin origin) {
        if (origin.serverId() != serverId || origin.timeMillis() != timeMillis) {
            ByteWriter out = new ByteWriter(32);
            ProtobufFields.writeNumber(out, TAG_SERVER_ID, origin.serverId());
            out.write(SERVEREN_CODE);
            ProtobufFields.writeNumber(out, TAG_EXECUTE_TIME, origin.timeMillis());
            out.write(SOURCE_TYPE_MYSQL);
            serverAndTime = out.toByteArray();
            serverId = origin.serverId();
            timeMillis = origin.timeMillis();
        }
        return serverAndTime;
    }
}
