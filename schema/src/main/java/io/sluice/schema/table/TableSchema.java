package io.sluice.schema.table;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The schema of a table at a position of the stream. Immutable: a DDL makes a new one. */
public final class TableSchema {
    private static final List<ColumnSchema> SEQUENCE_COLUMNS = List.of(
            number("next_not_cached_value", "bigint(21)"),
            number("minimum_value", "bigint(21)"),
            number("maximum_value", "bigint(21)"),
            number("start_value", "bigint(21)"),
            number("increment", "bigint(21)"),
            number("cache_size", "bigint(21) unsigned"),
            number("cycle_option", "tinyint(1) unsigned"),
            number("cycle_count", "bigint(21)"));

    private static final List<String> SEQUENCE_NAMES =
            SEQUENCE_COLUMNS.stream().map(ColumnSchema::name).toList();

    private final TableName name;
    private final List<ColumnSchema> columns;
    private final @Nullable String defaultCharset;

    /**
     * Makes a table schema.
     *
     * @param columns all columns in table order, which is the order of the row images; generated and invisible ones are
     *     among them
     * @param defaultCharset the character set of columns that will be added without one; null if the source does not show it
     */
    public TableSchema(TableName name, List<ColumnSchema> columns, @Nullable String defaultCharset) {
        this.name = name;
        this.columns = List.copyOf(columns);
        this.defaultCharset = defaultCharset;
    }

    /** The table. */
    public TableName name() {
        return name;
    }

    /** All columns in table order, which is the order of the row images. */
    public List<ColumnSchema> columns() {
        return columns;
    }

    /** The character set of columns that will be added without one; null if the source does not show it. */
    public @Nullable String defaultCharset() {
        return defaultCharset;
    }

    /** Whether it is a sequence of MariaDB, which is a table of one row in the binlog only. */
    public boolean isSequence() {
        return columns.size() == SEQUENCE_NAMES.size()
                && columns.stream().map(ColumnSchema::name).toList().equals(SEQUENCE_NAMES);
    }

    /** The table that MariaDB keeps a sequence in. */
    public static TableSchema ofSequence(TableName name) {
        return new TableSchema(name, SEQUENCE_COLUMNS, null);
    }

    private static ColumnSchema number(String name, String type) {
        return new ColumnSchema(name, type, false, type.endsWith("unsigned"), null);
    }

    /** This schema for another name of the table; the same object if it has that name. */
    public TableSchema withName(TableName newName) {
        return newName.equals(name) ? this : new TableSchema(newName, columns, defaultCharset);
    }

    /** Whether both have the same columns: names, keys and meaning of values, whatever the spelling of the types. */
    public boolean agreesWith(TableSchema other) {
        if (columns.size() != other.columns.size()) {
            return false;
        }
        for (int i = 0; i < columns.size(); i++) {
            ColumnSchema ours = columns.get(i);
            ColumnSchema theirs = other.columns.get(i);
            if (!IdentifierCase.areSame(ours.name(), theirs.name())
                    || ours.primaryKey() != theirs.primaryKey()
                    || !ours.hasSameValues(theirs)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof TableSchema that
                && name.equals(that.name)
                && columns.equals(that.columns)
                && Objects.equals(defaultCharset, that.defaultCharset);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, columns, defaultCharset);
    }

    @Override
    public String toString() {
        return name + " " + columns;
    }
}
