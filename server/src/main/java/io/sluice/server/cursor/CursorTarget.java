package io.sluice.server.cursor;

import io.sluice.protocol.position.Cursor;
import io.sluice.stream.source.search.BinlogBoundaries;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/** The position to which an operator moves a cursor. */
public sealed interface CursorTarget {
    /** A file and an offset between two transactions. */
    record At(String file, long offset) implements CursorTarget {}

    /** The oldest position that the source still has. */
    record Oldest() implements CursorTarget {}

    /** The end of the binlog. */
    record Newest() implements CursorTarget {}

    /** The position after a set of transactions. */
    record After(String gtidSet) implements CursorTarget {}

    /** The first transaction at or after a time. */
    record Since(Instant time) implements CursorTarget {}

    /**
     * Reads {@code file:offset}, {@code oldest} or {@code newest}.
     *
     * @throws IllegalArgumentException if it is none
     */
    static CursorTarget parse(String text) {
        int colon = text.lastIndexOf(':');
        if (text.equals("oldest")) {
            return new Oldest();
        }
        if (text.equals("newest")) {
            return new Newest();
        }
        if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,18}")) {
            throw new IllegalArgumentException("not a position: " + text + "; expected file:offset, oldest or newest");
        }
        return new At(text.substring(0, colon), Long.parseLong(text.substring(colon + 1)));
    }

    /**
     * Reads a time: {@code 2026-03-01T10:00:00Z} with any offset, {@code 2026-03-01 10:00:00} of this machine's zone, or
     * milliseconds since the epoch.
     *
     * @throws IllegalArgumentException if it is none
     */
    static CursorTarget parseTime(String text) {
        if (text.matches("\\d{11,15}")) {
            return new Since(Instant.ofEpochMilli(Long.parseLong(text)));
        }
        String iso = text.strip().replace(' ', 'T');
        try {
            return new Since(OffsetDateTime.parse(iso).toInstant());
        } catch (DateTimeException e) {
            // then it has no offset
        }
        try {
            return new Since(
                    LocalDateTime.parse(iso).atZone(ZoneId.systemDefault()).toInstant());
        } catch (DateTimeException e) {
            throw new IllegalArgumentException(
                    "not a time: " + text
                            + "; expected 2026-03-01T10:00:00Z, 2026-03-01 10:00:00, or milliseconds since the epoch",
                    e);
        }
    }

    /** Finds it in a source's binlog. */
    default Cursor find(BinlogBoundaries boundaries) throws IOException {
        if (this instanceof At at) {
            return boundaries.at(at.file(), at.offset());
        }
        if (this instanceof After after) {
            return boundaries.after(after.gtidSet());
        }
        if (this instanceof Since since) {
            return boundaries.since(since.time());
        }
        return this instanceof Oldest ? boundaries.oldest() : boundaries.newest();
    }
}
