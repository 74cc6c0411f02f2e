package io.sluice.connector.kafka.batch;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.protocol.time.Time;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToIntFunction;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.utils.internals.ByteBufferOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes messages into record batches, a batch or more for each partition, and compresses them.
 *
 * <pre>
 *   record: | length | attributes | timestamp delta | offset delta | key length | key | value length | value | headers |
 *           | varint | i8, 0      | varint, 0       | varint       | varint     |     | varint       |       |         |
 *   headers: count varint, and for each: name length varint, name, value length varint, value
 * </pre>
 *
 * Varints are zigzag-encoded, seven bits a byte, the lowest first; the length of a key that is null is -1. All records of a batch
 * have the time at which it was written.
 *
 * <p>Thread-safe; each works in buffers of its own meanwhile.
 */
public final class RecordBatchWriter {
    private static final byte MAGIC = 2;

    /** Larger buffers are not kept. */
    private static final int MAX_KEPT_BYTES = CompressionRatios.MAX_UNCOMPRESSED_BYTES;

    private static final int MAX_KEPT_BUFFERS = 16;

    private final Compression compression;
    private final byte[] ownHeaders;
    private final int ownHeaderCount;
    private final Time time;
    private final BatchBuffers buffers;
    private final Queue<byte[]> scratches = new ConcurrentLinkedQueue<>();
    private final CompressionRatios ratios = new CompressionRatios();

    /**
     * Makes a writer.
     *
     * @param ownHeaders come before those of each message
     * @param buffers for the batches that are not compressed
     * @param time the wall clock for the records' timestamps
     */
    public RecordBatchWriter(Compression compression, List<MessageHeader> ownHeaders, BatchBuffers buffers, Time time) {
        this.compression = compression;
        this.ownHeaders = encode(ownHeaders);
        this.ownHeaderCount = ownHeaders.size();
        this.buffers = buffers;
        this.time = time;
    }

    /** Records of one partition that fit into one batch. */
    private static final class Group {
        final String topic;
        final int partition;
        final int limit;
        int[] indexes = new int[8];
        int count;
        int recordBytes;

        Group(String topic, int partition, int limit) {
            this.topic = topic;
            this.partition = partition;
            this.limit = limit;
        }

        void add(int index, int bytes) {
            if (count == indexes.length) {
                indexes = Arrays.copyOf(indexes, 2 * count);
            }
            indexes[count++] = index;
            recordBytes += bytes;
        }
    }

    /** The open groups of a topic, by partition. */
    private static final class TopicGroups {
        final String topic;

        @Nullable Group[] open = new Group[4];

        TopicGroups(String topic) {
            this.topic = topic;
        }

        @Nullable Group get(int partition) {
            return partition < open.length ? open[partition] : null;
        }

        void set(int partition, Group group) {
            if (partition >= open.length) {
                open = Arrays.copyOf(open, Math.max(partition + 1, 2 * open.length));
            }
            open[partition] = group;
        }
    }

    /**
     * Writes messages.
     *
     * @param messages their partitions are not negative
     * @param limitOf up to how many bytes a batch for a topic may have as it is sent, compressed; a larger record has a batch of its own
     */
    public PreparedRecords write(List<Message> messages, ToIntFunction<String> limitOf) {
        byte[][] headers = headersOf(messages);
        List<Group> groups = group(messages, headers, limitOf);
        long now = time.millis();
        List<RecordBatch> batches = new ArrayList<>(groups.size());
        for (Group next : groups) {
            addBatches(next, messages, headers, now, batches);
        }
        return new PreparedRecords(messages, batches);
    }

    /** Adds a batch; or several, if the records are less compressible than those before them. */
    private void addBatches(Group group, List<Message> messages, byte[][] headers, long now, List<RecordBatch> to) {
        RecordBatch whole = batch(group, messages, headers, now);
        boolean isCompressed = compression.type() != CompressionType.NONE;
        if (isCompressed && 2L * whole.uncompressedBytes() >= group.limit) { // the small ones show little of large ones
            ratios.note(group.topic, whole.uncompressedBytes(), whole.sizeBytes());
        }
        if (!isCompressed || group.count == 1 || whole.sizeBytes() <= group.limit) {
            to.add(whole);
            return;
        }
        whole.release();
        int half = group.count / 2;
        addBatches(part(group, 0, half, messages, headers), messages, headers, now, to);
        addBatches(part(group, half, group.count, messages, headers), messages, headers, now, to);
    }

    private Group part(Group of, int from, int to, List<Message> messages, byte[][] headers) {
        Group part = new Group(of.topic, of.partition, of.limit);
        for (int record = from; record < to; record++) {
            int index = of.indexes[record];
            part.add(index, recordBytes(bodyBytes(messages.get(index), headers[index], part.count)));
        }
        return part;
    }

    /** In the order in which they were begun. */
    private List<Group> group(List<Message> messages, byte[][] headers, ToIntFunction<String> limitOf) {
        List<Group> all = new ArrayList<>();
        Map<String, TopicGroups> topics = new HashMap<>();
        TopicGroups of = null;
        int sentLimit = 0;
        int limit = 0;
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            if (of == null || !of.topic.equals(message.topic())) {
                of = topics.computeIfAbsent(message.topic(), TopicGroups::new);
                sentLimit = limitOf.applyAsInt(message.topic());
                limit = compression.type() == CompressionType.NONE
                        ? sentLimit
                        : ratios.uncompressedBytes(message.topic(), sentLimit);
            }
            Group group = of.get(message.partition());
            int bytes = group == null ? 0 : recordBytes(bodyBytes(message, headers[i], group.count));
            if (group == null || RecordBatch.HEADER_BYTES + group.recordBytes + bytes > limit) {
                group = new Group(of.topic, message.partition(), sentLimit);
                of.set(message.partition(), group);
                all.add(group);
                bytes = recordBytes(bodyBytes(message, headers[i], 0));
            }
            group.add(i, bytes);
        }
        return all;
    }

    private RecordBatch batch(Group group, List<Message> messages, byte[][] headers, long now) {
        int uncompressed = RecordBatch.HEADER_BYTES + group.recordBytes;
        ByteBuffer buffer;
        if (compression.type() == CompressionType.NONE) {
            buffer = buffers.take(uncompressed);
            buffer.putLong(0, 0);
            buffer.position(RecordBatch.HEADER_BYTES);
            writeRecords(group, messages, headers, buffer);
            buffer.position(0);
        } else {
            buffer = compressed(group, messages, headers);
        }
        buffer.putInt(RecordBatch.LENGTH_AT, buffer.limit() - RecordBatch.LEADER_EPOCH_AT);
        buffer.putInt(RecordBatch.LEADER_EPOCH_AT, -1);
        buffer.put(RecordBatch.MAGIC_AT, MAGIC);
        buffer.putShort(RecordBatch.ATTRIBUTES_AT, (short) compression.type().id);
        buffer.putInt(RecordBatch.LAST_OFFSET_DELTA_AT, group.count - 1);
        buffer.putLong(RecordBatch.BASE_TIMESTAMP_AT, now);
        buffer.putLong(RecordBatch.MAX_TIMESTAMP_AT, now);
        buffer.putInt(RecordBatch.COUNT_AT, group.count);
        return new RecordBatch(
                group.topic, group.partition, messages, group.indexes, group.count, buffer, uncompressed, buffers);
    }

    private ByteBuffer compressed(Group group, List<Message> messages, byte[][] headers) {
        byte[] scratch = scratches.poll();
        if (scratch == null || scratch.length < group.recordBytes) {
            scratch = new byte[Math.max(group.recordBytes, 64 * 1024)];
        }
        ByteBuffer records = ByteBuffer.wrap(scratch);
        writeRecords(group, messages, headers, records);
        int length = records.position();
        // compressors write blocks; few texts need more than a half
        ByteBufferOutputStream out = new ByteBufferOutputStream(RecordBatch.HEADER_BYTES + 512 + length / 2);
        out.position(RecordBatch.HEADER_BYTES);
        try (OutputStream compressor = compression.wrapForOutput(out, MAGIC)) {
            compressor.write(scratch, 0, length);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it writes to memory
        }
        if (scratch.length <= MAX_KEPT_BYTES && scratches.size() < MAX_KEPT_BUFFERS) {
            scratches.add(scratch);
        }
        ByteBuffer buffer = out.buffer();
        buffer.flip();
        return buffer;
    }

    private void writeRecords(Group group, List<Message> messages, byte[][] headers, ByteBuffer to) {
        for (int record = 0; record < group.count; record++) {
            int index = group.indexes[record];
            Message message = messages.get(index);
            byte[] key = message.key();
            byte[] value = message.value();
            putVarint(bodyBytes(message, headers[index], record), to);
            to.putShort((short) 0); // attributes and timestamp delta
            putVarint(record, to);
            if (key == null) {
                putVarint(-1, to);
            } else {
                putVarint(key.length, to);
                to.put(key);
            }
            putVarint(value.length, to);
            to.put(value);
            putVarint(ownHeaderCount + message.headers().size(), to);
            to.put(headers[index]);
        }
    }

    private byte[][] headersOf(List<Message> messages) {
        byte[][] all = new byte[messages.size()][];
        for (int i = 0; i < all.length; i++) {
            List<MessageHeader> headers = messages.get(i).headers();
            all[i] = headers.isEmpty() ? ownHeaders : concat(ownHeaders, encode(headers));
        }
        return all;
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    private static byte[] encode(List<MessageHeader> headers) {
        byte[] all = {};
        for (MessageHeader header : headers) {
            byte[] name = header.name().getBytes(StandardCharsets.UTF_8);
            byte[] value = header.value().getBytes(StandardCharsets.UTF_8);
            ByteBuffer bytes = ByteBuffer.allocate(
                    varintBytes(name.length) + name.length + varintBytes(value.length) + value.length);
            putVarint(name.length, bytes);
            bytes.put(name);
            putVarint(value.length, bytes);
            bytes.put(value);
            all = concat(all, bytes.array());
        }
        return all;
    }

    /** The size of a record after its length. */
    private int bodyBytes(Message message, byte[] headers, int offsetDelta) {
        byte[] key = message.key();
        int valueBytes = message.value().length;
        return 2
                + varintBytes(offsetDelta)
                + (key == null ? varintBytes(-1) : varintBytes(key.length) + key.length)
                + varintBytes(valueBytes)
                + valueBytes
                + varintBytes(ownHeaderCount + message.headers().size())
                + headers.length;
    }

    private static int recordBytes(int bodyBytes) {
        return varintBytes(bodyBytes) + bodyBytes;
    }

    private static int varintBytes(int value) {
        int bits = 32 - Integer.numberOfLeadingZeros(zigzag(value) | 1);
        return (bits + 6) / 7;
    }

    private static void putVarint(int value, ByteBuffer to) {
        int rest = zigzag(value);
        while ((rest & ~0x7F) != 0) {
            to.put((byte) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        to.put((byte) rest);
    }

    private static int zigzag(int value) {
        return value << 1 ^ value >> 31;
    }
}
