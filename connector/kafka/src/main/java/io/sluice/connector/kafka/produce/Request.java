package io.sluice.connector.kafka.produce;

import io.sluice.connector.kafka.batch.RecordBatch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.ProduceRequest;
import org.jspecify.annotations.Nullable;

/** A produce request to one broker, with one batch at most for each partition. For the loop's thread alone. */
final class Request {
    private static final short ACKS_ALL = -1;

    /** A batch, and the queue that it belongs to. */
    record Part(PartitionQueue queue, OutgoingBatch batch) {}

    private final Node node;
    private final List<PartitionQueue> queues = new ArrayList<>();

    /** The batches that are not answered. */
    private final Map<TopicPartition, Part> parts = new LinkedHashMap<>();

    private final Map<Uuid, String> namesById = new HashMap<>();
    private long bytes;

    Request(Node node) {
        this.node = node;
    }

    Node node() {
        return node;
    }

    boolean hasRoomFor(OutgoingBatch batch, int maxBytes) {
        return parts.isEmpty() || bytes + batch.records().sizeBytes() <= maxBytes;
    }

    void add(PartitionQueue queue, OutgoingBatch batch) {
        queues.add(queue);
        batch.sentToBroker(node.id());
        parts.put(new TopicPartition(queue.topic(), queue.partition()), new Part(queue, batch));
        bytes += batch.records().sizeBytes();
    }

    Set<String> topics() {
        Set<String> topics = new TreeSet<>();
        parts.keySet().forEach(next -> topics.add(next.topic()));
        return topics;
    }

    /** The partitions whose batches it has, answered or not. */
    List<PartitionQueue> queues() {
        return queues;
    }

    /** All batches that are not answered. */
    Collection<Part> parts() {
        return parts.values();
    }

    /** Takes out a batch that is answered, by the name or the id of its topic; null if there is none. */
    @Nullable Part take(String topic, Uuid topicId, int partition) {
        String name = topic.isEmpty() ? namesById.get(topicId) : topic;
        return name == null ? null : parts.remove(new TopicPartition(name, partition));
    }

    ProduceRequest.Builder builder(Map<String, Uuid> topicIds, int timeoutMillis) {
        Map<String, TopicProduceData> topics = new HashMap<>();
        for (Part part : parts.values()) {
            RecordBatch records = part.batch().records();
            part.batch().sentTo(topicIds.getOrDefault(records.topic(), Uuid.ZERO_UUID));
            topics.computeIfAbsent(records.topic(), topic -> dataOf(topic, topicIds))
                    .partitionData()
                    .add(new PartitionProduceData()
                            .setIndex(records.partition())
                            .setRecords(MemoryRecords.readableRecords(records.bytes())));
        }
        TopicProduceDataCollection all = new TopicProduceDataCollection();
        all.addAll(topics.values());
        return ProduceRequest.builder(new ProduceRequestData()
                .setAcks(ACKS_ALL)
                .setTimeoutMs(timeoutMillis)
                .setTransactionalId(null)
                .setTopicData(all));
    }

    private TopicProduceData dataOf(String topic, Map<String, Uuid> topicIds) {
        Uuid id = topicIds.getOrDefault(topic, Uuid.ZERO_UUID);
        namesById.put(id, topic);
        return new TopicProduceData().setName(topic).setTopicId(id);
    }
}
