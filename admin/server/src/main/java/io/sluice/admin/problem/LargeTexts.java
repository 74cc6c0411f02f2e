package io.sluice.admin.problem;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Limits how many requests are answered by a large text at the same time: it is in memory, several times, until a client that may read slowly
 * has got it. Thread-safe.
 */
public final class LargeTexts {
    private static final String NAME = LargeTexts.class.getName() + ".";
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** Shorter ones are limited by the threads that answer. */
    private static final int SHORT = 64 * 1024;

    /** The characters for which a text counts as one. */
    private static final int USUAL = 1 << 20;

    private final String tooMany;
    private final int most;
    private final Semaphore room;

    /** Makes the name of each callback another one, as of two with the same name only one would be called. */
    private final AtomicLong admitted = new AtomicLong();

    /**
     * Makes it.
     *
     * @param most how many of usual length are in memory; longer ones count as several
     * @param tooMany the reason why another one is rejected, as a sentence
     */
    public LargeTexts(int most, String tooMany) {
        this.tooMany = tooMany;
        this.most = most;
        this.room = new Semaphore(most);
    }

    /**
     * Admits a text for the request of this thread, until that has been answered.
     *
     * @return the text
     * @throws ProblemException 429 if there are too many
     */
    public String admit(String text) {
        admit(text.length());
        return text;
    }

    /**
     * Admits an answer for the request of this thread, until it has been sent.
     *
     * @param characters of all of its texts
     * @throws ProblemException 429 if there are too many
     */
    public void admit(long characters) {
        if (characters <= SHORT) {
            return;
        }
        int permits = (int) Math.min(most, 1 + characters / USUAL);
        if (!room.tryAcquire(permits)) {
            throw ProblemException.tooManyRequests(tooMany + " Try again in a moment.", RETRY_AFTER);
        }
        RequestContextHolder.currentRequestAttributes()
                .registerDestructionCallback(
                        NAME + admitted.incrementAndGet(),
                        () -> room.release(permits),
                        RequestAttributes.SCOPE_REQUEST);
    }
}
