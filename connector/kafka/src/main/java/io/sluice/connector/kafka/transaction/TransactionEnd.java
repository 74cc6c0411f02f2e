package io.sluice.connector.kafka.transaction;

import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.kafka.failure.KafkaErrors;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits a transaction, or aborts it when one of its records failed or this process does not own the destination any more.
 *
 * <p>A commit that is not answered is retried until it is, however long the broker is unreachable: after an abort instead, its
 * records might arrive twice.
 */
final class TransactionEnd {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionEnd.class);

    private final String transactionalId;
    private final Duration timeout;
    private final Ownership ownership;
    private final BooleanSupplier closed;
    private final BooleanSupplier abandoned;

    /** What is left of the producer after a transaction. */
    enum ProducerState {
        /** It can begin another transaction. */
        USABLE,
        /** It can begin none, and another producer of this process replaces it. */
        LOST,
        /** A later producer has the transactional id. */
        FENCED
    }

    /**
     * How a transaction ended.
     *
     * @param cause why its records did not arrive; null if they did
     * @param kind what that means for the next attempt, for all of them
     */
    record Outcome(@Nullable Exception cause, FailureKind kind, ProducerState producer) {
        private static final Outcome COMMITTED = new Outcome(null, FailureKind.PASSING, ProducerState.USABLE);
    }

    /**
     * For the transactions of one id.
     *
     * @param timeout {@code transaction.timeout.ms}, after which a broker aborts one by itself
     * @param closed whether nothing may be committed any more
     * @param abandoned whether the producer was closed since the brokers do not answer; another one replaces it
     */
    TransactionEnd(
            String transactionalId,
            Duration timeout,
            Ownership ownership,
            BooleanSupplier closed,
            BooleanSupplier abandoned) {
        this.transactionalId = transactionalId;
        this.timeout = timeout;
        this.ownership = ownership;
        this.closed = closed;
        this.abandoned = abandoned;
    }

    /** Waits for the brokers as long as they need, unless the producer is closed meanwhile. */
    Outcome end(Producer<byte[], byte[]> kafka, Transaction transaction) {
        if (transaction.failure() == null && ownership.isHeld()) {
            try {
                commit(kafka, transaction);
                return Outcome.COMMITTED;
            } catch (RuntimeException e) {
                return abort(kafka, transaction, e);
            }
        }
        return abort(kafka, transaction, NotSentException.notOwned());
    }

    private void commit(Producer<byte[], byte[]> kafka, Transaction transaction) {
        while (true) {
            if (closed.getAsBoolean()) {
                throw new KafkaException("not committed: the producer was closed");
            }
            try {
                kafka.commitTransaction();
                return;
            } catch (TimeoutException e) {
                if (transaction.failure() != null) { // it was not the commit that timed out, but a record
                    throw e;
                }
                LOG.warn(
                        "the brokers do not answer a commit, retrying: transactionalId={} cause={}",
                        transactionalId,
                        e.getMessage());
            }
        }
    }

    private Outcome abort(Producer<byte[], byte[]> kafka, Transaction transaction, RuntimeException reason) {
        Transaction.RecordFailure first = transaction.failure();
        Exception cause = first == null ? reason : first.cause();
        try {
            kafka.abortTransaction();
            return new Outcome(KafkaErrors.explained(cause), kindFor(transaction, cause), ProducerState.USABLE);
        } catch (RuntimeException e) {
            if (KafkaErrors.isFenced(e) || KafkaErrors.isFenced(reason) || KafkaErrors.isFenced(cause)) {
                return fenced(transaction, e);
            }
            return new Outcome(KafkaErrors.explained(cause), kindFor(transaction, cause), ProducerState.LOST);
        }
    }

    /** A rejection is reported as such only if the transaction has one message: else it would be attributed to others. */
    private FailureKind kindFor(Transaction transaction, Exception cause) {
        if (abandoned.getAsBoolean()) {
            return FailureKind.PASSING; // the cause is that the producer is closed
        }
        FailureKind kind = KafkaErrors.kindOf(cause);
        return kind.isOfOneMessage() && transaction.lastIndex() > 0 ? FailureKind.PASSING : kind;
    }

    /** The answer of the brokers is the same if a later producer came and if the transaction took too long; the clock distinguishes them. */
    private Outcome fenced(Transaction transaction, RuntimeException cause) {
        if (transaction.isOlderThan(timeout) && ownership.isHeld()) {
            return new Outcome(
                    new KafkaException(
                            "the brokers have aborted a transaction that took longer than kafka.transaction.timeout.ms",
                            cause),
                    FailureKind.PASSING,
                    ProducerState.LOST);
        }
        return new Outcome(fencedBy(transactionalId, cause), FailureKind.BROKEN, ProducerState.FENCED);
    }

    /** Why a former producer of a transactional id can do nothing any more. */
    static KafkaException fencedBy(String transactionalId, Exception cause) {
        return new KafkaException(
                "another process uses the transactional id %s: if it is not a later owner of the destination, give one of them"
                                .formatted(transactionalId)
                        + " another kafka.transactional.id",
                cause);
    }
}
