package io.sluice.stream.mapping;

import io.sluice.format.row.MappedTable;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What rows events of one table id are decoded with.
 *
 * @param event the bytes of its table map
 * @param schemaVersion grows with each change of any table schema
 * @param schema null if rows events of the table are skipped, unless it is a sequence
 * @param table null if rows events of the table are skipped
 * @param held set if they are skipped for a mismatch
 */
@SuppressWarnings("ArrayRecordComponent") // compared by isOf only
public record TableMapping(
        TableName name,
        byte[] event,
        long schemaVersion,
        @Nullable TableSchema schema,
        @Nullable MappedTable table,
        @Nullable QuarantinedTable held) {
    /** It, its name and bytes, and its places in maps. */
    private static final int OBJECT_BYTES = 320;

    /** Whether a table map has the same bytes. */
    boolean isOf(EventBody body) {
        return Arrays.equals(event, 0, event.length, body.array(), body.offset(), body.end());
    }

    /** Returns a copy for the given version of the table schemas, whose change does not concern it. */
    TableMapping at(long version) {
        return new TableMapping(name, event, version, schema, table, held);
    }

    /** How much memory it takes, roughly, without the layout of its rows; the table schema belongs to the tracker. */
    long heapBytes() {
        long bytes = OBJECT_BYTES;
        bytes += event.length;
        bytes += name.schema().length();
        bytes += name.table().length();
        return table == null ? bytes : bytes + table.heapBytes();
    }
}
