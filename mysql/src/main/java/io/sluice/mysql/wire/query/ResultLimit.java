package io.sluice.mysql.wire.query;

import java.time.Duration;

/**
 * How much of an answer to a query is taken, so that a server that is hostile, or is none, does not take the heap of all instances.
 *
 * @param heapBytes the heap that its rows and the largest packet may take, by {@linkplain HeapBudget estimate}
 * @param rows how many rows it may have
 * @param minimumTime how long the whole answer may take at least, whatever the read timeout is
 * @param remedy what to do if a server that is the right one has more
 */
public record ResultLimit(long heapBytes, long rows, Duration minimumTime, String remedy) {
    private static final int MIB = 1 << 20;
    private static final String OTHER_SERVER = "see that a MySQL or MariaDB server answers at this address";

    /** What an operator sets to give this program more heap, in the words of its script. */
    public static final String HEAP_SETTING = System.getProperty("sluice.heap.setting", "-Xmx");

    /** What to see to before the heap is made larger because of a source. */
    public static final String IF_SOURCE = OTHER_SERVER + "; if it is the source, ";

    /** What to see to before the heap is made larger because of a schema history. */
    public static final String IF_HISTORY =
            "see that canal.instance.tsdb.url leads to the schema history that is meant; if it does, ";

    private static final String MORE_HEAP = IF_SOURCE + "raise " + HEAP_SETTING;

    /** The share of the heap that the answer to one query may take. */
    private static final int SHARE_OF_HEAP = 4;

    /** Of variables, and of all else that has a few rows. */
    public static final ResultLimit SMALL = new ResultLimit(MIB, 10_000, Duration.ZERO, OTHER_SERVER);

    /** Of all that may grow with a source, such as lists of tables and their definitions. */
    public static final ResultLimit LARGE = new ResultLimit(
            Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP, Long.MAX_VALUE, Duration.ofMinutes(10), MORE_HEAP);

    /** Of the rows of a schema history. */
    public static final ResultLimit HISTORY =
            new ResultLimit(LARGE.heapBytes, Long.MAX_VALUE, LARGE.minimumTime, IF_HISTORY + "raise " + HEAP_SETTING);

    /** Of what is kept of all columns of a source. As much is needed again to report it. */
    public static final ResultLimit CATALOG =
            new ResultLimit(Runtime.getRuntime().maxMemory() / 2, Long.MAX_VALUE, LARGE.minimumTime, MORE_HEAP);

    /** Of sets of GTIDs, which are read as one text, and copied: so many bytes are hundreds of thousands of UUIDs. */
    public static final ResultLimit GTIDS =
            new ResultLimit(Math.min(16L * MIB, LARGE.heapBytes), 10_000, Duration.ofMinutes(1), MORE_HEAP);

    public ResultLimit {
        if (heapBytes < 1 || rows < 1) {
            throw new IllegalArgumentException("limit is less than 1: %d bytes, %d rows".formatted(heapBytes, rows));
        }
    }

    /** Returns a limit of at most so much heap, in bytes; this one if it is as small. */
    public ResultLimit atMost(long bytes) {
        return bytes >= heapBytes ? this : new ResultLimit(bytes, rows, minimumTime, remedy);
    }

    /** The largest packet: while it is received, its buffer grows, and then its values are copied. */
    public int packetBytes() {
        return (int) Math.min(Integer.MAX_VALUE, Math.max(1, heapBytes / 2));
    }
}
