package io.sluice.mysql.wire.packet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Random;

/** Packets made by hand, and streams that bring them. */
public final class Packets {
    private Packets() {}

    /** One packet: header and payload. */
    public static byte[] packet(int sequence, byte[] payload) {
        byte[] packet = new byte[4 + payload.length];
        packet[0] = (byte) payload.length;
        packet[1] = (byte) (payload.length >>> 8);
        packet[2] = (byte) (payload.length >>> 16);
        packet[3] = (byte) sequence;
        System.arraycopy(payload, 0, packet, 4, payload.length);
        return packet;
    }

    public static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    /** The bytes of a recording, which {@code AnyBytesTest} also starts from. */
    public static byte[] recorded(String name) {
        try (InputStream in = Packets.class.getResourceAsStream("/io/sluice/mysql/wire/AnyBytesTestInputs/" + name)) {
            if (in == null) {
                throw new IllegalArgumentException("no recording " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The bytes, in pieces of random size as a network may bring them. */
    static InputStream inPieces(byte[] bytes, int longestPiece, Random random) {
        return new FilterInputStream(new ByteArrayInputStream(bytes)) {
            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                return super.read(to, offset, Math.min(length, 1 + random.nextInt(longestPiece)));
            }
        };
    }
}
