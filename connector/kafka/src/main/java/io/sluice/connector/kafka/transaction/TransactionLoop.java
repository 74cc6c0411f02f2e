package io.sluice.connector.kafka.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.transaction.TransactionEnd.ProducerState;
import io.sluice.connector.kafka.transaction.TransactionState.Phase;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fences earlier producers of a transactional id, and then ends one transaction after the other, on a thread of its own. */
final class TransactionLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionLoop.class);

    /** A transaction to which nothing was added for so long is committed. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** A transaction is committed when it is so old: readers see nothing of it before. */
    private static final long OLD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final TransactionState state;

    @GuardedBy("state.lock") private final TransactionLimit limit;

    private final TransactionEnd ends;
    private final Ownership ownership;
    private final String transactionalId;

    /** Does nothing before it is run; {@code limit} is used under the lock of the state. */
    TransactionLoop(
            TransactionState state,
            TransactionLimit limit,
            TransactionEnd ends,
            Ownership ownership,
            String transactionalId) {
        this.state = state;
        this.limit = limit;
        this.ends = ends;
        this.ownership = ownership;
        this.transactionalId = transactionalId;
    }

    /** Fences, and ends one transaction after the other, until the producer is closed. */
    @Override
    public void run() {
        state.lock.lock();
        try {
            Exception reason = new KafkaException("not committed: the producer was closed");
            try {
                while (!state.closed) {
                    stepOrRecover();
                }
            } catch (Throwable e) { // the top of the thread: what is open must be answered
                LOG.error(
                        "transaction thread failed, nothing more is committed: transactionalId={}", transactionalId, e);
                reason = exception(e);
            }
            abandon(reason);
        } finally {
            state.lock.unlock();
        }
    }

    @GuardedBy("state.lock") private void stepOrRecover() throws InterruptedException {
        try {
            step();
        } catch (RuntimeException | Error e) { // a shortage that passes must not end the thread
            recover(e);
        }
    }

    /** Gives up Kafka's producer, with the transaction that it may have open: the next attempt begins with another one, which aborts that. */
    @GuardedBy("state.lock") private void recover(Throwable failure) {
        LOG.error(
                "ending a transaction failed, its messages are sent again: transactionalId={}",
                transactionalId,
                failure);
        Exception cause = exception(failure);
        if (!state.fenced) {
            state.failure = SendFailure.passing(NotSentException.after(cause));
        }
        try {
            state.lose();
        } catch (RuntimeException e) {
            LOG.debug("a producer of Kafka was not closed properly", e);
        }
        Transaction left = state.transaction;
        if (left != null) {
            answer(left, () -> left.failed(cause, FailureKind.PASSING));
        }
    }

    private static Exception exception(Throwable failure) {
        return failure instanceof Exception exception
                ? exception
                : new KafkaException("ending a transaction failed: " + failure, failure);
    }

    @GuardedBy("state.lock") private void step() throws InterruptedException {
        Transaction open = state.transaction;
        if (state.phase == Phase.CONNECTING) {
            fenceOthers();
        } else if (state.phase == Phase.ENDING && open != null) {
            end(open);
        } else if (state.phase == Phase.OPEN && open != null) {
            awaitPause(open);
        } else {
            awaitWork();
        }
    }

    /** Waits until no more records should go into the transaction. */
    @GuardedBy("state.lock") private void awaitPause(Transaction open) throws InterruptedException {
        long left = nanosUntilDue(open);
        while (state.phase == Phase.OPEN && left > 0) {
            long unused = state.changed.awaitNanos(left);
            left = nanosUntilDue(open);
        }
        if (state.phase == Phase.OPEN) {
            state.moveTo(Phase.ENDING);
        }
    }

    private static long nanosUntilDue(Transaction open) {
        return open.failure() != null ? 0 : Math.min(QUIET_NANOS - open.quietNanos(), OLD_NANOS - open.ageNanos());
    }

    @GuardedBy("state.lock") private void awaitWork() throws InterruptedException {
        while (!state.closed && (state.phase == Phase.READY || state.phase == Phase.LOST)) {
            state.changed.await();
        }
    }

    /** Fences earlier producers; without the lock while the brokers are asked. */
    @GuardedBy("state.lock") private void fenceOthers() {
        RuntimeException cause = null;
        state.lock.unlock();
        try {
            if (!ownership.isHeld()) {
                throw NotSentException.notOwned();
            }
            state.kafka().initTransactions();
        } catch (RuntimeException e) {
            cause = e;
        } finally {
            state.lock.lock();
        }
        if (cause == null) {
            LOG.info("transactions can begin: transactionalId={}", transactionalId);
            state.becomeReady();
        } else {
            state.failure = new SendFailure(
                    KafkaErrors.explained(cause), state.abandoned ? FailureKind.PASSING : KafkaErrors.kindOf(cause));
            state.lose();
        }
    }

    @GuardedBy("state.lock") private void end(Transaction ending) {
        TransactionEnd.Outcome outcome;
        state.lock.unlock();
        try {
            outcome = ends.end(state.kafka(), ending);
        } finally {
            state.lock.lock();
        }
        Exception cause = outcome.cause();
        if (cause == null) {
            limit.committed();
            state.becomeReady();
        } else {
            noteFailure(ending, cause, outcome);
        }
        answer(ending, () -> {
            if (cause == null) {
                ending.delivered();
            } else {
                ending.failed(cause, outcome.kind());
            }
        });
    }

    /** Answers for the records of a transaction, which is the open one no more; callbacks are called without the lock. */
    @GuardedBy("state.lock") private void answer(Transaction ended, Runnable answers) {
        state.transaction = null;
        state.ended = ended;
        state.lock.unlock();
        try {
            answers.run();
        } finally {
            state.lock.lock();
        }
    }

    @GuardedBy("state.lock") private void noteFailure(Transaction ended, Exception cause, TransactionEnd.Outcome outcome) {
        Transaction.RecordFailure first = ended.failure();
        if (!state.abandoned && first != null && ended.lastIndex() > 0 && KafkaErrors.mayBeOfOneRecord(first.cause())) {
            limit.refused(first.index());
        }
        boolean isFenced = outcome.producer() == ProducerState.FENCED;
        state.fenced |= isFenced;
        state.failure = isFenced
                ? new SendFailure(cause, FailureKind.BROKEN)
                : SendFailure.passing(NotSentException.after(cause));
        if (outcome.producer() == ProducerState.USABLE) {
            state.becomeReady();
        } else {
            state.lose();
        }
    }

    /** Answers for what is left when the thread ends; nothing is taken any more. */
    @GuardedBy("state.lock") private void abandon(Exception reason) {
        state.closing = true;
        Transaction left = state.transaction;
        state.transaction = null;
        state.moveTo(Phase.LOST);
        if (left != null) {
            left.failed(reason, FailureKind.PASSING);
        }
    }
}
