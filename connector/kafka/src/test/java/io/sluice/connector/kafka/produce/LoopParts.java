package io.sluice.connector.kafka.produce;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.kafka.batch.BatchBuffers;
import io.sluice.connector.kafka.batch.BatchLimits;
import io.sluice.connector.kafka.batch.RecordBatch;
import io.sluice.connector.kafka.batch.RecordBatchWriter;
import io.sluice.testkit.time.HandTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponseCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;

/** What a loop consists of, without its thread and without a broker: the test sends, and answers in the broker's place. */
final class LoopParts implements AutoCloseable {
    static final ProducerIdAndEpoch PRODUCER = new ProducerIdAndEpoch(1, (short) 0);
    static final Node BROKER = new Node(1, "127.0.0.1", 1);
    static final Duration DELIVERY_TIMEOUT = Duration.ofMinutes(2);

    private static final short VERSION = 9;

    final HandTime time = new HandTime();
    final RecordBatchWriter writer =
            new RecordBatchWriter(Compression.NONE, List.of(), BatchBuffers.forHeap(1 << 20), time);
    final BatchLimits limits = new BatchLimits(1_000);
    final Cluster cluster = ClusterTest.unconnected();
    final StopCause stop;
    final PartitionQueues queues = new PartitionQueues(ProduceOptions.MAX_IN_FLIGHT);
    final SubmittedBatches submitted = new SubmittedBatches(cluster.client()::wakeup, time);
    final AnswerReader reader;
    final RequestSender sender;
    final ProgressTimeout timeout;
    final LoopEnd end;

    /** The numbers of the messages that were acknowledged, and of those that have failed. */
    final List<String> delivered = new ArrayList<>();

    final List<String> failed = new ArrayList<>();
    final List<FailureKind> kinds = new ArrayList<>();

    /** The numbers of the messages whose callbacks throw something the first time. */
    final Set<String> broken = new HashSet<>();

    LoopParts() {
        ProduceOptions options = new ProduceOptions(
                1_000_000,
                ProduceOptions.MAX_IN_FLIGHT,
                Duration.ofSeconds(10),
                DELIVERY_TIMEOUT,
                Duration.ofMillis(100),
                Duration.ofSeconds(1),
                Duration.ZERO);
        EndingListener listener = new EndingListener(this::stop);
        this.stop = new StopCause(cluster, listener);
        MessageAnswers answers = new MessageAnswers(submitted, stop, listener);
        AnswerTimes answerTimes = new AnswerTimes(options.requestTimeout());
        BatchSplitter splitter = new BatchSplitter(writer, limits);
        this.reader = new AnswerReader(cluster, options, splitter, queues, submitted, answerTimes, answers, stop, time);
        this.sender = new RequestSender(cluster, options, queues, submitted, answerTimes, reader, answers, stop);
        this.timeout = new ProgressTimeout(cluster, options, queues, answerTimes, answers, time.nanos());
        this.end = new LoopEnd(cluster, queues, submitted, answers, stop, listener);
    }

    private void stop(Exception cause) {
        stop.set(cause);
    }

    /** A batch with a message for each number. */
    OutgoingBatch batch(int partition, String... numbers) {
        List<Message> messages = Arrays.stream(numbers)
                .map(number -> new Message("shop", partition, number.getBytes(StandardCharsets.US_ASCII)))
                .toList();
        RecordBatch records = writer.write(messages, limits::limitOf).batches().get(0);
        return new OutgoingBatch(records, Stream.of(numbers).map(this::noting).toList(), time.nanos());
    }

    /** Notes the answer to a message. */
    DeliveryCallback noting(String number) {
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                delivered.add(number);
                fail();
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                failed.add(number);
                kinds.add(kind);
                fail();
            }

            private void fail() {
                if (broken.remove(number)) {
                    throw new IllegalStateException("a defect");
                }
            }
        };
    }

    /** Has the brokers state the leader of each partition of the topic. */
    void state(List<Integer> leaders, Map<Integer, Integer> ports) {
        cluster.keep("shop");
        ClusterTest.updateWithLeaders(ports, leaders, cluster, new Uuid(1, 1));
    }

    /** Takes the next batch of a partition as it is sent. */
    Request send(PartitionQueue from, Node to, Uuid topicId) {
        Objects.requireNonNull(from.sendable(time.nanos()), "nothing may be sent");
        Request request = new Request(to);
        OutgoingBatch batch = from.takeNext(PRODUCER, time.nanos());
        batch.sentTo(topicId);
        request.add(from, batch);
        return request;
    }

    /** Has a request time out. */
    void lose(Request request) {
        reader.read(request, new ClientResponse(header(), null, BROKER.idString(), 0, 0, true, null, null, null));
    }

    /**
     * Answers a request for partition 0.
     *
     * @param invalid the records that the answer calls invalid
     */
    void answer(Request request, Errors error, long offset, int... invalid) {
        TopicProduceResponseCollection topics = new TopicProduceResponseCollection();
        topics.add(new TopicProduceResponse()
                .setName("shop")
                .setPartitionResponses(List.of(new PartitionProduceResponse()
                        .setIndex(0)
                        .setErrorCode(error.code())
                        .setBaseOffset(offset)
                        .setRecordErrors(Arrays.stream(invalid)
                                .mapToObj(record -> new BatchIndexAndErrorMessage().setBatchIndex(record))
                                .toList()))));
        answer(request, new ProduceResponseData().setResponses(topics));
    }

    void answer(Request request, ProduceResponseData data) {
        reader.read(
                request,
                new ClientResponse(
                        header(), null, BROKER.idString(), 0, 0, false, null, null, new ProduceResponse(data)));
    }

    private static RequestHeader header() {
        return new RequestHeader(ApiKeys.PRODUCE, VERSION, "test", 1);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
