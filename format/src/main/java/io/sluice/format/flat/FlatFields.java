package io.sluice.format.flat;

import io.sluice.format.entry.GtidStamp;
import io.sluice.format.entry.Origin;
import io.sluice.format.value.Digits;
import io.sluice.protocol.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/** Fields that all flat messages have. For one thread. */
final class FlatFields {
    /** The stamp that was shown last, and its text: the messages of a transaction have the same. */
    private @Nullable GtidStamp gtid;

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

    private @Nullable String shown(@Nullable GtidStamp stamp) {
        if (stamp != gtid) {
            shown = stamp == null ? null : stamp.shown();
            gtid = stamp;
        }
        return shown;
    }
}
