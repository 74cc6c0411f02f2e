package io.sluice.server.tcp;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.sluice.protocol.packet.Ack;
import io.sluice.protocol.packet.ClientAck;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.ClientRollback;
import io.sluice.protocol.packet.Get;
import io.sluice.protocol.packet.Handshake;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.packet.Sub;
import io.sluice.protocol.packet.Unsub;
import io.sluice.protocol.wire.Scramble;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A client that sends what a test determines, byte for byte. */
final class WireClient implements AutoCloseable {
    static final String DESTINATION = "example";

    private final Socket socket;
    private String clientId = "1001";
    private final DataInputStream in;
    private final DataOutputStream out;

    WireClient(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(60_000);
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(socket.getOutputStream());
    }

    static WireClient connect(InetSocketAddress address) throws IOException {
        return new WireClient(new Socket(InetAddress.getLoopbackAddress(), address.getPort()));
    }

    /** Connects and logs in without a password. */
    static WireClient open(InetSocketAddress address) throws IOException {
        WireClient client = connect(address);
        client.readHandshake();
        client.send(PacketType.CLIENTAUTHENTICATION, ClientAuth.getDefaultInstance());
        client.readAck();
        return client;
    }

    /** Uses another client id from then on. */
    WireClient as(int client) {
        clientId = Integer.toString(client);
        return this;
    }

    byte[] readFrame() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    Packet read() throws IOException {
        return Packet.parseFrom(readFrame());
    }

    byte[] readHandshake() throws IOException {
        return Handshake.parseFrom(read().getBody()).getSeeds().toByteArray();
    }

    Ack readAck() throws IOException {
        Packet packet = read();
        if (packet.getType() != PacketType.ACK) {
            throw new IOException("no ack but " + packet.getType());
        }
        return Ack.parseFrom(packet.getBody());
    }

    Messages readMessages() throws IOException {
        Packet packet = read();
        if (packet.getType() != PacketType.MESSAGES) {
            throw new IOException(Ack.parseFrom(packet.getBody()).getErrorMessage());
        }
        return Messages.parseFrom(packet.getBody());
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
                        .build());
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

    Ack subscribe(String filter) throws IOException {
        return subscribe(clientId, filter);
    }

    Ack subscribe(String id, String filter) throws IOException {
        send(
                PacketType.SUBSCRIPTION,
                Sub.newBuilder()
                        .setDestination(DESTINATION)
                        .setClientId(id)
                        .setFilter(filter)
                        .build());
        return readAck();
    }

    Ack unsubscribe() throws IOException {
        send(
                PacketType.UNSUBSCRIPTION,
                Unsub.newBuilder()
                        .setDestination(DESTINATION)
                        .setClientId(clientId)
                        .build());
        return readAck();
    }

    void askFor(int fetchSize, long timeoutMillis) throws IOException {
        send(
                PacketType.GET,
                Get.newBuilder()
                        .setDestination(DESTINATION)
                        .setClientId(clientId)
                        .setFetchSize(fetchSize)
                        .setTimeout(timeoutMillis)
                        .setUnit(2)
                        .build());
    }

    Messages get(int fetchSize) throws IOException {
        askFor(fetchSize, -1);
        return readMessages();
    }

    void ack(long batchId) throws IOException {
        send(
                PacketType.CLIENTACK,
                ClientAck.newBuilder()
                        .setDestination(DESTINATION)
                        .setClientId(clientId)
                        .setBatchId(batchId)
                        .build());
    }

    void rollback(long batchId) throws IOException {
        send(
                PacketType.CLIENTROLLBACK,
                ClientRollback.newBuilder()
                        .setDestination(DESTINATION)
                        .setClientId(clientId)
                        .setBatchId(batchId)
                        .build());
    }

    /** Whether the server has closed the connection; waits for it. */
    boolean isClosedByServer() throws IOException {
        try {
            byte[] rest = new byte[64 * 1024];
            while (in.read(rest) >= 0) {
                // what was sent before the end does not matter
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Whether the server closes the connection when this is sent, be it before all of it was. */
    boolean isClosedWhenItSends(PacketType type, MessageLite body) throws IOException {
        try {
            send(type, body);
        } catch (IOException e) {
            return true;
        }
        return isClosedByServer();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
