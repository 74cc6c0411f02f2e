package io.sluice.parse.entry;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the entries of one transaction say of GTIDs.
 *
 * <p>Made once per transaction, and its bytes are copied into every header.
 */
public final class GtidStamp {
    private static final int TAG_PROPS = 0x62;
    private static final int TAG_GTID = 0x6A;

    private static final byte[] KEY_GTID = "curtGtid".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY_SEQUENCE = "curtGtidSn".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY_LAST_COMMITTED = "curtGtidLct".getBytes(StandardCharsets.US_ASCII);

    private final String executed;
    private final @Nullable String current;
    private final byte[] props;
    private final byte[] headerEnd;

    /**
     * Makes the stamp of one transaction.
     *
     * @param executed the GTID set up to and with this transaction
     * @param current its own GTID; null before the first transaction of a stream
     * @param sequenceNumber its logical clock
     * @param lastCommitted the logical clock it depends on
     */
    public GtidStamp(String executed, @Nullable String current, long sequenceNumber, long lastCommitted) {
        this.executed = executed;
        this.current = current;
        ByteWriter pairs = new ByteWriter(128);
        if (current != null) {
            ProtobufFields.writePair(pairs, TAG_PROPS, KEY_GTID, ascii(current));
            ProtobufFields.writePair(pairs, TAG_PROPS, KEY_SEQUENCE, ascii(Long.toString(sequenceNumber)));
            ProtobufFields.writePair(pairs, TAG_PROPS, KEY_LAST_COMMITTED, ascii(Long.toString(lastCommitted)));
        }
        this.props = pairs.toByteArray();
        ByteWriter end = new ByteWriter(executed.length() + 8);
        ProtobufFields.writeString(end, TAG_GTID, ascii(executed));
        this.headerEnd = end.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The transaction's own GTID; null before the first transaction of a stream. */
    public @Nullable String current() {
        return current;
    }

    String executed() {
        return executed;
    }

    /** The {@code props} fields of a protobuf header. */
    byte[] props() {
        return props;
    }

    /** The {@code gtid} field of a protobuf header. */
    byte[] headerEnd() {
        return headerEnd;
    }
}
