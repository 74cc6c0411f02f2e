package io.sluice.format.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/** FLOAT and DOUBLE: IEEE 754 in four or eight bytes, written as Java writes its own. */
final class FloatingType extends BoundedType {
    private static final double[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};

    /** From here on Java writes an exponent. */
    private static final double FIRST_WITH_EXPONENT = 1e7;

    /**
     * With so many decimals, numbers in front of those with an exponent have 13 digits at most. Decimal numbers of so few
     * digits denote one double each, so no shorter one can.
     */
    private static final long MAX_DECIMALS_SCALE = 1_000_000;

    /** Decimal numbers of six digits denote one float each, so no shorter one can. */
    private static final double MAX_SURE_OF_FLOAT = 1e6;

    private final int bytes;

    /** The type of a number in 4 or 8 bytes. */
    FloatingType(int bytes) {
        super(bytes, 0);
        this.bytes = bytes;
    }

    @Override
    public int put(byte[] image, int at, int length, byte[] target, int to) {
        return bytes == 4
                ? putFloat(Float.intBitsToFloat((int) Bytes.readLittle(image, at, 4)), target, to)
                : putDouble(Double.longBitsToDouble(Bytes.readLittle(image, at, 8)), target, to);
    }

    /** Appends what {@link #putDouble} puts. */
    static void writeDouble(double value, ByteWriter out) {
        out.ensure(ROOM);
        out.setSize(putDouble(value, out.array(), out.size()));
    }

    /** Appends what {@link #putFloat} puts. */
    static void writeFloat(float value, ByteWriter out) {
        out.ensure(ROOM);
        out.setSize(putFloat(value, out.array(), out.size()));
    }

    /** The text of {@link Double#toString}; for numbers of few digits without making it. */
    static int putDouble(double value, byte[] target, int to) {
        double size = Math.abs(value);
        if (size >= 1e-3 && size < FIRST_WITH_EXPONENT) {
            long millionths = (long) (size * MAX_DECIMALS_SCALE + 0.5);
            if (millionths / (double) MAX_DECIMALS_SCALE == size) {
                long whole = millionths / MAX_DECIMALS_SCALE;
                int point = putWhole(value < 0, whole, target, to);
                return Digits.putFraction(target, point, (int) (millionths - whole * MAX_DECIMALS_SCALE));
            }
        }
        return putAscii(Double.toString(value), target, to);
    }

    /** The text of {@link Float#toString}; for numbers of few digits without making it. */
    static int putFloat(float value, byte[] target, int to) {
        float size = Math.abs(value);
        if (size >= 1e-3f && size < FIRST_WITH_EXPONENT) {
            for (int decimals = 0; decimals < POWERS.length; decimals++) {
                double scaled = Math.rint(size * POWERS[decimals]);
                if (scaled >= MAX_SURE_OF_FLOAT) {
                    break;
                }
                if ((float) (scaled / POWERS[decimals]) == size) {
                    return putScaled(value < 0, (long) scaled, decimals, target, to);
                }
            }
        }
        return putAscii(Float.toString(value), target, to);
    }

    private static int putScaled(boolean negative, long scaled, int decimals, byte[] target, int to) {
        long power = (long) POWERS[decimals];
        int point = putWhole(negative, scaled / power, target, to);
        target[point] = '.';
        return Digits.putPadded(target, point + 1, scaled % power, Math.max(1, decimals));
    }

    private static int putWhole(boolean negative, long whole, byte[] target, int to) {
        if (!negative) {
            return Digits.putLong(target, to, whole);
        }
        target[to] = '-';
        return Digits.putLong(target, to + 1, whole);
    }

    @SuppressWarnings("deprecation") // getBytes(int, int, byte[], int) is the one copy without an array between
    private static int putAscii(String ascii, byte[] target, int to) {
        ascii.getBytes(0, ascii.length(), target, to);
        return to + ascii.length();
    }

    @Override
    public int sqlType() {
        return bytes == 4 ? Types.REAL : Types.DOUBLE;
    }
}
