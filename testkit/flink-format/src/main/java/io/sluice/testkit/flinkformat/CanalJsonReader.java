package io.sluice.testkit.flinkformat;

import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.formats.json.canal.CanalJsonDeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.apache.flink.table.types.utils.TypeConversions;

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
        TopicPrinter.print(args[0], args[1], (RowType) type, format);
    }
}
