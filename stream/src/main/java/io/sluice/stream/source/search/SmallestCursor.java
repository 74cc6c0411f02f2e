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
 * the one of the older event. Of two sets of MariaDB numbers tell it for certain only if both name the same server in each domain: else the order is in doubt
 * if the times of the events are not in the order of the numbers.
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

    /**
     * The clients of which it is not certain that the smallest cursor is before theirs: of MariaDB, the GTIDs are of several servers in one domain, and
     * numbers and times contradict each other. The lower number counts, as if the servers numbered on after a fail-over, where clocks may differ; if they
     * number on their own, that may be the later one, and these clients miss changes.
     */
    public static List<Subscription> inDoubt(List<Subscription> clients) {
        Cursor smallest = of(clients);
        return clients.stream()
                .filter(client -> client.cursor() != null && smallest != null && isInDoubt(smallest, client.cursor()))
                .toList();
    }

    private static boolean isInDoubt(Cursor smallest, Cursor other) {
        if (isByPosition(smallest, other)
                || !haveSharedGtids(smallest, other)
                || areNodes(smallest, other)
                || !(parse(smallest.gtidSet()) instanceof MariaDbGtidSet first)
                || !(parse(other.gtidSet()) instanceof MariaDbGtidSet second)
                || first.isOrderedByNumber(second)
                || !second.containsAll(first)) {
            return false;
        }
        boolean areTimesKnown = smallest.timestampMillis() > 0 && other.timestampMillis() > 0;
        return first.containsAll(second) || areTimesKnown && smallest.timestampMillis() > other.timestampMillis();
    }

    private static boolean isByPosition(Cursor one, Cursor other) {
        return isSameServer(one, other)
                && (areOfDifferentFiles(one, other)
                        || one.position().compareTo(other.position()).isPresent());
    }

    private static boolean haveSharedGtids(Cursor one, Cursor other) {
        return GaleraNode.areGtidsShared(one.source().identity(), other.source().identity());
    }

    /** Whether both are of nodes of a cluster of Galera, which numbers all that is written in it together. */
    private static boolean areNodes(Cursor one, Cursor other) {
        return GaleraNode.isNode(one.source().identity())
                && GaleraNode.isNode(other.source().identity());
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
        OptionalInt byGtids =
                haveSharedGtids(one, other) ? compareGtids(one.gtidSet(), other.gtidSet()) : OptionalInt.empty();
        return byGtids.isPresent() ? byGtids.getAsInt() < 0 : one.timestampMillis() < other.timestampMillis();
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

    /** Compares by what is executed; empty if a set is missing, or it does not tell: neither has all of the other, or, on MariaDB, each has. */
    private static OptionalInt compareGtids(String one, String other) {
        GtidSet first = parse(one);
        GtidSet second = parse(other);
        if (first == null || second == null) {
            return OptionalInt.empty();
        }
        if (first.equals(second)) {
            return OptionalInt.of(0);
        }
        boolean isInOther = second.containsAll(first);
        if (isInOther == first.containsAll(second)) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(isInOther ? -1 : 1);
    }

    /** Returns the GTID set of a cursor; null if it has none. */
    private static @Nullable GtidSet parse(String text) {
        try {
            return text.isEmpty() ? null : GtidSet.parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
