package io.sluice.protocol.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.sluice.protocol.admin.Ack;
import io.sluice.protocol.admin.Handshake;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;

/**
 * The packets that a server sends from its management port; byte for byte those of canal.
 *
 * <p>Each is what follows the four bytes of the frame's length.
 */
public final class AdminPackets {
    private static final int VERSION = 1;

    private AdminPackets() {}

    /** The first packet of a connection, with the seed for the client's token. */
    public static byte[] handshake(byte[] seed) {
        return packet(
                PacketType.HANDSHAKE,
                Handshake.newBuilder().setSeeds(ByteString.copyFrom(seed)).build());
    }

    /**
     * The answer to a login or a request. The code is written even if it is 0.
     *
     * @param code 0 for success, 300 for a failed login or an unsupported packet, 301 for an unknown action, 400 for failures of any kind
     * @param message the result, or why there is none; blank if there is neither
     */
    public static byte[] answer(int code, String message) {
        return packet(
                PacketType.ACK,
                Ack.newBuilder().setCode(code).setMessage(message).build());
    }

    private static byte[] packet(PacketType type, MessageLite body) {
        return Packet.newBuilder()
                .setVersion(VERSION)
                .setType(type)
                .setBody(body.toByteString())
                .build()
                .toByteArray();
    }
}
