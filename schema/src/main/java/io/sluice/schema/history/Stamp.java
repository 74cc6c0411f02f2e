package io.sluice.schema.history;

import java.util.Comparator;

/**
 * Where something in the history belongs.
 *
 * @param source the identity of the server whose file it is; empty in rows of canal, which does not say
 * @param file the binlog file's name; {@code 0} in canal's first snapshot, which is before everything
 * @param offset in it, in bytes
 * @param masterId the {@code server_id} that wrote the event
 * @param timeMillis when, in milliseconds since the epoch
 * @param gtid its transaction; empty if it is not known
 */
record Stamp(String source, String file, long offset, String masterId, long timeMillis, String gtid) {
    static final String FIRST_FILE = "0";
    static final long FIRST_TIME = -2;

    /** The order within one server's binlog. */
    static final Comparator<Stamp> IN_BINLOG =
            ((Comparator<Stamp>) (a, b) -> compareFiles(a.file, b.file)).thenComparingLong(Stamp::offset);

    /** That of the snapshot that holds for everything that no later one does. */
    static Stamp first(String source) {
        return new Stamp(source, FIRST_FILE, 0, "-1", FIRST_TIME, "");
    }

    boolean isFirst() {
        return file.equals(FIRST_FILE);
    }

    /** Whether it is in the binlog that a stream reads, so that offsets can be compared. */
    boolean isOfSameBinlog(HistoryPoint point) {
        if (point.file().isEmpty()) {
            return false;
        }
        return source.isEmpty() ? masterId.equals(Long.toString(point.serverId())) : source.equals(point.source());
    }

    /** Whether both are in one binlog, so that offsets can be compared. */
    boolean isOfSameBinlog(Stamp other) {
        return source.isEmpty() || other.source.isEmpty()
                ? masterId.equals(other.masterId)
                : source.equals(other.source);
    }

    /** Whether both are in one binlog for every position that either is compared with. */
    boolean isOfSameOrigin(Stamp other) {
        return source.equals(other.source) && masterId.equals(other.masterId);
    }

    /** The same with another time if its own is earlier. */
    Stamp notBefore(long millis) {
        return timeMillis >= millis ? this : new Stamp(source, file, offset, masterId, millis, gtid);
    }

    /**
     * Whether an event here is not read any more by a stream that begins at a position: its transaction was executed, or it
     * is in front of the position in the same binlog, or else not newer.
     */
    boolean isBefore(HistoryPoint point) {
        if (isFirst()) {
            return true;
        }
        boolean isSame = isOfSameBinlog(point);
        Boolean passed = isSame && !point.byTransactions() ? null : point.passed(gtid);
        if (passed != null) {
            return passed;
        }
        if (isSame) {
            int order = compareInBinlog(point);
            return order < 0 || order == 0 && source.isEmpty(); // canal may mean the end of the event
        }
        return point.timeMillis() == 0 || timeMillis <= point.timeMillis();
    }

    /** Whether table schemas that were so in front of the event here are surely not newer than those at a position. */
    boolean isAtOrBefore(HistoryPoint point) {
        if (isFirst()) {
            return true;
        }
        return isOfSameBinlog(point)
                ? compareInBinlog(point) <= 0
                : point.timeMillis() == 0 || timeMillis < point.timeMillis();
    }

    /**
     * Whether an event here may come after one of a stream that begins at a position, as far as {@link RecalledDefinitions} has to know:
     * in the same binlog those at or after the position, in others those that are not much older.
     */
    boolean mayComeAfter(HistoryPoint point) {
        if (isOfSameBinlog(point)) {
            return compareInBinlog(point) >= 0;
        }
        return point.timeMillis() == 0 || timeMillis >= point.timeMillis() - RowSelection.MAX_STATEMENT.toMillis();
    }

    private int compareInBinlog(HistoryPoint point) {
        return IN_BINLOG.compare(this, new Stamp(source, point.file(), point.offset(), masterId, timeMillis, gtid));
    }

    /** The order of the files of one server's binlog. */
    static int compareFiles(String a, String b) {
        int order = Long.compare(number(a), number(b));
        return order != 0 ? order : a.compareTo(b);
    }

    /** The number at the end of a file's name, which counts up beyond its six digits; -1 if there is none. */
    private static long number(String file) {
        int dot = file.lastIndexOf('.');
        try {
            return dot < 0 ? -1 : Long.parseLong(file.substring(dot + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
