package io.sluice.stream.source.search;

import java.time.Duration;

/**
 * Options for positions: how they are stored, and how one is handled that the source no longer has.
 *
 * @param showsGtids whether entries state the executed GTID set, where the start position has one
 * @param keepsGtids whether positions have the GTID set where the source has GTIDs on; then it is read by them
 * @param resetsToNewest whether it continues at the newest position if the binlog was purged, which loses changes
 * @param fallback how far before the last known time another server is read from, where there are no GTIDs
 * @param lostCursor what happens if the stream was read before, and there is no cursor and no configured start
 */
public record PositionOptions(
        boolean showsGtids, boolean keepsGtids, boolean resetsToNewest, Duration fallback, LostCursor lostCursor) {
    /** No GTIDs in entries, GTIDs in positions, no reset, a minute of fallback, and any start without a cursor. */
    public static final PositionOptions DEFAULT = new PositionOptions(false, true, false, Duration.ofSeconds(60));

    /** Those that accept any start without a cursor. */
    public PositionOptions(boolean showsGtids, boolean keepsGtids, boolean resetsToNewest, Duration fallback) {
        this(showsGtids, keepsGtids, resetsToNewest, fallback, LostCursor.NONE);
    }

    /** Returns a copy by which entries show GTIDs, if so wanted. */
    public PositionOptions withShownGtids(boolean wanted) {
        return new PositionOptions(wanted, keepsGtids, resetsToNewest, fallback, lostCursor);
    }

    /** Returns a copy by which positions keep GTID sets, if so wanted. */
    public PositionOptions withKeptGtids(boolean wanted) {
        return new PositionOptions(showsGtids, wanted, resetsToNewest, fallback, lostCursor);
    }

    /** Returns a copy by which reading continues at the newest position if the binlog is gone, if so wanted. */
    public PositionOptions withResetToNewest(boolean wanted) {
        return new PositionOptions(showsGtids, keepsGtids, wanted, fallback, lostCursor);
    }

    /** Returns a copy with the given fallback: how far before the last known time another server is read from, where there are no GTIDs. */
    public PositionOptions withFallback(Duration other) {
        return new PositionOptions(showsGtids, keepsGtids, resetsToNewest, other, lostCursor);
    }

    /** Returns a copy with the given reaction to a lost cursor. */
    public PositionOptions with(LostCursor reaction) {
        return new PositionOptions(showsGtids, keepsGtids, resetsToNewest, fallback, reaction);
    }

    boolean followsGtids() {
        return showsGtids || keepsGtids;
    }
}
