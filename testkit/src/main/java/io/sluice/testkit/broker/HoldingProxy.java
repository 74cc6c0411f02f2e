package io.sluice.testkit.broker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * A port that leads to another one, and can keep what clients send: it then arrives only when the test says so, even if its client
 * has closed the connection long before. That is what a socket's buffer does in front of a server that is slow.
 */
public final class HoldingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final IntSupplier serverPort;
    private final List<Link> links = new CopyOnWriteArrayList<>();
    private volatile boolean isRefusing;

    /** Listens on a free port; the server's is asked for each connection. */
    public HoldingProxy(IntSupplier serverPort) {
        this.serverPort = serverPort;
        try {
            this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** From now on keeps what the connections send that there are, and lets no other one in. */
    public void hold() {
        isRefusing = true;
        links.forEach(Link::hold);
    }

    /** Lets new connections in; what is kept stays so. */
    public void admit() {
        isRefusing = false;
    }

    /** How many bytes are kept. */
    public int heldBytes() {
        return links.stream().mapToInt(Link::heldBytes).sum();
    }

    /** Lets what was kept arrive; returns how many of the connections carried any. */
    public int release() {
        return (int) links.stream().filter(Link::release).count();
    }

    /** How many bytes the server has answered on connections whose requests were kept. */
    public int answersToHeld() {
        return links.stream().mapToInt(link -> link.answersToHeld.get()).sum();
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
                        // one of the ends is closed
                    }
                },
                "holding-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            if (isRefusing) {
                client.close();
                continue;
            }
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort.getAsInt());
            server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            Link link = new Link(client, server);
            links.add(link);
            run(link::pumpToServer);
            run(link::pumpToClient);
        }
    }

    private static final class Link {
        private final Socket client;
        private final Socket server;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private final AtomicInteger answersToHeld = new AtomicInteger();
        private volatile boolean isHolding;
        private volatile boolean isReleased;
        private boolean hasClientLeft;

        Link(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        synchronized void hold() {
            isHolding = true;
        }

        synchronized int heldBytes() {
            return held.size();
        }

        synchronized boolean release() {
            if (!isHolding || isReleased) {
                return false;
            }
            try {
                isReleased = true;
                server.getOutputStream().write(held.toByteArray());
                if (hasClientLeft) {
                    server.shutdownOutput();
                }
                return held.size() > 0;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void pumpToServer() throws IOException {
            try {
                byte[] buffer = new byte[64 * 1024];
                InputStream in = client.getInputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    take(buffer, read);
                }
            } finally { // also if the client resets the connection
                leave();
            }
        }

        private synchronized void take(byte[] buffer, int length) throws IOException {
            if (isHolding && !isReleased) {
                held.write(buffer, 0, length);
            } else {
                server.getOutputStream().write(buffer, 0, length);
            }
        }

        private synchronized void leave() throws IOException {
            hasClientLeft = true;
            if (!isHolding || isReleased) {
                server.close();
            }
        }

        void pumpToClient() throws IOException {
            byte[] buffer = new byte[64 * 1024];
            InputStream in = server.getInputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (isReleased) {
                    answersToHeld.addAndGet(read);
                }
                if (isHolding && !isReleased) {
                    continue;
                }
                try {
                    client.getOutputStream().write(buffer, 0, read);
                } catch (IOException e) {
                    // it has left; what is read from the server is still counted
                }
            }
            client.close();
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Link link : links) {
                link.client.close();
                link.server.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
