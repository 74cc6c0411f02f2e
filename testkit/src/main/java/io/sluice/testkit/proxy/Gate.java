package io.sluice.testkit.proxy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * A proxy that can cut its connections, or freeze.
 *
 * <p>While the server is unreachable, connections are closed at once. Thread-safe.
 */
public final class Gate extends ForwardingProxy {
    private static final long NEVER = Long.MAX_VALUE;
    private static final int BUFFER_BYTES = 64 * 1024;

    private final AtomicLong bytesToCut = new AtomicLong(NEVER);
    private final AtomicInteger cuts = new AtomicInteger();
    private boolean frozen;
    private boolean answersFrozen;

    /** Listens on a free port of 127.0.0.1, and forwards to the server's port there, which is asked for each connection. */
    public Gate(IntSupplier serverPort) {
        this("127.0.0.1", 0, serverPort);
    }

    /**
     * Listens on a given port, for brokers that advertise an address to their clients.
     *
     * @param address where it listens and the server does not, such as 127.0.0.2, or 127.0.0.1
     * @param port 0 for any that is free
     */
    public Gate(String address, int port, IntSupplier serverPort) {
        super(new InetSocketAddress(address, port), serverPort, BUFFER_BYTES);
        start();
    }

    /** Cuts all open connections. */
    public void cut() {
        cuts.incrementAndGet();
        closeConnections();
    }

    /** Cuts all connections after this many more bytes from clients, wherever that is in a request. */
    public void cutAfter(long bytes) {
        bytesToCut.set(bytes);
    }

    /** How often it has cut. */
    public int cuts() {
        return cuts.get();
    }

    /** Forwards nothing from now on, and closes nothing, as if a cable was pulled. */
    public synchronized void freeze() {
        frozen = true;
    }

    /** Forwards nothing from the server from now on; what clients send still reaches it. */
    public synchronized void freezeAnswers() {
        answersFrozen = true;
    }

    /** Forwards what was sent meanwhile, over the connections that were not cut, and all that follows. */
    public synchronized void thaw() {
        frozen = false;
        answersFrozen = false;
        notifyAll();
    }

    private synchronized void awaitThaw(boolean isAnswer) throws IOException {
        while (frozen || isAnswer && answersFrozen) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IOException("interrupted in a gate", e);
            }
        }
    }

    @Override
    protected boolean admits() throws IOException {
        awaitThaw(false);
        return true;
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        run(() -> pass(server, client, true, unchanged(client.getOutputStream())));
        OutputStream out = server.getOutputStream();
        pass(client, server, false, (bytes, length) -> writeUpToCut(bytes, length, out));
    }

    private void pass(Socket from, Socket to, boolean isAnswer, Receiver receiver)
            throws IOException, InterruptedException {
        pump(from, to, new Receiver() {
            @Override
            public boolean receive(byte[] bytes, int length) throws IOException, InterruptedException {
                awaitThaw(isAnswer);
                return receiver.receive(bytes, length);
            }

            @Override
            public void end() throws IOException {
                awaitThaw(isAnswer);
            }
        });
    }

    private boolean writeUpToCut(byte[] bytes, int length, OutputStream out) throws IOException {
        long left = bytesToCut.getAndUpdate(n -> after(n, length));
        out.write(bytes, 0, (int) Math.min(left, length));
        if (left <= length) {
            cut();
            return false;
        }
        return true;
    }

    private static long after(long left, int read) {
        return left == NEVER || left <= read ? NEVER : left - read;
    }

    @Override
    public void close() {
        super.close();
        thaw();
    }
}
