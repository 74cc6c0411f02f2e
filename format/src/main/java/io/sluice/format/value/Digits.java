package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes numbers as ASCII digits, without a string between.
 *
 * <p>Eight digits are made at once within a {@code long}, the first in its lowest byte, and stored at once. The divisions by
 * constants in there are multiplications, each exact for the numbers it gets: not every compiler of the JVM makes them so.
 */
public final class Digits {
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long ZEROS = 0x3030_3030_3030_3030L;
    private static final int EIGHT_DIGITS = 100_000_000;

    /** "00" to "99", the first digit in the lower byte. */
    private static final short[] PAIRS = new short[100];

    /** The longest number has 20 characters; up to eight more are stored and then overwritten. */
    public static final int ROOM = 32;

    static {
        for (int i = 0; i < PAIRS.length; i++) {
            PAIRS[i] = (short) ('0' + i / 10 | '0' + i % 10 << 8);
        }
    }

    private Digits() {}

    /** Writes a signed number. */
    public static void writeLong(ByteWriter out, long value) {
        out.ensure(ROOM);
        out.setSize(putLong(out.array(), out.size(), value));
    }

    /** Writes all 64 bits as an unsigned number. */
    static void writeUnsigned(ByteWriter out, long value) {
        out.ensure(ROOM);
        out.setSize(putUnsigned(out.array(), out.size(), value));
    }

    /** Puts a signed number where there is room for {@link #ROOM} bytes; returns where it ends. */
    public static int putLong(byte[] target, int at, long value) {
        if (value >= 0) {
            return putPositive(target, at, value);
        }
        target[at] = '-';
        return putUnsigned(target, at + 1, -value); // the lowest number is its own negative, and 2^63 as unsigned
    }

    /** Puts all 64 bits as an unsigned number where there is room for {@link #ROOM} bytes; returns where it ends. */
    static int putUnsigned(byte[] target, int at, long value) {
        if (value >= 0) {
            return putPositive(target, at, value);
        }
        long tenth = Long.divideUnsigned(value, 10);
        int end = putPositive(target, at, tenth);
        target[end] = (byte) ('0' + (value - tenth * 10));
        return end + 1;
    }

    /**
     * Puts {@code value} with leading zeros, in exactly {@code length} digits, 1 to 9, where there is room for {@link #ROOM}
     * bytes; its higher digits are lost.
     *
     * @return where it ends
     */
    static int putPadded(byte[] target, int at, long value, int length) {
        int low = (int) (value < EIGHT_DIGITS ? value : value % EIGHT_DIGITS);
        if (length == 9) {
            target[at] = (byte) ('0' + value / EIGHT_DIGITS % 10);
            LONG.set(target, at + 1, eightDigits(low) | ZEROS);
        } else if (length == 2 && low < 100) {
            put2(target, at, low);
        } else {
            LONG.set(target, at, (eightDigits(low) | ZEROS) >>> 64 - 8 * length);
        }
        return at + length;
    }

    /**
     * Puts a point and {@code millionths}, below a million, with at least one digit and else no zero at the end, where there
     * is room for {@link #ROOM} bytes.
     *
     * @return where it ends
     */
    static int putFraction(byte[] target, int at, int millionths) {
        long digits = eightDigits(millionths) >>> 16;
        target[at] = '.';
        LONG.set(target, at + 1, digits | ZEROS);
        return at + 9 - (Long.numberOfLeadingZeros(digits | 1) >>> 3);
    }

    /** Two digits of a number below 100. */
    static void put2(byte[] target, int at, int value) {
        SHORT.set(target, at, PAIRS[value]);
    }

    /**
     * Puts a number that is not negative; needs room for eight bytes more than it has digits.
     *
     * @return where it ends
     */
    private static int putPositive(byte[] target, int at, long value) {
        if (value < 100) {
            return putShort(target, at, (int) value);
        }
        if (value < EIGHT_DIGITS) {
            return putSome(target, at, (int) value);
        }
        long high = value / EIGHT_DIGITS;
        int end = putPositive(target, at, high); // at most twice
        LONG.set(target, end, eightDigits((int) (value - high * EIGHT_DIGITS)) | ZEROS);
        return end + 8;
    }

    private static int putShort(byte[] target, int at, int value) {
        if (value < 10) {
            target[at] = (byte) ('0' + value);
            return at + 1;
        }
        SHORT.set(target, at, PAIRS[value]);
        return at + 2;
    }

    /** At most eight digits, not all of them zero. */
    private static int putSome(byte[] target, int at, int value) {
        long digits = eightDigits(value);
        int leading = Long.numberOfTrailingZeros(digits) >>> 3;
        LONG.set(target, at, (digits | ZEROS) >>> 8 * leading);
        return at + 8 - leading;
    }

    /**
     * The eight digits of a number below 100,000,000, as numbers: the first in the lowest byte.
     *
     * <p>Cut into two numbers of four digits, each of these into two of two, and each of these into digits, all side by side.
     */
    static long eightDigits(int value) {
        long high = value * 109_951_163L >>> 40; // value / 10,000
        long fours = high | value - 10_000 * high << 32;
        long hundreds = fours * 10_486 >>> 20 & 0x7F_0000_007FL; // each / 100
        long twos = hundreds | fours - 100 * hundreds << 16;
        long tens = twos * 103 >>> 10 & 0x000F_000F_000F_000FL; // each / 10
        return tens | twos - 10 * tens << 8;
    }

    /**
     * The digits, as numbers, of numbers below 100 that lie side by side.
     *
     * @param numbers each in a byte, with nothing in the byte above, which takes the second digit
     * @param firsts 0x0F in each of these bytes
     */
    static long pairs(long numbers, long firsts) {
        long tens = numbers * 103 >>> 10 & firsts;
        return tens | numbers - 10 * tens << 8;
    }
}
