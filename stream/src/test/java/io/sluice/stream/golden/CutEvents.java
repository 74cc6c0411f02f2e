package io.sluice.stream.golden;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.List;
import java.util.Random;

/** Events from a list, many of which come in pieces, as large ones do. */
final class CutEvents implements EventSource {
    /** A header, and the fields before the rows. */
    private static final int MIN_FIRST = 64;

    private final List<byte[]> events;
    private final Random random;
    private byte[] open = {};
    private int given;
    private int next;

    CutEvents(List<byte[]> events, Random random) {
        this.events = events;
        this.random = random;
    }

    @Override
    public int next(ByteWriter out) {
        if (next == events.size()) {
            return -1;
        }
        open = events.get(next++);
        given = open.length;
        if (open[4] != EventCode.FORMAT_DESCRIPTION && open.length > MIN_FIRST + 8 && random.nextInt(4) > 0) {
            given = MIN_FIRST + random.nextInt(open.length - MIN_FIRST - 8);
        }
        out.write(open, 0, given);
        return given;
    }

    @Override
    public boolean hasRest() {
        return given < open.length;
    }

    @Override
    public int rest(byte[] to, int at, int most) {
        if (!hasRest()) {
            return -1;
        }
        int count = Math.min(most, 1 + random.nextInt(open.length - given));
        System.arraycopy(open, given, to, at, count);
        given += count;
        return count;
    }

    @Override
    public boolean hasBuffered() {
        return !hasRest();
    }

    @Override
    public void close() {}
}
