package io.sluice.format.protobuf;

import io.sluice.format.entry.XaText;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Pieces of protobuf messages. */
final class ProtobufFields {
    private static final byte[] XA_TYPE = "XA_TYPE".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] XA_XID = "XA_XID".getBytes(StandardCharsets.US_ASCII);

    private ProtobufFields() {}

    /** A field of bytes or text, with its tag of one byte. */
    static void writeString(ByteWriter out, int tag, byte[] value) {
        out.writeByte(tag);
        out.writeVarint(value.length);
        out.write(value);
    }

    /** A number field, with its tag of one byte. */
    static void writeNumber(ByteWriter out, int tag, long value) {
        out.writeByte(tag);
        out.writeVarint(value);
    }

    /** A {@code Pair} message in a field. */
    static void writePair(ByteWriter out, int tag, byte[] key, byte[] value) {
        int length = 2
                + ByteWriter.varintLength(key.length)
                + key.length
                + ByteWriter.varintLength(value.length)
                + value.length;
        out.writeByte(tag);
        out.writeVarint(length);
        writeString(out, 0x0A, key);
        writeString(out, 0x12, value);
    }

    /** The {@code Pair}s of an XA statement; none if it is null. */
    static void writeXa(ByteWriter out, int tag, @Nullable XaText xa) {
        if (xa != null) {
            writePair(out, tag, XA_TYPE, xa.type().getBytes(StandardCharsets.UTF_8));
            writePair(out, tag, XA_XID, xa.xid().getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Writes the length in front of what was written after it.
     *
     * @param out the writer
     * @param lengthAt where the length goes
     * @param reserved how many bytes were left free for it; what follows is moved if it takes more or fewer
     * @return how many bytes the length took
     */
    static int closeLength(ByteWriter out, int lengthAt, int reserved) {
        int contentAt = lengthAt + reserved;
        int length = out.size() - contentAt;
        int taken = ByteWriter.varintLength(length);
        if (taken != reserved) {
            if (taken > reserved) {
                out.ensure(taken - reserved);
            }
            byte[] bytes = out.array();
            System.arraycopy(bytes, contentAt, bytes, lengthAt + taken, length);
            out.setSize(lengthAt + taken + length);
        }
        ByteWriter.putVarint(out.array(), lengthAt, length);
        return taken;
    }
}
