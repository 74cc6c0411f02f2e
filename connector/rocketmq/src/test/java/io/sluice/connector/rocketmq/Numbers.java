package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.rocketmq.common.message.MessageExt;

/** Sends numbers from 0 on, dealt to partitions in turn, and after a failure all from the first that failed. */
final class Numbers {
    private final MessageProducer producer;
    private final String topic;
    private final int partitions;
    private final AtomicInteger failures = new AtomicInteger();
    private volatile String lastFailure = "";

    /** What became of a message. */
    record Outcome(Exception cause, FailureKind kind) {
        static final Outcome DELIVERED = new Outcome(new IllegalStateException("delivered"), FailureKind.PASSING);
    }

    Numbers(MessageProducer producer, String topic, int partitions) {
        this.producer = producer;
        this.topic = topic;
        this.partitions = partitions;
    }

    /** Sends a part once, waits for the answers, and hands them back. */
    static List<Outcome> send(MessageProducer producer, List<Message> messages) throws InterruptedException {
        return begin(producer, messages).await();
    }

    /** Hands a part over once, and waits for no answer. */
    static Sent begin(MessageProducer producer, List<Message> messages) {
        AtomicReferenceArray<Outcome> outcomes = new AtomicReferenceArray<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            int index = i;
            producer.send(messages.get(i), new DeliveryCallback() {
                @Override
                public void delivered() {
                    answer(Outcome.DELIVERED);
                }

                @Override
                public void failed(Exception cause, FailureKind kind) {
                    answer(new Outcome(cause, kind));
                }

                private void answer(Outcome outcome) {
                    if (!outcomes.compareAndSet(index, null, outcome)) {
                        throw new AssertionError("answered twice: " + index);
                    }
                }
            });
        }
        return new Sent(producer, outcomes);
    }

    /** What was handed over once. */
    record Sent(MessageProducer producer, AtomicReferenceArray<Outcome> outcomes) {
        /** Waits for the answers, and hands them back. */
        List<Outcome> await() throws InterruptedException {
            producer.flush();
            List<Outcome> all = new ArrayList<>();
            for (int i = 0; i < outcomes.length(); i++) {
                assertThat(outcomes.get(i)).as("answer for %d", i).isNotNull();
                all.add(outcomes.get(i));
            }
            return all;
        }
    }

    /** Sends the numbers of a range until all are delivered. */
    void sendAll(int from, int to) throws InterruptedException {
        List<Message> left = IntStream.range(from, to).mapToObj(this::message).toList();
        while (!left.isEmpty()) {
            List<Outcome> outcomes = send(producer, left);
            int delivered = 0;
            while (delivered < left.size() && outcomes.get(delivered).equals(Outcome.DELIVERED)) {
                delivered++;
            }
            if (delivered < left.size()) {
                lastFailure = String.valueOf(outcomes.get(delivered).cause());
                failures.incrementAndGet(); // after the reason, for those that wait for it
                assertThat(outcomes.get(delivered).kind())
                        .as(outcomes.get(delivered).cause().toString())
                        .isEqualTo(FailureKind.PASSING);
                producer.restart();
            }
            left = left.subList(delivered, left.size());
        }
    }

    Message message(int number) {
        return new Message(topic, number % partitions, bytes(Integer.toString(number)));
    }

    /** How often something was sent again. */
    int failures() {
        return failures.get();
    }

    /** Why something was sent again last; empty if nothing was. */
    String lastFailure() {
        return lastFailure;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The numbers that a topic holds, by queue. */
    static Map<Integer, List<Integer>> byQueue(List<MessageExt> messages) {
        return messages.stream()
                .collect(Collectors.groupingBy(
                        MessageExt::getQueueId,
                        TreeMap::new,
                        Collectors.mapping(
                                message -> Integer.valueOf(new String(message.getBody(), StandardCharsets.UTF_8)),
                                Collectors.toList())));
    }

    /** The numbers that a topic holds, by broker and queue: {@code broker-a/0}. */
    static Map<String, List<Integer>> byPlace(List<MessageExt> messages) {
        return messages.stream()
                .collect(Collectors.groupingBy(
                        message -> message.getBrokerName() + "/" + message.getQueueId(),
                        TreeMap::new,
                        Collectors.mapping(
                                message -> Integer.valueOf(new String(message.getBody(), StandardCharsets.UTF_8)),
                                Collectors.toList())));
    }

    /** Requires that nothing is missing, and that in each queue the numbers of a partition came first in their order, wherever else they came. */
    static void requireFirstCopiesInOrder(List<MessageExt> messages, int count, int partitions) {
        Map<String, List<Integer>> byPlace = byPlace(messages);
        assertThat(byPlace.values().stream().flatMap(List::stream).distinct().sorted())
                .containsExactlyElementsOf(IntStream.range(0, count).boxed().toList());
        byPlace.forEach((place, numbers) -> {
            for (int partition = 0; partition < partitions; partition++) {
                int wanted = partition;
                assertThat(numbers.stream()
                                .filter(number -> number % partitions == wanted)
                                .distinct())
                        .as("partition %d in %s", partition, place)
                        .isSorted();
            }
        });
    }

    /** Requires that the last copies of a partition's numbers came in their order; the partition must have been in one queue all the time. */
    static void requireLastCopiesInOrder(List<MessageExt> messages, int partitions) {
        byPlace(messages).forEach((place, numbers) -> {
            for (int partition = 0; partition < partitions; partition++) {
                List<Integer> latestFirst = new ArrayList<>();
                Set<Integer> seen = new HashSet<>();
                for (int i = numbers.size() - 1; i >= 0; i--) {
                    int number = numbers.get(i);
                    if (number % partitions == partition && seen.add(number)) {
                        latestFirst.add(number);
                    }
                }
                assertThat(latestFirst)
                        .as("last copies of partition %d in %s", partition, place)
                        .isSortedAccordingTo(Comparator.reverseOrder());
            }
        });
    }

    /** Requires that nothing is missing, and that what came twice came, in the end, in its order. */
    static void requireInOrder(List<MessageExt> messages, int count, int queues) {
        Map<Integer, List<Integer>> byQueue = byQueue(messages);
        for (int queue = 0; queue < queues; queue++) {
            List<Integer> arrived = byQueue.getOrDefault(queue, List.of());
            Map<Integer, Integer> lastCopies = new HashMap<>();
            for (int i = 0; i < arrived.size(); i++) {
                lastCopies.put(arrived.get(i), i);
            }
            int first = queue;
            List<Integer> expected = IntStream.range(0, count)
                    .filter(number -> number % queues == first)
                    .boxed()
                    .toList();
            assertThat(lastCopies.keySet()).containsExactlyInAnyOrderElementsOf(expected);
            assertThat(arrived.stream().distinct()).as("first copies").isSorted();
            assertThat(expected.stream().map(lastCopies::get)).as("last copies").isSorted();
        }
    }
}
