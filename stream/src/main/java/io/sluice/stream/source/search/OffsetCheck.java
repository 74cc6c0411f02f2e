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
 * beyond the end of the file.
 *
 * <p>The file is read from its beginning for that. What was found is kept for the attempts that follow, as long as it is the same file of the same server. For
 * one thread.
 */
public final class OffsetCheck {
    private static final Logger LOG = LoggerFactory.getLogger(OffsetCheck.class);

    private @Nullable Found kept;

    /**
     * What is at an offset of a file.
     *
     * @param server its identity
     * @param begunSeconds when the file was begun, in seconds since the epoch; 0 if the server does not state that
     * @param start where the event begins that ends at the offset or after it
     * @param end where it ends; before the offset if the file ends there
     * @param isDamaged whether the header of that event is damaged
     */
    private record Found(
            String server, BinlogPosition position, long begunSeconds, long start, long end, boolean isDamaged) {
        boolean isWithin() {
            return !isDamaged && start < position.offset() && position.offset() < end;
        }

        /** Whether it is the same as long as the file is: what follows the end of a file may come later. */
        boolean isFinal() {
            return begunSeconds != 0 && (isDamaged || end >= position.offset());
        }
    }

    /**
     * Looks a position up in its file, which is read up to there.
     *
     * @param readMillis when the last event before it was written, in milliseconds since the epoch; 0 if that is not known
     * @return what is wrong if the offset is within an event: MISCONFIGURED, or PURGED if the binlog was reset since that event. Null if it is not, if the
     *     file ends before it, or if that cannot be told: the server does not send what is before it, or the header of an event there is damaged
     * @throws IOException if the server cannot be read
     */
    @Nullable SourceException failure(BinlogPosition position, long readMillis, ServerFacts facts, BinlogScan scan)
            throws IOException {
        Found found = find(position, facts.identity(), scan);
        if (found == null || !found.isWithin()) {
            return null;
        }
        SourceException within = EventsBefore.within(position.file(), position.offset(), found.start(), found.end());
        long begunMillis = found.begunSeconds() * 1000;
        if (readMillis <= 0 || begunMillis <= readMillis) {
            return within;
        }
        String times = "begun at %s, after the last event that was read, which is of %s"
                .formatted(Instant.ofEpochMilli(begunMillis), Instant.ofEpochMilli(readMillis));
        return areAllBegunSince(readMillis, facts, scan) ? otherFile(position, times) : inLaterFile(within, times);
    }

    /** Reads a file, unless that was done; null if the server does not send it up to the offset. */
    private @Nullable Found find(BinlogPosition position, String server, BinlogScan scan) throws IOException {
        try {
            Found known = kept;
            if (known != null
                    && known.position().equals(position)
                    && known.server().equals(server)
                    && known.begunSeconds() == scan.begunSeconds(position.file())) {
                return known;
            }
            LookUp lookUp = new LookUp(position.offset());
            scan.scan(position.file(), lookUp);
            Found found = new Found(server, position, lookUp.begunSeconds, lookUp.start, lookUp.end, lookUp.isDamaged);
            kept = found.isFinal() ? found : null;
            return found;
        } catch (IOException e) {
            boolean isUnsent = e instanceof ServerErrorException error
                    ? DumpCheck.isRejection(error)
                    : WrittenBefore.isOfUnreadableEvent(e);
            if (!isUnsent) {
                throw e;
            }
            LOG.debug("it cannot be looked up whether an event begins at an offset: position={}", position, e);
            return null;
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

    /** Reads events up to the one that ends at an offset, or after it. */
    private static final class LookUp implements BinlogScan.Visitor {
        private final long offset;
        private long begunSeconds;
        private long start;
        private long end;
        private boolean isDamaged;

        LookUp(long offset) {
            this.offset = offset;
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
    }
}
