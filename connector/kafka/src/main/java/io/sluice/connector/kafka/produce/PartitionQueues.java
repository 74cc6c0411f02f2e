package io.sluice.connector.kafka.produce;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The queues of all partitions for which something was submitted, and which of them have batches to be sent. For the loop's thread alone. */
final class PartitionQueues {
    private final int maxInFlight;
    private final Map<String, Map<Integer, PartitionQueue>> byTopic = new HashMap<>();
    private final List<PartitionQueue> all = new ArrayList<>();
    private final Set<PartitionQueue> active = new LinkedHashSet<>();

    /**
     * Has no queues.
     *
     * @param maxInFlight how many batches of a partition may be in flight
     */
    PartitionQueues(int maxInFlight) {
        this.maxInFlight = maxInFlight;
    }

    /** Adds a batch to the queue of its partition. */
    void add(OutgoingBatch batch) {
        PartitionQueue queue = of(batch.records().topic(), batch.records().partition());
        active.add(queue);
        queue.add(batch);
    }

    /** The queue of a partition, which is made if there is none. */
    PartitionQueue of(String topic, int partition) {
        return byTopic.computeIfAbsent(topic, name -> new HashMap<>())
                .computeIfAbsent(partition, number -> create(topic, number));
    }

    /** Listed before it can be found: if memory runs out between, no batch is in a queue that is not listed. */
    private PartitionQueue create(String topic, int partition) {
        PartitionQueue queue = new PartitionQueue(topic, partition, maxInFlight);
        all.add(queue);
        return queue;
    }

    Collection<PartitionQueue> all() {
        return Collections.unmodifiableList(all);
    }

    /** The queues with batches to be sent; the one that was sent from last comes last. */
    Collection<PartitionQueue> active() {
        return Collections.unmodifiableSet(active);
    }

    /** Notes that a batch of a queue is sent: those of the other queues come before its next one. */
    void noteSent(PartitionQueue queue) {
        active.remove(queue);
        if (queue.hasUnsent()) {
            active.add(queue);
        }
    }

    /** Notes that batches of some queues were answered, which may have to be sent again, or let others be sent. */
    void noteAnswered(List<PartitionQueue> queues) {
        for (PartitionQueue queue : queues) {
            if (queue.hasUnsent()) {
                active.add(queue);
            }
        }
    }
}
