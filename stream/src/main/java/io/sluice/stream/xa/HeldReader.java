package io.sluice.stream.xa;

import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.NestedEvents;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads held events with the time and server of the event that committed their transaction. For
 * one thread.
 */
public final class HeldReader implements NestedEvents, Closeable {
    private static final int SERVER_ID_OFFSET = 5;

    private final RecordSource records;
    private final EventHeader deciding;
    private final Taker taker;

    /** How much of the event that came last is still to be read. */
    private int unread;

    /** A listener for the records between the events. */
    public interface Taker {
        /** A table id is that of a table from here on. */
        void table(long tableId, int table);

        /** The number of events that were left out here. */
        void passed(int events);
    }

    HeldReader(RecordSource records, EventHeader deciding, Taker taker) {
        this.records = records;
        this.deciding = deciding;
        this.taker = taker;
    }

    @Override
    public int next(ByteWriter out) throws IOException {
        int length = records.next();
        while (length >= 0) {
            byte[] start = new byte[1];
            records.read(start, 0, 1);
            switch (start[0]) {
                case RecordSource.TABLE -> {
                    ByteBuffer record = read(length - 1);
                    taker.table(record.getLong(), record.getInt());
                }
                case RecordSource.PASSED -> taker.passed(read(length - 1).getInt());
                case RecordSource.CUT -> {
                    return event(length - 1, length - 1, out);
                }
                default -> {
                    boolean isWhole = length - 1 <= EventSource.LARGEST_WHOLE;
                    return event(length - 1, isWhole ? length - 1 : EventSource.FIRST_BYTES, out);
                }
            }
            length = records.next();
        }
        unread = 0;
        return -1;
    }

    private ByteBuffer read(int length) throws IOException {
        byte[] bytes = new byte[length];
        records.read(bytes, 0, length);
        return ByteBuffer.wrap(bytes);
    }

    private int event(int length, int wanted, ByteWriter out) throws IOException {
        int from = out.size();
        out.ensure(wanted);
        records.read(out.array(), from, wanted);
        out.setSize(from + wanted);
        ByteBuffer header =
                ByteBuffer.wrap(out.array(), from, EventHeader.LENGTH).slice().order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(0, (int) deciding.timestampSeconds());
        header.putInt(SERVER_ID_OFFSET, (int) deciding.serverId());
        int stated = EventHeader.read(out.array(), from, wanted).length();
        unread = stated - wanted;
        if (stated < length) {
            throw new IOException("an event that was held back has %d bytes, it states %d".formatted(length, stated));
        }
        return wanted;
    }

    @Override
    public boolean hasRest() {
        return unread > 0;
    }

    @Override
    public int rest(byte[] to, int at, int most) throws IOException {
        if (unread == 0) {
            return -1;
        }
        int count = Math.min(most, unread);
        records.read(to, at, count);
        unread -= count;
        return count;
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
