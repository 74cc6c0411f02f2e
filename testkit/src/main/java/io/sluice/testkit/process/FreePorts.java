package io.sluice.testkit.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports that nobody listens on.
 *
 * <p>Below the range from which the system takes the ports of outgoing connections, so that a stopped server finds its
 * port free when it starts again. No port is given out twice in one JVM; two JVMs may meet, so a starter tries again.
 */
public final class FreePorts {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 1_000;
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** A port of 127.0.0.1 that was free a moment ago. */
    public static int next() {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port) && GIVEN.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between " + FIRST + " and " + LAST);
    }

    /** Whether a server could listen on the port of 127.0.0.1 now. */
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
