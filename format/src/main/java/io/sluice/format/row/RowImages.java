package io.sluice.format.row;

import io.sluice.format.value.PartialJson;
import io.sluice.format.value.ValueDifferences;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
 * <p>If JSON values of an image after may be differences to those before, options of its values precede it, and if the
 * first of them is set, a bit per JSON column of the table.
 *
 * <p>An update does not change a column that is not in its image after. If that is asked for, such a column has the value of
 * the image before, unless that lacks it, too.
 *
 * <p>With minimal row images, an insert that names no column has an image without columns, which takes no bytes. Servers write one such row into an event at
 * most: MySQL rejects a statement that inserts two.
 *
 * <p>Reused from event to event; for one thread.
 */
public final class RowImages {
    private static final byte[] NO_BYTES = {};

    /** Larger numbers of columns take more than a byte. */
    private static final int MAX_SHORT_COUNT = 250;

    private static final int DIFFERENCES_OPTION = 1;
    private static final int SMALLEST_REBUILT = 64;
    private static final int LARGEST_KEPT = 1 << 20;

    private MappedColumn[] columns = {};
    private @Nullable PartialJson partialJson;
    private boolean completesAfter;
    private byte[] bytes = NO_BYTES;
    private int at;
    private int end;
    private int bitmapBytes;
    private int beforeBitsAt;
    private int afterBitsAt;

    /** How many columns an image has. */
    private int beforeCount;

    private int afterCount;

    /** Whether the event is about a row of which no column is logged, which takes no bytes; and whether that is still to come. */
    private boolean isOfEmptyRow;

    private boolean isEmptyRowLeft;

    /** Whether the images before show that the server leaves generated columns out. */
    private boolean lacksGeneratedAlone;

    /** Which rows are walked over; null for all. */
    private @Nullable RowChoice choice;

    private int nextChosen;

    /** Where the differences are whose texts were rebuilt, and how long they are. */
    private int[] differencesAt = {};

    private int[] differencesLengths = {};

    private final RowImage before = new RowImage();
    private final RowImage after = new RowImage();

    /** Bytes of the image before that are in the one after too, so much later in the event. */
    private int sameFrom;

    private int sameTo;
    private int sameShift;

    /** Where the bits are that mark the differences in the image after; −1 if all of its values are values. */
    private int differenceBitsAt;

    private ByteWriter rebuilt = new ByteWriter(SMALLEST_REBUILT);

    /**
     * Opens an event of which all rows are read, and in which no values are differences.
     *
     * @param layout the columns of its table
     * @param event holds the event
     * @param from where the column count is
     * @param to where the last row ends, exclusive
     * @param update whether each row has two images
     * @throws MalformedEventException if it has not the columns of its table, or is cut off
     */
    public void open(RowLayout layout, byte[] event, int from, int to, boolean update) {
        open(layout, event, from, to, update, null, false, null);
    }

    /**
     * Opens an event, or some of its rows.
     *
     * @param layout the columns of its table
     * @param event holds the event
     * @param from where the column count is
     * @param to where the last row ends, exclusive
     * @param update whether each row has two images
     * @param form what becomes of JSON values that are logged as differences; null if the event has none
     * @param completes whether an image after takes what it lacks from the image before
     * @param some which rows are read; null for all
     * @throws MalformedEventException if it has not the columns of its table, or is cut off
     */
    public void open(
            RowLayout layout,
            byte[] event,
            int from,
            int to,
            boolean update,
            @Nullable PartialJson form,
            boolean completes,
            @Nullable RowChoice some) {
        columns = layout.columns;
        partialJson = form;
        completesAfter = completes;
        choice = some;
        nextChosen = 0;
        bytes = event;
        at = from;
        end = to;
        long count = readColumnCount();
        if (count != columns.length) {
            throw new MalformedEventException(
                    "it has %d columns, and its table map %d".formatted(count, columns.length));
        }
        bitmapBytes = (columns.length + 7) / 8;
        beforeBitsAt = at;
        afterBitsAt = at + bitmapBytes;
        at = update ? afterBitsAt + bitmapBytes : afterBitsAt;
        if (at > end) {
            throw new MalformedEventException("it ends within its bitmaps of columns, at byte " + end);
        }
        beforeCount = presentFrom(beforeBitsAt);
        afterCount = update ? presentFrom(afterBitsAt) : beforeCount;
        if (update && beforeCount == 0) {
            throw new MalformedEventException("an update with no columns in its images before");
        }
        lacksGeneratedAlone = update && layout.lacksGeneratedAlone(bytes, beforeBitsAt);
        isOfEmptyRow = beforeCount == 0 && at == end;
        isEmptyRowLeft = isOfEmptyRow;
        before.fit(columns.length);
        after.fit(columns.length);
    }

    /** Releases the event, which may be large, and buffers that it has made large. */
    public void close() {
        bytes = NO_BYTES;
        choice = null;
        if (rebuilt.array().length > LARGEST_KEPT) {
            rebuilt = new ByteWriter(SMALLEST_REBUILT);
        }
    }

    private long readColumnCount() {
        if (at < end && (bytes[at] & 0xFF) <= MAX_SHORT_COUNT) {
            return bytes[at++] & 0xFF; // as nearly always
        }
        EventBody body = new EventBody(bytes, at, end);
        long count = body.readPackedLong();
        at = body.offset();
        return count;
    }

    /** How many columns a bitmap has. The unused bits after the last column may be set. */
    private int presentFrom(int bitsAt) {
        int present = 0;
        for (int i = 0; i < bitmapBytes; i++) {
            int bits = bytes[bitsAt + i] & 0xFF;
            int used = columns.length - 8 * i;
            present += Integer.bitCount(used < 8 ? bits & (1 << used) - 1 : bits);
        }
        return present;
    }

    /** Where the next image starts, in {@link #bytes}. */
    public int position() {
        return at;
    }

    /** Whether another row follows. */
    public boolean hasNext() {
        RowChoice some = choice;
        return some == null ? at < end || isEmptyRowLeft : nextChosen < some.rows().length;
    }

    /**
     * The next image of an insert or a delete, or the image before of an update. That of the part {@link RowPart#AFTER} of a split
     * update has documents as in {@link #nextAfterWithDocuments}.
     */
    public RowImage next() {
        RowChoice some = choice;
        if (some == null) {
            return scan(before, beforeBitsAt);
        }
        at = some.of().start(some.rows()[nextChosen++]);
        scan(before, beforeBitsAt);
        return some.part() == RowPart.AFTER ? nextAfterWithDocuments() : before;
    }

    /** Continues with the row that starts at an offset, and with all that follow it. */
    public void moveTo(int rowStart) {
        choice = null;
        at = rowStart;
        isEmptyRowLeft = isOfEmptyRow;
    }

    /** The image after of an update, following {@link #next}. */
    public RowImage nextAfter() {
        return nextAfter(partialJson);
    }

    /**
     * Like {@link #nextAfter}, but values that are logged as differences become documents whatever form is chosen for the event,
     * unless the image before lacks the document.
     */
    public RowImage nextAfterWithDocuments() {
        return nextAfter(partialJson == null ? null : PartialJson.DOCUMENT);
    }

    private RowImage nextAfter(@Nullable PartialJson form) {
        sameTo = 0;
        differenceBitsAt = form == null ? -1 : passDifferenceBits();
        scan(after, afterBitsAt);
        if (form != null && differenceBitsAt >= 0) {
            rebuild(form);
        }
        if (completesAfter) {
            complete();
        }
        return after;
    }

    /** Passes over the image after of an update, following {@link #next}; in it, differences of values are as such. */
    public RowImage passAfter() {
        differenceBitsAt = partialJson == null ? -1 : passDifferenceBits();
        scan(after, afterBitsAt);
        if (completesAfter) {
            complete();
        }
        return after;
    }

    /**
     * Whether the image after of the update, which was read or passed over, has a column as the difference to a document that the
     * image before lacks, so that the document is not in the event.
     */
    public boolean lacksDocument() {
        if (differenceBitsAt < 0) {
            return false;
        }
        int bit = 0;
        for (int i = 0; i < columns.length; i++) {
            if (columns[i].hasDifferences()) {
                int length = after.lengths[i];
                boolean isThere = length >= 0 || RowImage.isRebuilt(length);
                if (isThere && isDifference(bit) && before.lengths[i] < 0) {
                    return true;
                }
                bit++;
            }
        }
        return false;
    }

    /**
     * Whether the image after of the update, which was read or passed over, has all columns that are delivered. Generated columns do not
     * count if they are all that the images before lack: then the server leaves them out.
     */
    public boolean isWhole() {
        for (int i = 0; i < columns.length; i++) {
            MappedColumn column = columns[i];
            if (column.delivered && after.lengths[i] == RowImage.ABSENT && !(column.generated && lacksGeneratedAlone)) {
                return false;
            }
        }
        return true;
    }

    private boolean isDifference(int jsonColumn) {
        return (bytes[differenceBitsAt + (jsonColumn >> 3)] & 1 << (jsonColumn & 7)) != 0;
    }

    /** Takes what the image after lacks from the one before; those bytes are in the event only once then. */
    private void complete() {
        for (int i = 0; i < columns.length; i++) {
            int length = before.lengths[i];
            if (after.lengths[i] == RowImage.ABSENT && length != RowImage.ABSENT) {
                after.lengths[i] = length;
                after.offsets[i] = before.offsets[i];
                after.valueBytes += Math.max(0, length);
            }
        }
    }

    /**
     * How many bytes the texts of the compressed values of an image take at most, beside the bytes of the values.
     *
     * @throws MalformedEventException if a value is damaged
     */
    public long unpackedBytes(RowImage image) {
        long sum = 0;
        for (int i = 0; i < columns.length; i++) {
            if (image.lengths[i] > 0) {
                sum += columns[i].type.unpackedBytes(bytes, image.offsets[i], image.lengths[i]);
            }
        }
        return sum;
    }

    /**
     * Whether a column has the same bytes in both images of the update, or is NULL in both. Asked in the order of the columns it
     * compares all that is the same up to the next change at once.
     */
    public boolean isSame(int index) {
        int length = after.lengths[index];
        if (length != before.lengths[index] || length < RowImage.NULL) {
            return false;
        }
        if (length == RowImage.NULL) {
            return true;
        }
        int from = before.offsets[index];
        int shift = after.offsets[index] - from;
        if (shift == 0) {
            return true; // completed
        }
        if (shift != sameShift || from < sameFrom || from + length > sameTo) {
            int most = Math.min(before.end - from, after.end - shift - from);
            int same = Arrays.mismatch(bytes, from, from + most, bytes, from + shift, from + shift + most);
            sameFrom = from;
            sameTo = from + (same < 0 ? most : same);
            sameShift = shift;
        }
        return from + length <= sameTo;
    }

    /** Where the bits are that mark differences; −1 if all are values. */
    private int passDifferenceBits() {
        EventBody body = new EventBody(bytes, at, end);
        long options = body.readPackedLong();
        int bitsAt = -1;
        if ((options & DIFFERENCES_OPTION) != 0) {
            int jsonColumns = 0;
            for (MappedColumn column : columns) {
                if (column.hasDifferences()) {
                    jsonColumns++;
                }
            }
            bitsAt = body.offset();
            body.skip((jsonColumns + 7) / 8);
        }
        at = body.offset();
        return bitsAt;
    }

    private void rebuild(PartialJson form) {
        rebuilt.clear();
        if (differencesAt.length < columns.length) {
            differencesAt = new int[columns.length];
            differencesLengths = new int[columns.length];
        }
        int bit = 0;
        for (int i = 0; i < columns.length; i++) {
            ValueDifferences differences = columns[i].type.differences();
            if (differences == null) {
                continue;
            }
            boolean isDifference = isDifference(bit);
            bit++;
            if (!isDifference || after.lengths[i] < 0) {
                continue;
            }
            if (form == PartialJson.DOCUMENT && before.lengths[i] < 0 && differences.areNone(after.lengths[i])) {
                after.lengths[i] = RowImage.ABSENT; // unchanged; its value is not in the event
            } else {
                int start = rebuilt.size();
                differencesAt[i] = after.offsets[i];
                differencesLengths[i] = after.lengths[i];
                differences.writeText(
                        bytes,
                        before.offsets[i],
                        before.lengths[i],
                        after.offsets[i],
                        after.lengths[i],
                        columns[i].name(),
                        form,
                        rebuilt);
                after.offsets[i] = start;
                after.lengths[i] = RowImage.rebuiltLength(rebuilt.size() - start);
            }
        }
    }

    /** Whether a column whose text was rebuilt, and is the one before, has the same value after the update as before. */
    public boolean isRebuiltSame(int index) {
        ValueDifferences differences = columns[index].type.differences();
        return differences != null
                && differences.areWithoutEffect(
                        bytes,
                        before.offsets[index],
                        before.lengths[index],
                        differencesAt[index],
                        differencesLengths[index]);
    }

    /** The texts of values that were logged as differences; the offsets of the image after are in here for them. */
    public byte[] rebuilt() {
        return rebuilt.array();
    }

    public byte[] bytes() {
        return bytes;
    }

    private RowImage scan(RowImage image, int presentBitsAt) {
        byte[] array = bytes;
        int present = image == before ? beforeCount : afterCount;
        int nullBitsAt = at;
        int nullBytes = (present + 7) / 8;
        if (nullBytes > end - at) {
            throw new MalformedEventException("a row ends within its NULL bits, at byte " + at);
        }
        if (present == 0 && image == before) {
            if (!isOfEmptyRow) { // the walk would not end
                throw new MalformedEventException("a rows event with no columns in its image");
            }
            isEmptyRowLeft = false;
        }
        int next = at + nullBytes;
        int limit = end;
        int bit = 0;
        int[] offsets = image.offsets;
        int[] lengths = image.lengths;
        MappedColumn[] all = columns;
        boolean isWhole = present == all.length;
        for (int i = 0; i < all.length; i++) {
            MappedColumn column = all[i];
            if (!isWhole && (array[presentBitsAt + (i >> 3)] & 1 << (i & 7)) == 0) {
                lengths[i] = RowImage.ABSENT;
                offsets[i] = RowImage.NULL;
                continue;
            }
            boolean isNull = (array[nullBitsAt + (bit >> 3)] & 1 << (bit & 7)) != 0;
            bit++;
            if (isNull) {
                lengths[i] = column.delivered ? RowImage.NULL : RowImage.ABSENT;
                offsets[i] = RowImage.NULL;
                continue;
            }
            int length = column.fixedLength;
            if (length < 0) {
                int prefix = column.prefixLength;
                if (prefix == 1 && next < limit) {
                    length = 1 + (array[next] & 0xFF);
                } else if (prefix == 2 && next < limit - 1) {
                    length = 2 + (array[next] & 0xFF | (array[next + 1] & 0xFF) << 8);
                } else {
                    length = column.type.length(array, next, limit);
                }
            }
            if (length > limit - next) {
                throw beyondEnd(length, limit - next);
            }
            offsets[i] = next;
            lengths[i] = column.delivered ? length : RowImage.ABSENT;
            next += length;
        }
        image.valueBytes = next - at;
        image.end = next;
        at = next;
        return image;
    }

    private static MalformedEventException beyondEnd(int length, int left) {
        return new MalformedEventException(
                "a value of %d bytes, where only %d are left in its event".formatted(length, left));
    }
}
