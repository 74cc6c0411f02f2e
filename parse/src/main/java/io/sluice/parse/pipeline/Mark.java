package io.sluice.parse.pipeline;

import io.sluice.parse.gtid.ExecutedGtids;
import io.sluice.protocol.position.EntryPosition;
import io.sluice.protocol.position.LogPosition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * States that everything before a place was read, whether it became an entry or not: what a cursor goes to when there are
 * no entries. The position is made when it is asked for, which is seldom.
 *
 * @param point between two transactions, or where the open one begins
 * @param serverId the {@code server_id} of the newest event before it
 * @param timeMillis when the newest event was written, in milliseconds since the epoch
 * @param executed the transactions before that place; null if GTIDs are not followed
 */
record Mark(
        String sourceHost,
        int sourcePort,
        StreamPoint point,
        long serverId,
        long timeMillis,
        @Nullable ExecutedGtids executed)
        implements Supplier<LogPosition> {
    @Override
    public LogPosition get() {
        String gtids = executed == null ? "" : executed.text();
        return new LogPosition(
                sourceHost, sourcePort, new EntryPosition(point.file(), point.offset(), serverId, timeMillis, gtids));
    }
}
