package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.batch.BatchLimits;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.connector.kafka.batch.RecordBatchWriter;
import io.sluice.testkit.time.HandTime;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A queue against a partition that checks sequence numbers as a broker does, and whose answers are lost or failures at random. */
class PartitionQueueTest {
    private static final ProducerIdAndEpoch PRODUCER = new ProducerIdAndEpoch(1, (short) 0);
    private static final int TOTAL = 300;

    private enum Result {
        STORED,
        REPEATED,
        OUT_OF_ORDER,
        TOO_LARGE,
        PASSING
    }

    /** A partition as a broker keeps it: it remembers the newest five batches of the producer, and fewer after a restart. */
    private static final class Partition {
        private final List<String> log = new ArrayList<>();
        private final Deque<int[]> last = new ArrayDeque<>();
        private int maxBytes;
        private int others;
        private int next = -1;

        Partition(int maxBytes) {
            this.maxBytes = maxBytes;
        }

        /** Where it has stored a batch that it remembers. */
        long offsetOf(OutgoingBatch batch) {
            return last.stream()
                    .filter(known -> known[0] == batch.baseSequence())
                    .findFirst()
                    .orElseThrow()[2];
        }

        /** Stores records of other producers. */
        void addOthers(int count) {
            others += count;
        }

        /** Restarts the broker, which then knows so many of the newest batches: one by a snapshot, more by what it reads of the log. */
        void restart(int remembered) {
            while (last.size() > remembered) {
                last.removeFirst();
            }
        }

        /** Forgets all, as a topic that was deleted and created. */
        void forget() {
            log.clear();
            last.clear();
            others = 0;
            next = -1;
        }

        Result append(OutgoingBatch batch) {
            RecordBatch records = batch.records();
            int count = records.count();
            if (records.sizeBytes() > maxBytes) {
                return Result.TOO_LARGE;
            }
            if (last.stream().anyMatch(known -> known[0] == batch.baseSequence() && known[1] == count)) {
                return Result.REPEATED;
            }
            if (next != -1 && next != batch.baseSequence()) {
                return Result.OUT_OF_ORDER;
            }
            next = batch.baseSequence() + count & Integer.MAX_VALUE;
            last.addLast(new int[] {batch.baseSequence(), count, others + log.size()});
            if (last.size() > 5) {
                last.removeFirst();
            }
            for (int record = 0; record < count; record++) {
                log.add(new String(records.message(record).value(), StandardCharsets.US_ASCII));
            }
            return Result.STORED;
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 1_000);
    }

    /** With every second seed the sequence numbers reach the largest one, after which comes 0. */
    private static int firstSequence(long seed) {
        return seed % 2 == 0 ? 0 : Integer.MAX_VALUE - TOTAL / 2;
    }

    /** Every message is stored once, in the order of submission, whatever is lost or split. */
    @ParameterizedTest
    @MethodSource("seeds")
    void everythingIsStoredOnceAndInOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RecordBatchWriter writer = writer(
                random.nextInt(20) > 0 ? Compression.NONE : Compression.lz4().build());
        BatchLimits limits = new BatchLimits(1_000);
        BatchSplitter splitter = new BatchSplitter(writer, limits);
        PartitionQueue queue = new PartitionQueue("shop", 0, 5, InFlightWindow.LARGE_BYTES, firstSequence(seed));
        Partition partition = new Partition(random.nextInt(3) == 0 ? 150 + random.nextInt(400) : Integer.MAX_VALUE);
        int failures = random.nextInt(60);
        Deque<OutgoingBatch> network = new ArrayDeque<>();
        int submitted = 0;
        int acknowledged = 0;
        long now = 0;
        for (int step = 0; acknowledged < TOTAL; step++) {
            assertThat(step).as("steps without an end").isLessThan(100_000);
            now++;
            if (submitted < TOTAL && random.nextInt(4) == 0) {
                int count = Math.min(TOTAL - submitted, 1 + random.nextInt(20));
                submit(submitted, count, writer, limits, queue);
                submitted += count;
                continue;
            }
            OutgoingBatch sendable = queue.sendable(now);
            if (sendable != null && random.nextBoolean()) {
                network.addLast(queue.takeNext(PRODUCER, now));
                continue;
            }
            OutgoingBatch arrived = network.pollFirst();
            if (arrived == null) {
                continue;
            }
            boolean isLost = failures > 0 && random.nextInt(5) == 0;
            failures -= isLost ? 1 : 0;
            Result result = isLost && random.nextBoolean() ? Result.PASSING : partition.append(arrived);
            switch (isLost ? Result.PASSING : result) {
                case STORED, REPEATED -> {
                    for (OutgoingBatch next : queue.acknowledged(arrived, partition.offsetOf(arrived), now)) {
                        acknowledged += next.records().count();
                    }
                }
                case OUT_OF_ORDER -> {
                    assertThat(queue.isOldest(arrived))
                            .as("a gap in front of the oldest batch")
                            .isFalse();
                    queue.sendAgain(arrived, now + random.nextInt(10));
                }
                case TOO_LARGE -> {
                    splitter.lowerLimit(arrived);
                    queue.sendAgain(arrived, now);
                    queue.split(arrived, splitter::split);
                }
                case PASSING -> {
                    arrived.setPossiblyStored(true);
                    queue.sendAgain(arrived, now + random.nextInt(10));
                }
            }
        }
        assertThat(partition.log)
                .isEqualTo(IntStream.range(0, TOTAL).mapToObj(Integer::toString).toList());
        assertThat(queue.hasUnsent()).isFalse();
        assertThat(queue.drain()).isEmpty();
    }

    /**
     * Connections break with as many batches in flight as there may be, of which the broker has stored some, and may yet receive the others, beside their
     * repetitions, unless it is restarted; it rejects requests, also repetitions, for reasons that pass: every message is stored once, in
     * the order of submission.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void moreThanTheBrokerRemembersIsStoredOnceAndInOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RecordBatchWriter writer = writer();
        BatchLimits limits = new BatchLimits(1_000);
        PartitionQueue queue = new PartitionQueue("shop", 0, ProduceOptions.MAX_IN_FLIGHT, 1, firstSequence(seed));
        Partition partition = new Partition(Integer.MAX_VALUE);
        Deque<OutgoingBatch> network = new ArrayDeque<>();
        Deque<OutgoingBatch> late = new ArrayDeque<>();
        int breaks = random.nextInt(12);
        int submitted = 0;
        int acknowledged = 0;
        long now = 0;
        for (int step = 0; acknowledged < TOTAL; step++) {
            assertThat(step).as("steps without an end").isLessThan(100_000);
            now++;
            if (submitted < TOTAL && random.nextInt(2) == 0) {
                int count = Math.min(TOTAL - submitted, 1 + random.nextInt(5));
                submit(submitted, count, writer, limits, queue);
                submitted += count;
                continue;
            }
            if (queue.sendable(now) != null && random.nextInt(8) > 0) {
                network.addLast(queue.takeNext(PRODUCER, now));
                continue;
            }
            if (random.nextInt(20) == 0) {
                partition.addOthers(random.nextInt(100));
            }
            if (!late.isEmpty() && random.nextInt(3) == 0) {
                Result unread = partition.append(late.removeFirst());
                assertThat(unread).isIn(Result.STORED, Result.REPEATED, Result.OUT_OF_ORDER);
                continue;
            }
            if (breaks > 0 && network.size() > random.nextInt(10) && late.isEmpty()) {
                breaks--;
                late.addAll(network);
                for (OutgoingBatch unanswered : network) {
                    unanswered.setPossiblyStored(true);
                    queue.sendAgain(unanswered, now + random.nextInt(10));
                }
                network.clear();
                for (int stored = random.nextInt(late.size() + 1); stored > 0; stored--) {
                    partition.append(late.removeFirst());
                }
                if (random.nextInt(3) == 0) {
                    late.clear();
                    partition.restart(1 + random.nextInt(5));
                }
                continue;
            }
            OutgoingBatch arrived = network.pollFirst();
            if (arrived != null && random.nextInt(20) == 0) {
                queue.sendAgain(arrived, now + random.nextInt(10)); // such as NOT_LEADER_OR_FOLLOWER
            } else if (arrived != null) {
                Result result = partition.append(arrived);
                if (result == Result.OUT_OF_ORDER && (!queue.isOldest(arrived) || queue.mayBeForgotten(arrived))) {
                    queue.sendAgain(arrived, now + random.nextInt(10));
                } else if (result == Result.OUT_OF_ORDER) {
                    assertThat(queue.skip(arrived)).as("a gap that is none").isTrue();
                } else {
                    for (OutgoingBatch next : queue.acknowledged(arrived, partition.offsetOf(arrived), now)) {
                        acknowledged += next.records().count();
                    }
                }
            }
        }
        assertThat(partition.log)
                .isEqualTo(IntStream.range(0, TOTAL).mapToObj(Integer::toString).toList());
        assertThat(queue.drain()).isEmpty();
    }

    /**
     * A partition whose leader moves: the next one has what was acknowledged, and some of what was stored besides, and remembers some of that.
     * Each broker reads one request after the other, and reads the next one only when it has answered; a former leader may do so late.
     */
    private static final class MovingPartition {
        private final SplittableRandom random;
        private final List<Deque<OutgoingBatch>> requests =
                List.of(new ArrayDeque<>(), new ArrayDeque<>(), new ArrayDeque<>());
        private final List<OutgoingBatch> log = new ArrayList<>();
        private int committed;
        private int remembered = 5;
        private int leader;

        /** The first request of the leader is stored, and other replicas are waited for. */
        private boolean isFirstStored;

        MovingPartition(SplittableRandom random) {
            this.random = random;
        }

        /** What the next request is answered with; null if it is not answered yet. */
        Result answerOf(int broker) {
            OutgoingBatch first = requests.get(broker).getFirst();
            if (broker != leader) {
                return Result.PASSING;
            }
            if (isFirstStored) {
                committed = Math.max(committed, indexOf(first) + 1);
                return Result.STORED;
            }
            Result result = append(first);
            isFirstStored = result != Result.OUT_OF_ORDER;
            return isFirstStored ? null : result;
        }

        private Result append(OutgoingBatch batch) {
            List<OutgoingBatch> known = log.subList(Math.max(0, log.size() - remembered), log.size());
            if (known.contains(batch)) {
                return Result.REPEATED;
            }
            if (!log.isEmpty() && sequenceAfter(log.get(log.size() - 1)) != batch.baseSequence()) {
                return Result.OUT_OF_ORDER;
            }
            log.add(batch);
            remembered = Math.min(5, remembered + 1);
            return Result.STORED;
        }

        private static int sequenceAfter(OutgoingBatch batch) {
            return batch.baseSequence() + batch.records().count() & Integer.MAX_VALUE;
        }

        private int indexOf(OutgoingBatch batch) {
            return log.lastIndexOf(batch);
        }

        long offsetOf(OutgoingBatch batch) {
            return log.subList(0, indexOf(batch)).stream()
                    .mapToInt(before -> before.records().count())
                    .sum();
        }

        OutgoingBatch takeAnswered(int broker) {
            if (broker == leader) {
                isFirstStored = false;
            }
            return requests.get(broker).removeFirst();
        }

        void move() {
            leader = (leader + 1 + random.nextInt(2)) % 3;
            isFirstStored = false;
            log.subList(committed + random.nextInt(log.size() - committed + 1), log.size())
                    .clear();
            remembered = Math.min(Math.max(1, log.size()), 1 + random.nextInt(5));
        }

        /** Stores some of what is on its way to a broker, and returns all of that, without an answer. */
        List<OutgoingBatch> cut(int broker) {
            List<OutgoingBatch> unanswered = List.copyOf(requests.get(broker));
            if (broker == leader) {
                unanswered.stream().limit(random.nextInt(unanswered.size() + 1)).forEach(this::append);
                isFirstStored = false;
            }
            requests.get(broker).clear();
            return unanswered;
        }
    }

    /** Nor is anything found to be missing, unless a leader is replaced and leads again while it is found out what it has. */
    @ParameterizedTest
    @MethodSource("seeds")
    void everythingIsStoredOnceAndInOrderWhileLeadersMove(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RecordBatchWriter writer = writer();
        BatchLimits limits = new BatchLimits(1_000);
        int large = random.nextBoolean() ? 1 : InFlightWindow.LARGE_BYTES;
        PartitionQueue queue = new PartitionQueue("shop", 0, ProduceOptions.MAX_IN_FLIGHT, large, firstSequence(seed));
        MovingPartition partition = new MovingPartition(random);
        int moves = random.nextInt(30);
        int cuts = random.nextInt(10);
        int known = 0;
        int submitted = 0;
        int acknowledged = 0;
        int movedMeanwhile = 0;
        long now = 0;
        for (int step = 0; acknowledged < TOTAL; step++) {
            assertThat(step).as("steps without an end").isLessThan(100_000);
            now++;
            if (submitted < TOTAL && random.nextInt(2) == 0) {
                int count = Math.min(TOTAL - submitted, 1 + random.nextInt(5));
                submit(submitted, count, writer, limits, queue);
                submitted += count;
                continue;
            }
            if (moves > 0 && random.nextInt(30) == 0) {
                moves--;
                partition.move();
                movedMeanwhile++;
            }
            if (random.nextInt(10) == 0) {
                known = partition.leader;
            }
            if (queue.sendable(now) != null && !queue.isAnyElsewhere(known, Uuid.ONE_UUID) && random.nextInt(8) > 0) {
                OutgoingBatch sent = queue.takeNext(PRODUCER, now);
                sent.sentToBroker(known);
                sent.sentTo(Uuid.ONE_UUID);
                partition.requests.get(known).addLast(sent);
                continue;
            }
            int broker = random.nextInt(3);
            if (partition.requests.get(broker).isEmpty()) {
                continue;
            }
            if (cuts > 0 && random.nextInt(20) == 0) {
                cuts--;
                for (OutgoingBatch unanswered : partition.cut(broker)) {
                    unanswered.setPossiblyStored(true);
                    queue.sendAgain(unanswered, now + random.nextInt(10));
                }
                movedMeanwhile = 0;
                continue;
            }
            if (broker != partition.leader && random.nextInt(20) > 0) {
                continue; // it is paused
            }
            Result result = partition.answerOf(broker);
            if (result == null) {
                continue;
            }
            OutgoingBatch answered = partition.takeAnswered(broker);
            if (result == Result.PASSING) {
                answered.setPossiblyStored(true);
                queue.sendAgain(answered, now + random.nextInt(10));
                movedMeanwhile = 0;
            } else if (result == Result.STORED) {
                for (OutgoingBatch next : queue.acknowledged(answered, partition.offsetOf(answered), now)) {
                    acknowledged += next.records().count();
                }
                movedMeanwhile = 0;
            } else if (!queue.isOldest(answered)
                    || queue.mayBeForgotten(answered)
                    || queue.isAnySkippedElsewhere(answered)) {
                queue.sendAgain(answered, now + random.nextInt(10));
                movedMeanwhile = 0;
            } else if (!queue.skip(answered)) {
                assertThat(movedMeanwhile)
                        .as("moves, to and back, before a gap that is none")
                        .isGreaterThan(1);
                return; // the attempt ends
            }
        }
        assertThat(partition.log.stream()
                        .map(OutgoingBatch::records)
                        .flatMap(records -> IntStream.range(0, records.count())
                                .mapToObj(record ->
                                        new String(records.message(record).value(), StandardCharsets.US_ASCII)))
                        .toList())
                .isEqualTo(IntStream.range(0, TOTAL).mapToObj(Integer::toString).toList());
        assertThat(queue.drain()).isEmpty();
    }

    /** What the former leader was sent may be stored by none. */
    @Test
    void nothingIsSentToAnotherLeaderOrTopicWhileABatchIsUnanswered() {
        PartitionQueue queue = queueOf(3);
        assertThat(queue.isAnyElsewhere(1, Uuid.ONE_UUID)).isFalse();
        OutgoingBatch sent = sendNext(queue, 0);
        sent.sentToBroker(1);
        sent.sentTo(Uuid.ONE_UUID);

        assertThat(queue.isAnyElsewhere(1, Uuid.ONE_UUID)).isFalse();
        assertThat(queue.isAnyElsewhere(2, Uuid.ONE_UUID)).isTrue();
        assertThat(queue.isAnyElsewhere(1, Uuid.ZERO_UUID)).isTrue();

        lose(sent, queue);
        assertThat(queue.isAnyElsewhere(2, Uuid.ONE_UUID)).isFalse();
    }

    static Stream<Arguments> whatABrokerHas() {
        return IntStream.rangeClosed(1, 10)
                .boxed()
                .flatMap(sent -> IntStream.rangeClosed(0, sent)
                        .boxed()
                        .flatMap(stored -> IntStream.rangeClosed(1, 5)
                                .mapToObj(remembered -> Arguments.of(sent, stored, remembered))));
    }

    /** However many of the batches without an answer a broker has, and remembers, the queue finds out. */
    @ParameterizedTest
    @MethodSource("whatABrokerHas")
    void whatTheBrokerHasOfThoseUnansweredIsFoundOut(int sent, int stored, int remembered) {
        Partition partition = new Partition(Integer.MAX_VALUE);
        PartitionQueue queue = unanswered(partition, sent, stored);
        partition.restart(remembered);

        List<Result> results = new ArrayList<>();
        int acknowledged = 0;
        while (acknowledged < sent) {
            OutgoingBatch next = sendNext(queue, 5);
            Result result = partition.append(next);
            results.add(result);
            if (result == Result.OUT_OF_ORDER) {
                assertThat(queue.skip(next)).isTrue();
            } else {
                acknowledged +=
                        queue.acknowledged(next, partition.offsetOf(next), 5).size();
            }
        }

        assertThat(results.stream().filter(Result.OUT_OF_ORDER::equals)).hasSize(Math.max(0, stored - remembered));
        assertThat(results.stream().filter(Result.STORED::equals)).hasSize(sent - stored);
        assertThat(partition.log)
                .isEqualTo(IntStream.rangeClosed(0, sent)
                        .mapToObj(Integer::toString)
                        .toList());
        assertThat(queue.drain()).isEmpty();
    }

    /** A topic that was deleted and created takes any batch of a producer that it does not know. Others may have written to it before. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "2, 0", "2, 2", "7, 0", "7, 7"})
    void whatWasBeforeABatchIsNotTakenForStoredInATopicThatIsNew(int skipped, int others) {
        Partition partition = new Partition(Integer.MAX_VALUE);
        PartitionQueue queue = unanswered(partition, 10, 10);
        partition.restart(1);
        List<OutgoingBatch> gaps = new ArrayList<>();
        for (int i = 0; i < skipped; i++) {
            OutgoingBatch gap = sendNext(queue, 5);
            gaps.add(gap);
            assertThat(partition.append(gap)).isEqualTo(Result.OUT_OF_ORDER);
            assertThat(queue.skip(gap)).isTrue();
        }
        partition.forget();
        partition.addOthers(others);
        OutgoingBatch next = sendNext(queue, 5);
        assertThat(partition.append(next)).isEqualTo(Result.STORED);

        assertThat(queue.acknowledged(next, partition.offsetOf(next), 5)).isEmpty();
        assertThat(queue.drain())
                .hasSize(10)
                .startsWith(gaps.toArray(OutgoingBatch[]::new))
                .contains(next);
    }

    /** Not even if others have filled it meanwhile, so that there is room for it. */
    @Test
    void whatABrokerHasNotStoredIsNotTakenForStoredBecauseOfOneAfterIt() {
        PartitionQueue queue = queueOf(3);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        OutgoingBatch rejected = sendNext(queue, 0);
        OutgoingBatch stored = sendNext(queue, 0);

        queue.sendAgain(rejected, 1);

        assertThat(queue.acknowledged(stored, 1_000, 1)).containsExactly(stored);
        assertThat(queue.sendable(2)).isSameAs(rejected);
    }

    /** A broker states no offset of a repetition: then it cannot be told whether it has what is skipped. */
    @Test
    void nothingIsSkippedAfterABatchWhoseOffsetIsNotKnown() {
        PartitionQueue queue = queueOf(4);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        queue.acknowledged(sendNext(queue, 0), -1, 0);
        OutgoingBatch first = sendNext(queue, 0);
        OutgoingBatch second = sendNext(queue, 0);
        lose(first, queue);
        lose(second, queue);

        assertThat(sendNext(queue, 5)).isSameAs(first);

        assertThat(queue.skip(first)).isFalse();
    }

    /** The topic may have been created again meanwhile: then a broker would store the second one also if it has rejected the first. */
    @Test
    void whatIsSentAgainIsSentAlone() {
        PartitionQueue queue = queueOf(3);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        OutgoingBatch first = sendNext(queue, 0);
        OutgoingBatch second = sendNext(queue, 0);
        lose(first, queue);
        lose(second, queue);

        assertThat(sendNext(queue, 5)).isSameAs(first);

        assertThat(queue.sendable(5)).as("before the first is acknowledged").isNull();
        assertThat(queue.acknowledged(first, 1, 5)).containsExactly(first);
        assertThat(queue.sendable(5)).isSameAs(second);
    }

    /**
     * A topic may have got a lower limit: then a repetition is too large, though the batch is stored. Split, it would get other sequence
     * numbers than the broker has.
     */
    @Test
    void whatIsStoredAfterABatchThatIsTooLargeIsNotAcknowledged() {
        Partition partition = new Partition(Integer.MAX_VALUE);
        PartitionQueue queue = unanswered(partition, 10, 3);
        queue.acknowledged(sendNext(queue, 5), 1, 5);
        OutgoingBatch large = sendNext(queue, 5);
        OutgoingBatch small = sendNext(queue, 5);

        queue.sendAgain(large, 6);
        queue.split(large, List::of);

        assertThat(queue.acknowledged(small, 3, 6)).isEmpty();
        assertThat(queue.drain()).hasSize(9).startsWith(large, small);
    }

    /** The topic was deleted and created between them, which its id tells. */
    @Test
    void whatWasSentToAnotherTopicOfTheNameIsNotTakenForStored() {
        Partition partition = new Partition(Integer.MAX_VALUE);
        PartitionQueue queue = unanswered(partition, 10, 8);
        OutgoingBatch first = sendNext(queue, 5);
        first.sentTo(Uuid.ONE_UUID);
        assertThat(first.isPossiblyStored()).isFalse();
        first.setPossiblyStored(true); // sent to this one, too, and lost again
        assertThat(queue.skip(first)).isTrue();
        OutgoingBatch second = sendNext(queue, 5);
        second.sentTo(Uuid.randomUuid());

        assertThat(queue.acknowledged(second, 1_000, 5)).isEmpty();
    }

    /** If answers take long, more requests would only wait, until they time out. */
    @Test
    void onlyWhileAnswersComeSoonThereIsMoreThanTheBrokerRemembers() {
        PartitionQueue queue = queueOf(20);
        long now = TimeUnit.SECONDS.toNanos(3);
        queue.acknowledged(sendNext(queue, 0), 0, now);
        OutgoingBatch quick = sendNext(queue, now);
        for (int i = 0; i < 4; i++) {
            sendNext(queue, now);
        }
        assertThat(queue.sendable(now)).isNull();

        queue.acknowledged(quick, 1, now + 1);
        for (int i = 0; i < ProduceOptions.MAX_IN_FLIGHT - 4; i++) {
            sendNext(queue, now + 1);
        }
        assertThat(queue.sendable(now + 1)).isNull();
    }

    /** The connection may break again, while it is found out what the broker has. */
    @Test
    void theFirstIsTriedAgainAfterAnotherBreak() {
        Partition partition = new Partition(Integer.MAX_VALUE);
        PartitionQueue queue = unanswered(partition, 10, 8);
        OutgoingBatch first = sendNext(queue, 5);
        assertThat(queue.skip(first)).isTrue();
        OutgoingBatch second = sendNext(queue, 5);
        assertThat(queue.skip(second)).isTrue();
        OutgoingBatch third = sendNext(queue, 5);

        queue.sendAgain(third, 6);

        assertThat(queue.sendable(7)).isSameAs(first);
        assertThat(queue.progressNanos()).isNotNull();
        assertThat(queue.drain()).hasSize(10).startsWith(first, second, third);
    }

    /** A broker that finds one in front of each has lost what it had acknowledged. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 10})
    void aGapInFrontOfTheLastThatMayBeStoredIsNotSkipped(int sent) {
        PartitionQueue queue = unanswered(new Partition(Integer.MAX_VALUE), sent, 0);
        for (int i = 1; i < sent; i++) {
            assertThat(queue.skip(sendNext(queue, 2))).isTrue();
        }

        assertThat(queue.skip(sendNext(queue, 2))).isFalse();
        assertThat(queue.drain()).hasSize(sent);
    }

    /** What a broker has rejected it does not have, nor what comes after it. */
    @Test
    void aBatchThatIsNotStoredIsNotSentInsteadOfAnother() {
        PartitionQueue queue = queueOf(20);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        OutgoingBatch lost = sendNext(queue, 0);
        OutgoingBatch rejected = sendNext(queue, 0);
        lose(lost, queue);
        queue.sendAgain(rejected, 1);

        assertThat(queue.skip(sendNext(queue, 2))).isFalse();
    }

    /** Nor is one that is not stored skipped for one that may be. */
    @Test
    void aGapInFrontOfABatchThatIsNotStoredIsOne() {
        PartitionQueue queue = queueOf(20);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        OutgoingBatch rejected = sendNext(queue, 0);
        OutgoingBatch lost = sendNext(queue, 0);
        queue.sendAgain(rejected, 1);
        lose(lost, queue);

        assertThat(queue.skip(sendNext(queue, 2))).isFalse();
        assertThat(queue.drain()).hasSize(19).startsWith(rejected, lost);
    }

    /** The one between was given up, and the broker has none after it. */
    @Test
    void aBatchAfterOneThatIsMissingIsNotSentInsteadOfAnother() {
        PartitionQueue queue = queueOf(20);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        OutgoingBatch lost = sendNext(queue, 0);
        OutgoingBatch givenUp = sendNext(queue, 0);
        OutgoingBatch last = sendNext(queue, 0);
        lose(lost, queue);
        queue.rejected(givenUp);
        lose(last, queue);

        assertThat(queue.skip(sendNext(queue, 2))).isFalse();
        assertThat(queue.drain()).hasSize(18).startsWith(lost, last);
    }

    /** Else the answer of the other one would find nothing that it is for. */
    @Test
    void nothingIsSkippedWhileAnotherBatchIsInFlightOrWaits() {
        PartitionQueue queue = unanswered(new Partition(Integer.MAX_VALUE), 10, 10);
        queue.acknowledged(sendNext(queue, 5), 1, 5);
        OutgoingBatch second = sendNext(queue, 5);
        OutgoingBatch third = sendNext(queue, 5);

        assertThat(queue.skip(second)).as("with the third in flight").isFalse();
        assertThat(queue.isInFlight(third)).isTrue();
        queue.sendAgain(second, 6);
        assertThat(queue.skip(third)).as("while the second waits").isFalse();
        assertThat(queue.drain()).hasSize(9).startsWith(second, third);
    }

    @Test
    void whatFollowsASkippedBatchIsSentAlone() {
        PartitionQueue queue = unanswered(new Partition(Integer.MAX_VALUE), 10, 10);
        queue.acknowledged(sendNext(queue, 5), 1, 5);

        assertThat(queue.skip(sendNext(queue, 5))).isTrue();

        OutgoingBatch next = sendNext(queue, 5);
        assertThat(queue.isInFlight(next)).isTrue();
        assertThat(queue.sendable(5)).as("beside the one after the skipped one").isNull();
    }

    /** Whichever of those before it was skipped there. */
    @Test
    void oneThatWasSkippedAtAnotherBrokerIsFoundAmongThem() {
        for (int elsewhere = 0; elsewhere < 3; elsewhere++) {
            PartitionQueue queue = unanswered(new Partition(Integer.MAX_VALUE), 10, 10);
            for (int i = 0; i < 3; i++) {
                OutgoingBatch skipped = sendNext(queue, 5);
                skipped.sentToBroker(i == elsewhere ? 2 : 1);
                assertThat(queue.skip(skipped)).isTrue();
            }
            OutgoingBatch next = sendNext(queue, 5);
            next.sentToBroker(1);

            assertThat(queue.isAnySkippedElsewhere(next))
                    .as("number %d was", elsewhere)
                    .isTrue();
        }
    }

    /** Brokers answer in an order of their own. */
    @Test
    void whatFailsInAnotherOrderIsSentAgainInThatOfItsSubmissionAndAfterTheLongestBackOff() {
        PartitionQueue queue = queueOf(4);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        OutgoingBatch first = sendNext(queue, 0);
        OutgoingBatch second = sendNext(queue, 0);
        OutgoingBatch third = sendNext(queue, 0);

        queue.sendAgain(third, 3);
        queue.sendAgain(first, 9);
        queue.sendAgain(second, 6);

        assertThat(queue.sendable(8)).isNull();
        for (OutgoingBatch next : List.of(first, second, third)) {
            assertThat(sendNext(queue, 9)).isSameAs(next);
            assertThat(queue.acknowledged(next, 1, 9)).containsExactly(next);
        }
    }

    /** A topic that was created again would store it without the one before. */
    @Test
    void whatWasNotSentIsNotSentBesideWhatIsSentAgain() {
        PartitionQueue queue = queueOf(4);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        OutgoingBatch first = sendNext(queue, 0);
        OutgoingBatch second = sendNext(queue, 0);
        lose(first, queue);
        lose(second, queue);
        queue.acknowledged(sendNext(queue, 5), 1, 5);

        assertThat(sendNext(queue, 5)).isSameAs(second);

        assertThat(queue.sendable(5)).isNull();
        queue.acknowledged(second, 2, 5);
        assertThat(queue.sendable(5)).isNotNull();
    }

    /** One between them is at another broker, or is given up. */
    @Test
    void whatIsNotJustBeforeABatchIsNotTakenForStoredBecauseOfIt() {
        PartitionQueue queue = queueOf(4);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        OutgoingBatch lost = sendNext(queue, 0);
        OutgoingBatch between = sendNext(queue, 0);
        OutgoingBatch stored = sendNext(queue, 0);
        lose(lost, queue);

        assertThat(queue.acknowledged(stored, 1_000, 1)).containsExactly(stored);
        assertThat(queue.drain()).containsExactly(lost, between);
    }

    /** The first of them counts, whichever is found last. */
    @Test
    void whatIsStoredBetweenTwoBatchesThatAreTooLargeIsNotAcknowledged() {
        PartitionQueue queue = unanswered(new Partition(Integer.MAX_VALUE), 10, 3);
        queue.acknowledged(sendNext(queue, 5), 1, 5);
        OutgoingBatch large = sendNext(queue, 5);
        OutgoingBatch small = sendNext(queue, 5);
        OutgoingBatch alsoLarge = sendNext(queue, 5);

        for (OutgoingBatch next : List.of(large, alsoLarge)) {
            queue.sendAgain(next, 6);
            queue.split(next, List::of);
        }

        assertThat(queue.acknowledged(small, 3, 6)).isEmpty();
        assertThat(queue.drain()).hasSize(9).startsWith(large, small, alsoLarge);
    }

    /** Smaller batches wait until those in flight are answered, so that there is more to be sent at once. */
    @Test
    void onlyLargeBatchesAreMoreThanTheBrokerRemembers() {
        RecordBatchWriter writer = writer();
        BatchLimits limits = new BatchLimits(1_000);
        PartitionQueue queue = new PartitionQueue("shop", 0, ProduceOptions.MAX_IN_FLIGHT, 500, 0);
        submit(0, 1, writer, limits, queue);
        queue.acknowledged(sendNext(queue, 0), 0, 0);
        for (int i = 0; i < 5; i++) {
            submit(i, 1, writer, limits, queue);
            sendNext(queue, 0);
        }
        submit(100, 100, writer, new BatchLimits(100_000), queue);
        submit(200, 1, writer, limits, queue);

        assertThat(sendNext(queue, 0).records().count()).isEqualTo(100);
        assertThat(queue.sendable(0)).isNull();
    }

    /** A queue with batches that were sent and not answered, of which a broker has stored some, after one that was. */
    private static PartitionQueue unanswered(Partition partition, int batches, int stored) {
        PartitionQueue queue = queueOf(batches + 1);
        OutgoingBatch known = sendNext(queue, 0);
        partition.append(known);
        queue.acknowledged(known, 0, 0);
        List<OutgoingBatch> sent =
                IntStream.range(0, batches).mapToObj(i -> sendNext(queue, 0)).toList();
        assertThat(queue.sendable(0)).isNull();
        sent.subList(0, stored).forEach(partition::append);
        sent.forEach(batch -> lose(batch, queue));
        return queue;
    }

    /** Whatever makes smaller batches may fail, for want of memory: no message is left without an answer. */
    @Test
    void aSplitThatFailsKeepsAllBatches() {
        RecordBatchWriter writer = writer();
        PartitionQueue queue = new PartitionQueue("shop", 0, 5);
        submit(0, 60, writer, new BatchLimits(200), queue);
        OutgoingBatch first = Objects.requireNonNull(queue.sendable(1));
        queue.takeNext(PRODUCER, 1);
        queue.sendAgain(first, 2);
        int[] calls = {0};
        queue.split(first, batch -> {
            if (++calls[0] == 3) {
                throw new OutOfMemoryError("no direct memory");
            }
            return List.of(batch);
        });

        assertThatThrownBy(() -> queue.sendable(3)).isInstanceOf(OutOfMemoryError.class);

        assertThat(queue.drain().stream()
                        .mapToInt(batch -> batch.records().count())
                        .sum())
                .isEqualTo(60);
    }

    /** A broker forgets a producer that has sent nothing for long, and would store the second batch without the first. */
    @Test
    void afterALongSilenceTheNextBatchIsSentAlone() {
        RecordBatchWriter writer = writer();
        BatchLimits limits = new BatchLimits(1_000);
        PartitionQueue queue = new PartitionQueue("shop", 0, 5);
        submit(0, 1, writer, limits, queue);
        long now = 0;
        queue.acknowledged(sendNext(queue, now), 0, now);
        submit(1, 1, writer, limits, queue);
        submit(2, 1, writer, limits, queue);

        now += TimeUnit.HOURS.toNanos(25);
        OutgoingBatch alone = sendNext(queue, now);

        assertThat(queue.sendable(now)).isNull();
        queue.acknowledged(alone, 1, now);
        assertThat(queue.sendable(now)).isNotNull();
    }

    /** It is there from a full window on that waits, until nothing waits. */
    @Test
    void aBacklogLastsUntilNothingWaits() {
        RecordBatchWriter writer = writer();
        BatchLimits limits = new BatchLimits(1_000);
        PartitionQueue queue = new PartitionQueue("shop", 0, 5);
        Backlog backlog = new Backlog();
        for (int i = 0; i < 4; i++) {
            submit(i, 1, writer, limits, queue);
        }
        backlog.note(List.of(queue));
        assertThat(backlog.isThere()).isFalse();

        submit(4, 1, writer, limits, queue);
        backlog.note(List.of(queue));
        assertThat(backlog.isThere()).isTrue();

        queue.acknowledged(sendNext(queue, 0), 0, 0);
        backlog.note(List.of(queue));
        assertThat(backlog.isThere()).as("while some wait").isTrue();
        backlog.note(List.of());
        assertThat(backlog.isThere()).isFalse();
    }

    /** A queue in which so many batches of one message wait, all of which count as large. */
    private static PartitionQueue queueOf(int batches) {
        RecordBatchWriter writer = writer();
        BatchLimits limits = new BatchLimits(1_000);
        PartitionQueue queue = new PartitionQueue("shop", 0, ProduceOptions.MAX_IN_FLIGHT, 1, 0);
        for (int i = 0; i < batches; i++) {
            submit(i, 1, writer, limits, queue);
        }
        return queue;
    }

    /** Has a batch sent again whose answer was lost with the connection. */
    private static void lose(OutgoingBatch batch, PartitionQueue queue) {
        batch.setPossiblyStored(true);
        queue.sendAgain(batch, 1);
    }

    private static OutgoingBatch sendNext(PartitionQueue queue, long now) {
        Objects.requireNonNull(queue.sendable(now));
        return queue.takeNext(PRODUCER, now);
    }

    private static RecordBatchWriter writer() {
        return writer(Compression.NONE);
    }

    private static RecordBatchWriter writer(Compression compression) {
        return new RecordBatchWriter(compression, List.of(), BatchBuffers.forHeap(1 << 30), new HandTime());
    }

    private static void submit(
            int first, int count, RecordBatchWriter writer, BatchLimits limits, PartitionQueue queue) {
        List<Message> messages = IntStream.range(first, first + count)
                .mapToObj(number ->
                        new Message("shop", 0, Integer.toString(number).getBytes(StandardCharsets.US_ASCII)))
                .toList();
        List<DeliveryCallback> callbacks = messages.stream()
                .<DeliveryCallback>map(message -> new DeliveryCallback() {
                    @Override
                    public void delivered() {}

                    @Override
                    public void failed(Exception cause, FailureKind kind) {}
                })
                .toList();
        for (RecordBatch next : writer.write(messages, limits::limitOf).batches()) {
            queue.add(new OutgoingBatch(next, callbacks, 0));
        }
    }
}
