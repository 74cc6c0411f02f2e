package io.sluice.connector.pulsar;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * The producers of a connection, one for each partition, made at its first message. Those that have had none for long are closed: tables, and
 * topics with them, come and go, and a broker deletes no topic that has producers. Thread-safe.
 */
final class PartitionProducers {
    private final Function<String, CompletableFuture<Producer<byte[]>>> maker;
    private final Time time;
    private final Object changing = new Object();

    /** By the partition's name. */
    @GuardedBy("changing") private final Map<String, Used> producers = new HashMap<>();

    /** What completes when an idle producer is closed, by partition: before that, a broker gives its name to no other producer. */
    @GuardedBy("changing") private final Map<String, CompletableFuture<Void>> closing = new HashMap<>();

    @GuardedBy("changing") private boolean isCut;

    /** A producer, and when it was asked for last. */
    private static final class Used {
        private final String topic;
        private final CompletableFuture<Producer<byte[]>> made;
        private long nanos;

        private Used(String topic, CompletableFuture<Producer<byte[]>> made) {
            this.topic = topic;
            this.made = made;
        }
    }

    /** @param maker makes the producer of a partition, whose name it is given */
    PartitionProducers(Function<String, CompletableFuture<Producer<byte[]>>> maker, Time time) {
        this.maker = maker;
        this.time = time;
    }

    /**
     * The producer of a partition of a topic.
     *
     * @throws NotSentException after {@link #cut}
     */
    CompletableFuture<Producer<byte[]>> of(String topic, String partition) throws NotSentException {
        synchronized (changing) {
            if (isCut) {
                throw NotSentException.abandoned();
            }
            Used used = producers.get(partition);
            if (used == null) {
                used = new Used(topic, make(partition));
                producers.put(partition, used);
            }
            used.nanos = time.nanos();
            return used.made;
        }
    }

    @GuardedBy("changing") private CompletableFuture<Producer<byte[]>> make(String partition) {
        CompletableFuture<Void> former = closing.get(partition);
        CompletableFuture<Producer<byte[]>> made =
                former == null ? maker.apply(partition) : former.thenCompose(closed -> maker.apply(partition));
        return made.thenCompose(PartitionProducers::ofOnePartition);
    }

    /**
     * Fails if the producer writes to several partitions, among which it chooses by itself: the client makes one for a topic that got partitions
     * after it was asked for them.
     */
    private static CompletableFuture<Producer<byte[]>> ofOnePartition(Producer<byte[]> producer) {
        int partitions = producer.getNumOfPartitions();
        if (partitions == 0) {
            return CompletableFuture.completedFuture(producer);
        }
        PulsarClientException failure = new PulsarClientException(
                "topic %s has %d partitions, and had none before".formatted(producer.getTopic(), partitions));
        // Until it is closed, its name is taken at all partitions.
        return producer.closeAsync().handle((closed, cause) -> {
            throw new CompletionException(failure);
        });
    }

    /** Closes one that was not made, or not in time; the next message of its partition makes another one. */
    @SuppressWarnings(
            "FutureReturnValueIgnored") // the broker frees the name when it learns of it, or the connection ends
    void drop(String partition, CompletableFuture<Producer<byte[]>> made) {
        synchronized (changing) {
            Used used = producers.get(partition);
            if (used != null && used.made == made) {
                producers.remove(partition);
            }
        }
        close(made);
    }

    /**
     * Closes those that were not asked for within a time in which all messages are answered that were given to them.
     *
     * @return the topics that have no producer any more
     */
    Set<String> closeIdle(Duration limit) {
        Map<CompletableFuture<Producer<byte[]>>, CompletableFuture<Void>> idle = new HashMap<>();
        Set<String> topics = new HashSet<>();
        synchronized (changing) {
            long now = time.nanos();
            for (Iterator<Map.Entry<String, Used>> each = producers.entrySet().iterator(); each.hasNext(); ) {
                Map.Entry<String, Used> next = each.next();
                if (now - next.getValue().nanos > limit.toNanos()) {
                    each.remove();
                    idle.put(next.getValue().made, closing(next.getKey()));
                    topics.add(next.getValue().topic);
                }
            }
            if (!idle.isEmpty()) {
                producers.values().forEach(used -> topics.remove(used.topic));
            }
        }
        idle.forEach((made, closed) -> {
            CompletableFuture<Boolean> unused = close(made).handle((done, cause) -> closed.complete(null));
        });
        return topics;
    }

    @GuardedBy("changing") private CompletableFuture<Void> closing(String partition) {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        closing.put(partition, closed);
        CompletableFuture<Void> unused = closed.thenRun(() -> {
            synchronized (changing) {
                closing.remove(partition, closed);
            }
        });
        return closed;
    }

    /** Makes no more; returns those that there are. */
    List<CompletableFuture<Producer<byte[]>>> cut() {
        synchronized (changing) {
            isCut = true;
            return all();
        }
    }

    /** The producers that there are. */
    List<CompletableFuture<Producer<byte[]>>> all() {
        synchronized (changing) {
            List<CompletableFuture<Producer<byte[]>>> all = new ArrayList<>(producers.size());
            producers.values().forEach(used -> all.add(used.made));
            return all;
        }
    }

    /** Closes one, when it is made; a hand-over in progress has ended then. */
    static CompletableFuture<Void> close(CompletableFuture<Producer<byte[]>> made) {
        return made.thenCompose(producer -> {
            synchronized (producer) {
                return producer.closeAsync();
            }
        });
    }
}
