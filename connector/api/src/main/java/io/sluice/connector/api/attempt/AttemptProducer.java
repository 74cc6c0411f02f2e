package io.sluice.connector.api.attempt;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.producer.PreparedBatch;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages by one {@link Attempt} after another.
 *
 * <p>The first failure halts or ends the attempt, and every later message fails, until {@link #restart} resumes it or begins the
 * next one. A message that comes after a failure fails as {@link FailureKind#PASSING}, whatever may be wrong with it: it is
 * judged when it is sent again; after a rejected login it fails for that, too. But a login that was rejected some time ago, when there was no message, is tried
 * again by the first one: the cause may be corrected by now. Nothing is handed over while the ownership is not held; the attempt ends then, since what it has taken
 * may still have to be sent.
 *
 * <p>At most one attempt is open, and its connection is made only after {@link BrokerConnection#prepareRestart} of the one
 * before, so what an earlier attempt has sent is not stored after what a later one sends. The sender that uses the producer waits
 * until all is answered before it restarts, and abandons the attempt if the broker does not answer in time.
 *
 * <p>Thread-safe. Sending takes no lock and allocates nothing here, but for the first message of an attempt.
 */
public final class AttemptProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptProducer.class);

    /** How old an attempt is at most whose login was rejected before it was given a message, for that to be the answer to the message. */
    static final Duration FRESH = Duration.ofSeconds(10);

    private final Broker broker;
    private final Ownership ownership;
    private final Time time;
    private final Object restarting = new Object();

    /** Written under {@code restarting}, like the attempt. */
    private volatile boolean closed;

    private volatile Attempt attempt;

    /** When the attempt began, or could last not be replaced. */
    @GuardedBy("restarting") private long attemptNanos;

    /** The newest attempt in which the broker was asked for partitions and did not admit the producer; null if there is none. */
    private volatile @Nullable Refused refused;

    private record Refused(Attempt attempt, NotAdmittedException cause) {}

    /**
     * Begins the first attempt. A login that cannot be prepared fails the first message, as one that the broker rejects does.
     *
     * @param broker closed with the producer
     * @param ownership nothing is sent once it is not held
     */
    public AttemptProducer(Broker broker, Ownership ownership, Time time) {
        this.broker = broker;
        this.ownership = ownership;
        this.time = time;
        this.attempt = first();
        this.attemptNanos = time.nanos();
    }

    private Attempt first() {
        try {
            return new Attempt(broker::connect);
        } catch (NotAdmittedException e) {
            Attempt none = new Attempt(attempt -> new NoConnection());
            none.end(e);
            return none;
        }
    }

    /** The attempt that messages are given to; none of the messages that are given to it is sent by another one before a restart. */
    private Attempt used() {
        Attempt current = attempt;
        if (current.isUsed()) {
            return current;
        }
        synchronized (restarting) {
            replaceStale();
            current = attempt;
            current.use(); // the attempt is discarded only while another is made, under this lock
            return current;
        }
    }

    /** Replaces an attempt that was given nothing, and whose login was rejected some time ago. */
    @GuardedBy("restarting") private void replaceStale() {
        Attempt old = attempt;
        if (!closed
                && old.failure() instanceof NotAdmittedException
                && old.hasEnded()
                && time.nanos() - attemptNanos > FRESH.toNanos()
                && old.discard()) {
            try {
                replace(old);
            } finally {
                if (attempt == old) {
                    old.keep();
                }
            }
        }
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        Attempt current = used();
        Exception before = current.failure();
        if (before != null) {
            if (closed) {
                callback.failed(NotSentException.closed(), FailureKind.BROKEN);
            } else if (before instanceof NotAdmittedException) { // perhaps before there was a message
                callback.failed(before, FailureKind.BROKEN);
            } else {
                callback.failed(NotSentException.after(before), FailureKind.PASSING);
            }
            return;
        }
        try {
            if (!ownership.isHeld()) {
                throw NotSentException.notOwned();
            }
            current.connection().send(message, callback);
        } catch (NotSentException e) {
            fail(current, SendFailure.passing(e), callback);
        } catch (SendException e) {
            fail(current, new SendFailure(e, e.kind()), callback);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(current, SendFailure.passing(e), callback);
        } catch (Exception e) { // the contract of a producer: whatever goes wrong comes to the callback
            fail(current, broker.classify(e), callback);
        }
    }

    @Override
    public int preparedBytes() {
        return broker.preparedBytes();
    }

    @Override
    public PreparedBatch prepare(List<Message> messages) {
        return broker.prepare(messages);
    }

    @Override
    public void send(PreparedBatch batch, List<? extends DeliveryCallback> callbacks) {
        Attempt current = used();
        if (current.failure() != null
                || !ownership.isHeld()
                || !current.connection().send(batch, callbacks)) {
            MessageProducer.super.send(batch, callbacks);
        }
    }

    private void fail(Attempt current, SendFailure failure, DeliveryCallback callback) {
        boolean isFirst = current.halt(failure.cause());
        if (failure.cause() instanceof NotAdmittedException) {
            current.end(failure.cause()); // only another connection can be admitted: it also reads renewed certificates
        } else if (!ownership.isHeld()) {
            current.end(failure.cause());
        }
        Exception first = current.failure();
        if (!isFirst && !closed && first instanceof NotAdmittedException) {
            callback.failed(first, FailureKind.BROKEN); // what the client throws after that says less
            return;
        }
        FailureKind kind = isFirst ? failure.kind() : closed ? FailureKind.BROKEN : FailureKind.PASSING;
        callback.failed(failure.cause(), kind);
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        if (!attempt.isUsed() && attempt.failure() != null) {
            synchronized (restarting) {
                replaceStale();
            }
        }
        Attempt asking = attempt;
        try {
            return broker.partitionsOf(topic);
        } catch (PartitionsUnknownException e) {
            if (e.getCause() instanceof NotAdmittedException cause) {
                asking.use(); // a discarded one has a successor, which answers for itself
                refused = new Refused(asking, cause);
            } else if (asking.failure() instanceof NotAdmittedException cause && asking.hasEnded() && asking.use()) {
                throw new PartitionsUnknownException(topic, cause, FailureKind.BROKEN); // it may be asked no more
            }
            throw e;
        }
    }

    @Override
    public void announce(String topic, int partitions) {
        broker.announce(topic, partitions);
    }

    @Override
    public int maxValueBytes() {
        return broker.maxValueBytes();
    }

    @Override
    public void flush() throws InterruptedException {
        attempt.connection().flush();
    }

    @Override
    public void restart() {
        synchronized (restarting) {
            Attempt old = attempt;
            if (closed) {
                return;
            }
            Refused question = refused;
            if (question != null && question.attempt == old) {
                old.end(question.cause); // as after a message that fails for it
            }
            if (old.failure() == null) {
                return;
            }
            replace(old);
        }
    }

    /** Resumes an attempt that has failed, or begins the next one. */
    @GuardedBy("restarting") private void replace(Attempt old) {
        try {
            old.connection().prepareRestart();
            if (!old.resume()) {
                attempt = new Attempt(broker::connect);
            }
        } catch (NotAdmittedException e) { // logged with the messages that fail for it
            old.setFailure(e);
        } catch (RuntimeException e) { // such as a name that cannot be resolved now
            LOG.warn("cannot send again yet: cause={}", String.valueOf(e.getMessage()));
            old.setFailure(e);
        }
        attemptNanos = time.nanos();
    }

    @Override
    public void abandon() {
        attempt.end(NotSentException.abandoned());
    }

    @Override
    public void checkOwnership() {
        if (!ownership.isHeld()) {
            attempt.end(NotSentException.notOwned());
        }
    }

    @Override
    public void close(Duration longest) {
        long deadline = time.nanos() + longest.toNanos();
        synchronized (restarting) {
            if (closed) {
                return;
            }
            closed = true;
        }
        boolean isInterrupted = false;
        try {
            isInterrupted = settleLast(longest);
        } finally { // also if the broker's client fails while it is closed
            closeBroker(isInterrupted ? Duration.ZERO : Duration.ofNanos(deadline - time.nanos()));
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for what was taken, and fails the rest; returns whether it was interrupted. */
    private boolean settleLast(Duration longest) {
        Attempt last = attempt;
        NotSentException reason = NotSentException.closed();
        last.halt(reason);
        try {
            last.connection().settle(longest);
            return false;
        } catch (InterruptedException e) {
            return true;
        } finally {
            last.end(reason);
        }
    }

    private void closeBroker(Duration limit) {
        try {
            broker.close(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
