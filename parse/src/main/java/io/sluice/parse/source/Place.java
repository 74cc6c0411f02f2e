package io.sluice.parse.source;

import io.sluice.parse.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;

/**
 * Where reading begins at a server.
 *
 * @param point the file and offset; null if only the transactions say it
 * @param executed the transactions before that place; null if they are not followed
 * @param byGtids whether the binlog is asked for by {@code executed}, and not by {@code point}
 */
record Place(@Nullable BinlogPosition point, @Nullable GtidSet executed, boolean byGtids) {
    Place {
        if (byGtids ? executed == null : point == null) {
            throw new IllegalArgumentException("a place that says nothing");
        }
    }

    static Place at(BinlogPosition point) {
        return new Place(point, null, false);
    }

    @Override
    public String toString() {
        if (!byGtids) {
            return String.valueOf(point);
        }
        return point == null ? "behind " + executed : point + " (by GTIDs)";
    }
}
