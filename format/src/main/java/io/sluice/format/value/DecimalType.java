package io.sluice.format.value;

import io.sluice.mysql.binlog.MalformedEventException;
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
 * <p>The first bit is flipped, so that a set bit means positive; all bits of a negative number are flipped too.
 */
final class DecimalType extends BoundedType {
    private static final int GROUP_DIGITS = 9;
    private static final int GROUP_BYTES = 4;
    private static final int[] BYTES_OF_DIGITS = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    private static final int LARGEST_PRECISION = 65;

    private final int scale;
    private final int leadingBytes;
    private final int integerGroups;
    private final int fractionGroups;
    private final int trailingDigits;
    private final int trailingBytes;
    private final boolean exact;

    /**
     * Makes the type.
     *
     * @param exact whether all digits of the scale are written; if not, a last group of less than nine digits is left
     *     out when it is zero, as canal does: {@code 1.00} becomes {@code 1.0}
     */
    DecimalType(int precision, int scale, boolean exact) {
        super(lengthOf(precision, scale), 0);
        int integerDigits = precision - scale;
        this.scale = scale;
        this.integerGroups = integerDigits / GROUP_DIGITS;
        this.fractionGroups = scale / GROUP_DIGITS;
        this.trailingDigits = scale % GROUP_DIGITS;
        this.leadingBytes = BYTES_OF_DIGITS[integerDigits % GROUP_DIGITS];
        this.trailingBytes = BYTES_OF_DIGITS[trailingDigits];
        this.exact = exact;
    }

    private static int lengthOf(int precision, int scale) {
        if (precision < 1 || precision > LARGEST_PRECISION || scale > precision) {
            throw new MalformedEventException("a column of type DECIMAL(%d,%d)".formatted(precision, scale));
        }
        return bytesOf(precision - scale) + bytesOf(scale);
    }

    private static int bytesOf(int digits) {
        return digits / GROUP_DIGITS * GROUP_BYTES + BYTES_OF_DIGITS[digits % GROUP_DIGITS];
    }

    @Override
    public int put(byte[] image, int from, int ignored, byte[] target, int start) {
        boolean negative = image[from] >= 0;
        int flip = negative ? -1 : 0;
        int to = start;
        if (negative) {
            target[to++] = '-';
        }
        int at = from;
        int firstDigit = to;
        if (leadingBytes > 0) {
            long digits = group(image, at, leadingBytes, flip, true);
            at += leadingBytes;
            if (digits != 0) {
                to = Digits.putLong(target, to, digits);
            }
        }
        for (int i = 0; i < integerGroups; i++) {
            long digits = group(image, at, GROUP_BYTES, flip, at == from);
            at += GROUP_BYTES;
            if (to > firstDigit) {
                to = Digits.putPadded(target, to, digits, GROUP_DIGITS);
            } else if (digits != 0) {
                to = Digits.putLong(target, to, digits);
            }
        }
        if (to == firstDigit) {
            target[to++] = '0';
        }
        return scale == 0 ? to : putFraction(image, from, at, flip, target, to);
    }

    private int putFraction(byte[] image, int from, int start, int flip, byte[] target, int point) {
        int at = start;
        int to = point;
        target[to++] = '.';
        for (int i = 0; i < fractionGroups; i++) {
            to = Digits.putPadded(target, to, group(image, at, GROUP_BYTES, flip, at == from), GROUP_DIGITS);
            at += GROUP_BYTES;
        }
        if (trailingDigits > 0) {
            long digits = group(image, at, trailingBytes, flip, at == from);
            if (digits != 0 || exact) {
                to = Digits.putPadded(target, to, digits, trailingDigits);
            } else if (fractionGroups == 0) {
                target[to++] = '0';
            }
        }
        return to;
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
