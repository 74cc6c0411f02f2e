package io.sluice.bench.broker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersion;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsPartition;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsResult;
import org.apache.kafka.common.message.DescribeLogDirsResponseData.DescribeLogDirsTopic;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsPartitionResponse;
import org.apache.kafka.common.message.ListOffsetsResponseData.ListOffsetsTopicResponse;
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
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.ProduceRequest;

/** Answers requests. Of the records it keeps their number and their size. Safe for use by several threads. */
final class Answers {
    private static final int NODE = 1;

    /** The requests that are answered. */
    private static final List<ApiKeys> KNOWN = List.of(
            ApiKeys.PRODUCE,
            ApiKeys.LIST_OFFSETS,
            ApiKeys.METADATA,
            ApiKeys.API_VERSIONS,
            ApiKeys.CREATE_TOPICS,
            ApiKeys.DELETE_TOPICS,
            ApiKeys.INIT_PRODUCER_ID,
            ApiKeys.DESCRIBE_LOG_DIRS);

    private final int port;
    private final Map<String, List<Partition>> topics = new ConcurrentHashMap<>();
    private final AtomicLong producers = new AtomicLong();

    /** For a broker whose clients connect to this port of 127.0.0.1. */
    Answers(int port) {
        this.port = port;
    }

    ApiMessage to(AbstractRequest request) {
        return switch (request.apiKey()) {
            case PRODUCE -> produce((ProduceRequest) request);
            case LIST_OFFSETS -> listOffsets((ListOffsetsRequest) request);
            case METADATA -> metadata((MetadataRequest) request);
            case API_VERSIONS -> versions();
            case CREATE_TOPICS -> create((CreateTopicsRequest) request);
            case DELETE_TOPICS -> delete((DeleteTopicsRequest) request);
            case INIT_PRODUCER_ID ->
                new InitProducerIdResponseData()
                        .setProducerId(producers.incrementAndGet())
                        .setProducerEpoch((short) 0);
            case DESCRIBE_LOG_DIRS -> describeLogDirs();
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
                            .setPartitions(each(
                                    partitions,
                                    (index, partition) -> new MetadataResponsePartition()
                                            .setPartitionIndex(index)
                                            .setLeaderId(NODE)
                                            .setReplicaNodes(List.of(NODE))
                                            .setIsrNodes(List.of(NODE)))));
        }
        return answer;
    }

    private ApiMessage create(CreateTopicsRequest request) {
        CreateTopicsResponseData answer = new CreateTopicsResponseData();
        request.data().topics().forEach(topic -> {
            topics.put(
                    topic.name(),
                    Stream.generate(Partition::new).limit(topic.numPartitions()).toList());
            answer.topics().add(new CreatableTopicResult().setName(topic.name()));
        });
        return answer;
    }

    private ApiMessage delete(DeleteTopicsRequest request) {
        DeleteTopicsResponseData answer = new DeleteTopicsResponseData();
        for (String name : request.topicNames()) {
            topics.remove(name);
            answer.responses().add(new DeletableTopicResult().setName(name));
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
            System.err.printf("%s-%d: %s%n", topic, sent.index(), e.getMessage());
            answer.setErrorCode(Errors.OUT_OF_ORDER_SEQUENCE_NUMBER.code());
        }
        return answer;
    }

    private ApiMessage listOffsets(ListOffsetsRequest request) {
        ListOffsetsResponseData answer = new ListOffsetsResponseData();
        request.topics().forEach(topic -> {
            List<Partition> partitions = topics.getOrDefault(topic.name(), List.of());
            answer.topics()
                    .add(new ListOffsetsTopicResponse()
                            .setName(topic.name())
                            .setPartitions(each(
                                    partitions,
                                    (index, partition) -> new ListOffsetsPartitionResponse()
                                            .setPartitionIndex(index)
                                            .setOffset(partition.records()))));
        });
        return answer;
    }

    private ApiMessage describeLogDirs() {
        DescribeLogDirsResult folder = new DescribeLogDirsResult().setLogDir("none");
        topics.forEach((name, partitions) -> folder.topics()
                .add(new DescribeLogDirsTopic()
                        .setName(name)
                        .setPartitions(each(
                                partitions,
                                (index, partition) -> new DescribeLogDirsPartition()
                                        .setPartitionIndex(index)
                                        .setPartitionSize(partition.bytes())))));
        return new DescribeLogDirsResponseData().setResults(List.of(folder));
    }

    private static <T> List<T> each(List<Partition> partitions, BiFunction<Integer, Partition, T> answer) {
        return IntStream.range(0, partitions.size())
                .mapToObj(index -> answer.apply(index, partitions.get(index)))
                .toList();
    }
}
