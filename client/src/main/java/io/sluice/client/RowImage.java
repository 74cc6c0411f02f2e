package io.sluice.client;

import io.sluice.protocol.entry.Column;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A row before or after a change. Column names are case-sensitive. Immutable.
 *
 * <p>It has the columns that the binlog and the column filter leave: with {@code binlog_row_image=MINIMAL} an update has the key and the changed columns
 * only. Each method that takes the name of a column, except {@link #has}, throws {@link NoSuchElementException} if the image does not have that
 * column.
 */
public final class RowImage {
    private static final int MAX_BYTE = 0xff;

    private final Map<String, Column> columns = new LinkedHashMap<>();

    private final Set<String> unknown;

    RowImage(List<Column> columns) {
        this(columns, Set.of());
    }

    /**
     * Makes an image with values that are not known.
     *
     * @param unknown the columns that have the value of the image after the change instead
     */
    RowImage(List<Column> columns, Set<String> unknown) {
        columns.forEach(column -> this.columns.put(column.getName(), column));
        this.unknown = Set.copyOf(unknown);
    }

    /**
     * Whether it has no columns, as before an insert and after a delete. The image of an update has none, too, if the binlog or a column filter
     * leaves it none: {@link TableChange#type} distinguishes them.
     */
    public boolean isEmpty() {
        return columns.isEmpty();
    }

    /** The names of its columns, in the table's order. Not all are there if the binlog or a column filter leaves some out. */
    public List<String> names() {
        return List.copyOf(columns.keySet());
    }

    /** The names of the columns of the primary key. */
    public List<String> keyNames() {
        return columns.values().stream()
                .filter(Column::getIsKey)
                .map(Column::getName)
                .toList();
    }

    /** Whether the image has a column of this name. */
    public boolean has(String name) {
        return columns.containsKey(name);
    }

    /** Whether a column is NULL. */
    public boolean isNull(String name) {
        return column(name).getIsNull();
    }

    /**
     * Whether the value is known. False only in the image before a flat update, for a column of which it is not known what it held, nor
     * whether it has changed: it has the value of the image after then, and counts as updated there. When that is so, and what else
     * flat updates do not state: {@link QueueMessage.OfRows}.
     */
    public boolean isKnown(String name) {
        return !unknown.contains(column(name).getName());
    }

    /**
     * Whether the change has changed this column; of images after a change only. Of a flat update it is exact with
     * {@code binlog_row_image=FULL} and without a column filter only: {@link QueueMessage.OfRows}.
     */
    public boolean isUpdated(String name) {
        return column(name).getUpdated();
    }

    /** The column's type as in {@code CREATE TABLE}, such as {@code decimal(10,2)}. */
    public String mysqlType(String name) {
        return column(name).getMysqlType();
    }

    /** The value as text, whatever its type; null if it is NULL. Of binary columns use {@link #bytes}. */
    public @Nullable String text(String name) {
        Column column = column(name);
        return column.getIsNull() ? null : column.getValue();
    }

    /**
     * The value of a column of whole numbers.
     *
     * @throws IllegalStateException if it is NULL
     * @throws NumberFormatException if it is no whole number, or larger than a long: then use {@link #decimal}
     */
    public long number(String name) {
        return Long.parseLong(required(name));
    }

    /**
     * The value of a column of numbers of any kind.
     *
     * @throws IllegalStateException if it is NULL
     * @throws NumberFormatException if it is no number
     */
    public BigDecimal decimal(String name) {
        return new BigDecimal(required(name));
    }

    /**
     * The value of a BINARY, VARBINARY, BLOB or GEOMETRY column.
     *
     * @throws IllegalStateException if it is NULL, or has a character above U+00FF: then the column is not binary, use {@link #text}. Text of
     *     characters up to U+00FF cannot be distinguished from bytes, and is returned in ISO 8859-1
     */
    public byte[] bytes(String name) {
        String text = required(name);
        if (!text.chars().allMatch(character -> character <= MAX_BYTE)) {
            throw new IllegalStateException(
                    "column %s has characters that are no bytes: it is not binary, read it as text".formatted(name));
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private String required(String name) {
        String text = text(name);
        if (text == null) {
            throw new IllegalStateException("column " + name + " is NULL");
        }
        return text;
    }

    private Column column(String name) {
        Column column = columns.get(name);
        if (column == null) {
            throw new NoSuchElementException("there is no column %s, but %s".formatted(name, columns.keySet()));
        }
        return column;
    }

    /** Its columns' names, and no values: these do not belong into logs. */
    @Override
    public String toString() {
        return "row image of " + columns.keySet();
    }
}
