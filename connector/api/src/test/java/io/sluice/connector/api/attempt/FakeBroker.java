package io.sluice.connector.api.attempt;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A broker in memory. A message stays in flight until the test lets it arrive or fail; what the broker has stored is the numbers
 * that are the values of messages.
 */
final class FakeBroker implements Broker {
    private final TreeMap<Integer, List<Integer>> stored = new TreeMap<>();
    private final List<FakeConnection> connections = new ArrayList<>();
    private RuntimeException unreachable;
    private PartitionsUnknownException unknown;
    private Runnable beforeConnect = () -> {};
    private Runnable beforeAnswer = () -> {};
    private boolean isClosed;

    static Message message(int number, int partition) {
        return new Message("t", partition, Integer.toString(number).getBytes(StandardCharsets.US_ASCII));
    }

    /** Makes {@code connect} fail; null if it succeeds. */
    void beUnreachable(RuntimeException cause) {
        unreachable = cause;
    }

    /** Makes the question for partitions fail. */
    void concealPartitions(PartitionsUnknownException cause) {
        unknown = cause;
    }

    /** Runs this in the thread of each {@code connect}, also of one that fails. */
    void beforeConnect(Runnable action) {
        beforeConnect = action;
    }

    /** Runs this in the thread of the next question for partitions. */
    void beforeAnswer(Runnable action) {
        beforeAnswer = action;
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        Runnable action = beforeAnswer;
        beforeAnswer = () -> {};
        action.run();
        if (unknown != null) {
            throw unknown;
        }
        return OptionalInt.of(1);
    }

    List<FakeConnection> connections() {
        return connections;
    }

    FakeConnection last() {
        return connections.get(connections.size() - 1);
    }

    List<Integer> stored(int partition) {
        return stored.getOrDefault(partition, List.of());
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public BrokerConnection connect(Attempt attempt) {
        beforeConnect.run();
        if (unreachable != null) {
            throw unreachable;
        }
        FakeConnection next = new FakeConnection(attempt);
        connections.add(next);
        return next;
    }

    @Override
    public SendFailure classify(Exception failure) {
        boolean isInvalid = failure instanceof IllegalArgumentException;
        return new SendFailure(failure, isInvalid ? FailureKind.INVALID : FailureKind.PASSING);
    }

    @Override
    public int maxValueBytes() {
        return 1000;
    }

    @Override
    public void close(Duration limit) {
        isClosed = true;
    }

    record InFlight(Message message, DeliveryCallback callback) {
        int number() {
            return Integer.parseInt(new String(message.value(), StandardCharsets.US_ASCII));
        }
    }

    /** A connection whose client fails what follows a failed message. */
    final class FakeConnection implements BrokerConnection {
        private final Attempt attempt;
        private final List<InFlight> inFlight = new ArrayList<>();
        private Exception rejection;
        private Exception endsBefore;
        private RuntimeException straggler;
        private RuntimeException unsettled;
        private int taken;
        private int cuts;
        private Duration settled;

        FakeConnection(Attempt attempt) {
            this.attempt = attempt;
        }

        /** Throws this for the next message instead of taking it. */
        void rejectNext(Exception cause) {
            rejection = cause;
        }

        /** Makes {@code prepareRestart} fail; null if it succeeds. */
        void keepStraggler(RuntimeException cause) {
            straggler = cause;
        }

        /** Throws {@code cause} for the next message, and has the attempt end just before, by {@code earlier}. */
        void rejectNext(Exception cause, Exception earlier) {
            rejection = cause;
            endsBefore = earlier;
        }

        /** Makes {@code settle} fail. */
        void failToSettle(RuntimeException cause) {
            unsettled = cause;
        }

        int inFlight() {
            return inFlight.size();
        }

        int inFlightIn(int partition) {
            return (int) inFlight.stream()
                    .filter(next -> next.message().partition() == partition)
                    .count();
        }

        int taken() {
            return taken;
        }

        int cuts() {
            return cuts;
        }

        Duration settled() {
            return settled;
        }

        @Override
        public void send(Message message, DeliveryCallback callback) throws Exception {
            Exception thrown = rejection;
            rejection = null;
            if (endsBefore != null) {
                attempt.end(endsBefore);
            }
            if (thrown != null) {
                throw thrown;
            }
            taken++;
            inFlight.add(new InFlight(message, callback));
        }

        /** Stores the oldest message of a partition, and answers for it. */
        void deliver(int partition) {
            InFlight oldest = oldest(partition);
            if (oldest != null) {
                inFlight.remove(oldest);
                store(oldest);
                oldest.callback().delivered();
            }
        }

        /** Loses a partition's oldest message and what follows it; what came before continues. */
        void loseAndHalt(int partition, Exception cause) {
            InFlight lost = oldest(partition);
            if (lost != null) {
                attempt.halt(cause);
                List<InFlight> failed = List.copyOf(inFlight.subList(inFlight.indexOf(lost), inFlight.size()));
                inFlight.removeAll(failed);
                failed.forEach(next -> next.callback().failed(cause, FailureKind.PASSING));
            }
        }

        void loseAndEnd(Exception cause) {
            attempt.end(cause);
        }

        /** Stores a partition's oldest message, and loses the answer. */
        void storeInSilence(int partition) {
            InFlight oldest = oldest(partition);
            if (oldest != null) {
                inFlight.remove(oldest);
                store(oldest);
                attempt.end(new IllegalStateException("connection lost"));
                oldest.callback().failed(new IllegalStateException("connection lost"), FailureKind.PASSING);
            }
        }

        private InFlight oldest(int partition) {
            return inFlight.stream()
                    .filter(next -> next.message().partition() == partition)
                    .findFirst()
                    .orElse(null);
        }

        private void store(InFlight arrived) {
            stored.computeIfAbsent(arrived.message().partition(), key -> new ArrayList<>())
                    .add(arrived.number());
        }

        @Override
        public void flush() {
            while (!inFlight.isEmpty()) {
                deliver(inFlight.get(0).message().partition());
            }
        }

        @Override
        public void settle(Duration limit) {
            if (unsettled != null) {
                throw unsettled;
            }
            settled = limit;
        }

        @Override
        public void cut(Exception cause) {
            cuts++;
            List<InFlight> left = List.copyOf(inFlight);
            inFlight.clear();
            left.forEach(next -> next.callback().failed(cause, FailureKind.PASSING));
        }

        @Override
        public void prepareRestart() {
            if (straggler != null) {
                throw straggler;
            }
        }
    }
}
