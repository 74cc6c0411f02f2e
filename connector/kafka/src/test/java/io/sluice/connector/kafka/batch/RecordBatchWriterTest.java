package io.sluice.connector.kafka.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageHeader;
import io.sluice.protocol.time.Time;
import io.sluice.testkit.time.HandTime;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.MutableRecordBatch;
import org.apache.kafka.common.record.internal.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Record batches are read by Kafka's own classes, as brokers and consumers read them. */
class RecordBatchWriterTest {
    private static final List<CompressionType> COMPRESSIONS = List.of(CompressionType.values());

    private final HandTime time = new HandTime();

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    /** Whatever the messages: each is in one batch, of its topic and partition, in the order of the messages, and within the limit. */
    @ParameterizedTest
    @MethodSource("seeds")
    void carriesEveryMessageInOrder(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CompressionType type = COMPRESSIONS.get(random.nextInt(COMPRESSIONS.size()));
        List<MessageHeader> own = random.nextBoolean() ? List.of() : List.of(new MessageHeader("sluice-epoch", "7"));
        int limit = 1 << (6 + random.nextInt(14));
        List<Message> messages = randomMessages(random);

        PreparedRecords prepared = writer(type, own).write(messages, topic -> limit);

        assertThat(prepared.messages()).isSameAs(messages);
        Map<String, List<String>> read = new LinkedHashMap<>();
        for (RecordBatch batch : prepared.batches()) {
            batch.seal(5, (short) 3, 1000);
            List<String> ofPartition =
                    read.computeIfAbsent(batch.topic() + batch.partition(), key -> new ArrayList<>());
            MutableRecordBatch kafkas = only(batch);
            kafkas.ensureValid();
            assertThat(kafkas.compressionType()).isEqualTo(type);
            assertThat(kafkas.producerId()).isEqualTo(5);
            assertThat(kafkas.producerEpoch()).isEqualTo((short) 3);
            assertThat(kafkas.baseSequence()).isEqualTo(1000);
            assertThat(kafkas.lastSequence()).isEqualTo(1000 + batch.count() - 1);
            assertThat(kafkas.countOrNull()).isEqualTo(batch.count());
            assertThat(kafkas.maxTimestamp()).isEqualTo(time.millis());
            assertThat(batch.sizeBytes() <= limit || batch.count() == 1).isTrue();
            int offset = 0;
            for (Record record : kafkas) {
                assertThat(record.offset()).isEqualTo(offset);
                assertThat(record.timestamp()).isEqualTo(time.millis());
                assertThat(textOf(record)).isEqualTo(textOf(batch.message(offset), own));
                assertThat(messages.get(batch.messageIndex(offset))).isSameAs(batch.message(offset));
                ofPartition.add(textOf(record));
                offset++;
            }
            assertThat(offset).isEqualTo(batch.count());
        }
        Map<String, List<String>> expected = new LinkedHashMap<>();
        for (Message next : messages) {
            expected.computeIfAbsent(next.topic() + next.partition(), key -> new ArrayList<>())
                    .add(textOf(next, own));
        }
        assertThat(read).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void isSealedAgainWithOtherNumbers(CompressionType type) {
        RecordBatch batch = writer(type, List.of())
                .write(
                        List.of(new Message("shop", 0, "a".repeat(5000).getBytes(StandardCharsets.US_ASCII))),
                        topic -> 1)
                .batches()
                .get(0);

        batch.seal(5, (short) 3, 1000);
        batch.seal(6, (short) 4, Integer.MAX_VALUE);

        only(batch).ensureValid();
        assertThat(only(batch).producerId()).isEqualTo(6);
        assertThat(only(batch).baseSequence()).isEqualTo(Integer.MAX_VALUE);
    }

    /** The largest batch that fits has exactly the limit. */
    @Test
    void fillsABatchUpToItsLimit() {
        List<Message> messages = List.of(message(100), message(100), message(100));
        RecordBatchWriter writer = writer(CompressionType.NONE, List.of());
        int whole = writer.write(messages, topic -> 1_000).batches().get(0).sizeBytes();

        assertThat(writer.write(messages, topic -> whole).batches()).hasSize(1);
        assertThat(writer.write(messages, topic -> whole - 1).batches())
                .extracting(RecordBatch::count)
                .containsExactly(2, 1);
    }

    /** As many records as a broker takes when they are compressed, not before. */
    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "LZ4", "ZSTD"})
    void aBatchIsAsLargeAsTheLimitWhenItIsCompressed(CompressionType type) {
        RecordBatchWriter writer = writer(type, List.of());
        List<Message> messages = texts("shop", 4_000);
        int limit = 20_000;

        int first = writer.write(messages, topic -> limit).batches().get(0).sizeBytes();
        List<RecordBatch> later = writer.write(messages, topic -> limit).batches();

        assertThat(first).isLessThan(limit / 2);
        assertThat(later.get(0).sizeBytes()).isBetween(limit * 8 / 10, limit);
        assertThat(later.get(0).uncompressedBytes()).isGreaterThan(2 * limit);
        assertThat(later).allSatisfy(batch -> assertThat(batch.sizeBytes()).isLessThanOrEqualTo(limit));
    }

    /** What cannot be compressed follows what could: no batch is larger than the limit, and those after it are cut rightly at once. */
    @Test
    void batchesBecomeSmallerWhereCompressionFails() {
        RecordBatchWriter writer = writer(CompressionType.LZ4, List.of());
        int limit = 20_000;
        for (int i = 0; i < 3; i++) {
            writer.write(texts("shop", 4_000), topic -> limit);
        }
        SplittableRandom random = new SplittableRandom(1);
        List<Message> noise = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            byte[] value = new byte[400];
            random.nextBytes(value);
            noise.add(new Message("shop", 0, value));
        }

        List<RecordBatch> cut = writer.write(noise, topic -> limit).batches();
        List<RecordBatch> next = writer.write(noise, topic -> limit).batches();

        assertThat(cut).allSatisfy(batch -> assertThat(batch.sizeBytes()).isLessThanOrEqualTo(limit));
        assertThat(cut.stream().mapToInt(RecordBatch::count).sum()).isEqualTo(noise.size());
        assertThat(next.subList(0, next.size() - 1))
                .allSatisfy(batch -> assertThat(batch.sizeBytes()).isGreaterThan(limit * 8 / 10));
    }

    /** Other topics have other rows. */
    @Test
    void theCompressionOfATopicSaysNothingOfOthers() {
        RecordBatchWriter writer = writer(CompressionType.LZ4, List.of());
        int limit = 20_000;
        for (int i = 0; i < 3; i++) {
            writer.write(texts("shop", 4_000), topic -> limit);
        }

        assertThat(writer.write(texts("orders", 4_000), topic -> limit)
                        .batches()
                        .get(0)
                        .uncompressedBytes())
                .isLessThanOrEqualTo(limit);
    }

    private static List<Message> texts(String topic, int count) {
        SplittableRandom random = new SplittableRandom(count);
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = "{\"id\":\"%d\",\"name\":\"name of a customer\",\"amount\":\"%d\"}"
                    .formatted(i, random.nextInt(1_000_000));
            messages.add(new Message(topic, 0, text.getBytes(StandardCharsets.US_ASCII)));
        }
        return messages;
    }

    private static Message message(int bytes) {
        return new Message("shop", 0, new byte[bytes]);
    }

    private RecordBatchWriter writer(CompressionType type, List<MessageHeader> own) {
        return new RecordBatchWriter(Compression.of(type).build(), own, new BatchBuffers(1 << 20), (Time) time);
    }

    private static List<Message> randomMessages(SplittableRandom random) {
        List<String> topics = List.of("shop", "orders", "größe");
        List<Message> messages = new ArrayList<>();
        int count = 1 + random.nextInt(200);
        for (int i = 0; i < count; i++) {
            byte[] key = random.nextBoolean() ? null : randomBytes(random, 200);
            byte[] value = randomBytes(random, 1 << random.nextInt(15));
            List<MessageHeader> headers = new ArrayList<>();
            for (int h = random.nextInt(4); h > 2; h--) {
                headers.add(new MessageHeader("name-" + h, "wert für " + i));
            }
            messages.add(new Message(
                    topics.get(random.nextInt(topics.size())), random.nextInt(9), key, value, List.copyOf(headers)));
        }
        return messages;
    }

    private static byte[] randomBytes(SplittableRandom random, int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        random.nextBytes(bytes);
        if (random.nextBoolean()) {
            Arrays.fill(bytes, (byte) 'x');
        }
        return bytes;
    }

    private static MutableRecordBatch only(RecordBatch batch) {
        ByteBuffer bytes = batch.bytes();
        assertThat(bytes.remaining()).isEqualTo(batch.sizeBytes());
        List<MutableRecordBatch> all = new ArrayList<>();
        MemoryRecords.readableRecords(bytes).batches().forEach(all::add);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static String textOf(Record record) {
        StringBuilder text = new StringBuilder();
        text.append(record.hasKey() ? Arrays.toString(bytesOf(record.key())) : "none");
        text.append(Arrays.toString(bytesOf(record.value())));
        for (Header header : record.headers()) {
            text.append(header.key()).append('=').append(new String(header.value(), StandardCharsets.UTF_8));
        }
        return text.toString();
    }

    private static byte[] bytesOf(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static String textOf(Message message, List<MessageHeader> own) {
        StringBuilder text = new StringBuilder();
        text.append(message.key() == null ? "none" : Arrays.toString(message.key()));
        text.append(Arrays.toString(message.value()));
        for (List<MessageHeader> headers : List.of(own, message.headers())) {
            for (MessageHeader header : headers) {
                text.append(header.name()).append('=').append(header.value());
            }
        }
        return text.toString();
    }
}
