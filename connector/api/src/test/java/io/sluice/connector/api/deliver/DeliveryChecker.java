package io.sluice.connector.api.deliver;

import io.sluice.connector.api.deliver.failure.DeadLetters;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Checks what a sender promises, at each step of a simulation:
 *
 * <ul>
 *   <li>In each partition, records are handed over and stored in the order of the entries and without a gap, apart from repetitions: a
 *       run that begins at the first record that is not confirmed, and repeats all that follows it there.
 *   <li>An entry is acked only when the broker has it, in each of its partitions and with nothing older after it, and has said so; or
 *       the policy has passed it over; or the dead letter in its place is stored.
 *   <li>Nothing is sent for long when the ownership is lost.
 * </ul>
 *
 * <p>Entries are numbers from 0 on, in the order in which they are put; a message carries numbers.
 */
final class DeliveryChecker implements SimulatedBroker.Observer {
    private static final int NONE = -1;

    /** A sender looks at its ownership twice in a second. */
    private static final long MAX_WITHOUT_OWNERSHIP_NANOS = 600_000_000;

    /** A violated promise. */
    static final class Violation extends AssertionError {
        private static final long serialVersionUID = 1L;

        Violation(String message) {
            super(message);
        }
    }

    private static final class Partition {
        private final Map<Integer, Integer> indexes = new HashMap<>();
        private final BitSet stored = new BitSet();
        private final BitSet confirmed = new BitSet();
        private final BitSet passedOver = new BitSet();
        private int lastHandedOver = NONE;
        private int lastStored = NONE;
        private int lastAcked = NONE;

        /** The first index after one that was not passed over. */
        int after(int index) {
            return passedOver.nextClearBit(index + 1);
        }

        int firstUnconfirmed() {
            int index = lastAcked + 1;
            while (confirmed.get(index) || passedOver.get(index)) {
                index++;
            }
            return index;
        }
    }

    /** A dead letter, by the partition and the number that it is for. */
    private record Letter(TopicPartition lane, int number) {}

    private final String deadTopic;
    private final List<List<TopicPartition>> lanesOfEntries = new ArrayList<>();
    private final Map<TopicPartition, Partition> partitions = new HashMap<>();
    private final Set<Letter> expectedLetters = new HashSet<>();
    private final Set<Letter> confirmedLetters = new HashSet<>();
    private int acked;

    DeliveryChecker(String deadTopic) {
        this.deadTopic = deadTopic;
    }

    /** Notes the next entry, and where it goes. */
    void put(List<TopicPartition> lanes) {
        int number = lanesOfEntries.size();
        lanesOfEntries.add(lanes);
        for (TopicPartition lane : lanes) {
            Partition partition = partition(lane);
            partition.indexes.put(number, partition.indexes.size());
        }
    }

    private Partition partition(TopicPartition lane) {
        return partitions.computeIfAbsent(lane, key -> new Partition());
    }

    static List<Integer> numbers(Message message) {
        String text = new String(message.value(), StandardCharsets.UTF_8);
        return Arrays.stream(text.split(",")).map(Integer::valueOf).toList();
    }

    /** The sender has given a message to the producer. */
    @Override
    public void handedOver(Message message) {
        if (message.topic().equals(deadTopic)) {
            return;
        }
        Partition partition = partition(TopicPartition.of(message));
        for (int number : numbers(message)) {
            int index = partition.indexes.get(number);
            if (index <= partition.lastHandedOver) {
                int first = partition.firstUnconfirmed();
                require(
                        index == first,
                        () -> "%d is handed over again in %s, but index %d is the first that is not confirmed"
                                .formatted(number, TopicPartition.of(message), first));
            } else {
                require(
                        index <= partition.after(partition.lastHandedOver),
                        () -> "%d is handed over in %s before what precedes it"
                                .formatted(number, TopicPartition.of(message)));
            }
            partition.lastHandedOver = index;
            partition.confirmed.clear(index, partition.confirmed.length() + index + 1);
        }
    }

    /** The broker has stored a message. */
    @Override
    public void stored(Message message) {
        if (message.topic().equals(deadTopic)) {
            return;
        }
        Partition partition = partition(TopicPartition.of(message));
        for (int number : numbers(message)) {
            int index = partition.indexes.get(number);
            require(
                    index > partition.lastAcked && !partition.confirmed.get(index),
                    () -> "%d is stored in %s after it was confirmed".formatted(number, TopicPartition.of(message)));
            require(
                    index <= partition.after(partition.lastStored),
                    () -> "%d is stored in %s, and what precedes it is not"
                            .formatted(number, TopicPartition.of(message)));
            partition.lastStored = index;
            partition.stored.set(index);
        }
    }

    /** The sender is told that a message is stored. */
    @Override
    public void confirmed(Message message) {
        if (message.topic().equals(deadTopic)) {
            confirmedLetters.add(letterOf(message));
            return;
        }
        Partition partition = partition(TopicPartition.of(message));
        numbers(message).forEach(number -> partition.confirmed.set(partition.indexes.get(number)));
    }

    @Override
    public void sentWithoutOwnership(Message message, long nanos) {
        require(
                nanos <= MAX_WITHOUT_OWNERSHIP_NANOS,
                () -> "%s is sent %d ms after the ownership was lost"
                        .formatted(TopicPartition.of(message), nanos / 1_000_000));
    }

    private static Letter letterOf(Message letter) {
        Map<String, String> headers = new HashMap<>();
        for (MessageHeader header : letter.headers()) {
            headers.put(header.name(), header.value());
        }
        String position = headers.get(DeadLetters.POSITION).split("\\.\\.")[0];
        return new Letter(
                new TopicPartition(
                        headers.get(DeadLetters.TOPIC), Integer.parseInt(headers.get(DeadLetters.PARTITION))),
                Integer.parseInt(position.substring(position.indexOf(':') + 1)));
    }

    /** The policy has the sender pass a record over, or send a dead letter in its place. */
    void passedOver(TopicPartition lane, List<Integer> numbers, boolean byALetter) {
        Partition partition = partition(lane);
        for (int number : numbers) {
            partition.passedOver.set(partition.indexes.get(number));
        }
        if (byALetter) {
            expectedLetters.add(new Letter(lane, numbers.get(0)));
        }
    }

    /** So many entries are acked. */
    void acked(long entries) {
        for (; acked < entries; acked++) {
            for (TopicPartition lane : lanesOfEntries.get(acked)) {
                requireAckable(lane, acked);
            }
        }
        require(acked == entries, () -> "acks went back from %d to %d".formatted(acked, entries));
    }

    private void requireAckable(TopicPartition lane, int number) {
        Partition partition = partition(lane);
        int index = partition.indexes.get(number);
        partition.lastAcked = index;
        if (partition.passedOver.get(index)) {
            Letter letter = new Letter(lane, number);
            require(
                    !expectedLetters.contains(letter) || confirmedLetters.contains(letter),
                    () -> "%d of %s is acked before its dead letter is stored".formatted(number, lane));
            return;
        }
        require(
                partition.stored.get(index) && partition.confirmed.get(index),
                () -> "%d is acked, but %s does not have it for certain".formatted(number, lane));
        require(
                partition.lastStored >= index,
                () -> "%d is acked, but %s has an older record after it".formatted(number, lane));
    }

    /** Another sender begins with what is not acked. */
    void beginAgain() {
        for (Partition partition : partitions.values()) {
            int next = partition.lastAcked + 1;
            partition.confirmed.clear(next, partition.confirmed.length() + next);
            partition.passedOver.clear(next, partition.passedOver.length() + next);
            partition.lastHandedOver = partition.lastAcked;
        }
        expectedLetters.removeIf(letter -> letter.number() >= acked);
        confirmedLetters.removeIf(letter -> letter.number() >= acked);
    }

    /** Fails with a message unless something holds. */
    void require(boolean holds, Supplier<String> otherwise) {
        if (!holds) {
            throw new Violation(otherwise.get());
        }
    }
}
