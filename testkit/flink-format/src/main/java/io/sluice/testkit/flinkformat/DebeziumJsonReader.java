package io.sluice.testkit.flinkformat;

import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.common.TimestampFormat;
import org.apache.flink.formats.json.debezium.DebeziumJsonDeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.apache.flink.table.types.utils.TypeConversions;

/** Reads what a topic's partition 0 holds by Flink's format {@code debezium-json}; it prints as {@link CanalJsonReader} does. */
public final class DebeziumJsonReader {
    private DebeziumJsonReader() {}

    /** Arguments: servers, topic, and the table's row type in Flink's SQL. */
    public static void main(String[] args) throws Exception {
        LogicalType type = LogicalTypeParser.parse(args[2], DebeziumJsonReader.class.getClassLoader());
        boolean hasSchema = false;
        boolean ignoresErrors = false;
        DebeziumJsonDeserializationSchema format = new DebeziumJsonDeserializationSchema(
                TypeConversions.fromLogicalToDataType(type),
                List.of(),
                TypeInformation.of(RowData.class),
                hasSchema,
                ignoresErrors,
                TimestampFormat.SQL);
        TopicPrinter.print(args[0], args[1], (RowType) type, format);
    }
}
