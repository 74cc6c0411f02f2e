package io.sluice.stream.source;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Stands between a client and a server, and cuts connections after a random number of the server's bytes. */
final class CuttingProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final int serverPort;
    private final Random random;
    private final int mostBytes;
    private final AtomicInteger cutsLeft;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    /**
     * Starts to listen.
     *
     * @param cuts after so many, connections are left alone
     * @param mostBytes how many of the server's bytes a connection that is cut carries at most
     */
    CuttingProxy(int serverPort, long seed, int cuts, int mostBytes) throws IOException {
        this.serverPort = serverPort;
        this.random = new Random(seed);
        this.mostBytes = mostBytes;
        this.cutsLeft = new AtomicInteger(cuts);
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        run(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    /** How many connections it would still cut. */
    int cutsLeft() {
        return cutsLeft.get();
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
                        // the other end has gone, which is what it is for
                    }
                },
                "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            open.add(client);
            open.add(server);
            int limit = 1 + random.nextInt(mostBytes);
            run(() -> pump(client, server, Integer.MAX_VALUE));
            run(() -> pump(server, client, limit));
        }
    }

    private void pump(Socket from, Socket to, int limit) throws IOException {
        byte[] buffer = new byte[4096];
        int left = limit;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                boolean cut = left < read && cutsLeft.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
                out.write(buffer, 0, cut ? left : read);
                if (cut) {
                    return;
                }
                left = Math.max(0, left - read);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
