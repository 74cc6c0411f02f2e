package io.sluice.format.protobuf;

import io.sluice.format.entry.BinlogEntry;
import io.sluice.format.entry.EncodedEntry;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.row.RowChoice;
import io.sluice.format.row.RowPart;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.bytes.TooManyBytesException;
import io.sluice.protocol.entry.EntryType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes entries as protobuf messages {@code Entry}, each where it is to be: what is in front of a value is written before it, with
 * room for what is known only after it, and moved in the rare case that the room is too small or too large.
 */
public final class ProtobufEncoder implements MessageEncoder {
    private static final int TAG_ENTRY_TYPE = 0x10;
    private static final int TAG_STORE_VALUE = 0x1A;

    /** How much is between header and value at most. */
    private static final int VALUE_ROOM = 32;

    /** Larger events are encoded when they are sent, and may never be if no sink accepts so many bytes. */
    static final int MAX_AHEAD_BYTES = 1 << 20;

    /** So are messages that become larger than this, as those of values that are compressed in the event. */
    static final int MAX_AHEAD_MESSAGE_BYTES = 16 * MAX_AHEAD_BYTES;

    /** Buffers that one large event made larger than this are not kept. */
    private static final int LARGEST_KEPT = 1 << 20;

    private final RowsProtobuf rows = new RowsProtobuf();
    private final HeaderProtobuf header = new HeaderProtobuf();
    private final ByteWriter otherHeader = new ByteWriter(256);
    private ByteWriter ahead = newAhead();

    /** What was right for the last entry with rows: the guess for the next. */
    private int rowsOfLast = 1;

    private int valueLengthBytes = 2;

    /**
     * The encoded form of an entry; the entry itself if it is large, or is encoded already, and a copy that keeps its own bytes alone if its
     * message is large.
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
        } catch (TooManyBytesException e) {
            return entry instanceof RowsEntry rows && rows.choice() == null ? rows.detached() : entry;
        } finally {
            if (ahead.array().length > LARGEST_KEPT) {
                ahead = newAhead();
            }
        }
    }

    private static ByteWriter newAhead() {
        ByteWriter writer = new ByteWriter(1);
        writer.limitTo(MAX_AHEAD_MESSAGE_BYTES);
        return writer;
    }

    /** Every entry has a message in this format. */
    @Override
    public boolean encode(Entry entry, BatchOrigin batch, ByteWriter out) {
        encode(entry, out);
        return true;
    }

    /** Appends the message of an entry, which has no field of a batch; nothing is appended if that fails. */
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
        if (entry instanceof UnreadRowsEntry unread) {
            throw unread.tooLarge();
        }
        int start = out.size();
        try {
            writeWhole(entry, out);
        } catch (RuntimeException e) {
            out.setSize(start);
            throw e;
        }
    }

    private void writeWhole(BinlogEntry entry, ByteWriter out) {
        RowChoice choice = entry instanceof RowsEntry rows ? rows.choice() : null;
        int known = countedRows(entry, choice);
        int expected = known >= 0 ? known : rowsOfLast;
        int start = out.size();
        int countAt = writeHeader(entry, choice, expected, out);
        int headerEnd = out.size();
        out.ensure(VALUE_ROOM);
        out.writeByte(TAG_ENTRY_TYPE);
        out.writeByte(typeOf(entry).getNumber());
        out.writeByte(TAG_STORE_VALUE);
        int lengthAt = out.size();
        out.setSize(lengthAt + valueLengthBytes);
        int count = writeStoreValue(entry, choice, out);
        valueLengthBytes = ProtobufFields.closeLength(out, lengthAt, valueLengthBytes);
        if (count != expected) {
            rowsOfLast = count;
            if (isDigit(count) && isDigit(expected)) {
                HeaderProtobuf.replaceDigit(out.array(), countAt, count);
            } else {
                replaceHeader(entry, count, out, start, headerEnd);
            }
        }
    }

    /**
     * Appends the header. Entries of some rows of an event have the same one, as long as these are not halves of updates.
     *
     * @return where its count of rows is
     */
    private int writeHeader(BinlogEntry entry, @Nullable RowChoice choice, int count, ByteWriter out) {
        if (choice == null || choice.part() != RowPart.WHOLE) {
            return header.write(entry, count, out);
        }
        int start = out.size();
        byte[] shared = choice.of().shared(byte[].class);
        if (shared != null) {
            out.write(shared); // its rows are those of the whole event, which are known
            return start;
        }
        int countAt = header.write(entry, count, out);
        choice.of().share(Arrays.copyOfRange(out.array(), start, out.size()));
        return countAt;
    }

    /**
     * How many rows the header states: those of the whole event, also for some of its rows. Less than zero if that is known only
     * when they are written. Of an event that is large they are counted now, so that its bytes need not be moved.
     */
    private static int countedRows(BinlogEntry entry, @Nullable RowChoice choice) {
        if (!(entry instanceof RowsEntry rows)) {
            return 0;
        }
        if (choice != null) {
            return choice.of().count();
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

    /** Appends the message in {@code storeValue}; returns how many rows the header must state. */
    private int writeStoreValue(BinlogEntry entry, @Nullable RowChoice choice, ByteWriter out) {
        if (entry instanceof RowsEntry rows) {
            return writeRows(rows, choice, out);
        }
        if (entry instanceof StatementEntry statement) {
            StatementProtobuf.write(statement, out);
        } else if (entry instanceof TransactionBoundary boundary) {
            BoundaryProtobuf.write(boundary, out);
        }
        return 0;
    }

    private int writeRows(RowsEntry entry, @Nullable RowChoice choice, ByteWriter out) {
        try {
            int written = rows.write(entry, out);
            return choice == null ? written : choice.of().count();
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
        otherHeader.clear();
        header.write(entry, count, otherHeader);
        int moved = start + otherHeader.size();
        int length = out.size() - end;
        out.ensure(Math.max(0, moved - end));
        byte[] bytes = out.array();
        System.arraycopy(bytes, end, bytes, moved, length);
        System.arraycopy(otherHeader.array(), 0, bytes, start, otherHeader.size());
        out.setSize(moved + length);
    }
}
