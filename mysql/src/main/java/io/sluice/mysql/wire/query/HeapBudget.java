package io.sluice.mysql.wire.query;

import io.sluice.mysql.wire.error.ResultTooLargeException;

/** Counts the heap that answers of a server take, and rejects what exceeds a limit. An estimate, for objects of a 64-bit JVM. For one thread. */
public final class HeapBudget {
    /** A row, its array, and its place in a list. */
    private static final int ROW_BYTES = 48;

    /** A reference, and the header and padding of its array. */
    private static final int VALUE_BYTES = 24;

    private final ResultLimit limit;
    private final String what;
    private long bytes;
    private long rows;

    /**
     * Makes a budget that is not used yet.
     *
     * @param what is taken, for messages
     */
    public HeapBudget(ResultLimit limit, String what) {
        this.limit = limit;
        this.what = what;
    }

    /**
     * Takes a row before its values are copied.
     *
     * @param values how many it has
     * @param payload how many bytes they have
     * @param buffer how many bytes the buffer has that it was received into, which is used again
     * @throws ResultTooLargeException if that exceeds the limit
     */
    public void takeRow(int values, long payload, long buffer) throws ResultTooLargeException {
        rows++;
        if (rows > limit.rows()) {
            throw new ResultTooLargeException(
                    "%s exceeds the limit of %d rows".formatted(what, limit.rows()), limit.remedy());
        }
        bytes += ROW_BYTES + (long) VALUE_BYTES * values + payload;
        requireRoom(buffer);
    }

    /**
     * Takes what is kept of an answer in another form.
     *
     * @param heap how many bytes of heap it has
     * @throws ResultTooLargeException as {@link #takeRow}
     */
    public void take(long heap) throws ResultTooLargeException {
        takeRow(0, heap, 0);
    }

    /**
     * Takes a row that is not kept, so that only its own size and the number of rows count.
     *
     * @throws ResultTooLargeException as {@link #takeRow}
     */
    void passRow(int values, long payload, long buffer) throws ResultTooLargeException {
        long kept = bytes;
        takeRow(values, payload, buffer);
        bytes = kept;
    }

    /**
     * Takes the definition of a column.
     *
     * @param payload how many bytes it has, of which its name is a part
     * @param buffer as of a row
     * @throws ResultTooLargeException if that exceeds the limit
     */
    void takeColumn(long payload, long buffer) throws ResultTooLargeException {
        bytes += VALUE_BYTES + payload;
        requireRoom(buffer);
    }

    private void requireRoom(long buffer) throws ResultTooLargeException {
        if (bytes + buffer > limit.heapBytes()) {
            throw new ResultTooLargeException(
                    "%s exceeds the limit of %d bytes of heap, with %d rows so far"
                            .formatted(what, limit.heapBytes(), rows),
                    limit.remedy());
        }
    }
}
