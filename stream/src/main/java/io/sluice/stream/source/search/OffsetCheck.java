package io.sluice.stream.source.search;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.dump.EventsBefore;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out before a dump whether the offset of its start position is within an event, as after it was edited by hand. A server takes the bytes there for
 * the header of an event: mostly it fails, but it may as well send what has no checksum, and what such an event states of the next offset may be far
 * beyond the end of the file. For one thread.
 */
final class OffsetCheck implements BinlogScan.Visitor {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetCheck.class);

    private final long offset;
    private long begunSeconds;
    /** Where the last event begins and ends that was seen. */
    private long start;

    private long end;
    private boolean isDamaged;

    private OffsetCheck(long offset) {
        this.offset = offset;
    }

    /**
     * Looks a position up in its file, which is read up to there.
     *
     * @param readMillis when the last event before it was written, in milliseconds since the epoch; 0 if that is not known
     * @return what is wrong if the offset is within an event: MISCONFIGURED, or PURGED if the binlog was reset since that event. Null if it is not, if the
     *     file ends before it, or if that cannot be told: the server does not send what is before it, or the header of an event there is damaged
     * @throws IOException if the server cannot be read
     */
    static @Nullable SourceException failure(
            BinlogPosition position, long readMillis, ServerFacts facts, BinlogScan scan) throws IOException {
        OffsetCheck check = new OffsetCheck(position.offset());
        if (!check.reads(position.file(), scan) || !check.isWithin()) {
            return null;
        }
        SourceException within = EventsBefore.within(position.file(), position.offset(), check.start, check.end);
        long begunMillis = check.begunSeconds * 1000;
        if (readMillis <= 0 || begunMillis <= readMillis) {
            return within;
        }
        String times = "begun at %s, after the last event that was read, which is of %s"
                .formatted(Instant.ofEpochMilli(begunMillis), Instant.ofEpochMilli(readMillis));
        return areAllBegunSince(readMillis, facts, scan) ? otherFile(position, times) : inLaterFile(within, times);
    }

    /** Reads a file; returns whether the server sends it up to the offset. */
    private boolean reads(String file, BinlogScan scan) throws IOException {
        try {
            scan.scan(file, this);
            return true;
        } catch (IOException e) {
            boolean isUnsent = e instanceof ServerErrorException error
                    ? DumpCheck.isRejection(error)
                    : WrittenBefore.isOfUnreadableEvent(e);
            if (!isUnsent) {
                throw e;
            }
            LOG.debug(
                    "it cannot be looked up whether an event begins at an offset: file={} offset={}", file, offset, e);
            return false;
        }
    }

    /**
     * Whether all files of a server were begun after a time, as after a reset, which deletes those of before; not if that cannot be told. If one is older, a
     * position in a later file was edited.
     */
    private static boolean areAllBegunSince(long millis, ServerFacts facts, BinlogScan scan) throws IOException {
        try {
            return scan.begunSeconds(facts.files().get(0).name()) * 1000 > millis;
        } catch (ServerErrorException e) {
            if (!DumpCheck.isRejection(e)) {
                throw e;
            }
            LOG.debug("it cannot be looked up when the oldest file was begun", e);
            return false;
        }
    }

    private static SourceException otherFile(BinlogPosition read, String times) {
        return new SourceException(
                SourceFailure.PURGED,
                ("%s is another file than the one that was read up to %d: it was %s, so the binlog was reset meanwhile (RESET MASTER, or a server that"
                                + " was restored or rebuilt), and what followed may be lost; or the position was edited")
                        .formatted(read.file(), read.offset(), times));
    }

    private static SourceException inLaterFile(SourceException within, String times) {
        return new SourceException(
                within.failure(),
                "%s; the file was %s: if the position was not edited, the binlog was reset or restored meanwhile, and what followed may be lost"
                        .formatted(within.getMessage(), times),
                within.remedy());
    }

    @Override
    public boolean visit(EventHeader header, EventBody body, long from, long to) {
        if (end == 0) {
            begunSeconds = header.timestampSeconds();
        }
        start = from;
        end = to;
        isDamaged = header.nextOffset() != 0 && (int) header.nextOffset() != (int) to;
        return !isDamaged && to < offset;
    }

    private boolean isWithin() {
        return !isDamaged && start < offset && offset < end;
    }
}
