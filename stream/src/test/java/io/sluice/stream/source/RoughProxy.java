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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a client and a server, and treats what comes from the server at random: cuts the connection, lets nothing
 * through for a while, or lets it through slowly. Once calmed, it lets all through.
 */
final class RoughProxy implements AutoCloseable {
    /** What it does to a run of bytes. */
    private enum Mood {
        PASS,
        SLOW,
        STALL,
        CUT
    }

    private static final int MAX_BYTES_OF_A_MOOD = 60_000;
    private static final int MAX_STALL_MILLIS = 4_000;

    private final ServerSocket listening;
    private final int serverPort;
    private final Random random;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final CountDownLatch calm = new CountDownLatch(1);
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger stalls = new AtomicInteger();

    RoughProxy(int serverPort, long seed) throws IOException {
        this.serverPort = serverPort;
        this.random = new Random(seed);
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        run(this::accept);
    }

    int port() {
        return listening.getLocalPort();
    }

    int cuts() {
        return cuts.get();
    }

    int stalls() {
        return stalls.get();
    }

    /** How many sockets are open, two for each connection. */
    int sockets() {
        return open.size();
    }

    /** Lets everything through from now on. */
    void calm() {
        calm.countDown();
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private static void run(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | InterruptedException e) {
                        // the other end has gone, which is what it is for
                    }
                },
                "rough-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = listening.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            open.add(client);
            open.add(server);
            Random own = new Random(random.nextLong());
            run(() -> pump(client, server, null));
            run(() -> pump(server, client, own));
        }
    }

    private void pump(Socket from, Socket to, Random moods) throws IOException, InterruptedException {
        byte[] buffer = new byte[4096];
        Mood mood = Mood.PASS;
        int left = moods == null ? 0 : moods.nextInt(MAX_BYTES_OF_A_MOOD);
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (moods != null && calm.getCount() > 0) {
                    left -= read;
                    if (left < 0) {
                        mood = Mood.values()[moods.nextInt(Mood.values().length)];
                        left = moods.nextInt(MAX_BYTES_OF_A_MOOD);
                    }
                    if (mood == Mood.CUT) {
                        out.write(buffer, 0, moods.nextInt(read));
                        cuts.incrementAndGet();
                        return;
                    }
                    if (mood == Mood.STALL) {
                        stalls.incrementAndGet();
                        mood = Mood.PASS;
                        calm.await(moods.nextInt(MAX_STALL_MILLIS), TimeUnit.MILLISECONDS);
                    } else if (mood == Mood.SLOW) {
                        calm.await(5, TimeUnit.MILLISECONDS);
                    }
                }
                out.write(buffer, 0, read);
            }
        } finally {
            open.remove(from);
            open.remove(to);
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
