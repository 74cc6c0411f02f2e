package io.sluice.stream.source.search;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.Subscription;
import io.sluice.stream.source.server.GaleraNode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cursor from which a stream must be read so that no client misses anything.
 *
 * <p>Of two cursors in one server's binlog, that of the lower file number is smaller, then that of the lower offset. Of two in files of the
 * same name that were begun at different times, the one of the older file is smaller: that the binlog was reset must be noticed. Of two
 * in different servers' binlogs, the one is smaller whose transactions the other has all seen; where GTID sets do not tell,
 * the one of the older event. Of two sets of MariaDB, numbers tell only if both name the same server in each domain; else the times count first, and numbers
 * if these are equal.
 */
public final class SmallestCursor {
    private SmallestCursor() {}

    /** The smallest cursor of all clients; null if none has one. Of equal ones, the first. */
    public static @Nullable Cursor of(List<Subscription> clients) {
        Cursor smallest = null;
        for (Subscription client : clients) {
            Cursor cursor = client.cursor();
            if (cursor != null && (smallest == null || isSmaller(cursor, smallest))) {
                smallest = cursor;
            }
        }
        return smallest;
    }

    private static boolean isSmaller(Cursor one, Cursor other) {
        if (isSameServer(one, other)) {
            if (areOfDifferentFiles(one, other)) {
                return one.fileBegunSeconds() < other.fileBegunSeconds();
            }
            OptionalInt byPosition = one.position().compareTo(other.position());
            if (byPosition.isPresent()) {
                return byPosition.getAsInt() < 0;
            }
        }
        OptionalInt byGtids = GaleraNode.areGtidsShared(
                        one.source().identity(), other.source().identity())
                ? compareGtids(one.gtidSet(), other.gtidSet())
                : OptionalInt.empty();
        boolean isOlder = one.timestampMillis() < other.timestampMillis();
        if (byGtids.isEmpty()) {
            return isOlder;
        }
        boolean timesDiffer = one.timestampMillis() != other.timestampMillis();
        return timesDiffer && !isOrderedByNumber(one, other) ? isOlder : byGtids.getAsInt() < 0;
    }

    /** Of two sets of MariaDB that can be compared, whether numbers tell their order for certain; true for those of MySQL. */
    private static boolean isOrderedByNumber(Cursor one, Cursor other) {
        return !(GtidSet.parse(one.gtidSet()) instanceof MariaDbGtidSet first)
                || !(GtidSet.parse(other.gtidSet()) instanceof MariaDbGtidSet second)
                || first.isOrderedByNumber(second);
    }

    private static boolean isSameServer(Cursor one, Cursor other) {
        return one.sourcePort() == other.sourcePort()
                && one.sourceHost()
                        .toLowerCase(Locale.ROOT)
                        .equals(other.sourceHost().toLowerCase(Locale.ROOT))
                && (one.source().identity().isEmpty()
                        || other.source().identity().isEmpty()
                        || one.source().identity().equals(other.source().identity()));
    }

    private static boolean areOfDifferentFiles(Cursor one, Cursor other) {
        return one.position().file().equals(other.position().file())
                && one.fileBegunSeconds() != 0
                && other.fileBegunSeconds() != 0
                && one.fileBegunSeconds() != other.fileBegunSeconds();
    }

    /** Compares by what is executed; empty if a set is missing, or neither has all of the other. */
    private static OptionalInt compareGtids(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return OptionalInt.empty();
        }
        GtidSet first;
        GtidSet second;
        try {
            first = GtidSet.parse(one);
            second = GtidSet.parse(other);
        } catch (IllegalArgumentException e) {
            return OptionalInt.empty();
        }
        if (first.equals(second)) {
            return OptionalInt.of(0);
        }
        if (second.containsAll(first)) {
            return OptionalInt.of(-1);
        }
        return first.containsAll(second) ? OptionalInt.of(1) : OptionalInt.empty();
    }
}
