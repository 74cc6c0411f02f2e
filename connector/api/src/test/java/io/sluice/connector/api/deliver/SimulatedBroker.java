package io.sluice.connector.api.deliver;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A broker and a producer that sends to it, in one thread and in simulated time, as bad as the contract of
 * {@link MessageProducer} allows: messages of a partition arrive in order and without a gap, those of different partitions in
 * any order; answers come in any order, at once, late, twice, or never.
 */
public final class SimulatedBroker implements MessageProducer {
    private static final long MAX_DELAY_NANOS = 50_000_000;
    private static final long MAX_HOLD_UP_NANOS = 200 * MAX_DELAY_NANOS;
    private static final long FOR_EVER_NANOS = Long.MAX_VALUE / 2;

    /** What the broker does with a message that arrives. */
    public enum Fate {
        STORED,
        /** Stored, but the answer says that it failed. */
        STORED_BUT_FAILED,
        /** Stored, and never answered for. */
        STORED_IN_SILENCE,
        LOST,
        LOST_IN_SILENCE,
        TOO_LARGE,
        INVALID,
        TOPIC_UNAVAILABLE,
        BROKEN
    }

    /** Decides what becomes of messages. */
    public interface Faults {
        Fate fateOf(Message message);

        /** Whether a message stays on its way, and so those after it in its partition, for seconds, or until the sender gives it up. */
        boolean isHeldUp();

        /** Whether another answer follows the first one. */
        boolean isAnsweredTwice();
    }

    /** Is told what happens, to check it. */
    public interface Observer {
        /** The sender has given a message to the producer. */
        default void handedOver(Message message) {}

        /** The broker has stored a message. */
        void stored(Message message);

        /** The sender is told that a message is stored. */
        default void confirmed(Message message) {}

        /** A producer that was not abandoned has sent a message so long after the ownership was lost. */
        default void sentWithoutOwnership(Message message, long nanos) {}
    }

    /** The time of a simulation, and the events that it has in store. */
    public interface Clock {
        /** How much time has passed since the begin. */
        long elapsedNanos();

        /** Has a task run after some time. */
        void schedule(long delayNanos, Runnable task);
    }

    private static final class Session {
        private final Map<TopicPartition, Long> lastArrival = new HashMap<>();
        private final Set<TopicPartition> brokenPartitions = new HashSet<>();
        private final List<Transit> inTransit = new ArrayList<>();
        private final Set<Transit> unanswered = new LinkedHashSet<>();
        private boolean hasFailed;
    }

    private record Transit(Message message, DeliveryCallback callback) {}

    private final Clock time;
    private final RandomGenerator random;
    private final Faults faults;
    private final Observer checker;
    private final boolean deliversStale;
    private final int preparedBytes;
    private Session session = new Session();
    private boolean isOwner = true;
    private long lossNanos;

    /**
     * A broker that has nothing.
     *
     * @param deliversStale whether messages of before a restart may arrive after it, against the contract
     */
    public SimulatedBroker(Clock time, RandomGenerator random, Faults faults, Observer checker, boolean deliversStale) {
        this(time, random, faults, checker, deliversStale, 0);
    }

    /**
     * A broker that has nothing, whose producer prepares messages.
     *
     * @param preparedBytes see {@link MessageProducer#preparedBytes}
     */
    public SimulatedBroker(
            Clock time,
            RandomGenerator random,
            Faults faults,
            Observer checker,
            boolean deliversStale,
            int preparedBytes) {
        this.preparedBytes = preparedBytes;
        this.time = time;
        this.random = random;
        this.faults = faults;
        this.checker = checker;
        this.deliversStale = deliversStale;
    }

    @Override
    public int preparedBytes() {
        return preparedBytes;
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        checker.handedOver(message);
        checkOwnership();
        Session current = session;
        Transit transit = new Transit(message, callback);
        current.unanswered.add(transit);
        if (current.hasFailed) {
            answer(current, transit, FailureKind.PASSING);
            return;
        }
        TopicPartition lane = TopicPartition.of(message);
        long now = time.elapsedNanos();
        long before = current.lastArrival.getOrDefault(lane, -1L);
        long arrival = Math.max(faults.isHeldUp() ? holdUp(now) : now + delay(), before);
        current.lastArrival.put(lane, arrival);
        current.inTransit.add(transit);
        if (arrival == now && before < now) {
            arrive(current, transit);
        } else if (arrival < FOR_EVER_NANOS) {
            time.schedule(arrival - now, () -> arrive(current, transit));
        }
    }

    private long holdUp(long now) {
        return random.nextBoolean() ? FOR_EVER_NANOS : now + random.nextLong(MAX_HOLD_UP_NANOS);
    }

    /** Nothing, a little, or much. */
    private long delay() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextLong(MAX_DELAY_NANOS);
            default -> random.nextLong(MAX_DELAY_NANOS / 50);
        };
    }

    private void arrive(Session of, Transit transit) {
        if (!of.inTransit.remove(transit)) {
            return;
        }
        if (!isOwner && of.unanswered.contains(transit)) {
            checker.sentWithoutOwnership(transit.message(), time.elapsedNanos() - lossNanos);
        }
        TopicPartition lane = TopicPartition.of(transit.message());
        if (of.brokenPartitions.contains(lane)) {
            answer(of, transit, FailureKind.PASSING);
            return;
        }
        Fate fate = faults.fateOf(transit.message());
        switch (fate) {
            case STORED, STORED_BUT_FAILED, STORED_IN_SILENCE -> checker.stored(transit.message());
            case LOST, LOST_IN_SILENCE, TOO_LARGE, INVALID, TOPIC_UNAVAILABLE, BROKEN -> of.brokenPartitions.add(lane);
        }
        switch (fate) {
            case STORED -> answer(of, transit, null);
            case STORED_BUT_FAILED, LOST -> answer(of, transit, FailureKind.PASSING);
            case STORED_IN_SILENCE, LOST_IN_SILENCE -> {} // until it is abandoned
            case TOO_LARGE -> answer(of, transit, FailureKind.TOO_LARGE);
            case INVALID -> answer(of, transit, FailureKind.INVALID);
            case TOPIC_UNAVAILABLE -> answer(of, transit, FailureKind.TOPIC_UNAVAILABLE);
            case BROKEN -> answer(of, transit, FailureKind.BROKEN);
        }
    }

    /** Answers after a delay; {@code kind} is null if the message is stored. */
    private void answer(Session of, Transit transit, FailureKind kind) {
        long delay = delay();
        if (delay == 0) {
            answerNow(of, transit, kind);
        } else {
            time.schedule(delay, () -> answerNow(of, transit, kind));
        }
    }

    private void answerNow(Session of, Transit transit, FailureKind kind) {
        if (!of.unanswered.remove(transit)) {
            return; // abandoned meanwhile
        }
        tell(of, transit, kind);
        if (faults.isAnsweredTwice()) {
            boolean isOther = random.nextBoolean();
            FailureKind second = isOther ? (kind == null ? FailureKind.PASSING : null) : kind;
            time.schedule(random.nextLong(100 * MAX_DELAY_NANOS), () -> call(transit, second));
        }
    }

    private void tell(Session of, Transit transit, FailureKind kind) {
        if (kind == null) {
            checker.confirmed(transit.message());
        } else {
            of.hasFailed = true;
        }
        call(transit, kind);
    }

    private static void call(Transit transit, FailureKind kind) {
        if (kind == null) {
            transit.callback().delivered();
        } else {
            transit.callback().failed(new IllegalStateException("the broker is gone"), kind);
        }
    }

    @Override
    public void abandon() {
        Session current = session;
        current.hasFailed = true;
        List<Transit> left = new ArrayList<>(current.unanswered);
        current.unanswered.clear();
        while (!left.isEmpty()) {
            tell(current, left.remove(random.nextInt(left.size())), FailureKind.PASSING);
        }
    }

    /** The destination is not owned any more. */
    public void loseOwnership() {
        if (isOwner) {
            isOwner = false;
            lossNanos = time.elapsedNanos();
        }
    }

    /** The destination is owned again, by another sender. */
    public void regainOwnership() {
        isOwner = true;
    }

    @Override
    public void checkOwnership() {
        if (!isOwner) {
            abandon();
        }
    }

    @Override
    public void restart() {
        if (!session.unanswered.isEmpty()) {
            throw new AssertionError("a restart before all answers");
        }
        if (session.hasFailed) {
            begin();
        }
    }

    /** Ends the session, as when its process dies, and begins another. */
    public void begin() {
        Session old = session;
        old.hasFailed = true;
        old.unanswered.clear();
        if (deliversStale) {
            List.copyOf(old.inTransit).forEach(transit -> time.schedule(10 * delay(), () -> arrive(old, transit)));
        } else {
            int arriving = old.inTransit.isEmpty() ? 0 : random.nextInt(old.inTransit.size() + 1);
            List.copyOf(old.inTransit.subList(0, arriving)).forEach(transit -> arrive(old, transit));
            old.inTransit.clear();
        }
        session = new Session();
    }

    @Override
    public int maxValueBytes() {
        return 1_000_000;
    }

    @Override
    public void flush() {}

    @Override
    public void close(Duration longest) {}
}
