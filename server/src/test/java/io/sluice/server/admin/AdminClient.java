package io.sluice.server.admin;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.sluice.protocol.admin.Ack;
import io.sluice.protocol.admin.ClientAuth;
import io.sluice.protocol.admin.Handshake;
import io.sluice.protocol.admin.InstanceAdmin;
import io.sluice.protocol.admin.LogAdmin;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import io.sluice.protocol.admin.ServerAdmin;
import io.sluice.protocol.wire.Scramble;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A client of the management port that sends what a test determines, byte for byte. */
public final class AdminClient implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    AdminClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(60_000);
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    static AdminClient connect(InetSocketAddress address) throws IOException {
        return new AdminClient(new Socket(InetAddress.getLoopbackAddress(), address.getPort()));
    }

    /** Connects and logs in. */
    public static AdminClient open(InetSocketAddress address, String user, String password) throws IOException {
        AdminClient client = connect(address);
        Ack ack = client.logIn(user, password);
        if (ack.getCode() != 0) {
            client.close();
            throw new IOException(ack.getMessage());
        }
        return client;
    }

    byte[] readFrame() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    byte[] readHandshake() throws IOException {
        return Handshake.parseFrom(Packet.parseFrom(readFrame()).getBody())
                .getSeeds()
                .toByteArray();
    }

    Ack readAck() throws IOException {
        Packet packet = Packet.parseFrom(readFrame());
        if (packet.getType() != PacketType.ACK) {
            throw new IOException("no ack but " + packet.getType());
        }
        return Ack.parseFrom(packet.getBody());
    }

    Ack logIn(String user, String password) throws IOException {
        return logIn(user, password, readHandshake());
    }

    Ack logIn(String user, String password, byte[] seed) throws IOException {
        sendLogin(user, password, seed);
        return readAck();
    }

    void sendLogin(String user, String password, byte[] seed) throws IOException {
        send(
                PacketType.CLIENTAUTHENTICATION,
                ClientAuth.newBuilder()
                        .setUsername(user)
                        .setPassword(ByteString.copyFromUtf8(Scramble.token(password, seed)))
                        .setNetReadTimeout(3_600_000)
                        .setNetWriteTimeout(3_600_000)
                        .build());
    }

    public Ack server(String action) throws IOException {
        send(PacketType.SERVER, ServerAdmin.newBuilder().setAction(action).build());
        return readAck();
    }

    public Ack instance(String destination, String action) throws IOException {
        send(
                PacketType.INSTANCE,
                InstanceAdmin.newBuilder()
                        .setDestination(destination)
                        .setAction(action)
                        .build());
        return readAck();
    }

    /** Sends what is not used as empty texts and 0, as canal's client does. */
    public Ack log(String type, String action, String destination, String file, int count) throws IOException {
        send(
                PacketType.LOG,
                LogAdmin.newBuilder()
                        .setType(type)
                        .setAction(action)
                        .setDestination(destination)
                        .setFile(file)
                        .setCount(count)
                        .build());
        return readAck();
    }

    void send(PacketType type, MessageLite body) throws IOException {
        sendFrame(Packet.newBuilder()
                .setType(type)
                .setBody(body.toByteString())
                .build()
                .toByteArray());
    }

    void sendFrame(byte[] packet) throws IOException {
        byte[] frame = new byte[4 + packet.length];
        ByteBuffer.wrap(frame).putInt(packet.length).put(packet);
        sendBytes(frame);
    }

    void sendBytes(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** How many bytes the server sends until it closes the connection; fails if it does not. */
    int bytesUntilClosed() throws IOException {
        byte[] rest = new byte[64 * 1024];
        int sum = 0;
        try {
            for (int read = in.read(rest); read >= 0; read = in.read(rest)) {
                sum += read;
            }
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return sum; // reset
        }
        return sum;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
