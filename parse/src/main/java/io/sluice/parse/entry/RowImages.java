package io.sluice.parse.entry;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.MalformedEventException;

/**
 * Walks over the row images of one rows event.
 *
 * <pre>
 *   +--------------+----------------+---------------------+---------------------------+--------
 *   | column count | columns before | columns after       | per row: image, and for   |
 *   | lenc         | bits           | bits, updates only  | updates the image after   | ...
 *   +--------------+----------------+---------------------+---------------------------+--------
 *   image:  a NULL bit per column that is present, then the values of those that are not NULL
 * </pre>
 *
 * <p>Reused from event to event; for one thread.
 */
final class RowImages {
    /** In place of a length: the column is NULL; or it is not in the image, or not delivered. */
    static final int NULL = -1;

    static final int ABSENT = -2;

    private MappedColumn[] columns = {};
    private byte[] bytes = {};
    private int at;
    private int end;
    private int bitmapBytes;
    private int beforeBitsAt;
    private int afterBitsAt;

    private final Image before = new Image();
    private final Image after = new Image();

    /** Where each column's value stands, also one that is not delivered, and how long it is. */
    static final class Image {
        int[] offsets = {};
        int[] lengths = {};

        private void fit(int columns) {
            if (offsets.length < columns) {
                offsets = new int[columns];
                lengths = new int[columns];
            }
        }
    }

    /**
     * Opens an event.
     *
     * @param table what its rows are rows of
     * @param body the event from the column count on
     * @param update whether each row has two images
     */
    void open(MappedTable table, EventBody body, boolean update) {
        columns = table.columns;
        bytes = body.array();
        long count = body.readPackedLong();
        if (count != columns.length) {
            throw new MalformedEventException("a rows event of %s.%s has %d columns, its table map %d"
                    .formatted(table.schema(), table.table(), count, columns.length));
        }
        bitmapBytes = (columns.length + 7) / 8;
        beforeBitsAt = body.offset();
        body.skip(bitmapBytes);
        afterBitsAt = body.offset();
        if (update) {
            body.skip(bitmapBytes);
        }
        at = body.offset();
        end = body.end();
        before.fit(columns.length);
        after.fit(columns.length);
    }

    /** Where the next image starts, in {@link #bytes}. */
    int position() {
        return at;
    }

    /** Whether another row follows. */
    boolean hasNext() {
        return at < end;
    }

    /** The next image of an insert or a delete, or the image before of an update. */
    Image next() {
        return scan(before, beforeBitsAt);
    }

    /** The image after of an update, following {@link #next}. */
    Image nextAfter() {
        return scan(after, afterBitsAt);
    }

    byte[] bytes() {
        return bytes;
    }

    private Image scan(Image image, int presentBitsAt) {
        byte[] array = bytes;
        int present = 0;
        for (int i = 0; i < bitmapBytes; i++) {
            present += Integer.bitCount(array[presentBitsAt + i] & 0xFF);
        }
        int nullBitsAt = at;
        int nullBytes = (present + 7) / 8;
        if (nullBytes > end - at) {
            throw new MalformedEventException("a row ends within its NULL bits, at byte " + at);
        }
        if (present == 0 && image == before) {
            // An image of no columns takes no bytes; without this the walk would not end.
            throw new MalformedEventException("a rows event with no columns in its image");
        }
        int next = at + nullBytes;
        int bit = 0;
        for (int i = 0; i < columns.length; i++) {
            if ((array[presentBitsAt + (i >> 3)] & 1 << (i & 7)) == 0) {
                image.lengths[i] = ABSENT;
                image.offsets[i] = NULL;
                continue;
            }
            boolean isNull = (array[nullBitsAt + (bit >> 3)] & 1 << (bit & 7)) != 0;
            bit++;
            MappedColumn column = columns[i];
            if (isNull) {
                image.lengths[i] = column.delivered ? NULL : ABSENT;
                image.offsets[i] = NULL;
                continue;
            }
            int length = column.type.length(array, next, end);
            if (length > end - next) {
                throw new MalformedEventException(
                        "a value of %d bytes, where only %d are left in its event".formatted(length, end - next));
            }
            image.offsets[i] = next;
            image.lengths[i] = column.delivered ? length : ABSENT;
            next += length;
        }
        at = next;
        return image;
    }
}
