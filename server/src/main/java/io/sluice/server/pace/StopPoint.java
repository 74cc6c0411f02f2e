package io.sluice.server.pace;

import io.sluice.format.entry.Entry;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where in the stream an instance pauses, always between two transactions. Immutable.
 *
 * <p>Transactions that are filtered out have no entries, so what decides is both the end of the transaction before and the begin of the
 * one after.
 */
public sealed interface StopPoint {
    /** Whether it is at or before the begin of a transaction, whose first entry this is. */
    boolean isBefore(Entry first);

    /** Whether a transaction ends at it or behind it, after which the cursor would be this. */
    boolean isReachedBy(Cursor cursor);

    /** For an operator. */
    String text();

    /**
     * A position in the binlog of the source. Within a transaction, behind its begin, it stops behind the transaction.
     *
     * @param position names a file
     */
    record Position(BinlogPosition position) implements StopPoint {
        @Override
        public boolean isBefore(Entry first) {
            var change = first.changeId();
            return isAtOrBehind(new BinlogPosition(change.file(), change.offset()));
        }

        @Override
        public boolean isReachedBy(Cursor cursor) {
            return cursor.position().isKnown() && isAtOrBehind(cursor.position());
        }

        private boolean isAtOrBehind(BinlogPosition other) {
            return other.compareTo(position).orElse(-1) >= 0;
        }

        @Override
        public String text() {
            return "position " + position;
        }
    }

    /**
     * Behind the last of a set of transactions.
     *
     * @param set not empty
     */
    record Transactions(GtidSet set) implements StopPoint {
        /** A transaction that begins tells nothing by itself: it may be one of another server, in any order. */
        @Override
        public boolean isBefore(Entry first) {
            return false;
        }

        @Override
        public boolean isReachedBy(Cursor cursor) {
            if (cursor.gtidSet().isEmpty()) {
                return false;
            }
            return GtidSet.parse(cursor.gtidSet()).containsAll(set);
        }

        @Override
        public String text() {
            return "GTID " + set;
        }
    }

    /** Before the first transaction that was written at a time or later; binlog events have whole seconds. */
    record Time(Instant time) implements StopPoint {
        @Override
        public boolean isBefore(Entry first) {
            return first.executeTimeMillis() >= time.toEpochMilli();
        }

        @Override
        public boolean isReachedBy(Cursor cursor) {
            return false;
        }

        @Override
        public String text() {
            return "time " + time;
        }
    }

    /** Whether a cursor, if there is one, is at this point or behind it already. */
    default boolean isReachedBefore(@Nullable Cursor cursor) {
        return cursor != null
                && (isReachedBy(cursor)
                        || this instanceof Time at
                                && cursor.timestampMillis() >= at.time().toEpochMilli());
    }
}
