package io.sluice.format.entry;

import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;

/** Writes the boundary of a transaction as a protobuf {@code TransactionBegin} or {@code TransactionEnd}. */
final class BoundaryProtobuf {
    private static final int TAG_THREAD_ID = 0x20;
    private static final int TAG_TRANSACTION_ID = 0x12;
    private static final int TAG_PROPS = 0x1A;

    private BoundaryProtobuf() {}

    static void write(TransactionBoundary entry, ByteWriter out) {
        XaText xa = entry.xa();
        if (entry.kind() == EntryKind.BEGIN) {
            if (xa != null) {
                xa.writeProps(out, TAG_PROPS);
            }
            ProtobufFields.writeNumber(out, TAG_THREAD_ID, entry.number());
            return;
        }
        int lengthAt = out.size() + 1;
        out.writeByte(TAG_TRANSACTION_ID);
        out.writeByte(0);
        Digits.writeLong(out, entry.number());
        out.array()[lengthAt] = (byte) (out.size() - lengthAt - 1);
        if (xa != null) {
            xa.writeProps(out, TAG_PROPS);
        }
    }
}
