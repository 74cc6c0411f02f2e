package io.sluice.mysql.binlog;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The first 19 bytes of an event.
 *
 * <pre>
 *   0           4      5           9           13             17      19
 *   +-----------+------+-----------+-----------+--------------+-------+
 *   | timestamp | code | server id | length    | next offset  | flags |
 *   | u32 LE, s | u8   | u32 LE    | u32 LE    | u32 LE       | u16   |
 *   +-----------+------+-----------+-----------+--------------+-------+
 * </pre>
 *
 * @param timestampSeconds when it was written, in seconds since the epoch
 * @param code its type, one of {@link EventCode} or one not known here
 * @param serverId the {@code server_id} it was first written by
 * @param length its whole length in bytes, with header and checksum
 * @param nextOffset where the next event starts, modulo 2^32; 0 for events that are in no file
 * @param flags bits, of which {@link #FLAG_OF_SESSION}, {@link #FLAG_IGNORABLE} and {@link #FLAG_ARTIFICIAL} matter
 */
public record EventHeader(long timestampSeconds, int code, long serverId, int length, long nextOffset, int flags) {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    /** The length of a header, in bytes. */
    public static final int LENGTH = 19;

    /** Set on statements that use temporary tables of their session, or {@code CONNECTION_ID()}. */
    public static final int FLAG_OF_SESSION = 0x4;

    /** Set on events that the server made up for the stream; they are in no file. */
    public static final int FLAG_ARTIFICIAL = 0x20;

    /** Set on events that a reader may skip if it does not know their type. */
    public static final int FLAG_IGNORABLE = 0x80;

    /**
     * Reads the header at the start of an event.
     *
     * @param event the array that holds it
     * @param from where it starts
     * @param available how many bytes there are
     * @throws MalformedEventException if there are too few bytes, or the length it states is impossible
     */
    public static EventHeader read(byte[] event, int from, int available) {
        if (available < LENGTH) {
            throw new MalformedEventException("an event of %d bytes has no room for its header".formatted(available));
        }
        int code = event[from + 4] & 0xFF;
        int length = (int) INT.get(event, from + 9);
        if (length < LENGTH) {
            throw new MalformedEventException(
                    "an event of type %d states a length of %d bytes".formatted(code, Integer.toUnsignedLong(length)));
        }
        return new EventHeader(
                Integer.toUnsignedLong((int) INT.get(event, from)),
                code,
                Integer.toUnsignedLong((int) INT.get(event, from + 5)),
                length,
                Integer.toUnsignedLong((int) INT.get(event, from + 13)),
                (event[from + 17] & 0xFF) | (event[from + 18] & 0xFF) << 8);
    }

    /** Whether a reader that does not know the type of the event may skip it. */
    public boolean isIgnorable() {
        return (flags & FLAG_IGNORABLE) != 0;
    }

    /** Whether the server made it up for the stream. */
    public boolean isArtificial() {
        return (flags & FLAG_ARTIFICIAL) != 0;
    }
}
