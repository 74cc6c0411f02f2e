package io.sluice.testkit.binlog;

import java.util.List;

/**
 * A table whose first column is an {@code INT}, the primary key, and whose others are {@code VARCHAR(20)}, or {@code VARCHAR(30)} if their names end
 * with a {@code w}.
 *
 * @param columns the names of all columns
 */
public record SyntheticTable(String schema, String name, List<String> columns) {
    private static final int LONG = 3;
    private static final int VARCHAR = 15;
    private static final int BYTES_PER_CHARACTER = 4;
    private static final int CHARACTERS = 20;
    private static final int MANY_CHARACTERS = 30;
    private static final int SIGNS = 1;
    private static final int DEFAULT_CHARSET = 2;
    private static final int NAMES = 4;
    private static final int KEY = 8;
    private static final int UTF8MB4 = 255;

    public SyntheticTable {
        columns = List.copyOf(columns);
    }

    /** The type of a column that is not the first one. */
    static String typeOf(String column) {
        return "varchar(%d)".formatted(charactersOf(column));
    }

    private static int charactersOf(String column) {
        return column.endsWith("w") ? MANY_CHARACTERS : CHARACTERS;
    }

    /** The statement that creates it. */
    public String createStatement() {
        StringBuilder sql = new StringBuilder("CREATE TABLE `%s` (`%s` int NOT NULL".formatted(name, columns.get(0)));
        for (String column : columns.subList(1, columns.size())) {
            sql.append(", `").append(column).append("` ").append(typeOf(column));
        }
        return sql.append(", PRIMARY KEY (`")
                .append(columns.get(0))
                .append("`))")
                .toString();
    }

    /**
     * The body of its table map.
     *
     * @param namesColumns whether it has what a server writes with {@code binlog_row_metadata=FULL}
     */
    byte[] tableMap(long tableId, boolean namesColumns) {
        EventBytes body = new EventBytes()
                .number(tableId, 6)
                .number(1, 2)
                .number(schema.length(), 1)
                .text(schema)
                .number(0, 1)
                .number(name.length(), 1)
                .text(name)
                .number(0, 1)
                .packed(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            body.number(i == 0 ? LONG : VARCHAR, 1);
        }
        body.packed(2L * (columns.size() - 1));
        for (int i = 1; i < columns.size(); i++) {
            body.number((long) BYTES_PER_CHARACTER * charactersOf(columns.get(i)), 2);
        }
        body.raw(new byte[bitmapBytes()]);
        if (namesColumns) {
            EventBytes names = new EventBytes();
            columns.forEach(name -> names.packed(name.length()).text(name));
            field(body, SIGNS, new EventBytes().number(0, 1));
            field(body, DEFAULT_CHARSET, new EventBytes().packed(UTF8MB4));
            field(body, NAMES, names);
            field(body, KEY, new EventBytes().packed(0));
        }
        return body.toByteArray();
    }

    private static void field(EventBytes body, int code, EventBytes value) {
        byte[] bytes = value.toByteArray();
        body.number(code, 1).packed(bytes.length).raw(bytes);
    }

    /** The body of a rows event. */
    byte[] rows(long tableId, boolean hasExtraInfo, boolean isUpdate, List<List<Object>> images) {
        EventBytes body = new EventBytes().number(tableId, 6).number(1, 2);
        if (hasExtraInfo) {
            body.number(2, 2);
        }
        body.packed(columns.size());
        for (int i = 0; i < (isUpdate ? 2 : 1); i++) {
            for (int b = 0; b < bitmapBytes(); b++) {
                body.number(0xFF, 1);
            }
        }
        for (List<Object> image : images) {
            body.raw(new byte[bitmapBytes()]).number((Integer) image.get(0), 4);
            for (Object value : image.subList(1, columns.size())) {
                String text = String.valueOf(value);
                body.number(text.length(), 1).text(text);
            }
        }
        return body.toByteArray();
    }

    private int bitmapBytes() {
        return (columns.size() + 7) / 8;
    }
}
