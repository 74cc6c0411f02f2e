package io.sluice.format.entry;

import io.sluice.protocol.entry.EventType;
import org.jspecify.annotations.Nullable;

/** The begin or the end of a transaction. */
public final class TransactionBoundary extends BinlogEntry {
    /** About what a number takes. */
    private static final int NUMBER_BYTES = 8;

    private final EntryKind kind;

    /** Of a begin the connection on the source, of an end the engine's number of the transaction. */
    private final long number;

    private final @Nullable XaText xa;

    private TransactionBoundary(Origin origin, EntryKind kind, long number, @Nullable XaText xa) {
        super(origin);
        this.kind = kind;
        this.number = number;
        this.xa = xa;
    }

    /** The begin of an XA transaction. */
    public static TransactionBoundary begin(Origin origin, long threadId, XaText xa) {
        return new TransactionBoundary(origin, EntryKind.BEGIN, threadId, xa);
    }

    /** The end of an XA transaction, which is not yet its commit. */
    public static TransactionBoundary end(Origin origin, XaText xa) {
        return new TransactionBoundary(origin, EntryKind.END, 0, xa);
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

    /** Of a begin the connection on the source, of an end the engine's number of the transaction. */
    public long number() {
        return number;
    }

    /** The XA statement; null for other transactions. */
    public @Nullable XaText xa() {
        return xa;
    }

    @Override
    public int sourceBytes() {
        XaText text = xa;
        return text == null
                ? NUMBER_BYTES
                : NUMBER_BYTES + 2 * (text.type().length() + text.xid().length());
    }
}
