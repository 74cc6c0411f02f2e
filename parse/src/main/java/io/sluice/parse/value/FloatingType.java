package io.sluice.parse.value;

import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/** FLOAT and DOUBLE: IEEE 754 in four or eight bytes, written as Java writes its own. */
final class FloatingType implements ColumnType {
    private static final double[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};

    /** From here on Java writes an exponent. */
    private static final double FIRST_WITH_EXPONENT = 1e7;

    /**
     * With so many decimals, numbers in front of those with an exponent have 13 digits at most. Decimal numbers of so few
     * digits stand for one double each, so no shorter one can.
     */
    private static final long MOST_DECIMALS_SCALE = 1_000_000;

    /** The same of float. */
    private static final double MOST_SURE_OF_FLOAT = 1e6;

    private final int bytes;

    /** The type of a number in 4 or 8 bytes. */
    FloatingType(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public int length(byte[] image, int at, int end) {
        return bytes;
    }

    @Override
    public void writeText(byte[] image, int at, int length, ByteWriter out) {
        if (bytes == 4) {
            writeFloat(Float.intBitsToFloat((int) Bytes.readLittle(image, at, 4)), out);
        } else {
            writeDouble(Double.longBitsToDouble(Bytes.readLittle(image, at, 8)), out);
        }
    }

    /** The text of {@link Double#toString}; for numbers of few digits without making it. */
    static void writeDouble(double value, ByteWriter out) {
        double size = Math.abs(value);
        if (size >= 1e-3 && size < FIRST_WITH_EXPONENT) {
            long millionths = (long) (size * MOST_DECIMALS_SCALE + 0.5);
            if (millionths / (double) MOST_DECIMALS_SCALE == size) {
                if (value < 0) {
                    out.writeByte('-');
                }
                long whole = millionths / MOST_DECIMALS_SCALE;
                Digits.writeLong(out, whole);
                Digits.writeFraction(out, (int) (millionths - whole * MOST_DECIMALS_SCALE));
                return;
            }
        }
        out.writeAscii(Double.toString(value));
    }

    /** The text of {@link Float#toString}; for numbers of few digits without making it. */
    static void writeFloat(float value, ByteWriter out) {
        float size = Math.abs(value);
        if (size >= 1e-3f && size < FIRST_WITH_EXPONENT) {
            for (int decimals = 0; decimals < POWERS.length; decimals++) {
                double scaled = Math.rint(size * POWERS[decimals]);
                if (scaled >= MOST_SURE_OF_FLOAT) {
                    break;
                }
                if ((float) (scaled / POWERS[decimals]) == size) {
                    writeScaled(value < 0, (long) scaled, decimals, out);
                    return;
                }
            }
        }
        out.writeAscii(Float.toString(value));
    }

    private static void writeScaled(boolean negative, long scaled, int decimals, ByteWriter out) {
        if (negative) {
            out.writeByte('-');
        }
        long power = (long) POWERS[decimals];
        Digits.writeLong(out, scaled / power);
        out.writeByte('.');
        if (decimals == 0) {
            out.writeByte('0');
        } else {
            Digits.writePadded(out, scaled % power, decimals);
        }
    }

    @Override
    public int sqlType() {
        return bytes == 4 ? Types.REAL : Types.DOUBLE;
    }
}
