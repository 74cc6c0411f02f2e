package io.sluice.testkit.proxy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;

/**
 * A proxy that can hold back what clients send: it then arrives only when the test releases it, even if its client has closed the
 * connection long before. That is what a socket's buffer does in front of a server that is slow.
 */
public final class HoldingProxy extends ForwardingProxy {
    private static final int BUFFER_BYTES = 64 * 1024;

    private final List<Link> links = new CopyOnWriteArrayList<>();
    private volatile boolean isRejecting;

    /** Listens on a free port; the server's is asked for each connection. */
    public HoldingProxy(IntSupplier serverPort) {
        super(anyPort(), serverPort, BUFFER_BYTES);
        start();
    }

    /** Holds back what open connections send from now on, and closes new ones at once. */
    public void hold() {
        isRejecting = true;
        links.forEach(Link::hold);
    }

    /** Accepts new connections again; what is held stays so. */
    public void admit() {
        isRejecting = false;
    }

    /** Closes all connections, drops what was held of them, and accepts new ones: for the next test, after the clients of the last one are closed. */
    public void reset() {
        closeConnections();
        links.clear();
        isRejecting = false;
    }

    /** How many bytes are held. */
    public int heldBytes() {
        return links.stream().mapToInt(Link::heldBytes).sum();
    }

    /** Forwards what was held; returns how many of the connections had any. */
    public int release() {
        return (int) links.stream().filter(Link::release).count();
    }

    /** How many bytes the server has answered on connections whose requests were held. */
    public int answersToHeld() {
        return links.stream().mapToInt(link -> link.answersToHeld.get()).sum();
    }

    /**
     * Whether the server has read all that was released: it has closed each connection whose requests were held, as it does after the end of
     * these where the client has closed the connection.
     */
    public boolean isReleasedRead() {
        return links.stream().allMatch(Link::isReleasedRead);
    }

    @Override
    protected boolean admits() {
        return !isRejecting;
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        Link link = new Link(client, server);
        links.add(link);
        if (isRejecting) { // it was accepted just before
            end(client);
            end(server);
            return;
        }
        run(() -> {
            try {
                read(client, link::take);
            } finally { // also if the client resets the connection
                link.leave();
            }
        });
        try {
            read(server, link::answer);
        } finally { // also if the server resets the connection
            link.isServerDone = true;
        }
        end(client);
    }

    private static final class Link {
        private final Socket client;
        private final Socket server;
        private final ByteArrayOutputStream held = new ByteArrayOutputStream();
        private final AtomicInteger answersToHeld = new AtomicInteger();
        private volatile boolean isHolding;
        private volatile boolean isReleased;
        private volatile boolean isServerDone;
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
            if (!isHolding || isReleased || server.isClosed()) {
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

        synchronized boolean isReleasedRead() {
            return isServerDone || held.size() == 0;
        }

        synchronized boolean take(byte[] bytes, int length) throws IOException {
            if (isHolding && !isReleased) {
                held.write(bytes, 0, length);
            } else {
                server.getOutputStream().write(bytes, 0, length);
            }
            return true;
        }

        synchronized void leave() throws IOException {
            hasClientLeft = true;
            if (!isHolding || isReleased) {
                server.close();
            }
        }

        boolean answer(byte[] bytes, int length) {
            if (isReleased) {
                answersToHeld.addAndGet(length);
            }
            if (isHolding && !isReleased) {
                return true;
            }
            try {
                client.getOutputStream().write(bytes, 0, length);
            } catch (IOException e) {
                // it has left; what is read from the server is still counted
            }
            return true;
        }
    }
}
