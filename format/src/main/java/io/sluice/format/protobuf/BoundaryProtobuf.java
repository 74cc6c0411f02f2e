package io.sluice.format.protobuf;

import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;

/** Writes the boundary of a transaction as a protobuf {@code TransactionBegin} or {@code TransactionEnd}. */
final class BoundaryProtobuf {
    private static final int TAG_THREAD_ID = 0x20;
    private static final int TAG_TRANSACTION_ID = 0x12;
    private static final int TAG_PROPS = 0x1A;

    private BoundaryProtobuf() {}

    static void write(TransactionBoundary entry, ByteWriter out) {
        if (entry.kind() == EntryKind.BEGIN) {
            ProtobufFields.writeXa(out, TAG_PROPS, entry.xa());
            ProtobufFields.writeNumber(out, TAG_THREAD_ID, entry.number());
            return;
        }
        int lengthAt = out.size() + 1;
        out.writeByte(TAG_TRANSACTION_ID);
        out.writeByte(0);
        Digits.writeLong(out, entry.number());
        out.array()[lengthAt] = (byte) (out.size() - lengthAt - 1);
        ProtobufFields.writeXa(out, TAG_PROPS, entry.xa());
    }
}
