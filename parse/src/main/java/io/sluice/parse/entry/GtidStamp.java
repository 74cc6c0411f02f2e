package io.sluice.parse.entry;

import io.sluice.parse.gtid.ExecutedGtids;
import io.sluice.parse.gtid.Gtid;
import io.sluice.parse.gtid.MariaDbGtid;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What the entries of one transaction, and positions at them, say of GTIDs.
 *
 * <p>Made once per transaction. A visible one has bytes that are copied into every header; a silent one is for positions
 * alone, and has none.
 */
public final class GtidStamp {
    private static final int TAG_PROPS = 0x62;
    private static final int TAG_GTID = 0x6A;

    private static final byte[] KEY_GTID = "curtGtid".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY_SEQUENCE = "curtGtidSn".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEY_LAST_COMMITTED = "curtGtidLct".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] NOTHING = new byte[0];

    /** A text, or that of which it is made. */
    private final Object executed;

    /** What was executed before the transaction; null if it is shown. */
    private final @Nullable ExecutedGtids before;

    /** The same for the transaction's own. */
    private final @Nullable Object current;

    /** The same, also where canal does not state it. */
    private final @Nullable Object transaction;

    private final boolean shown;
    private final byte[] props;
    private final byte[] headerEnd;

    /**
     * Makes the visible stamp of one transaction.
     *
     * @param executed the GTID set up to and with this transaction
     * @param current its own GTID; null before the first transaction of a stream
     * @param sequenceNumber its logical clock
     * @param lastCommitted the logical clock it depends on
     */
    public GtidStamp(String executed, @Nullable String current, long sequenceNumber, long lastCommitted) {
        this(executed, current, current, sequenceNumber, lastCommitted);
    }

    /** The visible stamp of a transaction of MariaDB, whose own GTID canal does not state. */
    public static GtidStamp ofMariaDb(String executed, MariaDbGtid transaction) {
        return new GtidStamp(executed, null, transaction, 0, 0);
    }

    private GtidStamp(
            String executed,
            @Nullable String current,
            @Nullable Object transaction,
            long sequenceNumber,
            long lastCommitted) {
        this.executed = executed;
        this.before = null;
        this.current = current;
        this.transaction = transaction;
        this.shown = true;
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

    private GtidStamp(ExecutedGtids before, ExecutedGtids executed, @Nullable Object current) {
        this.before = before;
        this.executed = executed;
        this.current = current;
        this.transaction = current;
        this.shown = false;
        this.props = NOTHING;
        this.headerEnd = NOTHING;
    }

    /** A stamp that only positions show; texts are made when they are asked for. Before the first transaction. */
    public static GtidStamp silent(ExecutedGtids executed) {
        return new GtidStamp(executed, executed, null);
    }

    /** The same of a transaction of MySQL, with the set before it and the set with it. */
    public static GtidStamp silent(ExecutedGtids before, ExecutedGtids executed, Gtid current) {
        return new GtidStamp(before, executed, current);
    }

    /** The same of a transaction of MariaDB. */
    public static GtidStamp silent(ExecutedGtids before, ExecutedGtids executed, MariaDbGtid current) {
        return new GtidStamp(before, executed, current);
    }

    /** The stamp of the transaction's begin: who goes on from there has not seen the transaction, if the set does not show. */
    GtidStamp atBegin() {
        return before == null ? this : new GtidStamp(before, before, current);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The transaction's own GTID; null before the first transaction of a stream. */
    public @Nullable String current() {
        return current == null ? null : current.toString();
    }

    /** The same, also where headers do not state it. */
    @Nullable String transaction() {
        return transaction == null ? null : transaction.toString();
    }

    /** Whether messages state it. */
    boolean isShown() {
        return shown;
    }

    String executed() {
        return executed.toString();
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
