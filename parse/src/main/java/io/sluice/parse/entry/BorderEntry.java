package io.sluice.parse.entry;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.EventType;
import io.sluice.store.entry.EntryKind;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The begin or the end of a transaction. */
public final class BorderEntry extends BinlogEntry {
    private static final byte[] NO_NAMES = {0x42, 0, 0x4A, 0};
    private static final int TAG_THREAD_ID = 0x20;
    private static final int TAG_TRANSACTION_ID = 0x12;
    private static final int TAG_PROPS = 0x1A;

    private final EntryKind kind;
    private final byte[] value;

    private BorderEntry(Origin origin, EntryKind kind, byte[] value) {
        super(origin);
        this.kind = kind;
        this.value = value;
    }

    /** The begin of an XA transaction. */
    public static BorderEntry begin(Origin origin, long threadId, XaText xa) {
        ByteWriter value = new ByteWriter(64);
        xa.writeProps(value, TAG_PROPS);
        ProtobufFields.writeNumber(value, TAG_THREAD_ID, threadId);
        return new BorderEntry(origin.atBegin(), EntryKind.BEGIN, value.toByteArray());
    }

    /** The end of an XA transaction, which is not yet its commit. */
    public static BorderEntry end(Origin origin, XaText xa) {
        ByteWriter value = new ByteWriter(64);
        ProtobufFields.writeString(value, TAG_TRANSACTION_ID, new byte[] {'0'});
        xa.writeProps(value, TAG_PROPS);
        return new BorderEntry(origin, EntryKind.END, value.toByteArray());
    }

    /** A begin; {@code threadId} is the connection on the source. */
    public static BorderEntry begin(Origin origin, long threadId) {
        ByteWriter value = new ByteWriter(16);
        ProtobufFields.writeNumber(value, TAG_THREAD_ID, threadId);
        return new BorderEntry(origin.atBegin(), EntryKind.BEGIN, value.toByteArray());
    }

    /** An end; {@code transactionId} is the engine's number of the transaction as text, {@code "0"} if it has none. */
    public static BorderEntry end(Origin origin, String transactionId) {
        ByteWriter value = new ByteWriter(24);
        ProtobufFields.writeString(value, TAG_TRANSACTION_ID, transactionId.getBytes(StandardCharsets.US_ASCII));
        return new BorderEntry(origin, EntryKind.END, value.toByteArray());
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
    void writeNames(ByteWriter out) {
        out.write(NO_NAMES);
    }

    @Override
    int writeStoreValue(ByteWriter out) {
        out.write(value);
        return 0;
    }

    @Override
    int sourceBytes() {
        return value.length;
    }

    @Override
    public boolean writeFlat(ByteWriter out, long batchId, long builtAtMillis) {
        return false;
    }
}
