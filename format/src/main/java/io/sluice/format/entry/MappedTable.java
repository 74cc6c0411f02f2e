package io.sluice.format.entry;

import io.sluice.format.entry.RowImages.Image;
import io.sluice.format.value.ColumnType;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A table as one table map describes it, joined with its schema: all that rows events need, made once per version of
 * the table schema. Immutable, but for the columns of keys: these are remembered when they are first asked for.
 */
public final class MappedTable {
    private static final int TAG_SCHEMA_NAME = 0x42;
    private static final int TAG_TABLE_NAME = 0x4A;

    /** It, its fields, and what is remembered of keys, roughly. */
    private static final int OBJECT_BYTES = 256;

    private final String schema;
    private final String table;
    private final RowLayout layout;
    final MappedColumn[] columns;

    /** The header fields {@code schemaName} and {@code tableName}. */
    final byte[] names;

    /** The schema and the table as JSON strings. */
    final byte[] jsonSchema;

    final byte[] jsonTable;

    /** How much room its columns need beside their values. */
    final int protobufRoom;

    final int jsonRoom;

    /** What flat messages say of the columns when all are present, as nearly always. */
    final FlatColumns flatColumns;

    /** The column that says until when a row was current, in a system-versioned table of MariaDB; −1 in all others. */
    private final int rowEnd;

    /** Few: a table has one rule for its rows, and perhaps another for keys. */
    private volatile List<KeyColumns> keys = List.of();

    /**
     * A column of the table map, with what the table schema says of it.
     *
     * @param name its name
     * @param mysqlType its type as the DDL spells it
     * @param key whether it is in the primary key
     * @param type how its values are read
     * @param delivered whether it is written; else its values are passed over
     */
    public record Column(String name, String mysqlType, boolean key, ColumnType type, boolean delivered) {
        /** A column that is delivered. */
        public Column(String name, String mysqlType, boolean key, ColumnType type) {
            this(name, mysqlType, key, type, true);
        }
    }

    /**
     * Joins a table that shares nothing with others.
     *
     * @param columns in the order of the table map
     */
    public MappedTable(String schema, String table, List<Column> columns) {
        this(schema, table, new RowLayouts().of(columns), -1);
    }

    /**
     * Joins a table whose rows have versions, or not.
     *
     * @param layout its columns, in the order of the table map
     * @param rowEnd the index of the column that says until when a row was current; −1 if there is none
     */
    public MappedTable(String schema, String table, RowLayout layout, int rowEnd) {
        this.rowEnd = rowEnd;
        this.schema = schema;
        this.table = table;
        this.layout = layout;
        this.columns = layout.columns;
        this.protobufRoom = layout.protobufRoom;
        this.jsonRoom = layout.jsonRoom;
        this.flatColumns = layout.flatColumns;
        ByteWriter out = new ByteWriter(64);
        ProtobufFields.writeString(out, TAG_SCHEMA_NAME, schema.getBytes(StandardCharsets.UTF_8));
        ProtobufFields.writeString(out, TAG_TABLE_NAME, table.getBytes(StandardCharsets.UTF_8));
        this.names = out.toByteArray();
        this.jsonSchema = JsonString.bytesOf(schema);
        this.jsonTable = JsonString.bytesOf(table);
    }

    /** The columns, which other tables may share. */
    public RowLayout layout() {
        return layout;
    }

    /** How much memory it takes, roughly, without its {@link #layout}. */
    public int heapBytes() {
        return OBJECT_BYTES + HeapBytes.of(names) + HeapBytes.of(jsonSchema) + HeapBytes.of(jsonTable);
    }

    /**
     * Whether a rows event with differences of JSON values has columns of them whose values before it lacks.
     *
     * @param body the event from its column count on
     * @throws io.sluice.mysql.binlog.MalformedEventException if it ends too early
     */
    public boolean hasDifferencesAlone(EventBody body) {
        body.readPackedLong();
        EventBody beforeBits = body.slice((columns.length + 7) / 8);
        EventBody afterBits = body.slice((columns.length + 7) / 8);
        int before = 0;
        int after = 0;
        for (int i = 0; i < columns.length; i++) {
            if (i % 8 == 0) {
                before = beforeBits.readByte();
                after = afterBits.readByte();
            }
            int bit = 1 << i % 8;
            if (columns[i].type.differences() != null && (after & bit) != 0 && (before & bit) == 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the images that say which rows an event is about lack a column of the primary key; or, in a table without one,
     * any column. Columns that are not delivered do not count.
     *
     * @param body the event from its column count on
     * @param completesAfter whether an image after an update takes what it lacks from the image before
     * @throws io.sluice.mysql.binlog.MalformedEventException if it ends too early
     */
    public boolean lacksKey(EventBody body, EventType type, boolean completesAfter) {
        if (body.readPackedLong() != columns.length) {
            return false; // not of this table, as is noticed when it is read
        }
        byte[] bytes = body.array();
        byte[] keyBits = layout.keyBits;
        int firstAt = body.slice(keyBits.length).offset();
        if (type != EventType.UPDATE) {
            return lacks(keyBits, bytes, firstAt, firstAt);
        }
        int afterAt = body.slice(keyBits.length).offset();
        return lacks(keyBits, bytes, afterAt, completesAfter ? firstAt : afterAt);
    }

    /**
     * Whether an image of an event lacks a column that is delivered.
     *
     * @param body the event from its column count on
     * @throws io.sluice.mysql.binlog.MalformedEventException if it ends too early
     */
    public boolean lacksColumns(EventBody body, EventType type) {
        if (body.readPackedLong() != columns.length) {
            return false;
        }
        byte[] bytes = body.array();
        byte[] deliveredBits = layout.deliveredBits;
        int firstAt = body.slice(deliveredBits.length).offset();
        if (lacks(deliveredBits, bytes, firstAt, firstAt)) {
            return true;
        }
        int afterAt =
                type == EventType.UPDATE ? body.slice(deliveredBits.length).offset() : firstAt;
        return lacks(deliveredBits, bytes, afterAt, afterAt);
    }

    /** Whether some bit is in neither of two bitmaps. */
    private static boolean lacks(byte[] wanted, byte[] bytes, int oneAt, int otherAt) {
        for (int i = 0; i < wanted.length; i++) {
            if ((wanted[i] & ~(bytes[oneAt + i] | bytes[otherAt + i])) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Which of its columns a key names. */
    KeyColumns keyColumns(RowKey key, boolean ignoresCase) {
        List<KeyColumns> known = keys;
        for (int i = 0; i < known.size(); i++) {
            KeyColumns next = known.get(i);
            if (next.isOf(key, ignoresCase)) {
                return next;
            }
        }
        KeyColumns made = new KeyColumns(columns, key, ignoresCase);
        keys = known.isEmpty() ? List.of(made) : List.of(made, known.get(0)); // what is forgotten is made again
        return made;
    }

    /** Whether an image has all columns that are delivered. */
    boolean isWhole(Image image) {
        return layout.isWhole(image);
    }

    public String schema() {
        return schema;
    }

    public String table() {
        return table;
    }

    /** Whether its rows events are also about rows that are no longer current. */
    public boolean isVersioned() {
        return rowEnd >= 0;
    }

    /** The index of the column that says until when a row was current; −1 if the table is not versioned. */
    public int rowEnd() {
        return rowEnd;
    }
}
