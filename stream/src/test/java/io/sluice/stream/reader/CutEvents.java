package io.sluice.stream.reader;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.List;

/** Events of which large ones are cut, as a connection cuts them. */
final class CutEvents implements EventSource {
    private final List<byte[]> events;
    private int next;
    private int given;

    CutEvents(List<byte[]> events) {
        this.events = events;
    }

    @Override
    public int next(ByteWriter out) {
        if (next == events.size()) {
            return -1;
        }
        byte[] event = events.get(next++);
        given = event.length > LARGEST_WHOLE ? FIRST_BYTES : event.length;
        out.write(event, 0, given);
        return given;
    }

    @Override
    public boolean hasRest() {
        return next > 0 && given < events.get(next - 1).length;
    }

    @Override
    public int rest(byte[] to, int at, int most) {
        byte[] event = events.get(next - 1);
        int count = Math.min(most, event.length - given);
        System.arraycopy(event, given, to, at, count);
        given += count;
        return count == 0 ? -1 : count;
    }

    @Override
    public boolean hasBuffered() {
        return !hasRest();
    }

    @Override
    public void close() {}
}
