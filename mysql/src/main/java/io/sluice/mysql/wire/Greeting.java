package io.sluice.mysql.wire;

import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.packet.Payload;
import java.util.Arrays;

/**
 * Decodes the first packet of a server. Page <em>Protocol::HandshakeV10</em> of MySQL's source code documentation.
 *
 * <pre>
 *   +---------+-------------+---------------+------------+---+----------------+
 *   | version | server      | connection id | challenge  | 0 | capabilities,  |
 *   | u8: 10  | version NUL | u32 LE        | first 8    |   | low u16 LE     |
 *   +---------+-------------+---------------+------------+---+----------------+
 *   +-----------+--------+----------------+--------------+--------+-----------+--------+
 *   | character | status | capabilities,  | length L of  | zeroes | challenge | plugin |
 *   | set u8    | u16 LE | high u16 LE    | challenge u8 | 10     | the rest  | NUL    |
 *   +-----------+--------+----------------+--------------+--------+-----------+--------+
 * </pre>
 *
 * <p>The rest of the challenge has max(13, L - 8) bytes, the last of which is a NUL that does not count.
 *
 * @param challenge the random bytes that a password is scrambled with: 20, or 8 from a server that sends no more
 * @param plugin the server's favourite way to log in; empty if it names none
 */
@SuppressWarnings("ArrayRecordComponent") // greetings are never compared, and the challenge is never changed
record Greeting(String version, long connectionId, byte[] challenge, int capabilities, String plugin) {
    private static final int PROTOCOL_VERSION = 10;
    private static final int CHALLENGE_BYTES = 20;

    /** More than any server sends: what is longer is cut, since logs and messages quote it. */
    private static final int MAX_VERSION_BYTES = 64;

    static Greeting decode(Payload payload) throws MalformedPacketException {
        int protocol = payload.readByte();
        if (protocol != PROTOCOL_VERSION) {
            throw new MalformedPacketException(
                    "server greets with protocol version %d, expected %d: is this a MySQL server's classic port?"
                            .formatted(protocol, PROTOCOL_VERSION));
        }
        String version = payload.readTextToNul(MAX_VERSION_BYTES);
        long connectionId = payload.readInt4();
        byte[] challenge = payload.readBytes(8);
        payload.skip(1);
        int capabilities = payload.readInt2();
        String plugin = "";
        if (payload.remaining() > 0) {
            payload.skip(1 + 2); // character set and status: the connection sets its own, and does not need the other
            capabilities |= payload.readInt2() << 16;
            int challengeLength = payload.readByte();
            payload.skip(10);
            byte[] rest = payload.readBytes(Math.min(payload.remaining(), Math.max(13, challengeLength - 8)));
            challenge = withoutNul(concat(challenge, rest));
            plugin = payload.readTextToNul();
        }
        return new Greeting(version, connectionId, challenge, capabilities, plugin);
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** A challenge without what follows its 20 bytes, which is a NUL. */
    static byte[] withoutNul(byte[] challenge) {
        return challenge.length > CHALLENGE_BYTES ? Arrays.copyOf(challenge, CHALLENGE_BYTES) : challenge;
    }

    boolean offers(int capability) {
        return (capabilities & capability) == capability;
    }
}
