package io.sluice.stream.source;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the watch has seen for which a dump is to be left though its connection works: nothing comes in it any more. A request does not count if something has
 * come since.
 *
 * <p>Requested from any thread; asked by the one that reads.
 */
final class ReconnectRequests {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectRequests.class);

    private final String instance;

    /** What the watch has seen of a reset of the binlog; null if nothing. */
    private volatile @Nullable BinlogReset reset;

    /** Up to where was read when the watch was certain that the address leads to another server; null if it was not. */
    private volatile @Nullable BinlogPosition movedAt;

    /** Up to where was read when the connection was left for a reset. */
    private @Nullable BinlogPosition leftAt;

    private record BinlogReset(BinlogPosition read, BinlogPosition end, boolean isCertain) {}

    ReconnectRequests(String instance) {
        this.instance = instance;
    }

    /**
     * Requests it since the binlog was reset.
     *
     * @param read up to where it was read
     * @param end where it ends now
     * @param isCertain false if it may have been another server that was asked
     */
    void onReset(BinlogPosition read, BinlogPosition end, boolean isCertain) {
        reset = new BinlogReset(read, end, isCertain);
    }

    /**
     * Requests it since the address leads to another server.
     *
     * @param read up to where the one before was read
     */
    void onMoved(BinlogPosition read) {
        movedAt = read;
    }

    /** Whether there is a request. */
    boolean isAny() {
        return reset != null || movedAt != null;
    }

    /**
     * Takes a request.
     *
     * @param readTo up to where the dump was read
     * @param byGtids whether the dump was requested by GTIDs
     * @return whether the dump is to be left; that is logged
     */
    boolean take(ServerAddress host, BinlogPosition readTo, boolean byGtids) {
        BinlogReset seen = reset;
        BinlogPosition moved = movedAt;
        if (seen != null) {
            reset = null;
            return isResetAt(seen, host, readTo, byGtids);
        }
        if (moved != null) {
            movedAt = null;
            return hasMovedAt(moved, host, readTo);
        }
        return false;
    }

    /**
     * Servers keep a dump that waits for more in a deleted file. If it may have been another server that was asked, it is left by GTIDs only, which loses
     * nothing, and once.
     */
    private boolean isResetAt(BinlogReset seen, ServerAddress host, BinlogPosition readTo, boolean byGtids) {
        boolean isSafe = seen.isCertain() || byGtids;
        if (!isSafe || !seen.read().equals(readTo) || seen.read().equals(leftAt)) {
            return false;
        }
        leftAt = seen.read();
        LOG.warn(
                "the source's binlog ends before what was read, so it was reset, connecting again: instance={} host={} read_to={} end={}",
                instance,
                host,
                seen.read(),
                seen.end());
        return true;
    }

    private boolean hasMovedAt(BinlogPosition moved, ServerAddress host, BinlogPosition readTo) {
        if (!moved.equals(readTo)) {
            return false;
        }
        LOG.warn(
                "the address leads to another server, which writes, while nothing comes from the one that is read, connecting again:"
                        + " instance={} host={} read_to={}",
                instance,
                host,
                moved);
        return true;
    }
}
