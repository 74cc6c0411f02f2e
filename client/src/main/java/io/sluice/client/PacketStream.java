package io.sluice.client;

import com.google.protobuf.MessageLite;
import io.sluice.protocol.packet.Ack;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** A connection as packets: each behind its length, four bytes, big-endian. For one thread. */
final class PacketStream implements AutoCloseable {
    /** A longer packet is not believed. */
    private static final int LONGEST_PACKET = 1 << 30;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Duration timeout;

    private PacketStream(Socket socket, Duration timeout) throws IOException {
        this.socket = socket;
        this.timeout = timeout;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    static PacketStream open(ClientOptions options) throws IOException {
        Socket socket = options.sockets().isPresent() ? options.sockets().get().createSocket() : new Socket();
        try {
            socket.connect(new InetSocketAddress(options.host(), options.port()), (int)
                    options.timeout().toMillis());
            socket.setTcpNoDelay(true);
            socket.setKeepAlive(true);
            return new PacketStream(socket, options.timeout());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Reads a packet, and waits for it beyond the usual time if that was asked for. */
    Packet read(Duration askedFor) throws IOException {
        socket.setSoTimeout(
                (int) Math.min(Integer.MAX_VALUE, timeout.plus(askedFor).toMillis()));
        int length = in.readInt();
        if (length < 0 || length > LONGEST_PACKET) {
            throw new IOException("the server announced a packet of %d bytes: is it one?".formatted(length));
        }
        byte[] packet = in.readNBytes(length);
        if (packet.length < length) {
            throw new IOException("the server closed the connection within a packet");
        }
        return Packet.parseFrom(packet);
    }

    /** Reads the answer to what was asked for, which has no content. */
    void readAck() throws IOException {
        Packet packet = read(Duration.ZERO);
        if (packet.getType() != PacketType.ACK) {
            throw new IOException("the server answered by " + packet.getType());
        }
        requireOk(packet);
    }

    /** Throws what an answer of type ACK says that went wrong, if anything. */
    static void requireOk(Packet packet) throws IOException {
        Ack ack = Ack.parseFrom(packet.getBody());
        if (ack.getErrorCode() > 0) {
            throw new ServerRefusedException(ack.getErrorCode(), ack.getErrorMessage());
        }
    }

    void send(PacketType type, MessageLite body) throws IOException {
        byte[] packet = Packet.newBuilder()
                .setType(type)
                .setBody(body.toByteString())
                .build()
                .toByteArray();
        byte[] frame = new byte[Integer.BYTES + packet.length];
        frame[0] = (byte) (packet.length >>> 24);
        frame[1] = (byte) (packet.length >>> 16);
        frame[2] = (byte) (packet.length >>> 8);
        frame[3] = (byte) packet.length;
        System.arraycopy(packet, 0, frame, Integer.BYTES, packet.length);
        out.write(frame);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
