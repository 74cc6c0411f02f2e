package io.sluice.testkit.proxy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/** A proxy with a narrow line to the server: what each client sends is forwarded at a limited rate. */
public final class NarrowProxy extends ForwardingProxy {
    private static final int BUFFER_BYTES = 16 * 1024;

    private final long bytesPerSecond;
    private final AtomicInteger connections = new AtomicInteger();

    /**
     * Listens on a free port of 127.0.0.1, and forwards to the server's port there, which is asked for each connection.
     *
     * @param bytesPerSecond of each connection, at least 1
     */
    public NarrowProxy(long bytesPerSecond, IntSupplier serverPort) {
        super(anyPort(), serverPort, BUFFER_BYTES);
        this.bytesPerSecond = bytesPerSecond;
        start();
    }

    /** How many connections were accepted. */
    public int connections() {
        return connections.get();
    }

    @Override
    protected boolean admits() {
        connections.incrementAndGet();
        return true;
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        run(() -> pump(server, client, unchanged(client.getOutputStream())));
        OutputStream out = server.getOutputStream();
        pump(client, server, (bytes, length) -> {
            TimeUnit.NANOSECONDS.sleep(TimeUnit.SECONDS.toNanos(length) / bytesPerSecond);
            out.write(bytes, 0, length);
            return true;
        });
    }
}
