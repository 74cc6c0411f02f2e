package io.sluice.stream.source;

import io.sluice.testkit.proxy.ForwardingProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A proxy that changes a byte of a certain word in what the server sends, on every connection. */
final class DamagingProxy extends ForwardingProxy {
    private static final int BUFFER_BYTES = 4096;

    private final byte[] word;

    /**
     * Starts to listen.
     *
     * @param word of ASCII, whose first byte is not in the rest of it
     */
    DamagingProxy(int serverPort, String word) {
        super(anyPort(), () -> serverPort, BUFFER_BYTES);
        this.word = word.getBytes(StandardCharsets.US_ASCII);
        start();
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        run(() -> pump(client, server, unchanged(server.getOutputStream())));
        pump(server, client, new Damaging(client.getOutputStream()));
    }

    /** Replaces the last byte of the word. */
    private final class Damaging implements Receiver {
        private final OutputStream out;
        private int matched;

        Damaging(OutputStream out) {
            this.out = out;
        }

        @Override
        public boolean receive(byte[] bytes, int length) throws IOException {
            for (int i = 0; i < length; i++) {
                matched = bytes[i] == word[matched] ? matched + 1 : bytes[i] == word[0] ? 1 : 0;
                if (matched == word.length) {
                    bytes[i]++;
                    matched = 0;
                }
            }
            out.write(bytes, 0, length);
            return true;
        }
    }
}
