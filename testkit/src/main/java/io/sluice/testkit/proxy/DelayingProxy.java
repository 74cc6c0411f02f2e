package io.sluice.testkit.proxy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/** A proxy to a far server: what the server sends arrives later by a fixed time, and at the rate at which it was sent. */
public final class DelayingProxy extends ForwardingProxy {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final Duration delay;

    /** Bytes of the server, to be forwarded when they are due; no bytes are the end of the connection. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Late(byte[] bytes, long dueNanos) {}

    /** Listens on a free port of 127.0.0.1, and forwards to the server's port there, which is asked for each connection. */
    public DelayingProxy(Duration delay, IntSupplier serverPort) {
        super(anyPort(), serverPort, BUFFER_BYTES);
        this.delay = delay;
        start();
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        BlockingQueue<Late> late = new LinkedBlockingQueue<>();
        run(() -> deliver(late, client, server));
        run(() -> {
            try {
                read(server, (bytes, length) -> late.add(late(Arrays.copyOf(bytes, length))));
            } finally {
                late.add(new Late(new byte[0], 0));
            }
        });
        pump(client, server, unchanged(server.getOutputStream()));
    }

    private Late late(byte[] bytes) {
        return new Late(bytes, System.nanoTime() + delay.toNanos());
    }

    private void deliver(BlockingQueue<Late> late, Socket client, Socket server)
            throws IOException, InterruptedException {
        try {
            OutputStream out = client.getOutputStream();
            for (Late next = late.take(); next.bytes.length > 0; next = late.take()) {
                TimeUnit.NANOSECONDS.sleep(next.dueNanos - System.nanoTime());
                out.write(next.bytes);
            }
        } finally {
            end(client);
            end(server);
        }
    }
}
