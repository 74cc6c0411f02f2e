package io.sluice.format.row;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Extracts from the rows events of a system-versioned table of MariaDB the changes of its current rows, which are all that a query
 * returns.
 *
 * <p>In the binlog, an update is followed by the insert of the row's old version, and a delete is an update that sets until when
 * the row was current. Here the insert is left out, and such an update is a delete. For one thread.
 */
public final class VersionedRows {
    private static final int TIMESTAMP_BYTES = 7;

    private final RowImages images = new RowImages();

    /**
     * A run of rows of one kind.
     *
     * @param type INSERT, UPDATE or DELETE
     * @param body the rows as in an event of that kind, from its column count on
     * @param firstRow which row of the event its first one is, from 0
     */
    public record Run(EventType type, EventBody body, int firstRow) {}

    /**
     * Cuts the rows of an event into runs of what happens to current rows; none if it is all about old versions.
     *
     * @param table what its rows are rows of
     * @param type of the event
     * @param body the event from its column count on
     * @throws MalformedEventException if it is damaged, or not of its table
     */
    public List<Run> runsOf(MappedTable table, EventType type, EventBody body) {
        RowLayout layout = table.layout();
        int rowEnd = table.rowEnd();
        int start = body.offset();
        boolean update = type == EventType.UPDATE;
        images.open(layout, body.array(), start, body.end(), update);
        int bitmapBytes = (layout.columns.length + 7) / 8;
        int rowsStart = images.position();
        int deleteHead = rowsStart - (update ? bitmapBytes : 0);
        byte[] bytes = images.bytes();

        List<Run> runs = new ArrayList<>();
        EventType open = type;
        ByteWriter rows = new ByteWriter(body.end() - start);
        int firstRow = 0;
        for (int row = 0; images.hasNext(); row++) {
            int from = images.position();
            boolean wasCurrent = isCurrent(layout, images.next(), rowEnd);
            int to = images.position();
            @Nullable EventType kind = wasCurrent ? type : null;
            if (update) {
                boolean isCurrent = isCurrent(layout, images.nextAfter(), rowEnd);
                if (wasCurrent && !isCurrent) {
                    kind = EventType.DELETE;
                } else {
                    to = images.position();
                }
            }
            if (kind == null) {
                continue;
            }
            if (kind != open) {
                close(open, rows, firstRow, runs);
                open = kind;
            }
            if (rows.size() == 0) {
                firstRow = row;
                rows.write(bytes, start, (kind == EventType.DELETE ? deleteHead : rowsStart) - start);
            }
            rows.write(bytes, from, to - from);
        }
        close(open, rows, firstRow, runs);
        images.close();
        return runs;
    }

    private static void close(EventType type, ByteWriter rows, int firstRow, List<Run> runs) {
        if (rows.size() > 0) {
            byte[] body = rows.toByteArray();
            runs.add(new Run(type, new EventBody(body, 0, body.length), firstRow));
            rows.clear();
        }
    }

    /** A row whose end is not in the image is current: a minimal image has what changes, and the end did not. */
    private boolean isCurrent(RowLayout layout, RowImage image, int rowEnd) {
        int at = image.offsets[rowEnd];
        if (at < 0) {
            return true;
        }
        int length = layout.columns[rowEnd].type.length(images.bytes(), at, Integer.MAX_VALUE);
        if (length != TIMESTAMP_BYTES) {
            throw new MalformedEventException("the end of a row's version has %d bytes".formatted(length));
        }
        return isForEver(images.bytes(), at);
    }

    /**
     * The largest value of a {@code TIMESTAMP(6)}, of 2038 or, since MariaDB 11.5, of 2106, with or without {@code
     * mysql56_temporal_format}. Where transactions are counted instead of times, there are no rows events.
     */
    private static boolean isForEver(byte[] bytes, int at) {
        return (bytes[at] == 0x7F || bytes[at] == -1)
                && bytes[at + 1] == -1
                && bytes[at + 2] == -1
                && bytes[at + 3] == -1
                && bytes[at + 4] == 0x0F
                && bytes[at + 5] == 0x42
                && bytes[at + 6] == 0x3F;
    }
}
