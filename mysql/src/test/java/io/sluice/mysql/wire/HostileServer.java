package io.sluice.mysql.wire;

import io.sluice.mysql.wire.packet.Packets;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A server for one client that lets everyone in, answers so many commands by OK, and then sends what it likes until the client leaves. */
final class HostileServer implements AutoCloseable {
    /** What it sends. */
    @FunctionalInterface
    interface Answer {
        void send(OutputStream out) throws IOException;
    }

    private static final byte[] LOGIN = Packets.recorded("login/caching-sha2-fast");
    private static final byte[] OK = Packets.recorded("result/ok");

    private final ServerSocket listener;
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    private HostileServer() {
        try {
            listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends this in place of the answer to a command, after OK to so many before it. */
    static HostileServer afterCommands(int count, Answer answer) {
        HostileServer server = new HostileServer();
        server.executor.execute(() -> {
            try (Socket client = server.listener.accept()) {
                OutputStream out = client.getOutputStream();
                DataInputStream in = new DataInputStream(client.getInputStream());
                out.write(LOGIN);
                readPacket(in); // the handshake response
                for (int i = 0; i < count; i++) {
                    readPacket(in);
                    out.write(OK);
                }
                readPacket(in);
                answer.send(out);
                in.readAllBytes();
            } catch (IOException e) {
                // the client has left, which ends it
            }
        });
        return server;
    }

    /** Sends the begin, awaits as many answers, and then sends a byte every few milliseconds. */
    static HostileServer trickling(int answers, byte[]... begin) {
        HostileServer server = new HostileServer();
        server.executor.execute(() -> server.trickle(answers, begin));
        return server;
    }

    private void trickle(int answers, byte[][] begin) {
        try {
            Socket client = listener.accept();
            DataInputStream in = new DataInputStream(client.getInputStream());
            for (int i = 0; i < begin.length; i++) {
                client.getOutputStream().write(begin[i]);
                if (i < answers) {
                    readPacket(in);
                }
            }
            var unused = executor.scheduleAtFixedRate(() -> dribble(client), 0, 20, TimeUnit.MILLISECONDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void dribble(Socket client) {
        try {
            client.getOutputStream().write('x');
        } catch (IOException e) { // the client has left, and no more is sent
            throw new UncheckedIOException(e);
        }
    }

    private static void readPacket(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        in.skipNBytes(1L + length);
    }

    ServerAddress address() {
        return new ServerAddress(listener.getInetAddress().getHostAddress(), listener.getLocalPort());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        executor.shutdownNow();
    }
}
