package io.sluice.connector.rabbitmq.send;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.SingleMessageMode;
import io.sluice.connector.api.producer.Message;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many messages may be unconfirmed: the configured number, and fewer while the broker may reject some, since it stores those that it has
 * read after one that it rejects. Kept over the attempts. Thread-safe; messages are sent by one thread at a time.
 *
 * <p>After a rejection by a queue it is one, and it doubles each time that enough in a row were answered: those of all topics count, and those that no
 * queue took. A queue that is filled faster than it is read rejects messages again and again: by these steps few are on their way when it does, unless
 * other queues take many meanwhile, and one at a time is sent for a short time only, however large the configured number is.
 */
final class InFlightLimit {
    private static final Logger LOG = LoggerFactory.getLogger(InFlightLimit.class);

    /** With one queue, mostly more than its readers make room for during a short pause of the sender, when it is at its limit. */
    static final int CONFIRMED_BEFORE_STEP = 100;

    /** Times the limit: so fewer than an eighth of the messages that were answered since a rejection is on its way at the next one. */
    static final int ROUNDS_BEFORE_STEP = 8;

    private final int most;
    private final SingleMessageMode singleMessages = new SingleMessageMode();
    private final Object changing = new Object();

    /** Written under {@code changing}. */
    private volatile int steps;

    @GuardedBy("changing") private int confirmed;

    /** The first that was returned since the last restart, or before. */
    private volatile @Nullable Message returned;

    private volatile boolean hasReturned;
    private volatile boolean mayNothingFollow;

    /** @param most the configured number, 1 or more */
    InFlightLimit(int most) {
        this.most = most;
        this.steps = most;
    }

    /** How many there may be now. */
    int current() {
        return mayNothingFollow || singleMessages.isOn() ? 1 : steps;
    }

    /** A message will be sent. The next one waits for its answer if no queue has taken it before: its queue may be bound just then. */
    @SuppressWarnings("ReferenceEquality") // the same message again, not one with the same content
    void sends(Message message) {
        boolean isReturned = message == returned;
        if (mayNothingFollow && !isReturned) {
            returned = null; // it was taken, and need not be kept
        }
        mayNothingFollow = isReturned;
    }

    /** The broker has answered a message for itself. */
    void answered() {
        singleMessages.passed();
        if (steps < most) {
            countConfirmed();
        }
    }

    private void countConfirmed() {
        synchronized (changing) {
            confirmed++;
            int now = steps;
            if (now >= most || confirmed < Math.max(CONFIRMED_BEFORE_STEP, (long) ROUNDS_BEFORE_STEP * now)) {
                return;
            }
            confirmed = 0;
            steps = (int) Math.min(most, 2L * now);
            if (steps == most) {
                LOG.info("queues take messages again, as many as before are sent at a time: inFlight={}", most);
            }
        }
    }

    /** A queue has rejected a message. */
    void rejected() {
        synchronized (changing) {
            if (steps == most && most > 1) {
                LOG.info(
                        "a queue has rejected a message, they are sent one at a time, and more as they are confirmed: inFlightBefore={}",
                        most);
            }
            steps = 1;
            confirmed = 0;
        }
    }

    /** The broker has closed a channel over one of so many messages, which are sent one by one to find it. */
    void closedOverOneOf(int messages) {
        singleMessages.begin(messages);
    }

    /** No queue has taken a message. */
    void returned(Message message) {
        if (!hasReturned) {
            hasReturned = true;
            returned = message;
        }
    }

    /** All is answered, and what was not confirmed will be sent again. */
    void restart() {
        hasReturned = false;
        mayNothingFollow = false;
    }
}
