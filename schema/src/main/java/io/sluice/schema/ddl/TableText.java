package io.sluice.schema.ddl;

import java.util.ArrayList;
import java.util.List;

/** Formats table schemas as {@code CREATE TABLE} statements that parse to the same table schemas. */
final class TableText {
    private TableText() {}

    /** The statement, without the schema's name, and with a semicolon at its end. */
    static String of(TableSchema table) {
        StringBuilder text = new StringBuilder("CREATE TABLE ");
        appendName(text, table.name().table());
        text.append(" (");
        List<String> key = new ArrayList<>();
        String separator = "\n  ";
        for (ColumnSchema column : table.columns()) {
            text.append(separator);
            separator = ",\n  ";
            appendColumn(text, column);
            if (column.primaryKey()) {
                key.add(column.name());
            }
        }
        if (!key.isEmpty()) {
            text.append(",\n  PRIMARY KEY (");
            for (int i = 0; i < key.size(); i++) {
                text.append(i == 0 ? "" : ",");
                appendName(text, key.get(i));
            }
            text.append(')');
        }
        text.append("\n)");
        if (table.defaultCharset() != null) {
            text.append(" DEFAULT CHARSET=").append(table.defaultCharset());
        }
        return text.append(";\n").toString();
    }

    private static void appendColumn(StringBuilder text, ColumnSchema column) {
        appendName(text, column.name());
        // A backslash can only be in a member of an ENUM or SET, where it is an ordinary character.
        text.append(' ').append(column.mysqlType().replace("\\", "\\\\"));
        if (column.charset() != null && column.family().hasCharset()) {
            text.append(" CHARACTER SET ").append(column.charset());
        }
        text.append(column.versioning().clause());
    }

    private static void appendName(StringBuilder text, String name) {
        text.append('`').append(name.replace("`", "``")).append('`');
    }
}
