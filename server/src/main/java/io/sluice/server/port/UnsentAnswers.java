package io.sluice.server.port;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits what is in memory of the answers of a port that its clients have not read yet, for all of them together: one that reads slowly, or not at all,
 * keeps its answer there until its connection is closed. Small answers are not counted. Thread-safe.
 */
public final class UnsentAnswers {
    /** What a port keeps by default. */
    public static final long MOST_BYTES = 32L * 1024 * 1024;

    /** Smaller ones are limited by the number of connections. */
    private static final int SMALL_BYTES = 64 * 1024;

    private final long mostBytes;
    private final AtomicLong unsentBytes = new AtomicLong();

    /** @param mostBytes the bytes of all of them; a single one may have more */
    public UnsentAnswers(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Counts an answer, before it is sent.
     *
     * @return false if too much is unsent already, so that it must not be sent
     */
    public boolean add(int bytes) {
        if (bytes <= SMALL_BYTES) {
            return true;
        }
        while (true) {
            long before = unsentBytes.get();
            if (before > 0 && before + bytes > mostBytes) {
                return false;
            }
            if (unsentBytes.compareAndSet(before, before + bytes)) {
                return true;
            }
        }
    }

    /** Forgets an answer that was counted, since it has left or will never leave. */
    public void remove(int bytes) {
        if (bytes > SMALL_BYTES) {
            unsentBytes.addAndGet(-bytes);
        }
    }
}
