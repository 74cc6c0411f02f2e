package io.sluice.format.flat;

import io.sluice.format.entry.Origin;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/** Fields that all flat messages have. For one thread. */
final class FlatFields {
    /** The GTIDs that were shown last, and their text: the messages of a transaction have the same. */
    private @Nullable TransactionGtid gtid;

    private @Nullable String shown;

    /** From after the schema's name to before the value of {@code isDdl}. */
    void writeTimeAndBatch(ByteWriter out, Origin origin, long batchId) {
        out.writeAscii(",\"es\":");
        Digits.writeLong(out, origin.timeMillis());
        out.writeAscii(",\"gtid\":\"");
        String gtidSet = shown(origin.gtid());
        if (gtidSet != null) {
            out.writeAscii(gtidSet);
        }
        out.writeAscii("\",\"id\":");
        Digits.writeLong(out, batchId);
        out.writeAscii(",\"isDdl\":");
    }

    private @Nullable String shown(@Nullable TransactionGtid transaction) {
        if (transaction != gtid) {
            shown = transaction == null ? null : transaction.shown();
            gtid = transaction;
        }
        return shown;
    }
}
