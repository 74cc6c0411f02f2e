package io.sluice.connector.kafka.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.kafka.client.RecordMaker;
import io.sluice.connector.kafka.failure.KafkaErrors;
import io.sluice.connector.kafka.settings.BatchSizing;
import io.sluice.connector.kafka.settings.KafkaSettings;
import io.sluice.connector.kafka.topic.TopicMetadata;
import io.sluice.connector.kafka.topic.Topics;
import io.sluice.connector.kafka.transaction.TransactionState.Phase;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.function.LongFunction;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends records in transactions: readers with {@code isolation.level=read_committed} see no record of an attempt that failed,
 * and none of a former owner once a later one has begun.
 *
 * <p>What is handed over goes into one transaction until the hand-over pauses, or the transaction is old or full. Then it is
 * committed by a thread of this producer, and only then its records are answered for, all alike. Meanwhile a send waits.
 *
 * <p>The first producer, and each that replaces a lost one, registers its transactional id with the brokers before anything
 * else. They abort what an earlier producer of that id has left open, and take nothing from it any more, whatever it still has
 * on its way. An earlier producer that is fenced is broken, and {@link #restart} does not change that.
 */
public final class TransactionalKafkaProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalKafkaProducer.class);

    private static final int MAX_RECORDS = 20_000;

    /** How old a connection is at most whose login was rejected before it was given a record, for that to be the answer to the record. */
    static final Duration FRESH = Duration.ofSeconds(10);

    private final LongFunction<Producer<byte[], byte[]>> connect;
    private final BatchSizing sizing;
    private final KafkaSettings settings;
    private final Ownership ownership;
    private final Time time;
    private final RecordMaker records;
    private final Topics topics;
    private final TransactionState state;
    private final Thread thread;

    /** Why there is no producer of Kafka, since a login could not be prepared; null if there is one, or there is none for another reason. */
    private volatile @Nullable NotAdmittedException unprepared;

    /** Whether a record was given to this since the last restart that has made a producer of Kafka. */
    @GuardedBy("state.lock") private boolean isUsed;

    /** When that was done, or had failed; what gives out tokens may take long for it. */
    @GuardedBy("state.lock") private long connectNanos;

    @GuardedBy("state.lock") private final TransactionLimit limit = new TransactionLimit(MAX_RECORDS);

    private TransactionalKafkaProducer(
            LongFunction<Producer<byte[], byte[]>> connect, KafkaSettings settings, Ownership ownership, Time time) {
        this.connect = connect;
        this.sizing = settings.batchSizing();
        this.settings = settings;
        this.ownership = ownership;
        this.time = time;
        this.records = new RecordMaker(ownership);
        this.topics = new Topics(time);
        this.state = first();
        this.connectNanos = time.nanos();
        String id = settings.transactionalId();
        TransactionEnd ends = new TransactionEnd(
                id, settings.transactionTimeout(), ownership, () -> state.closed, () -> state.abandoned);
        this.thread = new Thread(new TransactionLoop(state, limit, ends, ownership, id), "transactions-" + id);
    }

    private TransactionState first() {
        try {
            return new TransactionState(newProducer());
        } catch (NotAdmittedException e) {
            unprepared = e;
            return new TransactionState(KafkaErrors.classify(e));
        }
    }

    /**
     * Makes a producer, which begins at once to fence those before it. A login that cannot be prepared fails the first record, as one that the brokers reject does.
     *
     * @param connect makes one with the transactional id of the settings, and batches of so many bytes; it is closed here
     * @param ownership nothing is sent or committed once it is not held
     */
    public static TransactionalKafkaProducer open(
            LongFunction<Producer<byte[], byte[]>> connect, KafkaSettings settings, Ownership ownership, Time time) {
        TransactionalKafkaProducer producer = new TransactionalKafkaProducer(connect, settings, ownership, time);
        producer.thread.setDaemon(true);
        producer.thread.start();
        return producer;
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        SendFailure rejection = take(message, callback);
        if (rejection != null) {
            callback.failed(rejection.cause(), rejection.kind());
        }
    }

    /** Puts the message into the open transaction; returns why, if it does not. */
    private @Nullable SendFailure take(Message message, DeliveryCallback callback) {
        state.lock.lock();
        try {
            reconnectIfStale();
            SendFailure before = awaitTurn();
            if (before != null) {
                return before;
            }
            try {
                if (!topics.isKnown(message.topic(), message.partition())) {
                    topics.requirePartition(metadata(), message.topic(), message.partition());
                }
                if (!ownership.isHeld()) {
                    throw NotSentException.notOwned();
                }
                sizing.use(new TopicPartition(message.topic(), message.partition()));
                if (state.phase == Phase.READY && sizing.isOutgrown()) {
                    SendFailure unready = replaceProducer();
                    if (unready != null) {
                        return unready;
                    }
                }
                SendFailure unbegun = begin();
                if (unbegun == null) {
                    handOver(message, callback);
                }
                return unbegun;
            } catch (RuntimeException e) { // what was taken before is not touched by it, and is committed
                state.failure = SendFailure.passing(NotSentException.after(e));
                return KafkaErrors.classify(e);
            }
        } finally {
            state.lock.unlock();
        }
    }

    /** Replaces the producer, between two transactions, by one with smaller batches; returns why, if it cannot. */
    @GuardedBy("state.lock") private @Nullable SendFailure replaceProducer() {
        state.lose();
        reconnect();
        return awaitTurn();
    }

    private TopicMetadata metadata() {
        return TopicMetadata.of(state.kafka(), this::newProducer, settings.silence());
    }

    private Producer<byte[], byte[]> newProducer() {
        return connect.apply(sizing.nextBatchBytes());
    }

    /** Begins a transaction, unless one is open; returns why, if it cannot. */
    @GuardedBy("state.lock") private @Nullable SendFailure begin() {
        if (state.transaction != null) {
            return null;
        }
        try {
            state.kafka().beginTransaction();
        } catch (RuntimeException e) { // the producer failed while it was idle
            state.fenced = KafkaErrors.isFenced(e);
            state.failure = state.fenced
                    ? new SendFailure(TransactionEnd.fencedBy(settings.transactionalId(), e), FailureKind.BROKEN)
                    : KafkaErrors.classify(e);
            state.lose();
            return state.failure;
        }
        state.transaction = new Transaction(limit.next(), time);
        state.moveTo(Phase.OPEN);
        return null;
    }

    @GuardedBy("state.lock") @SuppressWarnings("FutureReturnValueIgnored") // the callback gets the same
    private void handOver(Message message, DeliveryCallback callback) {
        Transaction open = Objects.requireNonNull(state.transaction, "no transaction was begun");
        Callback answer = open.add(callback);
        try {
            state.kafka().send(records.recordOf(message), (metadata, failure) -> {
                if (failure != null) {
                    topics.noteFailure(message.topic(), failure);
                }
                answer.onCompletion(metadata, failure);
            });
        } catch (RuntimeException e) { // thrown instead of the callback
            open.fail(open.lastIndex(), e);
        } catch (Error e) { // it was not sent, and must not be committed with the others
            open.fail(open.lastIndex(), new KafkaException("not sent: " + e, e));
        }
    }

    /** Waits until a record can be taken, as long as {@code max.block.ms}; returns why, if none can. */
    @GuardedBy("state.lock") private @Nullable SendFailure awaitTurn() {
        long left = settings.maxBlock().toNanos();
        while (true) {
            if (state.closing) {
                return new SendFailure(NotSentException.closed(), FailureKind.BROKEN);
            }
            if (state.failure != null) {
                return state.failure;
            }
            Transaction open = state.transaction;
            if (state.phase == Phase.READY) {
                return null;
            }
            if (state.phase == Phase.OPEN && open != null && !open.isFull()) {
                Transaction.RecordFailure first = open.failure();
                return first == null ? null : SendFailure.passing(NotSentException.after(first.cause()));
            }
            state.endOpen();
            if (left <= 0) {
                NotSentException late = new NotSentException("timeout after %d ms while waiting for %s"
                        .formatted(
                                settings.maxBlock().toMillis(),
                                state.phase == Phase.CONNECTING
                                        ? "the transactional id"
                                        : "the last transaction's end"));
                state.failure = SendFailure.passing(NotSentException.after(late));
                return SendFailure.passing(late);
            }
            try {
                left = state.changed.awaitNanos(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                state.failure = SendFailure.passing(new KafkaException("interrupted while waiting to send", e));
                return state.failure;
            }
        }
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        NotAdmittedException ofLogin = unprepared;
        if (ofLogin != null) {
            throw new PartitionsUnknownException(topic, ofLogin, FailureKind.BROKEN);
        }
        if (!state.hasProducer()) {
            throw new PartitionsUnknownException(topic, "no connection could be made yet");
        }
        return OptionalInt.of(topics.partitionsOf(metadata(), topic));
    }

    @Override
    public int maxValueBytes() {
        return settings.maxValueBytes();
    }

    @Override
    public void flush() throws InterruptedException {
        Transaction open = endOpenTransaction();
        if (open != null) {
            open.awaitAnswers();
        }
    }

    /** Lets the open transaction be committed now; the last one if there is none, null if there was none. */
    private @Nullable Transaction endOpenTransaction() {
        state.lock.lock();
        try {
            state.endOpen();
            return state.transaction == null ? state.ended : state.transaction;
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void restart() {
        state.lock.lock();
        try {
            if (state.closing || state.fenced || state.failure == null) {
                return;
            }
            state.failure = null;
            if (state.phase == Phase.LOST) {
                state.abandoned = false;
                isUsed = false;
                reconnect();
                connectNanos = time.nanos();
            }
        } finally {
            state.lock.unlock();
        }
    }

    /** A login that was rejected some time ago, when there was no record, is tried again by the first one: the cause may be corrected by now. */
    @GuardedBy("state.lock") private void reconnectIfStale() {
        if (isUsed) {
            return;
        }
        SendFailure failure = state.failure;
        if (failure != null
                && failure.cause() instanceof NotAdmittedException
                && time.nanos() - connectNanos > FRESH.toNanos()) {
            restart();
        }
        isUsed = true;
    }

    @GuardedBy("state.lock") private void reconnect() {
        try {
            state.replace(newProducer());
            unprepared = null;
            if (state.closing) { // meanwhile, and it may have closed the one before
                state.lose();
                return;
            }
            state.moveTo(Phase.CONNECTING);
        } catch (NotAdmittedException e) {
            unprepared = e;
            state.failure = KafkaErrors.classify(e);
        } catch (RuntimeException e) { // such as a name that cannot be resolved now: the next record fails, too
            unprepared = null;
            LOG.warn("cannot make a new producer: cause={}", e.getMessage());
            state.failure = SendFailure.passing(e);
        }
    }

    /** The next producer of the transactional id fences what this one has on its way. */
    @Override
    public void abandon() {
        state.lock.lock();
        try {
            if (state.closing || state.phase == Phase.LOST) {
                return;
            }
            state.abandoned = true;
            if (state.failure == null) {
                state.failure = SendFailure.passing(NotSentException.abandoned());
            }
            state.endOpen();
            if (state.phase == Phase.READY) {
                state.lose();
            }
        } finally {
            state.lock.unlock();
        }
        state.closeProducer(Duration.ZERO); // fails a commit, or a fencing of others, that waits
    }

    @Override
    public void close(Duration longest) {
        long begin = time.nanos();
        state.closing = true;
        boolean interrupted = false;
        if (!longest.isZero()) {
            try {
                Transaction open = endOpenTransaction();
                boolean unused = open == null || open.awaitAnswers(longest);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        state.closed = true;
        state.closeProducer(interrupted ? Duration.ZERO : left(longest, begin)); // fails a commit that waits
        state.lock.lock();
        try {
            state.changed.signalAll();
        } finally {
            state.lock.unlock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration left(Duration longest, long beginNanos) {
        Duration left = longest.minusNanos(time.nanos() - beginNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
