package io.sluice.mysql.binlog;

import io.sluice.mysql.gtid.MariaDbGtid;
import java.util.ArrayList;
import java.util.List;

/**
 * A {@code GTID_LIST_EVENT} of MariaDB: at the start of a file, the newest transactions of every domain before it.
 *
 * <pre>
 *   0                      4            8            12
 *   +----------------------+------------+------------+----------+---
 *   | count u32 LE, with 4 | domain     | server id  | sequence | and so on
 *   | flags in the top     | u32 LE     | u32 LE     | u64 LE   |
 *   +----------------------+------------+------------+----------+---
 * </pre>
 *
 * @param gtids of every domain the newest of every server, the newest of all last
 */
public record MariaDbGtidListEvent(List<MariaDbGtid> gtids) {
    private static final int GTID_BYTES = 16;
    private static final long COUNT_BITS = 0xFFF_FFFF;

    public MariaDbGtidListEvent {
        gtids = List.copyOf(gtids);
    }

    /** Decodes the event without header and checksum. */
    public static MariaDbGtidListEvent decode(EventBody body) {
        long count = body.readInt() & COUNT_BITS;
        if (count * GTID_BYTES > body.remaining()) {
            throw new MalformedEventException(
                    "a list of %d GTIDs, where %d bytes are left".formatted(count, body.remaining()));
        }
        List<MariaDbGtid> gtids = new ArrayList<>((int) count);
        for (int i = 0; i < count; i++) {
            gtids.add(new MariaDbGtid(body.readInt(), body.readInt(), body.readLong()));
        }
        return new MariaDbGtidListEvent(gtids);
    }
}
