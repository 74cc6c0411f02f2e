package io.sluice.connector.kafka.settings;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses {@code batch.size} by the number of partitions that messages go to.
 *
 * <p>Kafka's producer takes {@code batch.size} bytes of {@code buffer.memory} for each partition that has an open batch, however
 * little is in it, and as many for each batch that is not answered yet. When the memory is used up, a send waits, and all
 * partitions send what they have: a few messages per round trip. So the memory must hold two batches of every partition:
 *
 * <pre>  2 * partitions * batch.size &lt;= buffer.memory</pre>
 *
 * <p>Few partitions get large batches, which cost less per message; many get smaller ones, since each has a small share of the
 * messages. The size is fixed when a producer is made, so a producer is replaced when its partitions have outgrown it: at the
 * default {@code buffer.memory} with the 17th, the 65th and the 257th partition. Partitions are counted as long as the process
 * runs. Thread-safe.
 */
public final class BatchSizing {
    private static final Logger LOG = LoggerFactory.getLogger(BatchSizing.class);

    /** As much as a broker takes at once by its own default: the cost of a request is spread over many rows. */
    static final long MAX_BYTES = 1_000_000;

    /** Kafka's own default; smaller batches cost more than they save. */
    static final long MIN_BYTES = 16_384;

    /** By how much a producer for more partitions is sized, so that few of them are made. */
    private static final int GROWTH = 4;

    private final long maxBytes;
    private final long minBytes;
    private final long memoryBytes;
    private final boolean isFixed;
    private final Set<TopicPartition> partitions = ConcurrentHashMap.newKeySet();

    /** For how many partitions the newest producer is sized. */
    private volatile long room;

    private BatchSizing(long maxBytes, long memoryBytes, boolean isFixed) {
        this.maxBytes = Math.max(1, maxBytes);
        this.minBytes = Math.min(MIN_BYTES, this.maxBytes);
        this.memoryBytes = memoryBytes;
        this.isFixed = isFixed;
        this.room = Math.max(1, memoryBytes / (2 * this.maxBytes));
    }

    /**
     * Makes batches smaller when messages go to more partitions.
     *
     * @param maxBytes the largest batch
     * @param memoryBytes {@code buffer.memory}
     */
    static BatchSizing upTo(long maxBytes, long memoryBytes) {
        return new BatchSizing(maxBytes, memoryBytes, false);
    }

    /** Leaves the size as an operator has set it. */
    static BatchSizing fixed(long batchBytes, long memoryBytes) {
        return new BatchSizing(batchBytes, memoryBytes, true);
    }

    /** Notes that messages go to a partition; noting it again does nothing. */
    public void use(TopicPartition partition) {
        boolean isNew = partitions.add(partition);
        if (isNew && isFixed && partitions.size() == room + 1) {
            LOG.warn(
                    "kafka.batch.size is too large for so many partitions, messages leave in small requests: remove it, or raise"
                            + " kafka.buffer.memory to 2 * partitions * batch.size: partitions={} batch.size={} buffer.memory={}",
                    partitions.size(),
                    maxBytes,
                    memoryBytes);
        }
    }

    /** Whether a producer that is made now gets smaller batches than the one before. */
    public boolean isOutgrown() {
        return !isFixed && partitions.size() > room && batchBytes(room) > minBytes;
    }

    /** The {@code batch.size} for a producer that is made now, in bytes. */
    public synchronized long nextBatchBytes() {
        if (isFixed) {
            return maxBytes;
        }
        while (isOutgrown()) {
            room *= GROWTH;
        }
        long bytes = batchBytes(room);
        if (bytes < maxBytes) {
            LOG.info(
                    "Kafka's batches are sized for many partitions: partitions={} batch.size={}",
                    partitions.size(),
                    bytes);
        }
        return bytes;
    }

    private long batchBytes(long count) {
        return Math.max(minBytes, Math.min(maxBytes, memoryBytes / (2 * count)));
    }
}
