package io.sluice.format.entry;

import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import org.jspecify.annotations.Nullable;

/** The begin or the end of a transaction. */
public final class TransactionBoundary extends BinlogEntry {
    private static final byte[] NO_NAMES = {0x42, 0, 0x4A, 0};
    private static final int TAG_THREAD_ID = 0x20;
    private static final int TAG_TRANSACTION_ID = 0x12;
    private static final int TAG_PROPS = 0x1A;

    /** About what a number takes. */
    private static final int NUMBER_BYTES = 8;

    private final EntryKind kind;

    /** Of a begin the connection on the source, of an end the engine's number of the transaction. */
    private final long number;

    /** The message of an XA transaction; null for others, which are made of the number. */
    private final byte @Nullable [] ofXa;

    private TransactionBoundary(Origin origin, EntryKind kind, long number, byte @Nullable [] ofXa) {
        super(origin);
        this.kind = kind;
        this.number = number;
        this.ofXa = ofXa;
    }

    /** The begin of an XA transaction. */
    public static TransactionBoundary begin(Origin origin, long threadId, XaText xa) {
        ByteWriter value = new ByteWriter(64);
        xa.writeProps(value, TAG_PROPS);
        ProtobufFields.writeNumber(value, TAG_THREAD_ID, threadId);
        return new TransactionBoundary(origin, EntryKind.BEGIN, threadId, value.toByteArray());
    }

    /** The end of an XA transaction, which is not yet its commit. */
    public static TransactionBoundary end(Origin origin, XaText xa) {
        ByteWriter value = new ByteWriter(64);
        ProtobufFields.writeString(value, TAG_TRANSACTION_ID, new byte[] {'0'});
        xa.writeProps(value, TAG_PROPS);
        return new TransactionBoundary(origin, EntryKind.END, 0, value.toByteArray());
    }

    /** A begin; {@code threadId} is the connection on the source. */
    public static TransactionBoundary begin(Origin origin, long threadId) {
        return new TransactionBoundary(origin, EntryKind.BEGIN, threadId, null);
    }

    /** An end; {@code transactionId} is the engine's number of the transaction, 0 if it has none. */
    public static TransactionBoundary end(Origin origin, long transactionId) {
        return new TransactionBoundary(origin, EntryKind.END, transactionId, null);
    }

    @Override
    public EntryKind kind() {
        return kind;
    }

    @Override
    public @Nullable EventType eventType() {
        return null;
    }

    @Override
    public String schemaName() {
        return "";
    }

    @Override
    public String tableName() {
        return "";
    }

    @Override
    public int rowCount() {
        return 0;
    }

    @Override
    EntryType entryType() {
        return kind == EntryKind.BEGIN ? EntryType.TRANSACTIONBEGIN : EntryType.TRANSACTIONEND;
    }

    @Override
    byte[] names() {
        return NO_NAMES;
    }

    @Override
    int writeStoreValue(ByteWriter out, RowsProtobuf rows) {
        if (ofXa != null) {
            out.write(ofXa);
        } else if (kind == EntryKind.BEGIN) {
            ProtobufFields.writeNumber(out, TAG_THREAD_ID, number);
        } else {
            int lengthAt = out.size() + 1;
            out.writeByte(TAG_TRANSACTION_ID);
            out.writeByte(0);
            Digits.writeLong(out, number);
            out.array()[lengthAt] = (byte) (out.size() - lengthAt - 1);
        }
        return 0;
    }

    @Override
    int sourceBytes() {
        return ofXa == null ? NUMBER_BYTES : ofXa.length;
    }

    @Override
    public boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis) {
        return false;
    }
}
