package io.sluice.format.flat;

import io.sluice.format.entry.Origin;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;

/** Fields that all flat messages have. */
final class FlatFields {
    private FlatFields() {}

    /** From after the schema's name to before the value of {@code isDdl}. */
    static void writeTimeAndBatch(ByteWriter out, Origin origin, long batchId) {
        out.writeAscii(",\"es\":");
        Digits.writeLong(out, origin.timeMillis());
        out.writeAscii(",\"gtid\":\"");
        TransactionGtid gtid = origin.gtid();
        String shown = gtid == null ? null : gtid.shown();
        if (shown != null) {
            out.writeAscii(shown);
        }
        out.writeAscii("\",\"id\":");
        Digits.writeLong(out, batchId);
        out.writeAscii(",\"isDdl\":");
    }
}
