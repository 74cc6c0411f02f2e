package io.sluice.connector.kafka.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.batch.BatchLimits;
import io.sluice.connector.kafka.batch.RecordBatchWriter;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import java.util.stream.IntStream;
import org.apache.kafka.common.compress.Compression;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A loop without a broker. */
@Timeout(300)
class ProduceLoopTest {
    private static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(2);
    private static final ProducerIdAndEpoch PRODUCER = new ProducerIdAndEpoch(1, (short) 0);

    private final HandTime time = new HandTime();
    private final RecordBatchWriter writer =
            new RecordBatchWriter(Compression.NONE, List.of(), BatchBuffers.forHeap(1 << 20), time);
    private final BatchLimits limits = new BatchLimits(1_000);
    private final List<Integer> answered = Collections.synchronizedList(new ArrayList<>());
    private final Cluster cluster = ClusterTest.unconnected();
    private final ProduceLoop loop = loop(Thread::new);

    private ProduceLoop loop(ThreadFactory threads) {
        return new ProduceLoop(
                threads,
                cluster,
                new ProduceOptions(
                        1_000_000,
                        5,
                        Duration.ofSeconds(10),
                        DELIVERY_TIMEOUT,
                        Duration.ofMillis(10),
                        Duration.ofSeconds(1),
                        Duration.ZERO),
                PRODUCER,
                new BatchSplitter(writer, limits),
                new EndingListener(cause -> this.loop.stop(cause)),
                time);
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    /** Nothing would ever be sent again if one message stayed without an answer. */
    @Test
    void everyMessageIsAnsweredThoughMemoryIsUsedUpMeanwhile() throws Exception {
        submit(20, Set.of(3, 4, 11, 19));
        loop.start();
        time.pass(DELIVERY_TIMEOUT);
        loop.awaitEnd();

        assertThat(answered).contains(IntStream.range(0, 20).boxed().toArray(Integer[]::new));
        loop.awaitAnswers(Duration.ofDays(1));
    }

    /** The next connection, and the end of the instance, would wait for it for ever. */
    @Test
    void aLoopForWhichThereIsNoThreadEnds() throws InterruptedException {
        ProduceLoop threadless = loop(run -> new Thread(run) {
            @Override
            public synchronized void start() {
                throw new OutOfMemoryError("unable to create native thread");
            }
        });

        submitTo(threadless, 0, 1);

        assertThatThrownBy(threadless::start).isInstanceOf(OutOfMemoryError.class);

        threadless.awaitEnd();
        assertThat(answered).as("before its end").containsExactly(1);
        assertThat(cluster.metadata().isClosed()).isTrue();
        submitTo(threadless, 0, 2);
        assertThat(answered).as("after its end").containsExactly(1, 2);
        threadless.awaitAnswers(Duration.ofDays(1));
    }

    private void submitTo(ProduceLoop to, int partition, int number) {
        to.submit(
                writer.write(List.of(new Message("shop", partition, new byte[10])), limits::limitOf),
                List.of(callback(number, false)));
    }

    /** Submits messages to two partitions, of which some fail when they are told. */
    private void submit(int count, Set<Integer> broken) {
        List<Message> messages = IntStream.range(0, count)
                .mapToObj(number -> new Message("shop", number % 2, new byte[10]))
                .toList();
        List<DeliveryCallback> callbacks = IntStream.range(0, count)
                .<DeliveryCallback>mapToObj(number -> callback(number, broken.contains(number)))
                .toList();
        loop.submit(writer.write(messages, limits::limitOf), callbacks);
    }

    private DeliveryCallback callback(int number, boolean isBroken) {
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                throw new AssertionError("there is no broker");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answered.add(number);
                if (isBroken) {
                    throw new OutOfMemoryError("no room for number " + number);
                }
            }
        };
    }
}
