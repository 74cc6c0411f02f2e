package io.sluice.client;

import com.google.protobuf.MessageLite;
import io.sluice.protocol.packet.Ack;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import javax.net.SocketFactory;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Reads and writes packets over a connection: each after its length, four bytes, big-endian. For one thread, and any that closes it. */
final class PacketStream implements AutoCloseable {
    /** A longer packet is rejected. */
    private static final int MAX_PACKET_BYTES = 1 << 30;

    private static final Duration LONGEST = Duration.ofMillis(Integer.MAX_VALUE);

    /** The check of a certificate's name by the rules of HTTPS: the host that was connected to is one of its names or addresses. */
    private static final String NAME_CHECK = "HTTPS";

    private final Socket socket;
    private final boolean checksServerName;
    private @Nullable DataInputStream in;
    private @Nullable DataOutputStream out;

    /**
     * Makes a stream that is not connected yet, so that it can be closed while it connects.
     *
     * @param checksServerName whether a server with a certificate of another name is rejected
     */
    PacketStream(Optional<SocketFactory> sockets, boolean checksServerName) throws IOException {
        this.checksServerName = checksServerName;
        this.socket = sockets.isPresent() ? sockets.get().createSocket() : new Socket();
    }

    void connect(String host, int port, Duration limit) throws IOException {
        socket.connect(new InetSocketAddress(host, port), millis(limit));
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        if (checksServerName && socket instanceof SSLSocket tls) {
            checkName(tls);
        }
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Has the handshake, which follows with the first read, check the name, unless the factory has set a check of its own. */
    private static void checkName(SSLSocket socket) {
        SSLParameters parameters = socket.getSSLParameters();
        String algorithm = parameters.getEndpointIdentificationAlgorithm();
        if (algorithm == null || algorithm.isEmpty()) {
            parameters.setEndpointIdentificationAlgorithm(NAME_CHECK);
            socket.setSSLParameters(parameters);
        }
    }

    /** The milliseconds of a limit: at least one, since none would be for ever, and at most what a socket takes, 24 days. */
    static int millis(Duration limit) {
        return limit.compareTo(LONGEST) > 0 ? Integer.MAX_VALUE : (int) Math.max(1, limit.toMillis());
    }

    /**
     * Reads a packet; it fails if the server is silent for so long. A failure closes the connection: what comes next may be the
     * rest of a packet.
     */
    Packet read(Duration limit) throws IOException {
        try {
            return readPacket(limit);
        } catch (IOException e) {
            try {
                close();
            } catch (IOException unclosed) {
                e.addSuppressed(unclosed);
            }
            throw e;
        }
    }

    private Packet readPacket(Duration limit) throws IOException {
        DataInputStream from = connected(in);
        socket.setSoTimeout(millis(limit));
        int length = readLength(from);
        if (length < 0 || length > MAX_PACKET_BYTES) {
            throw new IOException("packet length %d exceeds the limit of %d: is this a canal or Sluice server?"
                    .formatted(length, MAX_PACKET_BYTES));
        }
        byte[] packet = from.readNBytes(length);
        if (packet.length < length) {
            throw new IOException("the server closed the connection within a packet");
        }
        return Packet.parseFrom(packet);
    }

    private static int readLength(DataInputStream from) throws IOException {
        try {
            return from.readInt();
        } catch (EOFException e) {
            throw new IOException("the server closed the connection", e);
        }
    }

    /** Reads the acknowledgement of a request, which has no content. */
    void readAck(Duration limit) throws IOException {
        Packet packet = read(limit);
        if (packet.getType() != PacketType.ACK) {
            throw new IOException("the server answered by " + packet.getType());
        }
        requireOk(packet);
    }

    /** Throws the failure that an answer of type ACK has, if any. */
    static void requireOk(Packet packet) throws IOException {
        Ack ack = Ack.parseFrom(packet.getBody());
        if (ack.getErrorCode() > 0) {
            throw new RequestRejectedException(ack.getErrorCode(), ack.getErrorMessage());
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
        connected(out).write(frame);
    }

    private <T> T connected(@Nullable T stream) throws IOException {
        if (stream == null) {
            throw new IOException("there is no connection");
        }
        if (socket.isClosed()) {
            throw new IOException("the connection is closed");
        }
        return stream;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
