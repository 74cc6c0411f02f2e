package io.sluice.stream.reader;

import io.sluice.mysql.binlog.EventRemainder;
import io.sluice.mysql.binlog.NestedEvents;
import io.sluice.mysql.binlog.PayloadReader;
import io.sluice.mysql.binlog.TransactionPayload;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.stream.event.Event;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The events that are read for one event of the stream, and before the next one: those in the payload of a compressed transaction, those that were held and are
 * replayed, or both, since what was held may be decided within a payload. For one thread.
 */
final class InnerEvents implements AutoCloseable {
    private final PayloadReader payloads = new PayloadReader();

    /** The held events that are replayed now; null if there are none. */
    private @Nullable NestedEvents replay;

    /** The position of the next one; null if there are none. */
    private Event.@Nullable Position next;

    /** The position of the next one; null if the next event is one of the stream. */
    Event.@Nullable Position position() {
        return next;
    }

    /** Sets the position of the next one. */
    void moveTo(Event.Position position) {
        next = position;
    }

    /**
     * Begins to read a payload.
     *
     * @param rest what of it was not read yet; null if it was read whole
     * @param first the position of its first event
     */
    void openPayload(TransactionPayload payload, @Nullable EventRemainder rest, Event.Position first) {
        payloads.open(payload, rest);
        next = first;
    }

    /** Begins to read held events. Their position must be set if it is not known. */
    void replay(NestedEvents held) {
        replay = held;
    }

    /** Whether held events are read, and not those of a payload. */
    boolean isReplay() {
        return replay != null;
    }

    /** Appends the next event, as {@link NestedEvents#next}. */
    int read(ByteWriter out) throws IOException {
        return current().next(out);
    }

    /** The position of the event that was read, after those before it that were left out. */
    Event.Position positionOfRead(Event.Position expected) {
        Event.Position at = expected;
        for (int i = current().leftOut(); i > 0; i--) {
            at = at.next();
        }
        next = at;
        return at;
    }

    /** Whether the event that was read was cut. */
    boolean hasRest() {
        return current().hasRest();
    }

    /** Gives more of an event that was cut, as {@link NestedEvents#rest}. */
    int rest(byte[] to, int at, int most) throws IOException {
        return current().rest(to, at, most);
    }

    private NestedEvents current() {
        NestedEvents held = replay;
        return held == null ? payloads : held;
    }

    /**
     * Ends the replay, whose events were read to their end.
     *
     * @return whether a payload is open in which they were replayed
     */
    boolean endReplay() {
        replay = null;
        return payloads.isOpen();
    }

    /** Notes that all were read to their end. */
    void end() {
        next = null;
    }

    /** Drops what is open: it comes again, in another connection. */
    void abandon() {
        payloads.abandon();
        replay = null;
        next = null;
    }

    /** Frees what it holds outside of the heap. */
    @Override
    public void close() {
        payloads.close();
    }
}
