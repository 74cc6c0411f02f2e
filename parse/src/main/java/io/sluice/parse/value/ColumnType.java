package io.sluice.parse.value;

import io.sluice.protocol.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one column stand in row images, and what text they become.
 *
 * <p>Immutable and shared by all threads. Value bytes are little-endian unless a type says otherwise; the formats are
 * those of MySQL's internals documentation, "Table_map_event" and "Rows_event".
 */
public interface ColumnType {
    /**
     * How many bytes the value at {@code at} takes.
     *
     * @param image the array that holds the row
     * @param at where the value starts, at most {@code end}
     * @param end where the rows end; bytes from there on must not be read
     * @return the length, perhaps reaching beyond {@code end}, which the caller must check
     * @throws io.sluice.parse.binlog.MalformedEventException if {@code end} comes before the length can be told
     */
    int length(byte[] image, int at, int end);

    /**
     * Appends the value's text in UTF-8.
     *
     * @param image the array that holds the row
     * @param at where the value starts
     * @param length its length, as {@link #length} told
     * @throws io.sluice.parse.binlog.MalformedEventException if the bytes cannot be a value of this type
     */
    void writeText(byte[] image, int at, int length, ByteWriter out);

    /** The {@code java.sql.Types} number of the column. */
    int sqlType();

    /** The {@code java.sql.Types} number where the value is NULL. */
    default int sqlTypeOfNull() {
        return sqlType();
    }

    /** The {@code java.sql.Types} number of values that {@link #isWide} picks out. */
    default int sqlTypeOfWide() {
        return sqlType();
    }

    /** Whether a value is too large for the signed form of its type, and so goes under {@link #sqlTypeOfWide}. */
    default boolean isWide(byte[] image, int at) {
        return false;
    }

    /** Whether no text of this type ever needs an escape in JSON. */
    default boolean isPlain() {
        return true;
    }

    /** How values of this type are read that an update logs as differences; null if it never does. */
    default @Nullable JsonDifferences differences() {
        return null;
    }
}
