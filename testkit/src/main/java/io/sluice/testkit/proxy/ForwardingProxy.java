package io.sluice.testkit.proxy;

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
import java.util.function.IntSupplier;

/**
 * A port whose connections are forwarded to a port of 127.0.0.1. A subclass decides what happens to their bytes on the way.
 *
 * <p>Each direction of a connection has a daemon thread of its own, which ends with the connection.
 */
public abstract class ForwardingProxy implements AutoCloseable {
    private static final int BACKLOG = 50;

    private final ServerSocket listening;
    private final IntSupplier serverPort;
    private final int bufferBytes;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /** What one thread of the proxy does. An exception ends it: one of the ends is closed. */
    @FunctionalInterface
    protected interface Work {
        /** Runs until the connection ends. */
        void run() throws IOException, InterruptedException;
    }

    /** Takes the bytes that were read from one end. */
    @FunctionalInterface
    protected interface Receiver {
        /**
         * Takes them.
         *
         * @param bytes the buffer, which is used again after the call
         * @param length how many of its bytes are valid; at least 1
         * @return whether to read on
         */
        boolean receive(byte[] bytes, int length) throws IOException, InterruptedException;

        /** Called when that end has closed the connection. */
        default void end() throws IOException {
            // most receivers have nothing to finish
        }
    }

    /**
     * Binds the port. Connections are accepted after {@link #start}.
     *
     * @param address where to listen; port 0 for any that is free
     * @param serverPort asked for each connection
     * @param bufferBytes how many bytes are read at once at most
     */
    protected ForwardingProxy(InetSocketAddress address, IntSupplier serverPort, int bufferBytes) {
        this.serverPort = serverPort;
        this.bufferBytes = bufferBytes;
        try {
            this.listening = new ServerSocket();
            listening.setReuseAddress(true);
            listening.bind(address, BACKLOG);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A free port of 127.0.0.1. */
    protected static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Begins to accept connections. For the end of a subclass's constructor. */
    protected final void start() {
        run(this::accept);
    }

    /** Where clients connect to. */
    public final int port() {
        return listening.getLocalPort();
    }

    /** How many sockets are open, two for each connection. */
    public final int sockets() {
        return open.size();
    }

    /** Called before the proxy connects to the server. Returns whether it shall; if not, the client's connection is closed. */
    protected boolean admits() throws IOException {
        return true;
    }

    /** Forwards the bytes of one connection until it ends, in this thread and others that are started by {@link #run}. */
    protected abstract void forward(Socket client, Socket server) throws IOException, InterruptedException;

    /** Starts a daemon thread. */
    protected final void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // one of the ends is closed
                    }
                },
                getClass().getSimpleName());
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            open.add(client);
            if (listening.isClosed()) { // and what was open then is closed already
                end(client);
                return;
            }
            run(() -> connect(client));
        }
    }

    private void connect(Socket client) throws IOException, InterruptedException {
        Socket server;
        try {
            if (!admits()) {
                throw new IOException("the proxy does not accept connections");
            }
            server = new Socket(InetAddress.getLoopbackAddress(), serverPort.getAsInt());
        } catch (IOException e) {
            end(client);
            throw e;
        }
        open.add(server);
        try {
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
        } catch (IOException e) { // it was closed with all connections, just before the server's end was known
            end(client);
            end(server);
            throw e;
        }
        forward(client, server);
    }

    /** Reads from one end until it is closed, or the receiver returns false. */
    protected final void read(Socket from, Receiver receiver) throws IOException, InterruptedException {
        byte[] buffer = new byte[bufferBytes];
        InputStream in = from.getInputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            if (!receiver.receive(buffer, read)) {
                return;
            }
        }
        receiver.end();
    }

    /** Reads from one end until it is closed, or the receiver returns false. Then closes both. */
    protected final void pump(Socket from, Socket to, Receiver receiver) throws IOException, InterruptedException {
        try {
            read(from, receiver);
        } finally {
            end(from);
            end(to);
        }
    }

    /** Writes all that is received. */
    protected static Receiver unchanged(OutputStream out) {
        return (bytes, length) -> {
            out.write(bytes, 0, length);
            return true;
        };
    }

    /** Closes one end of a connection. */
    protected final void end(Socket socket) throws IOException {
        open.remove(socket);
        socket.close();
    }

    /** Closes all connections. */
    protected final void closeConnections() {
        try {
            for (Socket socket : open) {
                socket.close();
            }
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
        closeConnections();
    }
}
