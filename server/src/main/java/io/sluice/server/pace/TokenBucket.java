package io.sluice.server.pace;

import java.util.concurrent.TimeUnit;

/**
 * Limits a rate: tokens come steadily, and are spent. Spending may leave a debt, so what is spent at once may be of any size, and
 * the rate still holds on average. Tokens are kept for a tenth of a second only. For one thread.
 */
final class TokenBucket {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int KEPT_PARTS_OF_A_SECOND = 10;

    private final double perNano;
    private final double capacity;
    private double tokens;
    private long lookedNanos;

    /**
     * Makes one, full.
     *
     * @param perSecond how many tokens come in a second, at least 1
     * @param nanos the time now
     */
    TokenBucket(long perSecond, long nanos) {
        this.perNano = (double) perSecond / NANOS;
        this.capacity = (double) perSecond / KEPT_PARTS_OF_A_SECOND;
        this.tokens = capacity;
        this.lookedNanos = nanos;
    }

    /** How many may be spent at once without a wait of more than a tenth of a second after it. */
    double capacity() {
        return capacity;
    }

    /** How long until there is no debt; 0 if there is none. */
    long nanosInDebt(long nanos) {
        tokens = Math.min(capacity, tokens + (nanos - lookedNanos) * perNano);
        lookedNanos = nanos;
        return tokens >= 0 ? 0 : (long) Math.ceil(-tokens / perNano);
    }

    /** Spends tokens; a negative number gives some back. */
    void spend(double amount) {
        tokens -= amount;
    }
}
