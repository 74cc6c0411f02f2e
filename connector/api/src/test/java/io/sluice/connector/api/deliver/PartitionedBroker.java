package io.sluice.connector.api.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A broker with topics and partitions that is as bad as the contract of {@link MessageProducer} allows, and refuses what the test
 * says. What it keeps of a message is the numbers in its text, which are separated by commas.
 */
final class PartitionedBroker implements MessageProducer {
    /** What is said of a message at once. */
    enum Fate {
        DELIVERED,
        LOST,
        /** Kept, but the sender is told that it failed. */
        KEPT_BUT_FAILED,
        TOO_LARGE,
        INVALID,
        TOPIC_UNAVAILABLE,
        NOT_ADMITTED,
        /** As while the server is down that knows the accounts. */
        NOT_ADMITTED_YET,
        BROKEN,
        /** What is sent behind it was not sent, and says so. */
        SENT_ONCE_MORE,
        NOT_SENT
    }

    private record Unanswered(Fate fate, DeliveryCallback callback) {}

    @GuardedBy("this") private final Map<TopicPartition, List<Message>> kept = new HashMap<>();

    @GuardedBy("this") private final List<Unanswered> unanswered = new ArrayList<>();

    /** Lanes in which a message did not arrive since the restart. */
    @GuardedBy("this") private final Set<TopicPartition> brokenPartitions = new HashSet<>();

    @GuardedBy("this") private boolean hasToldOfFailure;

    @GuardedBy("this") private Fate behindFailure = Fate.LOST;

    @GuardedBy("this") private int restarts;

    @GuardedBy("this") private int abandonments;

    private volatile Function<Message, Fate> fates = message -> Fate.DELIVERED;

    private volatile int preparedBytes;

    private volatile boolean isOwner = true;

    /** The destination is not owned any more. */
    void loseOwnership() {
        isOwner = false;
    }

    /** Has it prepare so many bytes of entries together, so that its sender gathers them. */
    void prepareTogether(int bytes) {
        preparedBytes = bytes;
    }

    @Override
    public int preparedBytes() {
        return preparedBytes;
    }

    void decide(Function<Message, Fate> newFates) {
        fates = newFates;
    }

    static List<Integer> numbers(Message message) {
        String text = new String(message.value(), StandardCharsets.UTF_8);
        return text.endsWith("left out")
                ? List.of()
                : Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
    }

    @Override
    public synchronized void send(Message message, DeliveryCallback callback) {
        TopicPartition lane = TopicPartition.of(message);
        boolean fails = hasToldOfFailure || brokenPartitions.contains(lane);
        Fate fate = fails ? behindFailure : fates.apply(message);
        if (fate == Fate.SENT_ONCE_MORE) {
            behindFailure = Fate.NOT_SENT;
        }
        if (fate == Fate.DELIVERED || fate == Fate.KEPT_BUT_FAILED) {
            kept.computeIfAbsent(lane, key -> new ArrayList<>()).add(message);
        } else {
            brokenPartitions.add(lane);
        }
        unanswered.add(new Unanswered(fate, callback));
    }

    /** The messages of a partition, in their order. */
    synchronized List<Message> messages(String topic, int partition) {
        return List.copyOf(kept.getOrDefault(new TopicPartition(topic, partition), List.of()));
    }

    /** The numbers in a partition, in their order. */
    List<Integer> kept(String topic, int partition) {
        return messages(topic, partition).stream()
                .flatMap(message -> numbers(message).stream())
                .toList();
    }

    synchronized int unansweredCount() {
        return unanswered.size();
    }

    synchronized int restarts() {
        return restarts;
    }

    synchronized int abandonments() {
        return abandonments;
    }

    /** Answers for one of the messages that wait for it, if there are any. */
    void answerAny(Random random) {
        Unanswered found = take(random);
        if (found != null) {
            answer(found);
        }
    }

    /** Answers for all messages that wait for it, the oldest first. */
    void answerAll() {
        for (Unanswered next = take(null); next != null; next = take(null)) {
            answer(next);
        }
    }

    /** Answers for the oldest message that waits for it. */
    void answerOne() {
        Unanswered oldest = take(null);
        if (oldest != null) {
            answer(oldest);
        }
    }

    private synchronized @Nullable Unanswered take(@Nullable Random random) {
        if (unanswered.isEmpty()) {
            return null;
        }
        Unanswered found = unanswered.remove(random == null ? 0 : random.nextInt(unanswered.size()));
        hasToldOfFailure |= found.fate() != Fate.DELIVERED;
        return found;
    }

    private static void answer(Unanswered found) {
        DeliveryCallback callback = found.callback();
        switch (found.fate()) {
            case DELIVERED -> callback.delivered();
            case TOO_LARGE -> callback.failed(new IllegalArgumentException("it is too large"), FailureKind.TOO_LARGE);
            case INVALID -> callback.failed(new IllegalArgumentException("it has no key"), FailureKind.INVALID);
            case TOPIC_UNAVAILABLE ->
                callback.failed(new IllegalArgumentException("nobody may write"), FailureKind.TOPIC_UNAVAILABLE);
            case NOT_ADMITTED ->
                callback.failed(
                        new NotAdmittedException("wrong password", new IllegalStateException("refused")),
                        FailureKind.BROKEN);
            case NOT_ADMITTED_YET ->
                callback.failed(
                        NotAdmittedException.thatMayPass("wrong password", new IllegalStateException("refused")),
                        FailureKind.BROKEN);
            case SENT_ONCE_MORE ->
                callback.failed(SendException.onceMore("not known", noAnswer()), FailureKind.PASSING);
            case NOT_SENT -> callback.failed(NotSentException.after(noAnswer()), FailureKind.PASSING);
            case BROKEN -> callback.failed(new IllegalStateException("wrong password"), FailureKind.BROKEN);
            default -> callback.failed(new IllegalStateException("broker is gone"), FailureKind.PASSING);
        }
    }

    @Override
    public int maxValueBytes() {
        return 1_000_000;
    }

    @Override
    public void flush() {}

    @Override
    public synchronized void restart() {
        restarts++;
        hasToldOfFailure = false;
        behindFailure = Fate.LOST;
        brokenPartitions.clear();
    }

    @Override
    public void abandon() {
        synchronized (this) {
            abandonments++;
            unanswered.replaceAll(next -> new Unanswered(Fate.LOST, next.callback()));
        }
        answerAll();
    }

    @Override
    public void checkOwnership() {
        if (!isOwner) {
            abandon();
        }
    }

    @Override
    public void close(Duration longest) {}

    private static Exception noAnswer() {
        return new IllegalArgumentException("no answer");
    }
}
