package io.sluice.protocol.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.sluice.protocol.packet.Ack;
import io.sluice.protocol.packet.Handshake;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;

/**
 * The packets that a server sends, except those with entries; byte for byte those of canal.
 *
 * <p>Each is what follows the four bytes of the frame's length.
 */
public final class ServerPackets {
    private static final int VERSION = 1;
    private static final byte[] OK = Packet.newBuilder()
            .setVersion(VERSION)
            .setType(PacketType.ACK)
            .build()
            .toByteArray();
    private static final byte[] NOTHING =
            packet(PacketType.MESSAGES, Messages.newBuilder().setBatchId(-1).build());

    private ServerPackets() {}

    /** The first packet of a connection, with the seed for the client's token. */
    public static byte[] handshake(byte[] seed) {
        return packet(
                PacketType.HANDSHAKE,
                Handshake.newBuilder().setSeeds(ByteString.copyFrom(seed)).build());
    }

    /** The acknowledgement of a request: {@code 10 01 18 03}. */
    public static byte[] ok() {
        return OK.clone();
    }

    /**
     * The answer to a request that failed.
     *
     * @param code 400 for failures of any kind, 401 if a name is missing, 402 if a batch id is missing
     */
    public static byte[] error(int code, String message) {
        return packet(
                PacketType.ACK,
                Ack.newBuilder().setErrorCode(code).setErrorMessage(message).build());
    }

    /** The answer to a get when there is nothing: a batch without entries, with the id -1. */
    public static byte[] nothing() {
        return NOTHING.clone();
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
