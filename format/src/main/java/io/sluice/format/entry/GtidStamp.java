package io.sluice.format.entry;

import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MySqlGtid;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the entries of one transaction state of GTIDs: in their headers, if it is visible, and in cursors.
 *
 * <p>Made once per transaction. A visible one has bytes that are copied into every header.
 */
public final class GtidStamp {
    private static final int TAG_PROPS = 0x62;
    private static final int TAG_GTID = 0x6A;

    private static final byte[] KEY_GTID = "curtGtid".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY_SEQUENCE = "curtGtidSn".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY_LAST_COMMITTED = "curtGtidLct".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] NOTHING = new byte[0];

    private final GtidSet executed;
    private final @Nullable Gtid transaction;
    private final @Nullable String shown;
    private final byte[] props;
    private final byte[] headerEnd;

    private GtidStamp(
            GtidSet executed, @Nullable Gtid transaction, @Nullable String shown, byte[] props, byte[] headerEnd) {
        this.executed = executed;
        this.transaction = transaction;
        this.shown = shown;
        this.props = props;
        this.headerEnd = headerEnd;
    }

    /**
     * A stamp that headers do not show.
     *
     * @param executed all transactions up to and with this one
     * @param transaction its own GTID; null before the first transaction of a stream
     */
    public static GtidStamp silent(GtidSet executed, @Nullable Gtid transaction) {
        return new GtidStamp(executed, transaction, null, NOTHING, NOTHING);
    }

    /**
     * A stamp that headers show.
     *
     * @param executed all transactions up to and with this one
     * @param transaction its own GTID, which headers show only of MySQL, as with canal; null before the first transaction
     * @param sequenceNumber its logical clock
     * @param lastCommitted the logical clock it depends on
     */
    public static GtidStamp visible(
            GtidSet executed, @Nullable Gtid transaction, long sequenceNumber, long lastCommitted) {
        byte[] props = transaction instanceof MySqlGtid ? props(transaction, sequenceNumber, lastCommitted) : NOTHING;
        String text = executed.toString();
        ByteWriter end = new ByteWriter(text.length() + 8);
        ProtobufFields.writeString(end, TAG_GTID, ascii(text));
        return new GtidStamp(executed, transaction, text, props, end.toByteArray());
    }

    private static byte[] props(Gtid transaction, long sequenceNumber, long lastCommitted) {
        ByteWriter pairs = new ByteWriter(128);
        ProtobufFields.writePair(pairs, TAG_PROPS, KEY_GTID, ascii(transaction.toString()));
        ProtobufFields.writePair(pairs, TAG_PROPS, KEY_SEQUENCE, ascii(Long.toString(sequenceNumber)));
        ProtobufFields.writePair(pairs, TAG_PROPS, KEY_LAST_COMMITTED, ascii(Long.toString(lastCommitted)));
        return pairs.toByteArray();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The transaction's own GTID as text; null before the first transaction of a stream. */
    public @Nullable String transaction() {
        return transaction == null ? null : transaction.toString();
    }

    /** All transactions up to and with this one. */
    GtidSet executed() {
        return executed;
    }

    /** The set as messages show it; null if they do not. */
    @Nullable String shown() {
        return shown;
    }

    /** The {@code props} fields of a protobuf header; empty if it is not visible. */
    byte[] props() {
        return props;
    }

    /** The {@code gtid} field of a protobuf header; empty if it is not visible. */
    byte[] headerEnd() {
        return headerEnd;
    }
}
