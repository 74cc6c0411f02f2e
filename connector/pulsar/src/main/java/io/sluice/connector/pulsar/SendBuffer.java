package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.Message;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounds the bytes of the messages that are not answered. Thread-safe. */
final class SendBuffer {
    private static final int BYTES_PER_PERMIT = 256;

    /** What a message takes besides its value. */
    private static final int MESSAGE_BYTES = 512;

    private final int allPermits;
    private final Semaphore free;

    SendBuffer(int bytes) {
        this.allPermits = bytes / BYTES_PER_PERMIT;
        this.free = new Semaphore(allPermits);
    }

    /**
     * Waits for room; a message that is larger than the buffer waits for all of it.
     *
     * @return what is to be {@link #release released} when the message is answered
     */
    int acquire(Message message, Duration limit) throws TimeoutException, InterruptedException {
        int permits = (int) Math.min(allPermits, ((long) message.value().length + MESSAGE_BYTES) / BYTES_PER_PERMIT);
        if (!free.tryAcquire(permits, limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new TimeoutException("no room for another message within %d ms".formatted(limit.toMillis()));
        }
        return permits;
    }

    void release(int permits) {
        free.release(permits);
    }
}
