package io.sluice.format.value;

import java.sql.Types;

/** The temporal types: what differs between them is how many bytes there are, and how they are read. */
enum TemporalForm {
    /** Three bytes: 15 bits of year, 4 of month, 5 of day. */
    DATE(3, false, Types.DATE) {
        @Override
        int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to) {
            int bits = (int) Bytes.readLittle(image, at, 3);
            return Temporal.putDate(target, to, bits >> 9, bits >> 5 & 0xF, bits & 0x1F);
        }
    },
    /** One byte: years since 1900; 0 is the year zero. */
    YEAR(1, false, Types.VARCHAR) {
        @Override
        int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to) {
            int year = image[at] & 0xFF;
            return Digits.putPadded(target, to, year == 0 ? 0 : 1900 + year, 4);
        }
    },
    /** Three bytes big-endian, 0x800000 for zero, and the fraction; negative times are those bytes' complement. */
    TIME(3, true, Types.TIME) {
        @Override
        int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to) {
            int fractionBytes = Temporal.fractionBytes(digits);
            int fractionBits = 8 * fractionBytes;
            long value = Bytes.readBig(image, at, 3 + fractionBytes) - (0x80_0000L << fractionBits);
            int from = to;
            if (value < 0) {
                target[from++] = '-';
                value = -value;
            }
            int end = Temporal.putPackedTime(target, from, value >> fractionBits);
            return Temporal.putFraction(target, end, value & (1L << fractionBits) - 1, digits);
        }
    },
    /** Five bytes big-endian with the first bit set, and the fraction. */
    DATETIME(5, true, Types.TIMESTAMP) {
        @Override
        int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to) {
            int end = Temporal.putPackedDateTime(target, to, Bytes.readBig(image, at, 5) & 0x7F_FFFF_FFFFL);
            return putFraction(image, at + 5, digits, target, end);
        }
    },
    /** Four bytes big-endian: seconds since the epoch, 0 for the zero date; and the fraction. */
    TIMESTAMP(4, true, Types.TIMESTAMP) {
        @Override
        int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to) {
            int end = putSeconds(Bytes.readBig(image, at, 4), zone, target, to);
            return putFraction(image, at + 4, digits, target, end);
        }
    },
    /** TIME before MySQL 5.6: three bytes, the decimal number hhmmss. */
    OLD_TIME(3, false, Types.TIME) {
        @Override
        int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to) {
            int value = (int) Bytes.readLittle(image, at, 3) << 8 >> 8;
            int from = to;
            if (value < 0) {
                target[from++] = '-';
                value = -value;
            }
            return Temporal.putTime(target, from, value / 10_000, value / 100 % 100, value % 100);
        }
    },
    /** DATETIME before MySQL 5.6: eight bytes, the decimal number yyyymmddhhmmss. */
    OLD_DATETIME(8, false, Types.TIMESTAMP) {
        @Override
        int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to) {
            long value = Bytes.readLittle(image, at, 8) & Long.MAX_VALUE;
            int date = (int) (value / 1_000_000 % 100_000_000);
            int time = (int) (value % 1_000_000);
            int end = Temporal.putDate(target, to, date / 10_000, date / 100 % 100, date % 100);
            target[end] = ' ';
            return Temporal.putTime(target, end + 1, time / 10_000, time / 100 % 100, time % 100);
        }
    },
    /** TIMESTAMP before MySQL 5.6: four bytes little-endian, seconds since the epoch. */
    OLD_TIMESTAMP(4, false, Types.TIMESTAMP) {
        @Override
        int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to) {
            return putSeconds(Bytes.readLittle(image, at, 4), zone, target, to);
        }
    };

    /** From 1 March of the year 0, where an era of the calendar begins, to 1970. */
    private static final long SECONDS_BEFORE_EPOCH = 719_468L * 86_400;

    private final int bytes;
    private final boolean hasFraction;
    private final int sqlType;

    TemporalForm(int bytes, boolean hasFraction, int sqlType) {
        this.bytes = bytes;
        this.hasFraction = hasFraction;
        this.sqlType = sqlType;
    }

    abstract int put(byte[] image, int at, int digits, TimeZoneOffsets zone, byte[] target, int to);

    /** The column type with so many digits of a second's fraction, 0 to 6. */
    ColumnType type(int digits, TimeZoneOffsets zone) {
        return new TemporalType(this, bytes + (hasFraction ? Temporal.fractionBytes(digits) : 0), digits, zone);
    }

    /** The date and time of a second, 0 for the zero date; from 32 bits, so that all counts of days fit into an int. */
    static int putSeconds(long seconds, TimeZoneOffsets zone, byte[] target, int to) {
        if (seconds == 0) {
            return Temporal.putPackedDateTime(target, to, 0);
        }
        long local = seconds + zone.offsetSeconds(seconds) + SECONDS_BEFORE_EPOCH;
        int days = (int) (local / 86_400);
        int time = (int) (local - 86_400L * days);
        // Days to a date of the Gregorian calendar, counted in eras of 400 years that begin on 1 March.
        int era = days / 146_097;
        int dayOfEra = days - 146_097 * era;
        int yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        int year = yearOfEra + 400 * era + (month <= 2 ? 1 : 0);
        int end = Temporal.putDate(target, to, year, month, day);
        target[end] = ' ';
        int hour = time / 3_600;
        int secondOfHour = time - 3_600 * hour;
        int minute = secondOfHour / 60;
        return Temporal.putTime(target, end + 1, hour, minute, secondOfHour - 60 * minute);
    }

    private static int putFraction(byte[] image, int at, int digits, byte[] target, int to) {
        return digits == 0
                ? to
                : Temporal.putFraction(target, to, Bytes.readBig(image, at, Temporal.fractionBytes(digits)), digits);
    }

    /** A column of one form. */
    private static final class TemporalType extends BoundedType {
        private final TemporalForm form;
        private final int digits;
        private final TimeZoneOffsets zone;

        TemporalType(TemporalForm form, int length, int digits, TimeZoneOffsets zone) {
            super(length, 0);
            this.form = form;
            this.digits = digits;
            this.zone = zone;
        }

        @Override
        public int put(byte[] image, int at, int length, byte[] target, int to) {
            return form.put(image, at, digits, zone, target, to);
        }

        @Override
        public int sqlType() {
            return form.sqlType;
        }
    }
}
