package io.sluice.stream.source.server;

import io.sluice.testkit.proxy.ForwardingProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Replaces a text in what the server answers, so that it looks like another server. */
final class RenamingProxy extends ForwardingProxy {
    private static final int BUFFER_BYTES = 64 * 1024;

    private volatile Names names = new Names("", "");

    private record Names(String from, String to) {}

    RenamingProxy(int serverPort) {
        super(anyPort(), () -> serverPort, BUFFER_BYTES);
        start();
    }

    /** Replaces it from now on, in all connections; both have the same length. */
    void rename(String from, String to) {
        names = new Names(from, to);
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        run(() -> pump(client, server, unchanged(server.getOutputStream())));
        OutputStream out = client.getOutputStream();
        pump(server, client, (bytes, length) -> {
            String answer = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
            Names now = names;
            out.write((now.from().isEmpty() ? answer : answer.replace(now.from(), now.to()))
                    .getBytes(StandardCharsets.ISO_8859_1));
            return true;
        });
    }
}
