package io.sluice.parse.value;

import io.sluice.parse.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.sql.Types;

/**
 * MariaDB's temporal types with a fraction of a second, as it stored them before it took over MySQL's form, and still does
 * with {@code mysql56_temporal_format=OFF}: big-endian numbers, counted in the last digit of the fraction.
 *
 * <p>The table map does not tell them from types without a fraction, so the count of digits comes from the structure.
 */
final class MariaDbTemporalType implements ColumnType {
    private static final int[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};

    /** One more than the seconds of the latest time, 838:59:59: what zero is stored as. */
    private static final long TIME_ZERO_SECONDS = 3_020_400;

    /** Which type it is, and how many bytes a value has with no digits of a fraction, with one, and so on up to six. */
    enum Kind {
        TIME(Types.TIME, "3445556"),
        DATETIME(Types.TIMESTAMP, "5667778"),
        TIMESTAMP(Types.TIMESTAMP, "4556677");

        private final int sqlType;
        private final String bytes;

        Kind(int sqlType, String bytes) {
            this.sqlType = sqlType;
            this.bytes = bytes;
        }
    }

    private final Kind kind;
    private final int digits;
    private final int length;
    private final TimeZoneOffsets zone;

    /**
     * Makes the type.
     *
     * @param digits of the fraction, 1 to 6
     */
    MariaDbTemporalType(Kind kind, int digits, TimeZoneOffsets zone) {
        if (digits < 1 || digits > 6) {
            throw new MalformedEventException(
                    "a temporal column with %d digits of a second's fraction".formatted(digits));
        }
        this.kind = kind;
        this.length = kind.bytes.charAt(digits) - '0';
        this.digits = digits;
        this.zone = zone;
    }

    @Override
    public int length(byte[] image, int at, int end) {
        return length;
    }

    @Override
    public void writeText(byte[] image, int at, int ignored, ByteWriter out) {
        switch (kind) {
            case TIME -> writeTime(Bytes.readBig(image, at, length), out);
            case DATETIME -> writeDateTime(Bytes.readBig(image, at, length), out);
            default -> {
                TemporalForm.writeSeconds(Bytes.readBig(image, at, 4), zone, out);
                writeFraction(Bytes.readBig(image, at + 4, length - 4), out);
            }
        }
    }

    private void writeTime(long stored, ByteWriter out) {
        long value = stored - TIME_ZERO_SECONDS * POWERS[digits];
        if (value < 0) {
            out.writeByte('-');
            value = -value;
        }
        long seconds = value / POWERS[digits];
        Temporal.writeTime(out, (int) (seconds / 3_600), (int) (seconds / 60 % 60), (int) (seconds % 60));
        writeFraction(value % POWERS[digits], out);
    }

    /** Months count 13 a year, days 32 a month. */
    private void writeDateTime(long value, ByteWriter out) {
        long seconds = value / POWERS[digits];
        long days = seconds / 86_400;
        long months = days / 32;
        Temporal.writeDate(out, (int) (months / 13), (int) (months % 13), (int) (days % 32));
        out.writeByte(' ');
        Temporal.writeTime(out, (int) (seconds / 3_600 % 24), (int) (seconds / 60 % 60), (int) (seconds % 60));
        writeFraction(value % POWERS[digits], out);
    }

    private void writeFraction(long fraction, ByteWriter out) {
        out.writeByte('.');
        Digits.writePadded(out, fraction, digits);
    }

    @Override
    public int sqlType() {
        return kind.sqlType;
    }
}
