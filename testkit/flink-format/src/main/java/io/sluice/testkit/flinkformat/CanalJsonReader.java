package io.sluice.testkit.flinkformat;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.json.canal.CanalJsonDeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.apache.flink.table.types.utils.TypeConversions;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads what a topic's partition 0 holds by Flink's format {@code canal-json}, as a table of Flink would, and prints the changes
 * of one table: a line each, {@code +I}, {@code -U}, {@code +U} or {@code -D}, and the columns: {@code =} and Base64, or {@code -} for null.
 */
public final class CanalJsonReader {
    private CanalJsonReader() {}

    /** Arguments: servers, topic, database, table, and the table's row type in Flink's SQL, such as {@code ROW<id BIGINT>}. */
    public static void main(String[] args) throws Exception {
        LogicalType type = LogicalTypeParser.parse(args[4], CanalJsonReader.class.getClassLoader());
        DataType dataType = TypeConversions.fromLogicalToDataType(type);
        CanalJsonDeserializationSchema format = CanalJsonDeserializationSchema.builder(
                        dataType, List.of(), TypeInformation.of(RowData.class))
                .setDatabase(args[2])
                .setTable(args[3])
                .build();
        format.open(null);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        Printer printer = new Printer(out, (RowType) type);
        for (ConsumerRecord<byte[], byte[]> record : recordsOf(args[0], args[1])) {
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
