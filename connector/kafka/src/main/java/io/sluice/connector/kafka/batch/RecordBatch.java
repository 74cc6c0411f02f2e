package io.sluice.connector.kafka.batch;

import io.sluice.connector.api.producer.Message;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/**
 * Records for one partition in Kafka's record batch format 2, complete but for the producer's identity and the checksum.
 *
 * <pre>
 *   0             8        12              16      17       21           23
 *   +-------------+--------+---------------+-------+--------+------------+-------------------+
 *   | base offset | length | leader epoch  | magic | CRC32C | attributes | last offset delta |
 *   | i64, 0      | i32    | i32, -1       | i8, 2 | u32    | i16        | i32               |
 *   +-------------+--------+---------------+-------+--------+------------+-------------------+
 *   27               35              43            51               53              57        61
 *   +----------------+---------------+-------------+----------------+---------------+---------+---------+
 *   | base timestamp | max timestamp | producer id | producer epoch | base sequence | records | records |
 *   | i64            | i64           | i64         | i16            | i32           | i32     |         |
 *   +----------------+---------------+-------------+----------------+---------------+---------+---------+
 * </pre>
 *
 * All numbers are big-endian. The length counts the bytes after it, the checksum covers those after it. Source of the format:
 * Kafka's documentation, section <i>Message Format</i>.
 *
 * <p>For one thread at a time.
 */
public final class RecordBatch {
    static final int HEADER_BYTES = 61;
    static final int LENGTH_AT = 8;
    static final int LEADER_EPOCH_AT = 12;
    static final int MAGIC_AT = 16;
    static final int ATTRIBUTES_AT = 21;
    static final int LAST_OFFSET_DELTA_AT = 23;
    static final int BASE_TIMESTAMP_AT = 27;
    static final int MAX_TIMESTAMP_AT = 35;
    static final int COUNT_AT = 57;

    private static final int CRC_AT = 17;
    private static final int PRODUCER_ID_AT = 43;
    private static final int PRODUCER_EPOCH_AT = 51;
    private static final int BASE_SEQUENCE_AT = 53;

    private final String topic;
    private final int partition;
    private final List<Message> messages;
    private final int[] indexes;
    private final int count;
    private final ByteBuffer buffer;
    private final int uncompressedBytes;
    private final BatchBuffers buffers;
    private boolean isReleased;

    /**
     * Takes over a buffer with the batch.
     *
     * @param messages all that were prepared together
     * @param indexes which of them it carries, ascending; only the first {@code count} are used
     * @param buffer from its first byte to its limit
     * @param uncompressedBytes how large the batch would be without compression
     * @param buffers get the buffer back
     */
    RecordBatch(
            String topic,
            int partition,
            List<Message> messages,
            int[] indexes,
            int count,
            ByteBuffer buffer,
            int uncompressedBytes,
            BatchBuffers buffers) {
        this.topic = topic;
        this.partition = partition;
        this.messages = messages;
        this.indexes = indexes;
        this.count = count;
        this.buffer = buffer;
        this.uncompressedBytes = uncompressedBytes;
        this.buffers = buffers;
    }

    public String topic() {
        return topic;
    }

    public int partition() {
        return partition;
    }

    /** How many records it has; at least one. */
    public int count() {
        return count;
    }

    /** The index of a record's message among those that were prepared together. */
    public int messageIndex(int record) {
        return indexes[record];
    }

    /** The message of a record, from 0. */
    public Message message(int record) {
        return messages.get(indexes[record]);
    }

    /** Its size as it is sent, in bytes. */
    public int sizeBytes() {
        return buffer.limit();
    }

    /** Its size without compression, in bytes. */
    public int uncompressedBytes() {
        return uncompressedBytes;
    }

    /**
     * Writes the producer's identity and the checksum into it.
     *
     * @param baseSequence the sequence number of its first record in its partition
     */
    public void seal(long producerId, short producerEpoch, int baseSequence) {
        buffer.putLong(PRODUCER_ID_AT, producerId);
        buffer.putShort(PRODUCER_EPOCH_AT, producerEpoch);
        buffer.putInt(BASE_SEQUENCE_AT, baseSequence);
        Checksum crc = new CRC32C();
        ByteBuffer covered = buffer.duplicate();
        covered.position(ATTRIBUTES_AT);
        crc.update(covered);
        buffer.putInt(CRC_AT, (int) crc.getValue());
    }

    /**
     * Gives its buffer away, so its bytes must not be read or written any more; its messages are kept. A batch that is never released
     * costs memory until the next garbage collection. Releasing twice does nothing.
     */
    public void release() {
        if (!isReleased) {
            isReleased = true;
            buffers.release(buffer);
        }
    }

    /** Its bytes, to be read; they are complete once it was {@linkplain #seal sealed}. */
    public ByteBuffer bytes() {
        return buffer.duplicate();
    }
}
