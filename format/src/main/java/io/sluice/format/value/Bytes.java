package io.sluice.format.value;

import io.sluice.mysql.binlog.MalformedEventException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers of one to eight bytes in either order, from an array. */
final class Bytes {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle SHORT_BIG =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT_BIG = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private Bytes() {}

    /** An unsigned little-endian number. */
    static long readLittle(byte[] from, int at, int length) {
        return switch (length) {
            case 1 -> from[at] & 0xFF;
            case 2 -> (from[at] & 0xFF) | (from[at + 1] & 0xFF) << 8;
            case 4 -> (int) INT.get(from, at) & 0xFFFF_FFFFL;
            case 8 -> (long) LONG.get(from, at);
            default -> {
                long value = 0;
                for (int i = length - 1; i >= 0; i--) {
                    value = value << 8 | from[at + i] & 0xFF;
                }
                yield value;
            }
        };
    }

    /** An unsigned big-endian number of at most eight bytes. */
    static long readBig(byte[] from, int at, int length) {
        return switch (length) {
            case 0 -> 0;
            case 1 -> from[at] & 0xFF;
            case 2 -> (short) SHORT_BIG.get(from, at) & 0xFFFF;
            case 3 -> (from[at] & 0xFF) << 16 | (short) SHORT_BIG.get(from, at + 1) & 0xFFFF;
            case 4 -> (int) INT_BIG.get(from, at) & 0xFFFF_FFFFL;
            default -> {
                // Four bytes, and then the rest of four at most, which may overlap with the first.
                int rest = length - 4;
                long high = (int) INT_BIG.get(from, at) & 0xFFFF_FFFFL;
                long low = (int) INT_BIG.get(from, at + rest) & 0xFFFF_FFFFL >>> 32 - 8 * rest;
                yield high << 8 * rest | low;
            }
        };
    }

    /** A length prefix of one to four bytes, which must end before {@code end}. */
    static int readLength(byte[] image, int at, int prefixLength, int end) {
        if (prefixLength > end - at) {
            throw new MalformedEventException("a row ends within the length of a value, at byte " + at);
        }
        long length = readLittle(image, at, prefixLength);
        if (length > end - at - prefixLength) {
            throw new MalformedEventException("a value of %d bytes, where only %d are left in its event"
                    .formatted(length, end - at - prefixLength));
        }
        return (int) length;
    }
}
