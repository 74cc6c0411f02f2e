package io.sluice.server.pace;

import io.sluice.format.entry.Entry;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.gtid.ShortenedGtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where in the stream an instance pauses, always between two transactions. Immutable.
 *
 * <p>Transactions that are filtered out have no entries, so what decides is both the end of the transaction before and the begin of the
 * one after.
 */
public sealed interface PauseTarget {
    /** Whether it is at or before the begin of a transaction, whose first entry this is. */
    boolean isBefore(Entry first);

    /** Whether a transaction ends at it or after it, after which the cursor would be this. */
    boolean isReachedBy(Cursor cursor);

    /** For an operator. */
    String text();

    /**
     * A position in the binlog of one server. Within a transaction, after its begin, it stops after the transaction.
     *
     * @param position names a file
     * @param source the server; null if any, whose files are named in the same way
     */
    record Position(BinlogPosition position, @Nullable SourceServer source) implements PauseTarget {
        public Position(BinlogPosition position) {
            this(position, null);
        }

        @Override
        public PauseTarget at(@Nullable Cursor cursor) {
            return cursor == null ? this : new Position(position, cursor.source());
        }

        @Override
        public boolean isLostAt(Cursor cursor) {
            SourceServer own = source;
            return own != null
                    && !own.equals(cursor.source())
                    && (own.identity().isEmpty()
                            || !own.identity().equals(cursor.source().identity()));
        }

        @Override
        public boolean isBefore(Entry first) {
            var change = first.changeId();
            return isAtOrAfter(new BinlogPosition(change.file(), change.offset()));
        }

        @Override
        public boolean isReachedBy(Cursor cursor) {
            return cursor.position().isKnown() && isAtOrAfter(cursor.position());
        }

        @Override
        public String lost() {
            return "the source is another server now, where " + text() + " is somewhere else";
        }

        private boolean isAtOrAfter(BinlogPosition other) {
            return other.compareTo(position).orElse(-1) >= 0;
        }

        @Override
        public String text() {
            return "position " + position;
        }
    }

    /**
     * After the last of a set of transactions.
     *
     * @param set not empty
     */
    record Transactions(GtidSet set) implements PauseTarget {
        /** Of the same server, those with larger numbers come later. */
        @Override
        public boolean isBefore(Entry first) {
            String own = first.changeId().gtid();
            return own != null && GtidOrder.isAfter(own, set.toString());
        }

        @Override
        public boolean isReachedBy(Cursor cursor) {
            if (cursor.gtidSet().isEmpty()) {
                return false;
            }
            return GtidSet.parse(cursor.gtidSet()).containsAll(set);
        }

        @Override
        public boolean isLostAt(Cursor cursor) {
            return cursor.gtidSet().isEmpty() || GtidSet.isMariaDb(cursor.gtidSet()) != set instanceof MariaDbGtidSet;
        }

        @Override
        public String lost() {
            return "the source has no such GTIDs any more, so " + text() + " cannot be found";
        }

        @Override
        public String text() {
            return "GTID " + set;
        }
    }

    /** Before the first transaction that was written at a time or later; binlog events have whole seconds. */
    record Time(Instant time) implements PauseTarget {
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

    /** Returns this target, bound to the server that a cursor is of if it has a meaning for one server only. */
    default PauseTarget at(@Nullable Cursor cursor) {
        return this;
    }

    /** Whether it cannot be found in a stream with this cursor: it is that of another server, or has no GTIDs. */
    default boolean isLostAt(Cursor cursor) {
        return false;
    }

    /** What has happened if it {@linkplain #isLostAt is lost}, for an operator. */
    default String lost() {
        return text() + " cannot be found any more";
    }

    /**
     * Why a stream cannot pause there.
     *
     * @param cursor up to where it is delivered; null if nothing is
     * @return null if it can
     */
    default @Nullable String obstacleAt(@Nullable Cursor cursor) {
        if (cursor == null) {
            return null;
        }
        if (this instanceof Transactions wanted) {
            if (cursor.gtidSet().isEmpty()) {
                return "its source is not read by GTIDs (gtid_mode, canal.instance.position.gtid): pause at a position or a time";
            }
            GtidSet executed = GtidSet.parse(cursor.gtidSet());
            if (!executed.isEmpty() && executed.getClass() != wanted.set().getClass()) {
                return "its source has GTIDs of another kind: " + ShortenedGtidSet.of(executed);
            }
        }
        boolean isReached = isReachedBy(cursor)
                || this instanceof Time at
                        && cursor.timestampMillis() >= at.time().toEpochMilli();
        return isReached
                ? "it is at %s, which is at or after %s already: pause it now instead"
                        .formatted(cursor.position(), text())
                : null;
    }
}
