package io.sluice.stream.xa;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventHeader;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The held events of one transaction, in memory while there is room, otherwise in a file.
 *
 * <p>They are appended, then sealed, then read as often as needed, then discarded. A record in memory and in the file is:
 *
 * <pre>
 *   0              1
 *   +--------------+------------------------------------------------------------------+
 *   | kind u8      | EVENT, CUT: the event's header and body without checksum         |
 *   |              | TABLE: table id i64 and number of the table i32, big-endian      |
 *   |              | PASSED: how many events are left out here, i32, big-endian       |
 *   +--------------+------------------------------------------------------------------+
 * </pre>
 *
 * <p>In the file each has its length before it. For one thread.
 */
public final class HeldEvents {
    private static final int BUFFER_BYTES = 1 << 16;

    /** The overhead of a record in memory, in bytes. */
    private static final int RECORD_BYTES = 40;

    /**
     * The memory of a transaction whose events are all in a file, in bytes: the object, its xid, its boundary and the numbers of its
     * tables.
     */
    private static final int TRANSACTION_BYTES = 1 << 10;

    private final HeldSpace space;
    private final List<byte[]> records = new ArrayList<>();
    private long takenBytes;
    private int passed;
    private @Nullable Path file;
    private @Nullable DataOutputStream out;

    /** Makes an empty one. */
    public HeldEvents(HeldSpace space) {
        this.space = space;
        space.takeAlways(TRANSACTION_BYTES);
    }

    /** Appends an event, of which all bytes are there. */
    public void append(EventHeader header, EventBody body) throws IOException {
        appendEvent(RecordSource.EVENT, header, EventHeader.LENGTH + body.remaining(), body);
    }

    /** Appends the first bytes of an event that is too large to be read. */
    public void appendCut(EventHeader header, EventBody first) throws IOException {
        appendEvent(RecordSource.CUT, header, header.length(), first);
    }

    private void appendEvent(int kind, EventHeader header, int length, EventBody body) throws IOException {
        byte[] start = new byte[1 + EventHeader.LENGTH];
        ByteBuffer.wrap(start)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) kind)
                .putInt((int) header.timestampSeconds())
                .put((byte) header.code())
                .putInt((int) header.serverId())
                .putInt(length)
                .putInt((int) header.nextOffset())
                .putShort((short) header.flags());
        appendPassed();
        append(start, body.array(), body.offset(), body.remaining());
    }

    /** Appends that a table id is that of a table from here on. */
    public void appendTable(long tableId, int table) throws IOException {
        appendPassed();
        append(
                ByteBuffer.allocate(13)
                        .put((byte) RecordSource.TABLE)
                        .putLong(tableId)
                        .putInt(table)
                        .array(),
                new byte[0],
                0,
                0);
    }

    /** Appends that an event was left out, which counts in its transaction. */
    public void pass() {
        passed++;
    }

    private void appendPassed() throws IOException {
        if (passed > 0) {
            byte[] record = ByteBuffer.allocate(5)
                    .put((byte) RecordSource.PASSED)
                    .putInt(passed)
                    .array();
            passed = 0;
            append(record, new byte[0], 0, 0);
        }
    }

    private void append(byte[] start, byte[] bytes, int from, int count) throws IOException {
        long size = (long) start.length + count + RECORD_BYTES;
        if (file != null && out == null) {
            throw new IllegalStateException("the events are sealed: " + file);
        }
        if (out == null && space.take(size)) {
            takenBytes += size;
            byte[] record = Arrays.copyOf(start, start.length + count);
            System.arraycopy(bytes, from, record, start.length, count);
            records.add(record);
            return;
        }
        DataOutputStream target = out == null ? spill() : out;
        target.writeInt(start.length + count);
        target.write(start);
        target.write(bytes, from, count);
    }

    /** Moves what is in memory to a file. */
    private DataOutputStream spill() throws IOException {
        Path target = space.nextFile();
        file = target;
        DataOutputStream opened = new DataOutputStream(
                new BufferedOutputStream(Channels.newOutputStream(HeldSpace.create(target)), BUFFER_BYTES));
        out = opened;
        for (byte[] record : records) {
            opened.writeInt(record.length);
            opened.write(record);
        }
        forgetRecords();
        return opened;
    }

    private void forgetRecords() {
        records.clear();
        space.give(takenBytes);
        takenBytes = 0;
    }

    /** States that all events were appended. */
    public void seal() throws IOException {
        appendPassed();
        DataOutputStream open = out;
        if (open != null) {
            out = null; // with its buffer
            open.close();
        }
    }

    /**
     * Reads the events from their beginning, as if they had been written with another event.
     *
     * @param deciding its header, of which they get the time and the server
     * @param taker the listener for records between the events
     */
    public HeldReader read(EventHeader deciding, HeldReader.Taker taker) throws IOException {
        Path held = file;
        RecordSource source =
                held == null ? new RecordSource.Memory(List.copyOf(records)) : new RecordSource.OfFile(held);
        return new HeldReader(source, deciding, taker);
    }

    /** The file that holds them; null if memory does. */
    public @Nullable Path file() {
        return file;
    }

    /** Frees the memory, and deletes the file. Idempotent. */
    public void discard() {
        forgetRecords();
        space.give(TRANSACTION_BYTES);
        DataOutputStream open = out;
        Path held = file;
        try {
            if (open != null) {
                open.close();
            }
        } catch (IOException e) {
            // What could not be written is of no use any more.
        }
        try {
            if (held != null) {
                Files.deleteIfExists(held);
            }
        } catch (IOException e) {
            // The next start deletes it.
        }
    }
}
