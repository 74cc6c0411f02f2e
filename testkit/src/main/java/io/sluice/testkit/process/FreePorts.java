package io.sluice.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports that are not in use.
 *
 * <p>Below the range from which the system takes the ports of outgoing connections, so that a stopped server finds its
 * port free when it starts again. No port is given out twice in one JVM, nor by two JVMs of a user that run at the same time,
 * or one could bind what the other has chosen and not bound yet: a JVM that has a port holds a lock on the byte of that number in
 * a file, which the system lets go of with the JVM. Other programs may still be quicker, so a starter tries again.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 1_000;
    private static final int CONNECT_TIMEOUT_MILLIS = 1_000;
    private static final FileChannel MARKS = openMarks();

    /** Kept, since a lock that is collected is forgotten. */
    private static final Set<FileLock> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    private static FileChannel openMarks() {
        Path file = Path.of(
                System.getProperty("java.io.tmpdir", "/tmp"),
                "sluice-ports-" + System.getProperty("user.name", "") + ".lock");
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A port of 127.0.0.1 that was free a moment ago. */
    public static int next() {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (take(port)
                    && isFree(port)) { // in this order: the port of another JVM must not be bound even for a moment
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
    }

    /** Takes a port for this JVM; false if it was taken before, here or by another one. */
    static boolean take(int port) {
        try {
            FileLock lock = MARKS.tryLock(port, 1, false);
            return lock != null && GIVEN.add(lock);
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Whether a server listens on the port of 127.0.0.1. Unlike {@link #isFree} it does not bind the port, so it can be asked while a
     * server starts there.
     */
    public static boolean isListening(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether a server could listen on the port of 127.0.0.1 now. Binds it for a moment: not for a port on which a server is starting. */
    public static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
