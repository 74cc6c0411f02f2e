package io.sluice.schema.history.rows;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;

/**
 * The binlog position of a row or snapshot of the schema history.
 *
 * @param source the identity of the server whose file it is; empty in rows of canal, which does not say
 * @param file the binlog file's name; {@code 0} in canal's first snapshot, which is before everything
 * @param offset in it, in bytes
 * @param masterId the {@code server_id} that wrote the event
 * @param timeMillis when, in milliseconds since the epoch
 * @param gtid its transaction; empty if it is not known
 * @param epoch which binlog of the server it is in, from reset to reset: files have the same names again then. Later ones have a larger number;
 *     0 if no reset is known before it
 * @param fileBegunSeconds when the file was begun, by the clock of the server and in seconds since the epoch; 0 if that is not known. It does not count in the
 *     order of positions
 */
public record HistoryPosition(
        String source,
        String file,
        long offset,
        String masterId,
        long timeMillis,
        String gtid,
        long epoch,
        long fileBegunSeconds) {
    static final String FIRST_FILE = "0";
    static final long FIRST_TIME = -2;

    /** An event has the time at which its statement started, and is in the binlog where it ended: so much later at most. */
    public static final Duration MAX_STATEMENT = Duration.ofDays(2);

    /** The order within the binlogs of one server. */
    public static final Comparator<HistoryPosition> IN_BINLOG = Comparator.comparingLong(HistoryPosition::epoch)
            .thenComparing((a, b) -> compareFiles(a.file, b.file))
            .thenComparingLong(HistoryPosition::offset);

    /** A position in a binlog before which no reset is known. */
    public HistoryPosition(String source, String file, long offset, String masterId, long timeMillis, String gtid) {
        this(source, file, offset, masterId, timeMillis, gtid, 0, 0);
    }

    /** The position of the first snapshot, which holds for every position that no later snapshot is made for. */
    public static HistoryPosition first(String source) {
        return new HistoryPosition(source, FIRST_FILE, 0, "-1", FIRST_TIME, "");
    }

    public boolean isFirst() {
        return file.equals(FIRST_FILE);
    }

    /** Whether it is in a binlog of the server that a stream reads, so that {@link #IN_BINLOG} is their order. */
    public boolean isOfSameBinlog(StreamStart start) {
        if (start.file().isEmpty()) {
            return false;
        }
        return source.isEmpty() ? masterId.equals(Long.toString(start.serverId())) : source.equals(start.source());
    }

    /** Whether both are in binlogs of one server, so that {@link #IN_BINLOG} is their order. */
    public boolean isOfSameBinlog(HistoryPosition other) {
        return source.isEmpty() || other.source.isEmpty()
                ? masterId.equals(other.masterId)
                : source.equals(other.source);
    }

    /** Whether it is in a binlog of a server, from reset to reset. */
    public boolean isIn(String ofSource, long ofEpoch) {
        return source.equals(ofSource) && epoch == ofEpoch;
    }

    /** Whether {@link #isOfSameBinlog(StreamStart)} is the same for both, whatever the stream. */
    public boolean isOfSameOrigin(HistoryPosition other) {
        return source.equals(other.source) && masterId.equals(other.masterId);
    }

    /** The server and its binlog. */
    public String binlog() {
        return epoch == 0 ? source : source + "@" + epoch;
    }

    /** This position, with its time raised to {@code millis} if it is earlier. */
    public HistoryPosition notBefore(long millis) {
        return timeMillis >= millis
                ? this
                : new HistoryPosition(source, file, offset, masterId, millis, gtid, epoch, fileBegunSeconds);
    }

    /**
     * Whether a stream that begins at {@code start} does not read the event at this position: its transaction was executed, or it
     * is before the start in the same binlog, or, in another binlog, it is not newer. In the same binlog the position also counts where GTIDs decide what is
     * read and their numbers do not tell. If they are of several domains, the binlog is asked for what is after the position of the start, where the first of
     * them begins to be read, but after a restart all of them.
     *
     * @throws IOException if the server cannot be reached
     */
    public boolean isBefore(StreamStart start) throws IOException {
        if (isFirst()) {
            return true;
        }
        boolean isSame = isOfSameBinlog(start);
        if (isSame && !(start.byTransactions() && start.ordersByNumber(gtid))) {
            return isBeforeInBinlog(start)
                    || start.byTransactions()
                            && start.hasSeveralDomains()
                            && Boolean.TRUE.equals(start.passedInBinlog(gtid));
        }
        Boolean passed = start.passed(gtid);
        if (passed != null) {
            return passed;
        }
        if (isSame) {
            return isBeforeInBinlog(start);
        }
        return start.timeMillis() == 0 || timeMillis < start.timeMillis();
    }

    private boolean isBeforeInBinlog(StreamStart start) {
        int order = compareInBinlog(start);
        return order < 0 || order == 0 && source.isEmpty(); // canal may mean the end of the event
    }

    /** Whether table schemas as of before the event at this position are certainly not newer than those at the start. */
    public boolean isAtOrBefore(StreamStart start) {
        if (isFirst()) {
            return true;
        }
        return isOfSameBinlog(start)
                ? compareInBinlog(start) <= 0
                : start.timeMillis() == 0 || timeMillis < start.timeMillis();
    }

    /**
     * Whether a stream that begins at {@code start} may read the event at this position, as far as its recorded definition may be needed:
     * in the same binlog if it is at or after the start, in another one if it is not much older.
     */
    public boolean mayComeAfter(StreamStart start) {
        if (isOfSameBinlog(start)) {
            return compareInBinlog(start) >= 0;
        }
        return start.timeMillis() == 0 || timeMillis >= start.timeMillis() - MAX_STATEMENT.toMillis();
    }

    /**
     * The order of the transactions of two positions in any binlogs, as the server numbered them in which they were executed first; 0 if these numbers do
     * not determine it.
     */
    public int compareTransactions(HistoryPosition other) {
        long number = transactionNumber();
        long otherNumber = other.transactionNumber();
        return number < 0 || otherNumber < 0 || !transactionSeries().equals(other.transactionSeries())
                ? 0
                : Long.compare(number, otherNumber);
    }

    /** Whether both are of one domain of MariaDB, and other servers have numbered them: their numbers need not tell the order. */
    public boolean isNumberedApart(HistoryPosition other) {
        if (!GtidSet.isMariaDb(gtid) || !GtidSet.isMariaDb(other.gtid)) {
            return false;
        }
        try {
            MariaDbGtid one = MariaDbGtid.parse(gtid);
            MariaDbGtid another = MariaDbGtid.parse(other.gtid);
            return one.domain() == another.domain() && one.server() != another.server();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** What is numbered together: a server, or a server and a tag, or a domain of MariaDB. */
    private String transactionSeries() {
        int end = gtid.lastIndexOf(':');
        return gtid.substring(0, end < 0 ? Math.max(0, gtid.indexOf('-')) : end);
    }

    /** -1 if it is not known. */
    private long transactionNumber() {
        int before = Math.max(gtid.lastIndexOf(':'), gtid.lastIndexOf('-'));
        try {
            return before < 0 ? -1 : Long.parseLong(gtid.substring(before + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private int compareInBinlog(StreamStart start) {
        return IN_BINLOG.compare(
                this,
                new HistoryPosition(
                        source, start.file(), start.offset(), masterId, timeMillis, gtid, start.epoch(), 0));
    }

    /** The order of the files of one server's binlog. */
    public static int compareFiles(String a, String b) {
        int order = Long.compare(number(a), number(b));
        return order != 0 ? order : a.compareTo(b);
    }

    /** The number at the end of a file name, which may have more than six digits; -1 if there is none. */
    private static long number(String file) {
        int dot = file.lastIndexOf('.');
        try {
            return dot < 0 ? -1 : Long.parseLong(file.substring(dot + 1));
        } catch (NumberFormatException e) {
            return -1;
        }
    }
}
