package io.sluice.admin.fleet.api;

import io.sluice.admin.problem.ProblemException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * Limits how many requests are answered by a large text at the same time: it is in memory, several times, until a client that may read slowly
 * has got it. Thread-safe.
 */
final class LargeTexts {
    private static final String NAME = LargeTexts.class.getName();
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final Semaphore room;

    /** @param most how many are in memory */
    LargeTexts(int most) {
        this.room = new Semaphore(most);
    }

    /**
     * Admits the text for the request of this thread, until that has been answered.
     *
     * @throws ProblemException 429 if there are too many
     */
    void admit() {
        if (!room.tryAcquire()) {
            throw ProblemException.tooManyRequests(
                    "Too many logs are being read. Try again in a moment.", RETRY_AFTER);
        }
        RequestContextHolder.currentRequestAttributes()
                .registerDestructionCallback(NAME, room::release, RequestAttributes.SCOPE_REQUEST);
    }
}
