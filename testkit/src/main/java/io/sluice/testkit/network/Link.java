package io.sluice.testkit.network;

import java.io.Closeable;
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

/**
 * A port that leads to another one, over a line that can be cut: then nothing passes, and nobody is told, as with a cable that
 * was pulled. What was sent meanwhile arrives when the line is whole again. Safe for use by several threads.
 */
public final class Link implements AutoCloseable {
    private static final int CHUNK_BYTES = 1 << 14;

    private final ServerSocket door;
    private final InetSocketAddress target;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private boolean cut;

    private Link(ServerSocket door, InetSocketAddress target) {
        this.door = door;
        this.target = target;
    }

    /** Leads from a free port of this machine to another port of it. */
    public static Link to(int port) {
        return between("127.0.0.1", 0, port);
    }

    /**
     * Leads from a port of one address of this machine to a port of {@code 127.0.0.1}.
     *
     * @param from 0 for any that is free
     */
    public static Link between(String host, int from, int port) {
        try {
            ServerSocket door = new ServerSocket();
            door.setReuseAddress(true);
            door.bind(new InetSocketAddress(host, from));
            Link link = new Link(door, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            run("link-door", link::accept);
            return link;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What to connect to, {@code host:port}. */
    public String address() {
        return "%s:%d".formatted(door.getInetAddress().getHostAddress(), door.getLocalPort());
    }

    /** Lets nothing pass from now on. */
    public synchronized void cut() {
        cut = true;
    }

    /** Lets everything pass again. */
    public synchronized void heal() {
        cut = false;
        notifyAll();
    }

    /** Ends all connections. */
    public void reset() {
        sockets.forEach(Link::close);
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket near = door.accept();
                sockets.add(near);
                run("link-way", () -> connect(near));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void connect(Socket near) {
        Socket far = new Socket();
        sockets.add(far);
        try {
            awaitWhole();
            far.connect(target);
        } catch (IOException e) {
            end(near, far);
            return;
        }
        run("link-way-back", () -> pass(far, near));
        pass(near, far);
    }

    private void pass(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                awaitWhole();
                out.write(chunk, 0, length);
            }
            awaitWhole();
        } catch (IOException e) {
            // one of the ends is gone, and so is the other
        } finally {
            end(from, to);
        }
    }

    private void end(Socket one, Socket other) {
        for (Socket socket : new Socket[] {one, other}) {
            close(socket);
            sockets.remove(socket);
        }
    }

    private synchronized void awaitWhole() throws IOException {
        while (cut && !door.isClosed()) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IOException("interrupted on the way", e);
            }
        }
    }

    private static void close(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        close(door);
        reset();
        heal();
    }
}
