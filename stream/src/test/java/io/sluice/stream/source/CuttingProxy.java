package io.sluice.stream.source;

import io.sluice.testkit.proxy.ForwardingProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy that cuts connections after a random number of the server's bytes. */
final class CuttingProxy extends ForwardingProxy {
    private static final int BUFFER_BYTES = 4096;

    private final Random random;
    private final int maxBytes;
    private final AtomicInteger cutsLeft;

    /**
     * Starts to listen.
     *
     * @param cuts after so many, connections are left alone
     * @param maxBytes how many of the server's bytes a connection that is cut carries at most
     */
    CuttingProxy(int serverPort, long seed, int cuts, int maxBytes) {
        super(anyPort(), () -> serverPort, BUFFER_BYTES);
        this.random = new Random(seed);
        this.maxBytes = maxBytes;
        this.cutsLeft = new AtomicInteger(cuts);
        start();
    }

    /** How many connections it would still cut. */
    int cutsLeft() {
        return cutsLeft.get();
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        run(() -> pump(client, server, unchanged(server.getOutputStream())));
        pump(server, client, new Cut(1 + random.nextInt(maxBytes), client.getOutputStream()));
    }

    /** Writes up to a number of bytes, then ends the connection if there are cuts left. */
    private final class Cut implements Receiver {
        private final OutputStream out;
        private int left;

        Cut(int limit, OutputStream out) {
            this.left = limit;
            this.out = out;
        }

        @Override
        public boolean receive(byte[] bytes, int length) throws IOException {
            boolean cut = left < length && cutsLeft.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
            out.write(bytes, 0, cut ? left : length);
            left = Math.max(0, left - length);
            return !cut;
        }
    }
}
