package io.sluice.server.instance;

import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.LargeEventPolicy;

/**
 * How much of the heap one large row may take on its way, so that it is rejected with a reason before memory runs out; and what is
 * remembered of tables.
 *
 * <p>An event is held once, from its source to its ack. Of a message there are at its worst five copies at a time: its event, the
 * buffer in which it is made and what that grew out of, the message, and the producer's copy. The event of an update has two
 * images, so it may be twice as large as the message.
 *
 * @param heapBytes the largest heap
 */
record HeapShares(long heapBytes) {
    private static final int OF_AN_EVENT = 4;
    private static final int OF_A_MESSAGE = 8;
    private static final int OF_ALL_TABLES = 8;
    private static final int OF_ALL_STORES = 8;
    private static final int OF_HELD = 16;
    private static final long MIN_FOR_TABLES = 2L << 20;

    /** The shares of the heap of this process. */
    static HeapShares ofThisProcess() {
        return new HeapShares(Runtime.getRuntime().maxMemory());
    }

    /** For entries that are sent: larger events are subject to the policy for rejected messages. */
    LargeEventPolicy whenSent() {
        return new LargeEventPolicy(heapBytes / OF_AN_EVENT, true);
    }

    /** For entries that clients pull, which must all be delivered. */
    LargeEventPolicy whenPulled() {
        return new LargeEventPolicy(heapBytes / OF_A_MESSAGE, false);
    }

    /**
     * What one instance may remember of tables, to decode their rows.
     *
     * @param instances how many there are
     */
    long tablesOf(int instances) {
        return Math.max(MIN_FOR_TABLES, heapBytes / OF_ALL_TABLES / Math.max(1, instances));
    }

    /**
     * How many bytes of entries one instance may hold, unless an operator has set that: at least what canal ships.
     *
     * @param instances how many there are
     */
    long storeOf(int instances) {
        return Math.max(RingConfig.DEFAULT.capacityBytes(), heapBytes / OF_ALL_STORES / Math.max(1, instances));
    }

    /**
     * How much memory one instance may take for rows of XA transactions that are held back.
     *
     * @param wanted what is configured
     * @param instances how many instances there are
     */
    long heldOf(long wanted, int instances) {
        return Math.min(wanted, heapBytes / OF_HELD / Math.max(1, instances));
    }

    /** The largest message, in bytes. */
    int largestMessage() {
        return (int) Math.min(heapBytes / OF_A_MESSAGE, Integer.MAX_VALUE);
    }
}
