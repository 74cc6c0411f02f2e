package io.sluice.connector.kafka.produce;

import java.util.concurrent.TimeUnit;

/**
 * How many batches of a partition may be in flight: one as long as the broker may have no record of the producer's epoch, then as many as a
 * broker remembers; more if they are large and answers come soon, so that a broker far away is given more at a time. For the loop's
 * thread alone.
 */
final class InFlightWindow {
    /** From so many bytes on a batch is large: a smaller one is to wait until there is more to be sent with it. */
    static final int LARGE_BYTES = 256 * 1024;

    /**
     * After so long without an acknowledgement the next batch is sent alone, as the first one was: a broker forgets a producer that has
     * sent nothing to a partition for {@code producer.id.expiration.ms}, and accepts any sequence number then.
     */
    private static final long MAX_IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** If an answer takes longer than that, it is not for the way: more in flight would only wait, until requests time out. */
    private static final long SOON_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final int maxInFlight;
    private final int largeBytes;

    private boolean isOpen;
    private long acknowledgedNanos;

    /** How long the newest answer took. */
    private long answerNanos;

    /**
     * Has room for one batch.
     *
     * @param maxInFlight from 1 to {@link ProduceOptions#MAX_IN_FLIGHT}
     * @param largeBytes from so many bytes on a batch is large
     */
    InFlightWindow(int maxInFlight, int largeBytes) {
        this.maxInFlight = maxInFlight;
        this.largeBytes = largeBytes;
    }

    /** How many batches may be in flight with one. */
    int sizeFor(OutgoingBatch batch, long now) {
        boolean isKnown = isOpen && now - acknowledgedNanos < MAX_IDLE_NANOS;
        if (!isKnown) {
            return 1;
        }
        return isLarge(batch) && answerNanos < SOON_NANOS
                ? maxInFlight
                : Math.min(maxInFlight, ProduceOptions.REMEMBERED);
    }

    /** Whether a batch may be sent while as many as a broker remembers are in flight. */
    boolean isLarge(OutgoingBatch batch) {
        return batch.records().sizeBytes() >= largeBytes;
    }

    /** Opens by the acknowledgement of a batch: the broker has a record of the producer. */
    void open(OutgoingBatch acknowledged, long now) {
        isOpen = true;
        acknowledgedNanos = now;
        answerNanos = now - acknowledged.sentNanos();
    }

    /** Has the next batch sent alone. */
    void close() {
        isOpen = false;
    }
}
