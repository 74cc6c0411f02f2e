package io.sluice.parse.pipeline;

import io.sluice.parse.binlog.Checksums;
import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.EventCode;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.binlog.EventSource;
import io.sluice.parse.binlog.FormatDescription;
import io.sluice.parse.binlog.MalformedEventException;
import io.sluice.parse.binlog.PayloadReader;
import io.sluice.parse.binlog.TransactionPayload;
import io.sluice.parse.gtid.ExecutedGtids;
import io.sluice.parse.gtid.SeenTransactions;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The serial stage: takes events in their order, knows where each stands, and makes an entry of each that leaves; row
 * images are not decoded here.
 *
 * <p>It remembers where it stands. After a broken connection it is given the same events again from the start of the
 * transaction it was in, and passes over those that it has handed on already, so nothing is doubled.
 *
 * <p>The events of a compressed transaction are taken as if they stood in the stream, in the place of the event that they
 * are within; a large one goes through several chunks. For one thread.
 */
public final class EventReader implements AutoCloseable {
    /** A chunk is closed when it has so many bytes, or when no event is waiting. */
    private static final int CHUNK_BYTES = 1 << 17;

    private static final int SMALLEST_CHUNK_BYTES = 1 << 13;

    private final StreamProgress progress;
    private final GtidTracker gtids;
    private final TableMappings tables;
    private final EventDispatcher dispatcher;
    private final Checksums checksums = new Checksums();
    private final PayloadReader payloads = new PayloadReader();

    /** Where the next event of an open payload stands. */
    private Event.@Nullable Place inside;

    private FormatDescription format = FormatDescription.UNKNOWN;
    private int expectedChunkBytes = SMALLEST_CHUNK_BYTES;
    private long newestSeconds;
    private long serverId;
    private volatile long lastSeconds;
    private @Nullable StreamPoint marked;
    private volatile long lastEventMillis;
    private volatile @Nullable StreamPoint readTo;

    /**
     * Makes a reader that stands at {@code start}.
     *
     * @param sourceHost what cursors state as the source's host
     * @param sourcePort and as its port
     * @param start where the first event to come starts
     * @param seen the GTID set before that event; null outside of GTID mode
     */
    public EventReader(
            String sourceHost,
            int sourcePort,
            StreamPoint start,
            @Nullable SeenTransactions seen,
            StreamOptions options,
            TableMappings tables,
            StatementReader statements) {
        this.progress = new StreamProgress(sourceHost, sourcePort, start);
        this.gtids = new GtidTracker(seen);
        this.tables = tables;
        this.dispatcher = new EventDispatcher(options, tables, statements, progress, gtids);
    }

    /** Where events must come from after a broken connection: the start of the transaction it is in. */
    public StreamPoint resumePoint() {
        return progress.transactionStart();
    }

    /** When the newest event was written that it has seen, in milliseconds since the epoch; 0 before the first. */
    public long lastEventMillis() {
        return lastEventMillis;
    }

    /** How far it has read; null before the first event. May be asked by any thread. */
    public @Nullable StreamPoint readTo() {
        return readTo;
    }

    /** When the event was written that was read last and is of a transaction, in milliseconds since the epoch; 0 if none. */
    public long readUpToMillis() {
        return lastSeconds * 1000;
    }

    /** Which server wrote that event; 0 if none. */
    public long readUpToServerId() {
        return serverId;
    }

    /**
     * States that the next events come from a new connection, from {@link #resumePoint()} on.
     *
     * @param checksummed whether events have checksums before the format description says so
     */
    public void reconnected(boolean checksummed) {
        format = new FormatDescription("", checksummed, 6);
        progress.resumed();
        gtids.resumed();
        tables.forgetIds();
        payloads.abandon();
        inside = null;
    }

    /**
     * Goes on at another place, perhaps of another server. A transaction of which a part was handed on is open no more; it
     * comes again if it stands behind that place.
     *
     * @param start where the next event starts; null if the server says it, as it does when it is asked by GTIDs
     * @param executed the transactions before that place; null if they are not known
     * @param shown whether entries state their GTIDs; if not, only positions have them
     */
    public void startAt(
            String sourceHost,
            int sourcePort,
            @Nullable StreamPoint start,
            @Nullable ExecutedGtids executed,
            boolean shown) {
        progress.startAt(sourceHost, sourcePort, start);
        if (shown && executed != null) {
            gtids.show(SeenTransactions.parse(executed.text()));
        } else {
            gtids.follow(executed);
        }
        tables.forgetIds();
    }

    /** The transactions that need not be read again after a broken connection; null if they are not followed. */
    public @Nullable ExecutedGtids executed() {
        return gtids.done();
    }

    /**
     * Waits for events and fills one chunk: until it is full, or the source has nothing more and no transaction is open.
     *
     * @param source gives the events
     * @param chunk takes them; what it got before an exception is whole, and is to be handed on
     * @return false at the end of the source
     * @throws IOException if the source broke
     * @throws StreamException if an event cannot be understood
     */
    boolean read(EventSource source, Chunk chunk) throws IOException {
        ByteWriter events = chunk.events();
        do {
            int from = events.size();
            Event.Place nested = inside;
            int length = nested == null ? source.next(events) : -1;
            if (nested == null && length < 0) {
                return false;
            }
            try {
                if (nested == null) {
                    accept(chunk, from, length);
                } else {
                    acceptInside(chunk, nested);
                }
            } catch (MalformedEventException e) {
                throw new StreamException(
                        "the event at %s:%d cannot be read: %s"
                                .formatted(progress.file().name(), progress.offset(), e.getMessage()),
                        e);
            }
        } while (events.size() < CHUNK_BYTES
                && (inside != null || source.hasBuffered() || progress.isWithinTransaction()));
        lastEventMillis = newestSeconds * 1000;
        readTo = new StreamPoint(progress.file().name(), progress.offset());
        mark(chunk);
        expectedChunkBytes =
                Math.max(SMALLEST_CHUNK_BYTES, Math.min(2 * CHUNK_BYTES, events.size() + (events.size() >> 2)));
        return true;
    }

    /** States in the chunk how far the stream was read, unless its last mark says the same. */
    private void mark(Chunk chunk) {
        StreamPoint point = progress.transactionStart();
        if (progress.hasMoved() && lastSeconds != 0 && !point.equals(marked)) {
            marked = point;
            chunk.mark(new Mark(
                    progress.sourceHost(), progress.sourcePort(), point, serverId, lastSeconds * 1000, gtids.done()));
        }
    }

    /** How many bytes the next chunk will probably take. */
    int expectedChunkBytes() {
        return expectedChunkBytes;
    }

    private void accept(Chunk chunk, int from, int length) throws IOException {
        byte[] bytes = chunk.events().array();
        EventHeader header = EventHeader.read(bytes, from, length);
        if (header.length() != length) {
            throw new MalformedEventException(
                    "its header states %d bytes, it came with %d".formatted(header.length(), length));
        }
        int code = header.code();
        int bodyEnd = from + length;
        if (code == EventCode.FORMAT_DESCRIPTION) {
            format = FormatDescription.decode(new EventBody(bytes, from + EventHeader.LENGTH, bodyEnd));
            if (format.checksummed()) {
                checksums.verify(bytes, from, length);
            }
        } else if (format.checksummed()) {
            checksums.verify(bytes, from, length);
            bodyEnd -= FormatDescription.CHECKSUM_LENGTH;
        }
        EventBody body = new EventBody(bytes, from + EventHeader.LENGTH, bodyEnd);

        boolean standsInFile = standsInFile(header);
        long start = progress.offset();
        long end = start;
        if (standsInFile) {
            end = header.nextOffset() == 0 ? start + length : progress.widened(header.nextOffset());
            start = end - length;
            if (!isHeading(code)) {
                serverId = header.serverId();
                lastSeconds = header.timestampSeconds();
            }
        }
        newestSeconds = Math.max(newestSeconds, header.timestampSeconds());
        Event.Place place = new Event.Place(progress.file(), start, end, length, 0);
        if (code == EventCode.TRANSACTION_PAYLOAD) {
            payloads.open(TransactionPayload.decode(body));
            inside = place;
            return;
        }
        dispatcher.dispatch(chunk, header, body, place, format);
        if (code == EventCode.FORMAT_DESCRIPTION) {
            progress.passFormat(header.nextOffset());
        } else if (standsInFile && isHeading(code)) {
            progress.passHeading(end);
        } else if (standsInFile && code != EventCode.ROTATE) {
            if (progress.pass(end, EventCode.announces(code))) {
                gtids.transactionEnded();
            }
        }
    }

    /** Whether every file begins with such events. */
    private static boolean isHeading(int code) {
        return code == EventCode.PREVIOUS_GTIDS
                || code == EventCode.MARIADB_GTID_LIST
                || code == EventCode.MARIADB_BINLOG_CHECKPOINT
                || code == EventCode.MARIADB_START_ENCRYPTION;
    }

    /** Takes the next event of the open payload; at its end, the event that holds it was read. */
    private void acceptInside(Chunk chunk, Event.Place place) throws IOException {
        ByteWriter events = chunk.events();
        int from = events.size();
        int length = payloads.next(events);
        if (length < 0) {
            inside = null;
            if (progress.pass(place.end(), false)) {
                gtids.transactionEnded();
            }
            return;
        }
        EventHeader header = EventHeader.read(events.array(), from, length);
        if (!EventCode.isOfPayload(header.code())) {
            throw new MalformedEventException("it holds an event of type " + header.code());
        }
        EventBody body = new EventBody(events.array(), from + EventHeader.LENGTH, from + length);
        dispatcher.dispatch(chunk, header, body, place, format);
        progress.passInside(place);
        inside = place.next();
    }

    private boolean standsInFile(EventHeader header) {
        return switch (header.code()) {
            case EventCode.HEARTBEAT, EventCode.HEARTBEAT_V2, EventCode.FORMAT_DESCRIPTION -> false;
            default ->
                !header.isArtificial()
                        // From 11.7 on, MariaDB does not state the places of events within a transaction.
                        && (header.nextOffset() != 0 || format.mariaDb() && !EventCode.isOfServer(header.code()));
        };
    }

    /** Frees what it holds outside of the heap. */
    @Override
    public void close() {
        payloads.close();
    }
}
