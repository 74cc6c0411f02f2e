package io.sluice.format.value;

import io.sluice.mysql.binlog.MalformedEventException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Writes dates and times, the parts of every temporal value; eight characters are computed and stored at once. */
final class Temporal {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Bits of a packed time: 10 of hours, 6 of minutes, 6 of seconds. */
    private static final int HOUR_SHIFT = 12;

    private static final int DATE_LENGTH = 10;
    private static final int TIME_LENGTH = 8;
    /** What each of these needs, and a date with a time and a fraction together. */
    static final int ROOM = 48;

    /** The bytes of first digits in {@code yyyy-mm-}, the first character lowest; and what is added to the digits. */
    private static final long DATE_FIRSTS = 0x0000_0F00_000F_000FL;

    private static final long DATE_FORM = 0x2D30_302D_3030_3030L;

    /** The bytes of first digits in {@code hh:mm:ss}, the first character lowest; and what is added to the digits. */
    private static final long TIME_FIRSTS = 0x000F_0000_0F00_000FL;

    private static final long TIME_FORM = 0x3030_3A30_303A_3030L;

    private Temporal() {}

    /** {@code 2022-09-01}; of numbers that no date has, the last digits. Returns where it ends, as the others do. */
    static int putDate(byte[] target, int at, int year, int month, int day) {
        if (year < 0 || year >= 10_000 || !isTwoDigits(month) || !isTwoDigits(day)) {
            return putDate(target, at, Math.floorMod(year, 10_000), Math.floorMod(month, 100), Math.floorMod(day, 100));
        }
        int century = year * 5_243 >>> 19; // year / 100
        long yearAndMonth = century | year - 100 * century << 16 | (long) month << 40;
        LONG.set(target, at, Digits.pairs(yearAndMonth, DATE_FIRSTS) + DATE_FORM);
        Digits.put2(target, at + 8, day);
        return at + DATE_LENGTH;
    }

    private static boolean isTwoDigits(int number) {
        return number >= 0 && number < 100;
    }

    /** {@code 01:02:03}, with three digits of hours if there are as many; of numbers that no time has, the last digits. */
    static int putTime(byte[] target, int at, int hour, int minute, int second) {
        if (isTwoDigits(hour) && isTwoDigits(minute) && isTwoDigits(second)) {
            long time = hour | minute << 24 | (long) second << 48;
            LONG.set(target, at, Digits.pairs(time, TIME_FIRSTS) + TIME_FORM);
            return at + TIME_LENGTH;
        }
        int from = at;
        if (hour >= 100) {
            target[from++] = (byte) ('0' + hour / 100 % 10);
        }
        return putTime(target, from, Math.floorMod(hour, 100), Math.floorMod(minute, 100), Math.floorMod(second, 100));
    }

    /** The time in a packed 22-bit number. */
    static int putPackedTime(byte[] target, int at, long packed) {
        return putTime(
                target, at, (int) (packed >> HOUR_SHIFT) & 0x3FF, (int) (packed >> 6) & 0x3F, (int) packed & 0x3F);
    }

    /** The date and time in a packed number: 17 bits of month count (thirteen a year), 5 of day, 17 of time. */
    static int putPackedDateTime(byte[] target, int at, long packed) {
        int date = (int) (packed >> 17);
        int months = date >> 5;
        int year = months / 13;
        int end = putDate(target, at, year, months - 13 * year, date & 0x1F);
        target[end] = ' ';
        int time = (int) packed;
        return putTime(target, end + 1, time >> HOUR_SHIFT & 0x1F, time >> 6 & 0x3F, time & 0x3F);
    }

    /** How many bytes the fraction of a second takes with so many digits. */
    static int fractionBytes(int digits) {
        if (digits > 6) {
            throw new MalformedEventException(
                    "a temporal column with %d digits of a second's fraction".formatted(digits));
        }
        return (digits + 1) / 2;
    }

    /** {@code .5}, {@code .50}, … from the number that is stored, which has an even count of digits; nothing for none. */
    static int putFraction(byte[] target, int at, long stored, int digits) {
        if (digits == 0) {
            return at;
        }
        target[at] = '.';
        return Digits.putPadded(target, at + 1, (digits & 1) == 1 ? stored / 10 : stored, digits);
    }
}
