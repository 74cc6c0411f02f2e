package io.sluice.parse.source;

import io.sluice.parse.gtid.GtidSet;
import io.sluice.protocol.position.EntryPosition;
import io.sluice.protocol.position.LogPosition;
import io.sluice.store.cursor.Subscription;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cursor from which a stream must be read so that no client misses anything.
 *
 * <p>Of two cursors in one server's binlog, that of the lower file number is smaller, then that of the lower offset. Of two
 * in different servers' binlogs, the one is smaller whose transactions the other has all seen; where GTID sets do not tell,
 * the one of the older event.
 */
public final class SmallestCursor {
    private SmallestCursor() {}

    /** The smallest cursor of all clients; null if none has one. Of equal ones, the first. */
    public static @Nullable LogPosition of(List<Subscription> clients) {
        LogPosition smallest = null;
        for (Subscription client : clients) {
            LogPosition cursor = client.cursor();
            if (cursor != null && (smallest == null || isSmaller(cursor, smallest))) {
                smallest = cursor;
            }
        }
        return smallest;
    }

    private static boolean isSmaller(LogPosition one, LogPosition other) {
        if (isSameServer(one, other)) {
            OptionalInt byFile =
                    compareFiles(one.position().journalName(), other.position().journalName());
            if (byFile.isPresent()) {
                return byFile.getAsInt() != 0
                        ? byFile.getAsInt() < 0
                        : one.position().position() < other.position().position();
            }
        }
        OptionalInt byGtids = compareGtids(one.position(), other.position());
        return byGtids.isPresent()
                ? byGtids.getAsInt() < 0
                : one.position().timestamp() < other.position().timestamp();
    }

    private static boolean isSameServer(LogPosition one, LogPosition other) {
        return one.sourcePort() == other.sourcePort()
                && one.sourceHost()
                        .toLowerCase(Locale.ROOT)
                        .equals(other.sourceHost().toLowerCase(Locale.ROOT));
    }

    /** Compares by the number behind the last dot; empty if the names do not belong to one series of files. */
    private static OptionalInt compareFiles(String one, String other) {
        if (one.equals(other)) {
            return OptionalInt.of(0);
        }
        int dot = one.lastIndexOf('.');
        if (dot < 0 || !other.startsWith(one.substring(0, dot + 1))) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(
                    Long.compare(Long.parseLong(one.substring(dot + 1)), Long.parseLong(other.substring(dot + 1))));
        } catch (NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /** Compares by what was seen; empty if a set is missing, is not MySQL's, or neither holds all of the other. */
    private static OptionalInt compareGtids(EntryPosition one, EntryPosition other) {
        if (one.gtid().isEmpty() || other.gtid().isEmpty()) {
            return OptionalInt.empty();
        }
        GtidSet first;
        GtidSet second;
        try {
            first = GtidSet.parse(one.gtid());
            second = GtidSet.parse(other.gtid());
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
