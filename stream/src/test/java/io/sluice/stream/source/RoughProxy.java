package io.sluice.stream.source;

import io.sluice.testkit.proxy.ForwardingProxy;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy that treats what the server sends at random: it cuts the connection, forwards nothing for a while, or slowly. Once
 * calmed, it forwards everything. The more connections have ended early in a row, the more the next one forwards first, so that large
 * transactions come through in the end.
 */
final class RoughProxy extends ForwardingProxy {
    /** What it does to a run of bytes. */
    private enum Mood {
        PASS,
        SLOW,
        STALL,
        CUT
    }

    private static final List<Mood> MOODS = List.of(Mood.values());
    private static final int BUFFER_BYTES = 4096;
    private static final int MAX_BYTES_OF_A_MOOD = 60_000;
    private static final int BYTES_OF_A_LONG_CONNECTION = 400_000;
    private static final int MAX_STALL_MILLIS = 4_000;

    private final Random random;
    private final CountDownLatch calm = new CountDownLatch(1);
    private final AtomicInteger cuts = new AtomicInteger();
    private final AtomicInteger stalls = new AtomicInteger();

    /** How many connections have forwarded little, one after the other. */
    private final AtomicInteger shortInARow = new AtomicInteger();

    RoughProxy(int serverPort, long seed) {
        super(anyPort(), () -> serverPort, BUFFER_BYTES);
        this.random = new Random(seed);
        start();
    }

    int cuts() {
        return cuts.get();
    }

    int stalls() {
        return stalls.get();
    }

    /** Forwards everything from now on. */
    void calm() {
        calm.countDown();
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException, InterruptedException {
        run(() -> pump(client, server, unchanged(server.getOutputStream())));
        pump(server, client, new Moods(new Random(random.nextLong()), client.getOutputStream()));
    }

    /** Treats the bytes of one connection. */
    private final class Moods implements Receiver {
        private final Random moods;
        private final OutputStream out;
        private Mood mood = Mood.PASS;
        private int left;
        private int forwarded;

        Moods(Random moods, OutputStream out) {
            this.moods = moods;
            this.out = out;
            this.left = moods.nextInt(MAX_BYTES_OF_A_MOOD * Math.min(20, 1 + shortInARow.getAndIncrement()));
        }

        @Override
        public boolean receive(byte[] bytes, int length) throws IOException, InterruptedException {
            if (calm.getCount() > 0) {
                left -= length;
                forwarded += length;
                if (forwarded > BYTES_OF_A_LONG_CONNECTION) {
                    shortInARow.set(0);
                }
                if (left < 0) {
                    mood = MOODS.get(moods.nextInt(MOODS.size()));
                    left = moods.nextInt(MAX_BYTES_OF_A_MOOD);
                }
                if (mood == Mood.CUT) {
                    out.write(bytes, 0, moods.nextInt(length));
                    cuts.incrementAndGet();
                    return false;
                }
                if (mood == Mood.STALL) {
                    stalls.incrementAndGet();
                    mood = Mood.PASS;
                    calm.await(moods.nextInt(MAX_STALL_MILLIS), TimeUnit.MILLISECONDS);
                } else if (mood == Mood.SLOW) {
                    calm.await(5, TimeUnit.MILLISECONDS);
                }
            }
            out.write(bytes, 0, length);
            return true;
        }
    }
}
