package io.sluice.connector.api.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.connector.api.attempt.FakeBroker.FakeConnection;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.testkit.time.HandTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * Random messages and faults. After each step the producer is compared with a plain model of the states of an attempt; messages are
 * sent again as the sender does it, and each partition must get them in order and without a gap.
 */
class AttemptModelTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(AttemptProducer.class);

    private static final int PARTITIONS = 3;
    private static final int STEPS = 400;

    private enum State {
        OPEN,
        HALTED,
        ENDED
    }

    /** What became of a message; it is answered once for each time it is sent. */
    private static final class Sent implements DeliveryCallback {
        private int unanswered;
        private boolean isDelivered;
        private FailureKind kind;

        @Override
        public void delivered() {
            unanswered--;
            isDelivered = true;
        }

        @Override
        public void failed(Exception cause, FailureKind why) {
            unanswered--;
            isDelivered = false;
            kind = why;
        }
    }

    private final FakeBroker broker = new FakeBroker();
    private final AttemptProducer producer = new AttemptProducer(broker, new RandomOwnership(), new HandTime());
    private final List<Sent> messages = new ArrayList<>();
    private Random random = new Random(0);
    private boolean isOwner = true;

    /** The model: the state, how many connections there were, and how many messages this one has taken. */
    private State state = State.OPEN;

    private int connections = 1;
    private int taken;

    /** The next message to be sent; smaller than the number of messages when they are sent again. */
    private int next;

    private final class RandomOwnership implements Ownership {
        @Override
        public boolean isHeld() {
            return isOwner;
        }

        @Override
        public long epoch() {
            return 0;
        }
    }

    @BeforeAll
    static void silence() {
        LOGGER.setLevel(Level.OFF); // it would report each restart that fails
    }

    @AfterAll
    static void speak() {
        LOGGER.setLevel(null);
    }

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("sluice.seeds", 300));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void behavesLikeThePlainModelAndKeepsTheOrder(long seed) {
        random = new Random(seed);
        for (int step = 0; step < STEPS; step++) {
            step();
            requireModel();
        }
        finish();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            requireOrder(partition);
        }
    }

    private void step() {
        FakeConnection connection = broker.last();
        int partition = random.nextInt(PARTITIONS);
        switch (random.nextInt(24)) {
            case 0 -> {
                if (connection.inFlightIn(partition) > 0) {
                    connection.loseAndHalt(partition, new IllegalStateException("lost"));
                    become(State.HALTED);
                }
            }
            case 1 -> {
                connection.loseAndEnd(new IllegalStateException("connection lost"));
                become(State.ENDED);
            }
            case 2 -> {
                if (connection.inFlightIn(partition) > 0) {
                    connection.storeInSilence(partition);
                    become(State.ENDED);
                }
            }
            case 3 -> {
                producer.abandon();
                become(State.ENDED);
            }
            case 4 -> reject(connection);
            case 5 -> {
                isOwner = false;
                if (random.nextBoolean()) {
                    send();
                } else {
                    producer.checkOwnership();
                    become(State.ENDED);
                }
                isOwner = true;
            }
            case 6, 7, 8 -> restart();
            case 9, 10, 11, 12, 13 -> connection.deliver(partition);
            default -> send();
        }
    }

    private void become(State failed) {
        if (state != State.ENDED) {
            state = failed;
        }
    }

    private void reject(FakeConnection connection) {
        if (state == State.OPEN) {
            connection.rejectNext(new IllegalArgumentException("rejected"));
            Sent sent = send();
            assertThat(sent.kind).isEqualTo(FailureKind.INVALID);
            state = State.HALTED;
        }
    }

    private Sent send() {
        if (next == messages.size()) {
            messages.add(new Sent());
        }
        int number = next++;
        Sent sent = messages.get(number);
        sent.unanswered++;
        sent.isDelivered = false;
        State before = state;
        int takenBefore = broker.last().taken();
        producer.send(FakeBroker.message(number, number % PARTITIONS), sent);
        if (before == State.OPEN && isOwner) {
            taken += broker.last().taken() - takenBefore; // none if it was rejected
        } else {
            assertThat(sent.unanswered).as("answered at once").isZero();
            assertThat(sent.kind).isEqualTo(FailureKind.PASSING);
            become(before == State.OPEN ? State.ENDED : before);
        }
        return sent;
    }

    /** As the sender does: when all is answered, sends again what failed and what follows that in its partition. */
    private void restart() {
        if (state == State.OPEN) {
            producer.restart(); // without effect
            return;
        }
        while (broker.last().inFlight() > 0) {
            broker.last().deliver(random.nextInt(PARTITIONS));
        }
        boolean isCertain = random.nextBoolean();
        broker.last().keepStraggler(isCertain ? null : new IllegalStateException("may still arrive"));
        boolean isReachable = random.nextBoolean();
        broker.beUnreachable(isReachable ? null : new IllegalStateException("unknown host"));
        producer.restart();
        if (isCertain && (state == State.HALTED || isReachable)) {
            if (state == State.ENDED) {
                connections++;
                taken = 0;
            }
            state = State.OPEN;
        }
        int failed = IntStream.range(0, messages.size())
                .filter(number -> !messages.get(number).isDelivered)
                .findFirst()
                .orElse(messages.size());
        next = failed; // all of them: more than a sender would, and in order
    }

    private void requireModel() {
        assertThat(broker.connections()).hasSize(connections);
        assertThat(broker.last().taken()).isEqualTo(taken);
        for (int i = 0; i < connections; i++) {
            boolean isCut = i < connections - 1 || state == State.ENDED;
            assertThat(broker.connections().get(i).cuts()).as("cuts of %d", i).isEqualTo(isCut ? 1 : 0);
        }
        int inFlight = broker.last().inFlight();
        assertThat(messages.stream().mapToInt(sent -> sent.unanswered).sum()).isEqualTo(inFlight);
    }

    private void finish() {
        while (state != State.OPEN) {
            restart();
        }
        while (next < messages.size()) {
            send();
        }
        broker.last().flush();
        assertThat(messages).allSatisfy(sent -> assertThat(sent.isDelivered).isTrue());
    }

    /** Each number is the next one, or one that was there before and is sent again with all that follow it. */
    private void requireOrder(int partition) {
        int expected = partition;
        for (int number : broker.stored(partition)) {
            assertThat(number).isLessThanOrEqualTo(expected);
            expected = number + PARTITIONS;
        }
        assertThat(expected).isGreaterThanOrEqualTo(messages.size());
    }
}
