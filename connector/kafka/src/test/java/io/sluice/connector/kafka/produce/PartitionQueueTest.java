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
import org.apache.kafka.common.compress.Compression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

    /** A partition as a broker keeps it: it remembers the last five batches of the producer. */
    private static final class Partition {
        private final List<String> log = new ArrayList<>();
        private final Deque<int[]> last = new ArrayDeque<>();
        private final int maxBytes;
        private int next = -1;

        Partition(int maxBytes) {
            this.maxBytes = maxBytes;
        }

        Result append(OutgoingBatch batch) {
            RecordBatch records = batch.records();
            int count = records.count();
            if (last.stream().anyMatch(known -> known[0] == batch.baseSequence() && known[1] == count)) {
                return Result.REPEATED;
            }
            if (records.sizeBytes() > maxBytes) {
                return Result.TOO_LARGE;
            }
            if (next != -1 && next != batch.baseSequence()) {
                return Result.OUT_OF_ORDER;
            }
            next = batch.baseSequence() + count & Integer.MAX_VALUE;
            last.addLast(new int[] {batch.baseSequence(), count});
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
        return LongStream.range(0, 2_000);
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
        PartitionQueue queue = new PartitionQueue("shop", 0);
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
                network.addLast(queue.takeNext(PRODUCER));
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
                    queue.acknowledged(arrived, now);
                    acknowledged += arrived.records().count();
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
                case PASSING -> queue.sendAgain(arrived, now + random.nextInt(10));
            }
        }
        assertThat(partition.log)
                .isEqualTo(IntStream.range(0, TOTAL).mapToObj(Integer::toString).toList());
        assertThat(queue.hasUnsent()).isFalse();
        assertThat(queue.drain()).isEmpty();
    }

    /** Whatever makes smaller batches may fail, for want of memory: no message is left without an answer. */
    @Test
    void aSplitThatFailsKeepsAllBatches() {
        RecordBatchWriter writer = writer();
        PartitionQueue queue = new PartitionQueue("shop", 0);
        submit(0, 60, writer, new BatchLimits(200), queue);
        OutgoingBatch first = Objects.requireNonNull(queue.sendable(1));
        queue.takeNext(PRODUCER);
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
        PartitionQueue queue = new PartitionQueue("shop", 0);
        submit(0, 1, writer, limits, queue);
        long now = 0;
        queue.acknowledged(sendNext(queue, now), now);
        submit(1, 1, writer, limits, queue);
        submit(2, 1, writer, limits, queue);

        now += TimeUnit.HOURS.toNanos(25);
        OutgoingBatch alone = sendNext(queue, now);

        assertThat(queue.sendable(now)).isNull();
        queue.acknowledged(alone, now);
        assertThat(queue.sendable(now)).isNotNull();
    }

    /** It is there from a full window on that waits, until nothing waits. */
    @Test
    void aBacklogLastsUntilNothingWaits() {
        RecordBatchWriter writer = writer();
        BatchLimits limits = new BatchLimits(1_000);
        PartitionQueue queue = new PartitionQueue("shop", 0);
        Backlog backlog = new Backlog();
        for (int i = 0; i < 4; i++) {
            submit(i, 1, writer, limits, queue);
        }
        backlog.note(List.of(queue));
        assertThat(backlog.isThere()).isFalse();

        submit(4, 1, writer, limits, queue);
        backlog.note(List.of(queue));
        assertThat(backlog.isThere()).isTrue();

        queue.acknowledged(sendNext(queue, 0), 0);
        backlog.note(List.of(queue));
        assertThat(backlog.isThere()).as("while some wait").isTrue();
        backlog.note(List.of());
        assertThat(backlog.isThere()).isFalse();
    }

    private static OutgoingBatch sendNext(PartitionQueue queue, long now) {
        Objects.requireNonNull(queue.sendable(now));
        return queue.takeNext(PRODUCER);
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
