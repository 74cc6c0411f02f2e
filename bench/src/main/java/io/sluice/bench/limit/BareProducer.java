package io.sluice.bench.limit;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A program that does nothing but send records by Kafka's producer. Prints what it took on one line: records, bytes, seconds
 * from the first append to the last, CPU seconds of the process, and the records, seconds and CPU seconds after the first
 * quarter.
 */
public final class BareProducer {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final long quarter;
    // Written by the producer's own thread, and read when it has ended.
    private long confirmed;
    private long firstMillis = Long.MAX_VALUE;
    private long lastMillis;
    private long warmMillis;
    private long warmCpuNanos;
    private @Nullable Exception failure;

    private BareProducer(long records) {
        this.quarter = (records + 3) / 4;
    }

    /** Arguments: bootstrap servers, compression, folder of the records, topics. */
    public static void main(String[] args) throws IOException {
        List<RecordSource> sources = new ArrayList<>();
        long records = 0;
        for (RecordCopies.Partition partition : RecordCopies.read(Path.of(args[2]))) {
            sources.add(RecordSource.open(args[3 + partition.topic()], partition));
            records += partition.records();
        }
        new BareProducer(records).send(args[0], args[1], sources, records);
    }

    private void send(String bootstrapServers, String compression, List<RecordSource> sources, long records) {
        Map<String, Object> settings = Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.COMPRESSION_TYPE_CONFIG,
                compression,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.BATCH_SIZE_CONFIG,
                524_288,
                ProducerConfig.LINGER_MS_CONFIG,
                5);
        long bytes = 0;
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (long i = 0; i < records; i++) {
                ProducerRecord<byte[], byte[]> record = leastSent(sources).next();
                bytes += record.value().length + (record.key() == null ? 0 : record.key().length);
                Future<RecordMetadata> unused = producer.send(record, this::confirm); // confirm gets the outcome
            }
            producer.flush();
            report(records, bytes, SYSTEM.getProcessCpuTime());
        }
    }

    private static RecordSource leastSent(List<RecordSource> sources) {
        RecordSource least = sources.get(0);
        for (int i = 1; i < sources.size(); i++) {
            if (sources.get(i).progress() < least.progress()) {
                least = sources.get(i);
            }
        }
        return least;
    }

    private void confirm(RecordMetadata metadata, @Nullable Exception problem) {
        if (problem != null) {
            failure = problem;
            return;
        }
        long millis = metadata.timestamp();
        firstMillis = Math.min(firstMillis, millis);
        lastMillis = Math.max(lastMillis, millis);
        if (++confirmed == quarter) {
            warmMillis = millis;
            warmCpuNanos = SYSTEM.getProcessCpuTime();
        }
    }

    private void report(long records, long bytes, long cpuNanos) {
        if (failure != null || confirmed != records) {
            throw new IllegalStateException("%d of %d records were confirmed".formatted(confirmed, records), failure);
        }
        System.out.printf(
                "%d %d %s %s %d %s %s%n",
                records,
                bytes,
                (lastMillis - firstMillis) / 1e3,
                cpuNanos / 1e9,
                records - quarter,
                (lastMillis - warmMillis) / 1e3,
                (cpuNanos - warmCpuNanos) / 1e9);
    }
}
