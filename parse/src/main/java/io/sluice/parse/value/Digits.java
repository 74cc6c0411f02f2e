package io.sluice.parse.value;

import io.sluice.protocol.bytes.ByteWriter;

/** Writes numbers as ASCII digits, without a string between. */
public final class Digits {
    /** "00" to "99", one after the other: two digits are written with one division. */
    private static final byte[] PAIRS = new byte[200];

    private static final int LONGEST = 20;

    static {
        for (int i = 0; i < 100; i++) {
            PAIRS[2 * i] = (byte) ('0' + i / 10);
            PAIRS[2 * i + 1] = (byte) ('0' + i % 10);
        }
    }

    private Digits() {}

    /** Writes a signed number. */
    public static void writeLong(ByteWriter out, long value) {
        if (value < 0) {
            out.writeByte('-');
            if (value == Long.MIN_VALUE) {
                writeUnsigned(out, value);
                return;
            }
            writePositive(out, -value);
        } else {
            writePositive(out, value);
        }
    }

    /** Writes all 64 bits as an unsigned number. */
    static void writeUnsigned(ByteWriter out, long value) {
        if (value >= 0) {
            writePositive(out, value);
        } else {
            long tenth = Long.divideUnsigned(value, 10);
            writePositive(out, tenth);
            out.writeByte((int) ('0' + (value - tenth * 10)));
        }
    }

    private static void writePositive(ByteWriter out, long value) {
        int length = lengthOf(value);
        out.ensure(LONGEST);
        fill(out.array(), out.size(), length, value);
        out.setSize(out.size() + length);
    }

    /** Writes {@code value} with leading zeros, in exactly {@code length} digits; its higher digits are lost. */
    static void writePadded(ByteWriter out, long value, int length) {
        out.ensure(length);
        fill(out.array(), out.size(), length, value);
        out.setSize(out.size() + length);
    }

    /** Two digits of a number below 100. */
    static void put2(byte[] target, int at, int value) {
        target[at] = PAIRS[2 * value];
        target[at + 1] = PAIRS[2 * value + 1];
    }

    private static void fill(byte[] target, int from, int length, long value) {
        int at = from + length;
        long rest = value;
        while (at - from >= 2) {
            long tenths = rest / 100;
            at -= 2;
            put2(target, at, (int) (rest - tenths * 100));
            rest = tenths;
        }
        if (at > from) {
            target[from] = (byte) ('0' + rest % 10);
        }
    }

    static int lengthOf(long value) {
        int length = 1;
        long bound = 10;
        while (value >= bound) {
            length++;
            if (length == 19) {
                break;
            }
            bound *= 10;
        }
        return length;
    }
}
