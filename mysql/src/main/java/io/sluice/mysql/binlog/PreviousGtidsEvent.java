package io.sluice.mysql.binlog;

import io.sluice.mysql.gtid.GtidSetBytes;
import io.sluice.mysql.gtid.MySqlGtidSet;

/**
 * A {@code PREVIOUS_GTIDS_EVENT}, the second of every file: all transactions in the files before it.
 *
 * @param gtids empty if the source has none
 */
public record PreviousGtidsEvent(MySqlGtidSet gtids) {
    /** Decodes the event without header and checksum. */
    public static PreviousGtidsEvent decode(EventBody body) {
        try {
            return new PreviousGtidsEvent(GtidSetBytes.decode(body.array(), body.offset(), body.remaining()));
        } catch (IllegalArgumentException e) {
            throw new MalformedEventException("previous GTIDs cannot be read: " + e.getMessage(), e);
        }
    }
}
