package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.RotateEvent;
import io.sluice.parse.entry.LogFile;
import org.jspecify.annotations.Nullable;

/**
 * Where a reader stands in the binlog, and from where it must go on after a broken connection.
 *
 * <p>A connection goes on where the open transaction began, since its table maps are needed again; what was handed on
 * before is then passed over. For one thread.
 */
final class StreamProgress {
    private static final long OFFSETS_OF_HEADER = 1L << 32;
    private static final StreamPoint UNKNOWN = new StreamPoint("", 4);

    private String sourceHost;
    private int sourcePort;
    private LogFile file;
    private long offset;
    private String transactionFile;
    private long transactionOffset;
    private String handedOnFile;
    private long handedOnOffset;
    private int handedOnInside;
    private boolean inTransaction;
    private boolean moved;
    private int sequence;
    private long transactions;

    StreamProgress(String sourceHost, int sourcePort, StreamPoint start) {
        this.sourceHost = sourceHost;
        this.sourcePort = sourcePort;
        this.file = new LogFile(sourceHost, sourcePort, start.file());
        this.offset = start.offset();
        this.transactionFile = start.file();
        this.transactionOffset = start.offset();
        this.handedOnFile = start.file();
        this.handedOnOffset = start.offset();
    }

    LogFile file() {
        return file;
    }

    /** Where the next event of the file starts. */
    long offset() {
        return offset;
    }

    /** The start of the transaction that is open, or else of the next event. */
    StreamPoint transactionStart() {
        return new StreamPoint(transactionFile, transactionOffset);
    }

    /**
     * Goes on at another place, perhaps of another server, where nothing was handed on yet.
     *
     * @param start where the next event starts; null if the server says it, as it does when it is asked by GTIDs
     */
    void startAt(String host, int port, @Nullable StreamPoint start) {
        StreamPoint first = start == null ? UNKNOWN : start;
        sourceHost = host;
        sourcePort = port;
        file = new LogFile(host, port, first.file());
        offset = first.offset();
        transactionFile = first.file();
        transactionOffset = first.offset();
        handedOnFile = first.file();
        handedOnOffset = first.offset();
        handedOnInside = 0;
        inTransaction = false;
        moved = false;
        sequence = 0;
    }

    /** The server whose binlog it is, as positions state it. */
    String sourceHost() {
        return sourceHost;
    }

    int sourcePort() {
        return sourcePort;
    }

    /** Whether anything was read since the last connection was made: only then it stands where it says. */
    boolean hasMoved() {
        return moved;
    }

    /** States that events come again from {@link #transactionStart} on. */
    void resumed() {
        offset = transactionOffset;
        inTransaction = false;
        moved = false;
        sequence = 0;
        if (!file.name().equals(transactionFile)) {
            file = new LogFile(sourceHost, sourcePort, transactionFile);
        }
    }

    /** Headers have 32 bits of an offset; files may be larger. */
    long widened(long nextOffset) {
        long end = offset & -OFFSETS_OF_HEADER | nextOffset;
        return end < offset ? end + OFFSETS_OF_HEADER : end;
    }

    /** Whether an event that stands here was not handed on before the connection broke. */
    boolean isAhead(Event event) {
        // All that ends behind what was handed on whole is within the event that was handed on in part, if there is
        // one.
        return isAhead(event.end()) && (handedOnInside == 0 || event.inside() >= handedOnInside);
    }

    private boolean isAhead(long end) {
        return end > handedOnOffset || !file.name().equals(handedOnFile);
    }

    /** An event within another one, which goes on, was read whole. */
    void passInside(Event event) {
        if (isAhead(event)) {
            handedOnInside = event.inside() + 1;
        }
    }

    /** The event that begins a transaction, or announces its GTID, starts here. */
    void transactionStartsAt(long start) {
        transactionFile = file.name();
        transactionOffset = start;
        sequence = 0;
    }

    void begin() {
        inTransaction = true;
        sequence = 0;
    }

    /** How many events of the transaction were passed that may become entries. */
    int sequence() {
        return sequence;
    }

    /** An event was read that may have become an entry. */
    void passOfTransaction() {
        sequence++;
    }

    void end() {
        transactions += inTransaction ? 1 : 0;
        inTransaction = false;
    }

    /** How many transactions have ended, wherever it stood then. */
    long transactions() {
        return transactions;
    }

    /** A file's own format description comes first even if reading starts behind it. */
    void passFormat(long nextOffset) {
        offset = Math.max(offset, nextOffset);
    }

    /**
     * An event that stands in the file was read whole.
     *
     * @param announces whether it belongs to the transaction behind it, as one with its GTID does
     * @return whether no transaction is open behind it
     */
    boolean pass(long end, boolean announces) {
        offset = end;
        moved = true;
        if (isAhead(end)) {
            handedOnFile = file.name();
            handedOnOffset = end;
            handedOnInside = 0;
        }
        boolean between = !inTransaction && !announces;
        if (between) {
            transactionFile = file.name();
            transactionOffset = end;
            sequence = 0;
        }
        return between;
    }

    /**
     * The source says that it has nothing more before a place: it leaves out transactions that are known, and then waits.
     */
    void skipTo(String heartbeatFile, long place) {
        boolean between = !inTransaction && transactionOffset == offset;
        if (between && heartbeatFile.equals(file.name()) && place > offset) {
            pass(place, false);
        }
    }

    /** An event that heads a file was read: it is there in every dump, whatever was asked for. */
    void passHeading(long end) {
        boolean before = moved;
        pass(end, false);
        moved = before;
    }

    /**
     * The binlog goes on in another file, or a new connection says where it begins.
     *
     * @return whether it is another file
     */
    boolean rotate(RotateEvent event) {
        boolean isOther = !event.nextFile().equals(file.name());
        if (isOther) {
            file = new LogFile(sourceHost, sourcePort, event.nextFile());
        }
        offset = event.nextOffset();
        if (!inTransaction) {
            transactionFile = file.name();
            transactionOffset = offset;
            if (!handedOnFile.equals(file.name())) {
                handedOnFile = file.name();
                handedOnOffset = offset;
            }
        }
        return isOther;
    }
}
