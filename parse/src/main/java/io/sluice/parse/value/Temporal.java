package io.sluice.parse.value;

import io.sluice.parse.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;

/** The texts of dates and times, which every temporal type is made of. */
final class Temporal {
    /** Bits of a packed time: 10 of hours, 6 of minutes, 6 of seconds. */
    private static final int HOUR_SHIFT = 12;

    private Temporal() {}

    /** {@code 2022-09-01}. */
    static void writeDate(ByteWriter out, int year, int month, int day) {
        out.ensure(10);
        byte[] target = out.array();
        int at = out.size();
        int y = year % 10_000;
        Digits.put2(target, at, y / 100);
        Digits.put2(target, at + 2, y % 100);
        target[at + 4] = '-';
        Digits.put2(target, at + 5, month % 100);
        target[at + 7] = '-';
        Digits.put2(target, at + 8, day % 100);
        out.setSize(at + 10);
    }

    /** {@code 01:02:03}, with three digits of hours if there are as many. */
    static void writeTime(ByteWriter out, int hour, int minute, int second) {
        out.ensure(10);
        if (hour >= 100) {
            out.writeByte('0' + hour / 100);
        }
        byte[] target = out.array();
        int at = out.size();
        Digits.put2(target, at, hour % 100);
        target[at + 2] = ':';
        Digits.put2(target, at + 3, minute % 100);
        target[at + 5] = ':';
        Digits.put2(target, at + 6, second % 100);
        out.setSize(at + 8);
    }

    /** The time in a packed 22-bit number. */
    static void writePackedTime(ByteWriter out, long packed) {
        writeTime(out, (int) (packed >> HOUR_SHIFT) & 0x3FF, (int) (packed >> 6) & 0x3F, (int) packed & 0x3F);
    }

    /** The date and time in a packed number: 17 bits of month count (thirteen a year), 5 of day, 17 of time. */
    static void writePackedDateTime(ByteWriter out, long packed) {
        long date = packed >> 17;
        int months = (int) (date >> 5);
        writeDate(out, months / 13, months % 13, (int) date & 0x1F);
        out.writeByte(' ');
        writeTime(out, (int) (packed >> HOUR_SHIFT) & 0x1F, (int) (packed >> 6) & 0x3F, (int) packed & 0x3F);
    }

    /** How many bytes the fraction of a second takes with so many digits. */
    static int fractionBytes(int digits) {
        if (digits > 6) {
            throw new MalformedEventException(
                    "a temporal column with %d digits of a second's fraction".formatted(digits));
        }
        return (digits + 1) / 2;
    }

    /** {@code .5}, {@code .50}, … from the number that is stored, which has an even count of digits. */
    static void writeFraction(ByteWriter out, long stored, int digits) {
        if (digits > 0) {
            out.writeByte('.');
            Digits.writePadded(out, (digits & 1) == 1 ? stored / 10 : stored, digits);
        }
    }
}
