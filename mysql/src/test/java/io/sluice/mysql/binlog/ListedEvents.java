package io.sluice.mysql.binlog;

import io.sluice.protocol.bytes.ByteWriter;
import java.util.List;

/** Events from a list, then the end of the source. */
public final class ListedEvents implements EventSource {
    private final List<byte[]> events;
    private int next;

    public ListedEvents(List<byte[]> events) {
        this.events = events;
    }

    @Override
    public int next(ByteWriter out) {
        if (next == events.size()) {
            return -1;
        }
        byte[] event = events.get(next++);
        out.write(event);
        return event.length;
    }

    @Override
    public boolean hasBuffered() {
        return true;
    }

    @Override
    public void close() {}
}
