package io.sluice.connector.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
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
 * <pre>
 *   CONNECTING ──▶ READY ──send──▶ OPEN ──quiet, old, full, failed──▶ ENDING ──▶ READY
 *       ▲ │                                                             │
 *       │ └──────failed──▶ LOST ◀──────aborting failed, too─────────────┘
 *       └────restart────────┘
 * </pre>
 *
 * <p>The first producer, and each that takes the place of a lost one, says its transactional id to the brokers before anything
 * else. They abort what an earlier producer of that id has left open, and take nothing from it any more, whatever it still has
 * on its way. An earlier producer that learns so is broken, and does not come back by {@link #restart}.
 */
final class TransactionalKafkaProducer implements MessageProducer {
    private static final Logger LOG = LoggerFactory.getLogger(TransactionalKafkaProducer.class);

    /** A hand-over that rests so long is taken to pause. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** A transaction is committed when it is so old: readers see nothing of it before. */
    private static final long OLD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int MOST_RECORDS = 20_000;

    private final Supplier<Producer<byte[], byte[]>> connect;
    private final KafkaSettings settings;
    private final Ownership ownership;
    private final RecordMaker records;
    private final Topics topics;
    private final TransactionEnd ends;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock") private final TransactionLimit limit = new TransactionLimit(MOST_RECORDS);

    @GuardedBy("lock") private State state = State.CONNECTING;

    /** What is answered to the next record; null while records are taken. */
    @GuardedBy("lock") private @Nullable Failure failure;

    @GuardedBy("lock") private @Nullable Transaction transaction;

    @GuardedBy("lock") private boolean fenced;

    private volatile Producer<byte[], byte[]> kafka;

    /** Nothing is taken any more. */
    private volatile boolean closing;

    /** Nothing is committed any more, either. */
    private volatile boolean closed;

    private enum State {
        CONNECTING,
        READY,
        OPEN,
        ENDING,
        LOST
    }

    private record Failure(Exception cause, FailureKind kind) {}

    private TransactionalKafkaProducer(
            Supplier<Producer<byte[], byte[]>> connect, KafkaSettings settings, Ownership ownership) {
        this.connect = connect;
        this.settings = settings;
        this.ownership = ownership;
        this.records = new RecordMaker(ownership);
        this.topics = new Topics(connect);
        this.ends =
                new TransactionEnd(settings.transactionalId(), settings.transactionTimeout(), ownership, () -> closed);
        this.thread = new Thread(this::run, "transactions-" + settings.transactionalId());
        this.kafka = connect.get();
    }

    /**
     * Makes a producer, which begins at once to fence those before it.
     *
     * @param connect makes one with the transactional id of the settings; it is closed here
     * @param ownership nothing is sent or committed once it is not held
     */
    static TransactionalKafkaProducer open(
            Supplier<Producer<byte[], byte[]>> connect, KafkaSettings settings, Ownership ownership) {
        TransactionalKafkaProducer producer = new TransactionalKafkaProducer(connect, settings, ownership);
        producer.thread.setDaemon(true);
        producer.thread.start();
        return producer;
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        Failure refusal = take(message, callback);
        if (refusal != null) {
            callback.failed(refusal.cause(), refusal.kind());
        }
    }

    /** Puts the message into the open transaction; says why, if it does not. */
    private @Nullable Failure take(Message message, DeliveryCallback callback) {
        lock.lock();
        try {
            Failure before = awaitTurn();
            if (before != null) {
                return before;
            }
            try {
                topics.requirePartition(kafka, message.topic(), message.partition());
                if (!ownership.isHeld()) {
                    throw RecordMaker.notOurs();
                }
                Failure unbegun = begin();
                if (unbegun == null) {
                    handOver(message, callback);
                }
                return unbegun;
            } catch (RuntimeException e) { // what was taken before is not touched by it, and is committed
                failure = new Failure(RecordMaker.behind(e), FailureKind.PASSING);
                return new Failure(KafkaErrors.explained(e), KafkaErrors.kindOf(e));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Begins a transaction, unless one is open; says why, if it cannot. */
    @GuardedBy("lock") private @Nullable Failure begin() {
        if (transaction != null) {
            return null;
        }
        try {
            kafka.beginTransaction();
        } catch (RuntimeException e) { // something befell the producer while it had nothing to do
            fenced = KafkaErrors.isFenced(e);
            failure = fenced
                    ? new Failure(TransactionEnd.fencedBy(settings.transactionalId(), e), FailureKind.BROKEN)
                    : new Failure(KafkaErrors.explained(e), KafkaErrors.kindOf(e));
            lose();
            return failure;
        }
        transaction = new Transaction(limit.next());
        moveTo(State.OPEN);
        return null;
    }

    @GuardedBy("lock") @SuppressWarnings("FutureReturnValueIgnored") // the callback is told the same
    private void handOver(Message message, DeliveryCallback callback) {
        Transaction open = Objects.requireNonNull(transaction, "no transaction was begun");
        Callback answer = open.add(callback);
        try {
            kafka.send(records.recordOf(message), answer);
        } catch (RuntimeException e) { // thrown instead of the callback
            open.fail(open.lastIndex(), e);
        }
    }

    /** Waits until a record can be taken, as long as {@code max.block.ms}; says why, if none can. */
    @GuardedBy("lock") private @Nullable Failure awaitTurn() {
        long left = settings.maxBlock().toNanos();
        while (true) {
            if (closing) {
                return new Failure(new KafkaException("not sent, since the producer is closed"), FailureKind.BROKEN);
            }
            if (failure != null) {
                return failure;
            }
            Transaction open = transaction;
            if (state == State.READY) {
                return null;
            }
            if (state == State.OPEN && open != null && !open.isFull()) {
                Transaction.RecordFailure first = open.failure();
                return first == null ? null : new Failure(RecordMaker.behind(first.cause()), FailureKind.PASSING);
            }
            if (state == State.OPEN) {
                moveTo(State.ENDING);
            }
            if (left <= 0) {
                KafkaException late =
                        new KafkaException("not sent, since the brokers have not answered for %d ms how %s"
                                .formatted(
                                        settings.maxBlock().toMillis(),
                                        state == State.CONNECTING ? "transactions begin" : "a transaction ended"));
                failure = new Failure(RecordMaker.behind(late), FailureKind.PASSING);
                return new Failure(late, FailureKind.PASSING);
            }
            try {
                left = changed.awaitNanos(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                failure = new Failure(new KafkaException("interrupted while waiting to send", e), FailureKind.PASSING);
                return failure;
            }
        }
    }

    @GuardedBy("lock") private void moveTo(State next) {
        state = next;
        changed.signalAll();
    }

    /** Fences, and ends one transaction after the other, until the producer is closed. */
    private void run() {
        lock.lock();
        try {
            Exception reason = new KafkaException("not committed, since the producer was closed");
            try {
                while (!closed) {
                    step();
                }
            } catch (RuntimeException | InterruptedException e) { // the top of the thread
                LOG.error("no more transactions are committed: transactionalId={}", settings.transactionalId(), e);
                reason = e;
            }
            abandon(reason);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void step() throws InterruptedException {
        Transaction open = transaction;
        if (state == State.CONNECTING) {
            fenceOthers();
        } else if (state == State.ENDING && open != null) {
            end(open);
        } else if (state == State.OPEN && open != null) {
            awaitPause(open);
        } else {
            awaitWork();
        }
    }

    /** Waits until no more records should go into the transaction. */
    @GuardedBy("lock") private void awaitPause(Transaction open) throws InterruptedException {
        long left = nanosUntilDue(open);
        while (state == State.OPEN && left > 0) {
            long unused = changed.awaitNanos(left);
            left = nanosUntilDue(open);
        }
        if (state == State.OPEN) {
            moveTo(State.ENDING);
        }
    }

    private static long nanosUntilDue(Transaction open) {
        return open.failure() != null ? 0 : Math.min(QUIET_NANOS - open.quietNanos(), OLD_NANOS - open.ageNanos());
    }

    @GuardedBy("lock") private void awaitWork() throws InterruptedException {
        while (!closed && (state == State.READY || state == State.LOST)) {
            changed.await();
        }
    }

    /** Fences earlier producers; without the lock while the brokers are asked. */
    @GuardedBy("lock") private void fenceOthers() {
        RuntimeException cause = null;
        lock.unlock();
        try {
            if (!ownership.isHeld()) {
                throw RecordMaker.notOurs();
            }
            kafka.initTransactions();
        } catch (RuntimeException e) {
            cause = e;
        } finally {
            lock.lock();
        }
        if (cause == null) {
            LOG.info("transactions can begin: transactionalId={}", settings.transactionalId());
            moveTo(State.READY);
        } else {
            failure = new Failure(KafkaErrors.explained(cause), KafkaErrors.kindOf(cause));
            lose();
        }
    }

    @GuardedBy("lock") private void end(Transaction ending) {
        TransactionEnd.Outcome outcome;
        lock.unlock();
        try {
            outcome = ends.end(kafka, ending);
        } finally {
            lock.lock();
        }
        transaction = null;
        Exception cause = outcome.cause();
        if (cause == null) {
            limit.committed();
            moveTo(State.READY);
        } else {
            noteFailure(ending, cause, outcome);
        }
        lock.unlock(); // what the records' owner does with the answers is not ours to hold up
        try {
            if (cause == null) {
                ending.delivered();
            } else {
                ending.failed(cause, outcome.kind());
            }
        } finally {
            lock.lock();
        }
    }

    @GuardedBy("lock") private void noteFailure(Transaction ended, Exception cause, TransactionEnd.Outcome outcome) {
        Transaction.RecordFailure first = ended.failure();
        if (first != null && ended.lastIndex() > 0 && KafkaErrors.mayBeOfOneRecord(first.cause())) {
            limit.refused(first.index());
        }
        fenced |= outcome.fenced();
        failure = outcome.fenced()
                ? new Failure(cause, FailureKind.BROKEN)
                : new Failure(RecordMaker.behind(cause), FailureKind.PASSING);
        if (outcome.usable()) {
            moveTo(State.READY);
        } else {
            lose();
        }
    }

    /** Gives the producer up; what it still has on its way is not taken, once the next one has begun. */
    @GuardedBy("lock") private void lose() {
        kafka.close(Duration.ZERO);
        moveTo(State.LOST);
    }

    /** Answers for what is left when the thread ends; nothing is taken any more. */
    @GuardedBy("lock") private void abandon(Exception reason) {
        closing = true;
        Transaction left = transaction;
        transaction = null;
        moveTo(State.LOST);
        if (left != null) {
            left.failed(reason, FailureKind.PASSING);
        }
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return topics.partitionsOf(kafka, topic);
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

    /** Lets the open transaction be committed now; null if there is none. */
    private @Nullable Transaction endOpenTransaction() {
        lock.lock();
        try {
            if (state == State.OPEN) {
                moveTo(State.ENDING);
            }
            return transaction;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void restart() {
        lock.lock();
        try {
            if (closing || fenced || failure == null) {
                return;
            }
            failure = null;
            if (state == State.LOST) {
                reconnect();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void reconnect() {
        try {
            kafka = connect.get();
            if (closing) { // meanwhile, and it may have closed the one before
                lose();
                return;
            }
            moveTo(State.CONNECTING);
        } catch (RuntimeException e) { // such as a name that cannot be resolved now: the next record fails, too
            LOG.warn("no new producer can be made: cause={}", e.getMessage());
            failure = new Failure(e, FailureKind.PASSING);
        }
    }

    @Override
    public void close(Duration longest) {
        long begin = System.nanoTime();
        closing = true;
        boolean interrupted = false;
        if (!longest.isZero()) {
            try {
                Transaction open = endOpenTransaction();
                boolean unused = open == null || open.awaitAnswers(longest);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        closed = true;
        kafka.close(interrupted ? Duration.ZERO : left(longest, begin)); // fails a commit that waits
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration left(Duration longest, long beginNanos) {
        Duration left = longest.minusNanos(System.nanoTime() - beginNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
