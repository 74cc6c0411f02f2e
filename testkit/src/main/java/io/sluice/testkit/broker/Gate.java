package io.sluice.testkit.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * A port that leads to another one, until it cuts its connections, or freezes.
 *
 * <p>Clients whose server is gone are turned away. Safe for use by several threads.
 */
public final class Gate implements AutoCloseable {
    private static final long NEVER = Long.MAX_VALUE;

    private final ServerSocket listening;
    private final InetAddress address;
    private final IntSupplier serverPort;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong bytesToCut = new AtomicLong(NEVER);
    private final AtomicInteger cuts = new AtomicInteger();
    private boolean frozen;

    /** Listens on a free port of 127.0.0.1, and leads to the server's port there, which is asked for each connection. */
    public Gate(IntSupplier serverPort) {
        this("127.0.0.1", 0, serverPort);
    }

    /**
     * Listens on a given port, as a broker may need that tells its clients where to go.
     *
     * @param address on which it listens and where the server is not, such as 127.0.0.2, or 127.0.0.1
     * @param port 0 for any that is free
     */
    public Gate(String address, int port, IntSupplier serverPort) {
        this.serverPort = serverPort;
        try {
            this.address = InetAddress.getByName(address);
            this.listening = new ServerSocket();
            listening.setReuseAddress(true);
            listening.bind(new InetSocketAddress(this.address, port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(this::accept);
    }

    /** Where clients go. */
    public int port() {
        return listening.getLocalPort();
    }

    /** Cuts all connections that there are. */
    public void cut() {
        cuts.incrementAndGet();
        open.forEach(Gate::close);
    }

    /** Cuts all connections as soon as clients have sent so many bytes more, wherever that is in what they send. */
    public void cutAfter(long bytes) {
        bytesToCut.set(bytes);
    }

    /** How often it has cut. */
    public int cuts() {
        return cuts.get();
    }

    /** Lets nothing pass from now on, and tells nobody, as if a cable was pulled. */
    public synchronized void freeze() {
        frozen = true;
    }

    /** Lets what was sent meanwhile arrive, over the connections that were not cut, and all that follows. */
    public synchronized void thaw() {
        frozen = false;
        notifyAll();
    }

    private synchronized void awaitThaw() throws IOException {
        while (frozen) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IOException("interrupted in a gate", e);
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // one of the ends has gone, which is what it is for
                    }
                },
                "gate");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            open.add(client);
            run(() -> connect(client));
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            awaitThaw();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort.getAsInt());
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            open.add(server);
            run(() -> pump(server, client, false));
            pump(client, server, true);
        } finally {
            open.remove(client);
            client.close();
        }
    }

    private void pump(Socket from, Socket to, boolean counts) throws IOException {
        byte[] buffer = new byte[64 * 1024];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                int length = read;
                awaitThaw();
                long left = counts ? bytesToCut.getAndUpdate(n -> after(n, length)) : NEVER;
                out.write(buffer, 0, (int) Math.min(left, read));
                if (left <= read) {
                    cut();
                    return;
                }
            }
            awaitThaw();
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    private static long after(long left, int read) {
        return left == NEVER || left <= read ? NEVER : left - read;
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(Gate::close);
        thaw();
    }
}
