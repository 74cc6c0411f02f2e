package io.sluice.testkit.zookeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a ZooKeeper what administrators may ask without a session. */
final class FourLetterCommand {
    private static final int ANSWER_MILLIS = 2_000;

    private FourLetterCommand() {}

    /** The answer of the server at a port of 127.0.0.1; empty if there is none in time. */
    static String ask(int port, String command) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MILLIS);
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }
}
