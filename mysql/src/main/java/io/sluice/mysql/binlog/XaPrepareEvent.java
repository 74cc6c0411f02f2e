package io.sluice.mysql.binlog;

import java.util.Arrays;

/**
 * An {@code XA_PREPARE_LOG_EVENT}: ends the events of an XA transaction.
 *
 * <pre>
 *   0           1           5               9               13
 *   +-----------+-----------+---------------+---------------+-------+-------+
 *   | one phase | format id | gtrid length  | bqual length  | gtrid | bqual |
 *   | u8        | i32 LE    | u32 LE        | u32 LE        |       |       |
 *   +-----------+-----------+---------------+---------------+-------+-------+
 * </pre>
 *
 * <p>Source: MySQL's source documentation, {@code XA_prepare_event}.
 *
 * @param onePhase whether the transaction is committed with this event, by {@code XA COMMIT … ONE PHASE}; else it is prepared
 * @param formatId the third part of the xid
 * @param gtrid its global transaction id
 * @param bqual its branch qualifier
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record XaPrepareEvent(boolean onePhase, int formatId, byte[] gtrid, byte[] bqual) {
    /** Decodes the event without header and checksum. */
    public static XaPrepareEvent decode(EventBody body) {
        boolean onePhase = body.readByte() != 0;
        int formatId = (int) body.readInt();
        long gtridLength = body.readInt();
        long bqualLength = body.readInt();
        return new XaPrepareEvent(onePhase, formatId, bytes(body, gtridLength), bytes(body, bqualLength));
    }

    private static byte[] bytes(EventBody body, long length) {
        EventBody part = body.slice(length);
        return Arrays.copyOfRange(part.array(), part.offset(), part.end());
    }
}
