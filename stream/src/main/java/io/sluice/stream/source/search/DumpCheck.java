package io.sluice.stream.source.search;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.Cursor;
import io.sluice.stream.source.server.AccountFailure;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks before a dump by GTIDs that the server sends all that follows what was read: none of it has a GTID that was read, or none at all; and before one by
 * file and offset that the file reaches there.
 *
 * <p>A server that does not let its binlog be looked up is read without that. For one thread.
 */
public final class DumpCheck {
    private static final Logger LOG = LoggerFactory.getLogger(DumpCheck.class);

    private final String instance;
    private boolean hasWarned;

    /** Makes it for the sources of one instance. */
    public DumpCheck(String instance) {
        this.instance = instance;
    }

    /**
     * Checks a start position.
     *
     * @param readMillis when the newest event was written that was read, in milliseconds since the epoch; 0 if that is not known, or if nothing
     *     was read: then GTIDs that were given again are not noticed
     * @return the start position, without the domains that the server has deleted; itself if it is requested by position
     * @throws SourceException LAGGING or DIVERGED if the server lacks transactions that were read, or has others with their GTIDs; PURGED if it
     *     does not have the events any more of some that were not read; MISCONFIGURED if it does not send some, since they have no GTID
     * @throws LostEndException if the file of the position ends before it, and another one follows
     */
    public DumpStart require(DumpStart start, long readMillis, ServerFacts facts, BinlogScan scan) throws IOException {
        LostEnd.require(start, facts, scan);
        DumpStart continued = GtidHistory.require(start, readMillis, facts, scan, error -> report(error, facts));
        GtidSet executed = continued.executed();
        if (continued.byGtids() && executed != null) {
            try {
                AnonymousTransactions.requireNone(continued.positionOrUnknown(), executed, facts, scan);
            } catch (ServerErrorException e) {
                if (!GtidHistory.isRejection(e)) {
                    throw e;
                }
                report(e, facts);
            }
        }
        return continued;
    }

    /**
     * Returns when the newest event before a cursor was written, in milliseconds since the epoch; 0 if that is not certain: cursors that canal
     * wrote, or whose position was edited by hand, may have the time of another position.
     */
    public static long readMillis(Cursor cursor) {
        return cursor.fileBegunSeconds() == 0 ? 0 : cursor.timestampMillis();
    }

    /** Whether a server does not let something be looked up, though its binlog may be read. */
    public static boolean isRejection(ServerErrorException e) {
        return GtidHistory.isRejection(e);
    }

    private void report(ServerErrorException error, ServerFacts facts) {
        if (!AccountFailure.isMissingPrivilege(error)) {
            LOG.debug("the history of GTIDs cannot be looked up: instance={}", instance, error);
        } else if (!hasWarned) {
            hasWarned = true;
            LOG.warn(
                    "the account may not list the binlog files, so it is not noticed if the source skips transactions without a GTID, or has given"
                            + " GTIDs again that were read; grant it REPLICATION CLIENT: instance={} source={} cause={}",
                    instance,
                    facts.address(),
                    error.serverMessage());
        }
    }
}
