package io.sluice.client;

import com.google.protobuf.MessageLite;
import io.sluice.protocol.packet.Ack;
import io.sluice.protocol.packet.Handshake;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.packet.Sub;
import io.sluice.protocol.wire.Rejection;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server on a free port that answers a get as the test says, and has one connection at a time. */
final class FakeServer implements AutoCloseable {
    private static final int FAILED = 400;

    final AtomicInteger gets = new AtomicInteger();
    final Queue<String> filters = new ConcurrentLinkedQueue<>();

    private final ServerSocket port;
    private final Thread thread = new Thread(this::serve, "fake server");
    private volatile @Nullable Socket connection;
    private volatile String refusedFilter = "none";
    private volatile OnGet onGet = FakeServer::sendNothing;

    /** What follows a get; the connection is closed if it throws. */
    @FunctionalInterface
    interface OnGet {
        void answer(DataOutputStream out) throws IOException;
    }

    private FakeServer(ServerSocket port) {
        this.port = port;
    }

    static FakeServer start() throws IOException {
        FakeServer server = new FakeServer(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
        server.thread.setDaemon(true);
        server.thread.start();
        return server;
    }

    ServerAddress address() {
        return new ServerAddress("127.0.0.1", port.getLocalPort());
    }

    void reject(String filter) {
        refusedFilter = filter;
    }

    void onGet(OnGet newOnGet) {
        onGet = newOnGet;
    }

    /** Answers a get by an empty batch. */
    static void sendNothing(DataOutputStream out) throws IOException {
        send(out, PacketType.MESSAGES, Messages.newBuilder().setBatchId(-1).build());
    }

    private static void send(DataOutputStream out, PacketType type, MessageLite body) throws IOException {
        byte[] packet = Packet.newBuilder()
                .setType(type)
                .setBody(body.toByteString())
                .build()
                .toByteArray();
        out.writeInt(packet.length);
        out.write(packet);
    }

    private void serve() {
        while (!port.isClosed()) {
            try (Socket socket = port.accept()) {
                connection = socket;
                serve(new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()));
            } catch (IOException e) {
                connection = null; // the client has left, or the test ends
            }
        }
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        send(out, PacketType.HANDSHAKE, Handshake.getDefaultInstance());
        while (true) {
            Packet request = Packet.parseFrom(in.readNBytes(in.readInt()));
            switch (request.getType()) {
                case SUBSCRIPTION -> subscribe(Sub.parseFrom(request.getBody()).getFilter(), out);
                case GET -> {
                    gets.incrementAndGet();
                    onGet.answer(out);
                }
                case CLIENTACK, CLIENTROLLBACK -> {}
                default -> send(out, PacketType.ACK, Ack.getDefaultInstance());
            }
        }
    }

    private void subscribe(String filter, DataOutputStream out) throws IOException {
        filters.add(filter);
        Ack.Builder answer = Ack.newBuilder();
        if (filter.equals(refusedFilter)) {
            answer.setErrorCode(FAILED).setErrorMessage(Rejection.filterRejected("not safe to match"));
        }
        send(out, PacketType.ACK, answer.build());
    }

    @Override
    public void close() throws IOException {
        port.close();
        Socket open = connection;
        if (open != null) {
            open.close();
        }
    }
}
