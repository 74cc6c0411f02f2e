package io.sluice.connector.api.deliver;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * A broker that keeps what it is sent, as numbers, and lets the test decide what it says about it and when. A record is kept
 * when it is sent, unless it or one before it is lost; it is confirmed when the test calls one of the {@code answer} methods.
 */
final class RecordingBroker implements MessageProducer {
    /** What becomes of a record. */
    enum Fate {
        DELIVERED,
        LOST,
        /** Kept, but the sender is told that it failed. */
        KEPT_BUT_FAILED
    }

    private record Unanswered(int number, Fate fate, DeliveryCallback callback) {
        void answer() {
            switch (fate) {
                case DELIVERED -> callback.delivered();
                default -> callback.failed(new IllegalStateException("broker is gone"), FailureKind.PASSING);
            }
        }
    }

    @GuardedBy("this") private final List<Integer> kept = new ArrayList<>();

    @GuardedBy("this") private final List<Unanswered> unanswered = new ArrayList<>();

    /** Whether a record was lost since the restart; no record behind it may be kept. */
    @GuardedBy("this") private boolean broken;

    private volatile Function<Integer, Fate> fates = number -> Fate.DELIVERED;

    void decide(Function<Integer, Fate> newFates) {
        fates = newFates;
    }

    @Override
    public synchronized void send(Message message, DeliveryCallback callback) {
        int number = Integer.parseInt(new String(message.value(), StandardCharsets.UTF_8));
        Fate fate = broken ? Fate.LOST : fates.apply(number);
        broken |= fate == Fate.LOST;
        if (fate == Fate.DELIVERED || fate == Fate.KEPT_BUT_FAILED) {
            kept.add(number);
        }
        unanswered.add(new Unanswered(number, fate, callback));
    }

    synchronized List<Integer> kept() {
        return List.copyOf(kept);
    }

    synchronized int unansweredCount() {
        return unanswered.size();
    }

    /** Answers for all records that wait for it, in their order. */
    int answerAll() {
        List<Unanswered> now;
        synchronized (this) {
            now = List.copyOf(unanswered);
            unanswered.clear();
        }
        now.forEach(Unanswered::answer);
        return now.size();
    }

    /** Answers for this record. */
    void answer(int number) {
        take(number).answer();
    }

    /** Answers for this record by a failure. */
    void fail(int number, FailureKind kind) {
        take(number).callback().failed(new IllegalStateException("broker is gone"), kind);
    }

    private synchronized Unanswered take(int number) {
        Unanswered found = unanswered.stream()
                .filter(next -> next.number() == number)
                .findFirst()
                .orElseThrow();
        unanswered.remove(found);
        return found;
    }

    /** Answers for one of the records that wait for it, if there are any. */
    void answerAny(Random random) {
        Unanswered found;
        synchronized (this) {
            if (unanswered.isEmpty()) {
                return;
            }
            found = unanswered.remove(random.nextInt(unanswered.size()));
        }
        found.answer();
    }

    @Override
    public int maxValueBytes() {
        return 1_000_000;
    }

    @Override
    public void flush() {}

    @Override
    public synchronized void restart() {
        broken = false;
    }

    @Override
    public void abandon() {
        throw new AssertionError("no test is silent for so long");
    }

    @Override
    public void close(Duration longest) {}
}
