package io.sluice.bench.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceResponseData;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.ProduceRequest;

/** Answers requests. Thread-safe. */
final class Answers {
    private static final int NODE = 1;

    /** The requests that are answered. */
    private static final List<ApiKeys> KNOWN =
            List.of(ApiKeys.PRODUCE, ApiKeys.METADATA, ApiKeys.API_VERSIONS, ApiKeys.INIT_PRODUCER_ID);

    private final int port;
    private final Map<String, List<Partition>> topics;
    private final List<String> errors;
    private final AtomicLong producers = new AtomicLong();

    /**
     * For the only broker of a cluster.
     *
     * @param port the port of 127.0.0.1 that clients connect to
     * @param topics all topics, whose partitions count what arrives
     * @param errors receives what is rejected
     */
    Answers(int port, Map<String, List<Partition>> topics, List<String> errors) {
        this.port = port;
        this.topics = topics;
        this.errors = errors;
    }

    ApiMessage to(AbstractRequest request) {
        return switch (request.apiKey()) {
            case PRODUCE -> produce((ProduceRequest) request);
            case METADATA -> metadata((MetadataRequest) request);
            case API_VERSIONS -> versions();
            case INIT_PRODUCER_ID ->
                new InitProducerIdResponseData()
                        .setProducerId(producers.incrementAndGet())
                        .setProducerEpoch((short) 0);
            default -> throw new IllegalArgumentException("a request that was not offered: " + request.apiKey());
        };
    }

    private static ApiMessage versions() {
        ApiVersionsResponseData answer = new ApiVersionsResponseData();
        for (ApiKeys key : KNOWN) {
            ApiVersion version = ApiVersionsResponse.toApiVersion(key);
            if (key == ApiKeys.PRODUCE) { // later ones have ids instead of names of topics
                version.setMaxVersion(ProduceRequest.LAST_STABLE_VERSION_BEFORE_TRANSACTION_V2);
            }
            answer.apiKeys().add(version);
        }
        return answer;
    }

    private ApiMessage metadata(MetadataRequest request) {
        MetadataResponseData answer = new MetadataResponseData().setControllerId(NODE);
        answer.brokers()
                .add(new MetadataResponseBroker()
                        .setNodeId(NODE)
                        .setHost("127.0.0.1")
                        .setPort(port));
        for (String name : request.isAllTopics() ? topics.keySet() : request.topics()) {
            List<Partition> partitions = topics.getOrDefault(name, List.of());
            answer.topics()
                    .add(new MetadataResponseTopic()
                            .setName(name)
                            .setErrorCode(
                                    (partitions.isEmpty() ? Errors.UNKNOWN_TOPIC_OR_PARTITION : Errors.NONE).code())
                            .setPartitions(IntStream.range(0, partitions.size())
                                    .mapToObj(index -> new MetadataResponsePartition()
                                            .setPartitionIndex(index)
                                            .setLeaderId(NODE)
                                            .setReplicaNodes(List.of(NODE))
                                            .setIsrNodes(List.of(NODE)))
                                    .toList()));
        }
        return answer;
    }

    private ApiMessage produce(ProduceRequest request) {
        ProduceResponseData answer = new ProduceResponseData();
        request.data().topicData().forEach(topic -> {
            List<PartitionProduceResponse> partitions = new ArrayList<>();
            for (PartitionProduceData sent : topic.partitionData()) {
                partitions.add(append(topic.name(), sent).setIndex(sent.index()));
            }
            answer.responses()
                    .add(new TopicProduceResponse().setName(topic.name()).setPartitionResponses(partitions));
        });
        return answer;
    }

    private PartitionProduceResponse append(String topic, PartitionProduceData sent) {
        PartitionProduceResponse answer = new PartitionProduceResponse();
        List<Partition> partitions = topics.getOrDefault(topic, List.of());
        if (sent.index() >= partitions.size()) {
            return answer.setErrorCode(Errors.UNKNOWN_TOPIC_OR_PARTITION.code());
        }
        try {
            for (RecordBatch batch : ((MemoryRecords) sent.records()).batches()) {
                answer.setBaseOffset(partitions.get(sent.index()).append(batch));
            }
        } catch (OutOfOrderSequenceException e) {
            errors.add("%s-%d: %s".formatted(topic, sent.index(), e.getMessage()));
            answer.setErrorCode(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER.code());
        }
        return answer;
    }
}
