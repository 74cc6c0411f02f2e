package io.sluice.schema.table;

import java.util.ArrayList;
import java.util.List;

/** Formats table schemas as {@code CREATE TABLE} statements that parse to the same table schemas. */
public final class TableText {
    private TableText() {}

    /** The statement, without the schema's name, and with a semicolon at its end. */
    public static String of(TableSchema table) {
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
        appendPeriod(text, table);
        text.append("\n)");
        if (table.defaultCharset() != null) {
            text.append(" DEFAULT CHARSET=").append(table.defaultCharset());
        }
        return text.append(";\n").toString();
    }

    /** The name of the period does not matter. */
    private static void appendPeriod(StringBuilder text, TableSchema table) {
        List<String> period = table.columns().stream()
                .filter(column -> column.versioning() == Versioning.PERIOD)
                .map(ColumnSchema::name)
                .toList();
        if (period.size() == 2) {
            text.append(",\n  PERIOD FOR p (");
            appendName(text, period.get(0));
            text.append(',');
            appendName(text, period.get(1));
            text.append(')');
        }
    }

    private static void appendColumn(StringBuilder text, ColumnSchema column) {
        appendName(text, column.name());
        // A backslash can only be in a member of an ENUM or SET, where it is an ordinary character.
        text.append(' ').append(column.mysqlType().replace("\\", "\\\\"));
        if (column.charset() != null && column.family().hasCharset()) {
            text.append(" CHARACTER SET ").append(column.charset());
        }
        text.append(column.versioning().clause());
        if (column.generated()) {
            text.append(" GENERATED ALWAYS AS (NULL)"); // what it is computed from does not matter
        }
        if (column.invisible()) {
            text.append(" AUTO_INCREMENT /*!80023 INVISIBLE */"); // as servers write it: other readers pass over it
        }
    }

    private static void appendName(StringBuilder text, String name) {
        text.append('`').append(name.replace("`", "``")).append('`');
    }
}
