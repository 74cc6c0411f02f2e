package io.sluice.format.value;

import io.sluice.mysql.binlog.MalformedEventException;
import java.sql.Types;

/**
 * MariaDB's temporal types with a fraction of a second, as it stored them before it adopted MySQL's form, and still does
 * with {@code mysql56_temporal_format=OFF}: big-endian numbers, counted in the last digit of the fraction.
 *
 * <p>The table map does not distinguish them from types without a fraction, so the count of digits comes from the table schema.
 */
final class MariaDbTemporalType extends BoundedType {
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
        super(lengthOf(kind, digits), 0);
        this.kind = kind;
        this.length = fixedLength();
        this.digits = digits;
        this.zone = zone;
    }

    private static int lengthOf(Kind kind, int digits) {
        if (digits < 1 || digits > 6) {
            throw new MalformedEventException(
                    "a temporal column with %d digits of a second's fraction".formatted(digits));
        }
        return kind.bytes.charAt(digits) - '0';
    }

    @Override
    public int put(byte[] image, int at, int ignored, byte[] target, int to) {
        return switch (kind) {
            case TIME -> putTime(Bytes.readBig(image, at, length), target, to);
            case DATETIME -> putDateTime(Bytes.readBig(image, at, length), target, to);
            default -> {
                int end = TemporalForm.putSeconds(Bytes.readBig(image, at, 4), zone, target, to);
                yield putFraction(Bytes.readBig(image, at + 4, length - 4), target, end);
            }
        };
    }

    private int putTime(long stored, byte[] target, int to) {
        long value = stored - TIME_ZERO_SECONDS * POWERS[digits];
        int from = to;
        if (value < 0) {
            target[from++] = '-';
            value = -value;
        }
        long seconds = value / POWERS[digits];
        int end = Temporal.putTime(
                target, from, (int) (seconds / 3_600), (int) (seconds / 60 % 60), (int) (seconds % 60));
        return putFraction(value % POWERS[digits], target, end);
    }

    /** Months count 13 a year, days 32 a month. */
    private int putDateTime(long value, byte[] target, int to) {
        long seconds = value / POWERS[digits];
        long days = seconds / 86_400;
        long months = days / 32;
        int end = Temporal.putDate(target, to, (int) (months / 13), (int) (months % 13), (int) (days % 32));
        target[end] = ' ';
        end = Temporal.putTime(
                target, end + 1, (int) (seconds / 3_600 % 24), (int) (seconds / 60 % 60), (int) (seconds % 60));
        return putFraction(value % POWERS[digits], target, end);
    }

    private int putFraction(long fraction, byte[] target, int at) {
        target[at] = '.';
        return Digits.putPadded(target, at + 1, Math.floorMod(fraction, POWERS[digits]), digits);
    }

    @Override
    public int sqlType() {
        return kind.sqlType;
    }
}
