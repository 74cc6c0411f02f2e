package io.sluice.parse.value;

import io.sluice.parse.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/**
 * DECIMAL(precision, scale): groups of nine digits, each a big-endian number, around the decimal point.
 *
 * <pre>
 *   +-------------------+-------------+-----+-------------+-------------------+
 *   | (p - s) mod 9     | 9 digits    | ... | 9 digits    | s mod 9 digits    |
 *   | digits, 0-4 bytes | 4 bytes     |     | 4 bytes     | 0-4 bytes         |
 *   +-------------------+-------------+-----+-------------+-------------------+
 * </pre>
 *
 * <p>The first bit is flipped, so that it says "positive"; all bits of a negative number are flipped too.
 */
final class DecimalType implements ColumnType {
    private static final int GROUP_DIGITS = 9;
    private static final int GROUP_BYTES = 4;
    private static final int[] BYTES_OF_DIGITS = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    private static final int LARGEST_PRECISION = 65;

    private final int scale;
    private final int leadingDigits;
    private final int integerGroups;
    private final int fractionGroups;
    private final int trailingDigits;
    private final int length;
    private final boolean exact;

    /**
     * Makes the type.
     *
     * @param exact whether all digits of the scale are written; if not, a last group of less than nine digits is left
     *     out when it is zero, as canal does: {@code 1.00} becomes {@code 1.0}
     */
    DecimalType(int precision, int scale, boolean exact) {
        if (precision < 1 || precision > LARGEST_PRECISION || scale > precision) {
            throw new MalformedEventException("a column of type DECIMAL(%d,%d)".formatted(precision, scale));
        }
        int integerDigits = precision - scale;
        this.scale = scale;
        this.integerGroups = integerDigits / GROUP_DIGITS;
        this.leadingDigits = integerDigits % GROUP_DIGITS;
        this.fractionGroups = scale / GROUP_DIGITS;
        this.trailingDigits = scale % GROUP_DIGITS;
        this.length = BYTES_OF_DIGITS[leadingDigits]
                + GROUP_BYTES * (integerGroups + fractionGroups)
                + BYTES_OF_DIGITS[trailingDigits];
        this.exact = exact;
    }

    /** How many bytes every value takes. */
    int length() {
        return length;
    }

    @Override
    public int length(byte[] image, int at, int end) {
        return length;
    }

    @Override
    public void writeText(byte[] image, int from, int ignored, ByteWriter out) {
        boolean negative = image[from] >= 0;
        int flip = negative ? -1 : 0;
        if (negative) {
            out.writeByte('-');
        }
        int at = from;
        boolean started = false;
        if (leadingDigits > 0) {
            long digits = group(image, at, BYTES_OF_DIGITS[leadingDigits], flip, at == from);
            at += BYTES_OF_DIGITS[leadingDigits];
            if (digits != 0) {
                Digits.writeLong(out, digits);
                started = true;
            }
        }
        for (int i = 0; i < integerGroups; i++) {
            long digits = group(image, at, GROUP_BYTES, flip, at == from);
            at += GROUP_BYTES;
            if (started) {
                Digits.writePadded(out, digits, GROUP_DIGITS);
            } else if (digits != 0) {
                Digits.writeLong(out, digits);
                started = true;
            }
        }
        if (!started) {
            out.writeByte('0');
        }
        if (scale > 0) {
            writeFraction(image, from, at, flip, out);
        }
    }

    private void writeFraction(byte[] image, int from, int start, int flip, ByteWriter out) {
        int at = start;
        out.writeByte('.');
        for (int i = 0; i < fractionGroups; i++) {
            Digits.writePadded(out, group(image, at, GROUP_BYTES, flip, at == from), GROUP_DIGITS);
            at += GROUP_BYTES;
        }
        if (trailingDigits > 0) {
            long digits = group(image, at, BYTES_OF_DIGITS[trailingDigits], flip, at == from);
            if (digits != 0 || exact) {
                Digits.writePadded(out, digits, trailingDigits);
            } else if (fractionGroups == 0) {
                out.writeByte('0');
            }
        }
    }

    private static long group(byte[] image, int at, int bytes, int flip, boolean first) {
        long value = Bytes.readBig(image, at, bytes) ^ (first ? 0x80L << 8 * bytes - 8 : 0);
        return flip == 0 ? value : ~value & (1L << 8 * bytes) - 1;
    }

    @Override
    public int sqlType() {
        return Types.DECIMAL;
    }
}
