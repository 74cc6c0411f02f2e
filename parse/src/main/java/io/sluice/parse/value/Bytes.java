package io.sluice.parse.value;

import io.sluice.parse.binlog.MalformedEventException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Numbers of one to eight bytes in either order, from an array. */
final class Bytes {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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

    /** An unsigned big-endian number. */
    static long readBig(byte[] from, int at, int length) {
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << 8 | from[at + i] & 0xFF;
        }
        return value;
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
