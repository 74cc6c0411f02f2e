package io.sluice.bench.limit;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import org.apache.kafka.clients.producer.ProducerRecord;

/** The records of one partition, as often as the partition had any, from the beginning again when the file ends. */
final class RecordSource {
    private final String topic;
    private final RecordCopies.Partition partition;
    private final MappedByteBuffer bytes;
    private long sent;

    private RecordSource(String topic, RecordCopies.Partition partition, MappedByteBuffer bytes) {
        this.topic = topic;
        this.partition = partition;
        this.bytes = bytes;
    }

    /** Opens one whose records go to the same partition of another topic. */
    static RecordSource open(String topic, RecordCopies.Partition partition) throws IOException {
        try (FileChannel file = FileChannel.open(partition.file(), StandardOpenOption.READ)) {
            return new RecordSource(topic, partition, file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()));
        }
    }

    /** The part that was sent, 0 to 1. */
    double progress() {
        return (double) sent / partition.records();
    }

    ProducerRecord<byte[], byte[]> next() {
        if (!bytes.hasRemaining()) {
            bytes.rewind();
        }
        int keyLength = bytes.getInt();
        byte[] value = new byte[bytes.getInt()];
        byte[] key = keyLength < 0 ? null : new byte[keyLength];
        if (key != null) {
            bytes.get(key);
        }
        bytes.get(value);
        sent++;
        return new ProducerRecord<>(topic, partition.partition(), key, value);
    }
}
