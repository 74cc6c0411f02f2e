package io.sluice.server.ha;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;

/** A question to the coordinator, and how long its answer is waited for. For one thread. */
final class Question<T> {
    private static final Duration LIMIT = Duration.ofSeconds(15);

    private final CompletableFuture<T> answer;
    private final Time time;
    private final long asked;

    /**
     * Begins to wait for an answer.
     *
     * @param changed is run when it comes, unless it is there already
     */
    Question(CompletableFuture<T> answer, Time time, Runnable changed) {
        this.answer = answer;
        this.time = time;
        this.asked = time.nanos();
        if (!answer.isDone()) {
            var unused = answer.whenComplete((result, failure) -> changed.run());
        }
    }

    /**
     * Whether the answer is there.
     *
     * @throws TimeoutException if it did not come in time
     */
    boolean isAnswered() throws TimeoutException {
        if (!answer.isDone() && left().isZero()) {
            throw new TimeoutException("no answer within " + LIMIT.toMillis() + " ms");
        }
        return answer.isDone();
    }

    /** How long to wait for the answer. */
    Wait untilAnswered() {
        return Wait.forChange(left());
    }

    private Duration left() {
        Duration left = LIMIT.minusNanos(time.nanos() - asked);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * The answer, when it is there.
     *
     * @throws Exception if it is a failure
     */
    T answer() throws Exception {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }
}
