package io.sluice.testkit.flinkformat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Prints the changes that a format of Flink reads in a topic's partition 0. */
final class TopicPrinter {
    private TopicPrinter() {}

    /** Prints a line for each change: its kind and the columns. */
    static void print(String servers, String topic, RowType type, DeserializationSchema<RowData> format)
            throws Exception {
        format.open(null);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Printer printer = new Printer(out, type);
        for (ConsumerRecord<byte[], byte[]> record : recordsOf(servers, topic)) {
            format.deserialize(record.value(), printer);
        }
        out.flush();
    }

    private static List<ConsumerRecord<byte[], byte[]>> recordsOf(String servers, String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    /** Prints rows. */
    private static final class Printer implements Collector<RowData> {
        private final PrintStream out;
        private final List<RowData.FieldGetter> fields = new ArrayList<>();

        Printer(PrintStream out, RowType type) {
            this.out = out;
            for (int i = 0; i < type.getFieldCount(); i++) {
                fields.add(RowData.createFieldGetter(type.getTypeAt(i), i));
            }
        }

        @Override
        public void collect(RowData row) {
            StringBuilder line = new StringBuilder(row.getRowKind().shortString());
            for (RowData.FieldGetter field : fields) {
                Object value = field.getFieldOrNull(row);
                line.append(' ').append(value == null ? "-" : "=" + base64(value.toString()));
            }
            out.println(line);
        }

        private static String base64(String text) {
            return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void close() {}
    }
}
