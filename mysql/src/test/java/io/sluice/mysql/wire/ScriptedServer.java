package io.sluice.mysql.wire;

import io.sluice.mysql.wire.packet.Packets;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collections;
import java.util.stream.Stream;

/**
 * A server for one client that lets everyone in and prepares the session, and answers each further command with the next bytes of its
 * script. After the last it hangs up, or stays silent.
 */
final class ScriptedServer implements AutoCloseable {
    /** Of a session that is not bounded: its character set, its transactions, its limit. */
    private static final int PREPARING_STATEMENTS = 3;

    private final ServerSocket listener;
    private final boolean hangsUp;
    private final byte[][] answers;
    private final Thread thread = new Thread(this::serve, "scripted-server");

    private ScriptedServer(boolean hangsUp, byte[][] answers) {
        this.hangsUp = hangsUp;
        this.answers = answers;
        try {
            listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread.start();
    }

    static ScriptedServer hangingUpAfter(byte[]... answers) {
        return new ScriptedServer(true, afterPreparation(answers));
    }

    static ScriptedServer silentAfter(byte[]... answers) {
        return new ScriptedServer(false, afterPreparation(answers));
    }

    /** Answers the statements that prepare the session by its script, too. */
    static ScriptedServer answeringPreparationBy(byte[]... answers) {
        return new ScriptedServer(false, answers);
    }

    private static byte[][] afterPreparation(byte[][] answers) {
        return Stream.concat(
                        Collections.nCopies(PREPARING_STATEMENTS, Packets.recorded("result/ok")).stream(),
                        Stream.of(answers))
                .toArray(byte[][]::new);
    }

    ServerAddress address() {
        return new ServerAddress(listener.getInetAddress().getHostAddress(), listener.getLocalPort());
    }

    private void serve() {
        try (Socket client = listener.accept()) {
            client.getOutputStream().write(Packets.recorded("login/caching-sha2-fast"));
            DataInputStream in = new DataInputStream(client.getInputStream());
            readPacket(in); // the handshake response
            for (byte[] answer : answers) {
                readPacket(in);
                client.getOutputStream().write(answer);
            }
            if (!hangsUp) {
                in.readAllBytes();
            }
        } catch (EOFException e) {
            // the client left
        } catch (IOException e) {
            if (!listener.isClosed()) {
                System.err.println("scripted server failed: " + e);
            }
        }
    }

    private static void readPacket(DataInputStream in) throws IOException {
        int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
        in.skipNBytes(1L + length);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        listener.close();
        thread.join();
    }
}
