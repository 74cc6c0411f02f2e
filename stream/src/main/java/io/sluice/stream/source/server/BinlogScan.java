package io.sluice.stream.source.server;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import java.io.IOException;

/** Reads single files of a server's binlog, from their first event on. For one thread, but for {@link #abort}. */
public interface BinlogScan {
    /** A visitor of the events of a file, in order. */
    interface Visitor {
        /**
         * Takes one.
         *
         * @param body without checksum, of a large one the beginning; not to be kept
         * @param start where it starts in the file, in bytes
         * @param end where the next one starts
         * @return whether it wants another one
         */
        boolean visit(EventHeader header, EventBody body, long start, long end);
    }

    /**
     * Shows the events of a file until the visitor has had enough, or the file ends.
     *
     * @throws IOException if the server cannot be read, or has no such file; caused by a {@link io.sluice.mysql.binlog.MalformedEventException} if an event
     *     cannot be read
     */
    void scan(String file, Visitor visitor) throws IOException;

    /**
     * Shows the events of a file from a position on, until the visitor has had enough, or the file ends.
     *
     * @param from where an event starts, or the file ends
     * @throws IOException if the server cannot be read, or does not have that position
     */
    default void scan(BinlogPosition from, Visitor visitor) throws IOException {
        scan(
                from.file(),
                (header, body, start, end) -> start < from.offset() || visitor.visit(header, body, start, end));
    }

    /**
     * Returns when a file was begun, which is before anything in it was written, in seconds since the epoch; 0 if the server does not state
     * that.
     *
     * @throws IOException if the server cannot be read, or has no such file
     */
    default long begunSeconds(String file) throws IOException {
        long[] seconds = {0};
        scan(file, (header, body, start, end) -> {
            seconds[0] = header.timestampSeconds();
            return false;
        });
        return seconds[0];
    }

    /**
     * Reads a file from its listed end on.
     *
     * @throws IOException if the server cannot be read, has no such file, or one that ends before that
     */
    default FileEnd end(BinlogPosition at) throws IOException {
        long[] begun = {0};
        boolean[] follows = {false};
        scan(at.file(), (header, body, start, end) -> {
            begun[0] = begun[0] == 0 ? header.timestampSeconds() : begun[0];
            follows[0] = end > at.offset();
            return !follows[0];
        });
        return new FileEnd(begun[0], !follows[0]);
    }

    /**
     * Reads the binlog from a position to its end as it is then, over a connection of its own, which closing ends.
     *
     * @throws IOException if the server cannot be read, or does not have that position
     */
    EventSource read(BinlogPosition from) throws IOException;

    /** Aborts a running scan, from any thread; nothing can be scanned after that. */
    void abort();
}
