package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;

/** Reads values that an update logs as differences to the value before it. Immutable. */
public interface ValueDifferences {
    /** Whether a value of so many bytes has no differences, and so is what it was. */
    boolean areNone(int length);

    /**
     * Appends the text of a value.
     *
     * @param bytes the array that holds both images
     * @param beforeAt where the value before the update is
     * @param beforeLength its length; negative if the image before lacks it. Then the text is a function, since there is
     *     nothing that could be rebuilt; without differences it is empty
     * @param at where the value is that the differences are of
     * @param length its length
     * @param column the column's name
     * @throws io.sluice.mysql.binlog.MalformedEventException if the differences cannot be read, or do not fit the value
     */
    void writeText(
            byte[] bytes,
            int beforeAt,
            int beforeLength,
            int at,
            int length,
            String column,
            PartialJson form,
            ByteWriter out);

    /** Whether a value that the image before has, and whose text the differences leave as it is, is the same after them. */
    boolean areWithoutEffect(byte[] bytes, int beforeAt, int beforeLength, int at, int length);
}
