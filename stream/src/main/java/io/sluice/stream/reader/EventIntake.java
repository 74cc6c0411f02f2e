package io.sluice.stream.reader;

import io.sluice.mysql.binlog.Checksums;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventRemainder;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.binlog.NestedEvents;
import io.sluice.mysql.binlog.TransactionPayload;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.Event;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes in events one by one: from the source, or from the compressed transaction or the held one that is open. Each is checked, located, dispatched,
 * and passed.
 *
 * <p>Of a large event only the beginning is read at first. If that is not enough, it awaits room for all of it. For one thread.
 */
final class EventIntake implements AutoCloseable {
    private final EventDispatcher dispatcher;
    private final StreamProgress progress;
    private final EventPositions positions;
    private final ReadCounters counters;
    private final Checksums checksums = new Checksums();
    private final InnerEvents inner = new InnerEvents();
    private final Event event;

    private FormatDescription format = FormatDescription.UNKNOWN;

    /** The large event that is read whole when there is room for it; null if there is none. */
    private @Nullable AwaitedEvent awaited;

    /**
     * A large event of which the first bytes were read, and the rest is read when there is room for it; or a compressed one whose
     * rows are large, and unpacked then.
     *
     * @param bytes the memory that it needs
     */
    private record AwaitedEvent(LargeEvent event, int bytes) {}

    /**
     * Has taken in nothing.
     *
     * @param positions moves the progress past each event
     */
    EventIntake(EventDispatcher dispatcher, StreamProgress progress, EventPositions positions, ReadCounters counters) {
        this.dispatcher = dispatcher;
        this.progress = progress;
        this.positions = positions;
        this.counters = counters;
        this.event = new Event(progress.file());
    }

    /**
     * Drops what is open, as the next events come from a new connection.
     *
     * @param checksummed whether events have checksums before the format description states it
     */
    void onReconnect(boolean checksummed) {
        format = new FormatDescription("", checksummed, 6, false);
        inner.abandon();
        awaited = null;
    }

    /** Whether the next event comes from a compressed transaction, or a held one. */
    boolean isInside() {
        return inner.position() != null;
    }

    /** Whether a large event is to be read whole next, by {@link #acceptAwaited}. */
    boolean awaitsRoom() {
        return awaited != null;
    }

    /** The memory that the event needs which awaits room; 0 if none does. */
    int awaitedBytes() {
        return awaited == null ? 0 : awaited.bytes();
    }

    /**
     * Reads the next event, and dispatches it unless it awaits room.
     *
     * @return false at the end of the source
     */
    boolean acceptNext(EventSource source, Chunk chunk) throws IOException {
        Event.Position nested = inner.position();
        if (nested != null) {
            acceptInside(chunk, nested);
            return true;
        }
        ByteWriter events = chunk.events();
        int from = events.size();
        int length = source.next(events);
        if (length < 0) {
            return false;
        }
        if (source.hasRest()) {
            LargeEvent large = LargeEvent.cut(events, from, false);
            counters.note(large.header().length());
            event.open(large.header(), large.body());
            locate();
            if (large.header().code() == EventCode.TRANSACTION_PAYLOAD) {
                openPayload(source, large);
            } else {
                judge(chunk, large);
            }
        } else {
            counters.note(length);
            accept(chunk, events.array(), from, length, false);
        }
        return true;
    }

    /** Opens a payload that is too large to be read at once: its events are unpacked while it comes. */
    private void openPayload(EventSource source, LargeEvent large) {
        EventRemainder rest =
                new EventRemainder(source, large.first(), large.header().length(), format.checksummed());
        inner.openPayload(TransactionPayload.decode(large.body(), rest.left()), rest, event.position());
    }

    /** Passes over a large event whose beginning is enough, awaits room for one that can be read, and leaves others unread. */
    private void judge(Chunk chunk, LargeEvent large) throws IOException {
        if (!dispatcher.needsWhole(event, format)) {
            dispatcher.dispatch(chunk, event, format);
        } else {
            long bytes = dispatcher.bytesOf(event, format);
            if (bytes <= dispatcher.largestRead(event)) {
                boolean isUnpacked = EventCode.isCompressedRows(event.code()) && bytes != event.length();
                long packed = isUnpacked ? event.length() : 0;
                awaited = new AwaitedEvent(large, (int) Math.min(bytes + packed, Integer.MAX_VALUE));
                return;
            }
            dispatcher.leaveUnread(chunk, event, format, bytes);
        }
        passed(large.isInside());
    }

    /**
     * Judges an event that was read whole, but is large without compression, as one of which the first bytes were read.
     *
     * @return false if it is none
     */
    private boolean judgeCompressed(Chunk chunk, byte[] bytes, int from, int length, boolean isInside)
            throws IOException {
        if (!EventCode.isCompressedRows(event.code())
                || !dispatcher.needsWhole(event, format)
                || dispatcher.bytesOf(event, format) <= EventSource.LARGEST_WHOLE) {
            return false;
        }
        byte[] whole = Arrays.copyOfRange(bytes, from, from + length);
        chunk.events().setSize(from);
        judge(chunk, new LargeEvent(event.header(), whole, isInside));
        return true;
    }

    /** Reads the rest of the event that awaits room, and dispatches it. */
    void acceptAwaited(EventSource source, Chunk chunk) throws IOException {
        LargeEvent large =
                Objects.requireNonNull(awaited, "no event awaits room").event();
        awaited = null;
        Event.Position position = inner.position();
        if (large.isInside() && position != null) {
            byte[] bytes = large.readWhole(inner::rest);
            event.open(bytes, 0, bytes.length);
            event.setPositionWithin(position);
            dispatchInside(chunk);
        } else {
            byte[] bytes = large.readWhole(source::rest);
            if (source.hasRest()) {
                throw new MalformedEventException(
                        "its header states %d bytes, but it is longer".formatted(bytes.length));
            }
            accept(chunk, bytes, 0, bytes.length, true);
        }
    }

    /** Handles an event that was read whole, by {@link #acceptAwaited} if {@code hasRoom}. */
    private void accept(Chunk chunk, byte[] bytes, int from, int length, boolean hasRoom) throws IOException {
        event.open(bytes, from, length);
        if (event.length() != length) {
            throw new MalformedEventException(
                    "its header states %d bytes, but it has %d".formatted(event.length(), length));
        }
        int code = event.code();
        if (code == EventCode.FORMAT_DESCRIPTION) {
            format = FormatDescription.decode(event.body());
            dispatcher.openTransaction.setMayRollBack(format.mayLogRolledBack());
            if (format.checksummed()) {
                checksums.verify(bytes, from, length);
            }
        } else if (format.checksummed()) {
            checksums.verify(bytes, from, length);
            event.cutChecksum();
        }
        locate();
        if (code == EventCode.TRANSACTION_PAYLOAD) {
            inner.openPayload(TransactionPayload.decode(event.body()), null, event.position());
            return;
        }
        if (!hasRoom && judgeCompressed(chunk, bytes, from, length, false)) {
            return;
        }
        dispatcher.dispatch(chunk, event, format);
        passed(false);
    }

    /** Sets the position of the event. */
    private void locate() {
        positions.locate(event, format.mariaDb());
        counters.see(event.timestampSeconds());
    }

    /** Continues after the event. */
    private void passed(boolean isInside) {
        if (isInside) {
            positions.passInside(event);
            inner.moveTo(event.position().next());
        } else {
            positions.pass(event, format.mariaDb());
        }
    }

    /** Starts to replay held events for the event that is dispatched, which is passed after them. */
    void replay(NestedEvents held) {
        inner.replay(held);
        if (inner.position() == null) {
            inner.moveTo(event.position());
            event.setPosition(progress.file(), event.start(), event.start());
        }
    }

    /** Reads the next event of the open payload or replay; at its end, the event that contains them counts as read. */
    private void acceptInside(Chunk chunk, Event.Position position) throws IOException {
        ByteWriter events = chunk.events();
        int from = events.size();
        int length = inner.read(events);
        if (length < 0) {
            endInside(position);
            return;
        }
        Event.Position at = inner.positionOfRead(position);
        event.open(events.array(), from, length);
        if (!inner.isReplay() && !EventCode.isOfPayload(event.code())) {
            throw new MalformedEventException("it holds an event of type " + event.code());
        }
        event.setPositionWithin(at);
        if (inner.hasRest()) {
            LargeEvent large = LargeEvent.cut(events, from, true);
            event.open(large.header(), large.body());
            event.setPositionWithin(at);
            judge(chunk, large);
        } else if (!judgeCompressed(chunk, events.array(), from, length, true)) {
            dispatchInside(chunk);
        }
    }

    private void endInside(Event.Position position) {
        if (inner.isReplay()) {
            boolean isInPayload = inner.endReplay();
            dispatcher.onReplayEnd();
            if (isInPayload) { // what was held back was in a payload
                return;
            }
        }
        inner.end();
        positions.passOuter(position);
    }

    private void dispatchInside(Chunk chunk) throws IOException {
        dispatcher.dispatch(chunk, event, format);
        passed(true);
    }

    @Override
    public void close() {
        inner.close();
    }
}
