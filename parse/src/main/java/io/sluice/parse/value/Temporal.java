package io.sluice.parse.value;

import io.sluice.parse.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The texts of dates and times, which every temporal type is made of; eight characters are made and stored at once. */
final class Temporal {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Bits of a packed time: 10 of hours, 6 of minutes, 6 of seconds. */
    private static final int HOUR_SHIFT = 12;

    private static final int DATE_LENGTH = 10;
    private static final int TIME_LENGTH = 8;
    private static final int ROOM = 16;

    /** The bytes of first digits in {@code yyyy-mm-}, the first character lowest; and what is added to the digits. */
    private static final long DATE_FIRSTS = 0x0000_0F00_000F_000FL;

    private static final long DATE_FORM = 0x2D30_302D_3030_3030L;

    /** The same in {@code hh:mm:ss}. */
    private static final long TIME_FIRSTS = 0x000F_0000_0F00_000FL;

    private static final long TIME_FORM = 0x3030_3A30_303A_3030L;

    private Temporal() {}

    /** {@code 2022-09-01}; of numbers that no date has, the last digits. */
    static void writeDate(ByteWriter out, int year, int month, int day) {
        out.ensure(ROOM);
        int at = out.size();
        if (year < 0 || year >= 10_000 || !isTwoDigits(month) || !isTwoDigits(day)) {
            writeDate(out, Math.floorMod(year, 10_000), Math.floorMod(month, 100), Math.floorMod(day, 100));
            return;
        }
        byte[] target = out.array();
        int century = year * 5_243 >>> 19; // year / 100
        long yearAndMonth = century | year - 100 * century << 16 | (long) month << 40;
        LONG.set(target, at, Digits.pairs(yearAndMonth, DATE_FIRSTS) + DATE_FORM);
        Digits.put2(target, at + 8, day);
        out.setSize(at + DATE_LENGTH);
    }

    private static boolean isTwoDigits(int number) {
        return number >= 0 && number < 100;
    }

    /** {@code 01:02:03}, with three digits of hours if there are as many; of numbers that no time has, the last digits. */
    static void writeTime(ByteWriter out, int hour, int minute, int second) {
        out.ensure(ROOM);
        int at = out.size();
        byte[] target = out.array();
        if (isTwoDigits(hour) && isTwoDigits(minute) && isTwoDigits(second)) {
            long time = hour | minute << 24 | (long) second << 48;
            LONG.set(target, at, Digits.pairs(time, TIME_FIRSTS) + TIME_FORM);
            out.setSize(at + TIME_LENGTH);
        } else {
            if (hour >= 100) {
                out.writeByte('0' + hour / 100 % 10);
            }
            writeTime(out, Math.floorMod(hour, 100), Math.floorMod(minute, 100), Math.floorMod(second, 100));
        }
    }

    /** The time in a packed 22-bit number. */
    static void writePackedTime(ByteWriter out, long packed) {
        writeTime(out, (int) (packed >> HOUR_SHIFT) & 0x3FF, (int) (packed >> 6) & 0x3F, (int) packed & 0x3F);
    }

    /** The date and time in a packed number: 17 bits of month count (thirteen a year), 5 of day, 17 of time. */
    static void writePackedDateTime(ByteWriter out, long packed) {
        int date = (int) (packed >> 17);
        int months = date >> 5;
        int year = months / 13;
        writeDate(out, year, months - 13 * year, date & 0x1F);
        out.writeByte(' ');
        int time = (int) packed;
        writeTime(out, time >> HOUR_SHIFT & 0x1F, time >> 6 & 0x3F, time & 0x3F);
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
