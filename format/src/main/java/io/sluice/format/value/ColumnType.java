package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;
import org.jspecify.annotations.Nullable;

/**
 * How the values of one column are in row images, and what text they become.
 *
 * <p>Immutable and shared by all threads. Value bytes are little-endian unless a type states otherwise; the formats are
 * those of MySQL's internals documentation, "Table_map_event" and "Rows_event".
 *
 * <p>It is a class and not an interface since calls for each value go through it.
 */
public abstract class ColumnType {
    /** How many bytes {@link #put} may need beside three, or six in JSON, for each byte of the value. */
    public static final int ROOM = 128;

    private final int fixedLength;
    private final int prefixLength;

    /** A type whose values have a length of their own: {@code prefixLength} bytes in front, 1 to 4, state it. */
    static final int OWN_LENGTH = -1;

    /**
     * Makes a type.
     *
     * @param fixedLength how many bytes every value takes; {@link #OWN_LENGTH} if its first bytes state it
     * @param prefixLength how many these are
     */
    protected ColumnType(int fixedLength, int prefixLength) {
        this.fixedLength = fixedLength;
        this.prefixLength = prefixLength;
    }

    /** How many bytes every value takes; less than zero if its first {@link #prefixLength} bytes state it. */
    public final int fixedLength() {
        return fixedLength;
    }

    /** How many bytes in front state the length of the rest, 1 to 4; 0 if all values have the same length. */
    public final int prefixLength() {
        return prefixLength;
    }

    /**
     * How many bytes the value at {@code at} takes.
     *
     * @param image the array that holds the row
     * @param at where the value starts, at most {@code end}
     * @param end where the rows end; bytes from there on must not be read
     * @return the length, perhaps reaching beyond {@code end}, which the caller must check
     * @throws io.sluice.mysql.binlog.MalformedEventException if {@code end} comes before the end of the length
     */
    public final int length(byte[] image, int at, int end) {
        return fixedLength >= 0 ? fixedLength : prefixLength + Bytes.readLength(image, at, prefixLength, end);
    }

    /**
     * Appends the value's text in UTF-8.
     *
     * @param image the array that holds the row
     * @param at where the value starts
     * @param length its length, as of {@link #length}
     * @throws io.sluice.mysql.binlog.MalformedEventException if the bytes cannot be a value of this type
     * @throws io.sluice.protocol.bytes.TooManyBytesException if the limit of {@code out} does not allow the text; a value that is
     *     compressed is not unpacked then
     */
    public abstract void writeText(byte[] image, int at, int length, ByteWriter out);

    /** Whether the length of a value limits that of its text, so that {@link #put} may be used. */
    public boolean isBounded() {
        return false;
    }

    /**
     * Puts the value's text where there is room for three bytes for each of its bytes, and {@link #ROOM} more; bytes after
     * the text may be overwritten as far as that.
     *
     * @return where the text ends
     * @throws io.sluice.mysql.binlog.MalformedEventException if the bytes cannot be a value of this type
     * @throws UnsupportedOperationException if it is not {@link #isBounded bounded}
     */
    public int put(byte[] image, int at, int length, byte[] target, int to) {
        throw new UnsupportedOperationException("the texts of this type may have any length");
    }

    /** Puts the value's text as {@link #put} does, but escaped as within a JSON string, where there is room for six bytes for each of its bytes. */
    public int putJson(byte[] image, int at, int length, byte[] target, int to) {
        return put(image, at, length, target, to);
    }

    /** Whether values may be compressed, so that their texts are larger than their bytes by any factor. */
    public boolean isCompressed() {
        return false;
    }

    /**
     * How many bytes the text of a value takes at most, if the value is compressed; 0 if not.
     *
     * @param image the array that holds the row
     * @param at where the value starts
     * @param length its length, as of {@link #length}
     * @throws io.sluice.mysql.binlog.MalformedEventException if the bytes cannot be a value of this type
     */
    public long unpackedBytes(byte[] image, int at, int length) {
        return 0;
    }

    /** The {@code java.sql.Types} number of the column. */
    public abstract int sqlType();

    /** The {@code java.sql.Types} number where the value is NULL. */
    public int sqlTypeOfNull() {
        return sqlType();
    }

    /** The {@code java.sql.Types} number of values that {@link #isWide} picks out. */
    public int sqlTypeOfWide() {
        return sqlType();
    }

    /** Whether a value is too large for the signed form of its type, and so has {@link #sqlTypeOfWide}. */
    public boolean isWide(byte[] image, int at) {
        return false;
    }

    /** Whether no text of this type ever needs an escape in JSON. */
    public boolean isPlain() {
        return true;
    }

    /**
     * Whether two values that have the same text are the same value.
     *
     * @param at where one of them starts
     * @param otherAt where the other one starts
     */
    public boolean isSameValue(byte[] image, int at, int length, int otherAt, int otherLength) {
        return true;
    }

    /** How values of this type are read that an update logs as differences; null if it never does. */
    public @Nullable ValueDifferences differences() {
        return null;
    }
}
