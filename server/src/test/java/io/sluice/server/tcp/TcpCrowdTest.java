package io.sluice.server.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.packet.Messages;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.pull.TestEntry;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.RingConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand clients that do nothing, some that do not read, and fifty that work. */
@Timeout(120)
class TcpCrowdTest {
    private static final int IDLE = 1_000;
    private static final int SLOW = 10;
    private static final int BUSY = 50;
    private static final int ENTRIES = 100_000;

    /** What an idle connection may take of the heap; measured it is about a tenth. */
    private static final long BYTES_PER_CONNECTION = 64 * 1024;

    private final List<WireClient> clients = new ArrayList<>();

    @Test
    void fiftyClientsWorkAmongAThousand() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(BUSY + 1);
        try (OneDestination example = OneDestination.start(
                OneDestination.config("", "", OneDestination.LIMITS),
                new StoreConfig(new RingConfig(1 << 14, 1024, false), BatchMode.ITEMSIZE, true))) {
            open(example).subscribe("");
            long before = usedBytes();
            for (int i = 0; i < IDLE; i++) {
                open(example);
            }
            assertThat(usedBytes() - before).isLessThan(IDLE * BYTES_PER_CONNECTION);

            Future<?> putting = threads.submit(put(example));
            for (int i = 0; i < SLOW; i++) {
                WireClient slow = open(example).as(-1 - i);
                slow.subscribe("");
                slow.askFor(1, 0); // its answer is never read
            }
            Set<String> seen = ConcurrentHashMap.newKeySet();
            List<Future<Integer>> working = new ArrayList<>();
            for (int i = 1; i <= BUSY; i++) {
                WireClient busy = open(example).as(i);
                busy.subscribe("");
                working.add(threads.submit(() -> work(busy, seen)));
            }
            // No other client gets the entries of the slow ones, which also keep their room in the store, until these
            // unsubscribe.
            WireClient operator = open(example);
            for (int i = 0; i < SLOW; i++) {
                operator.as(-1 - i).unsubscribe();
            }
            putting.get();
            int delivered = 0;
            for (Future<Integer> each : working) {
                delivered += each.get();
            }

            assertThat(seen).hasSize(ENTRIES);
            assertThat(delivered).isGreaterThanOrEqualTo(ENTRIES);
            assertThat(example.server.connections()).isEqualTo(clients.size());
        } finally {
            threads.shutdownNow();
            for (WireClient client : clients) {
                client.close();
            }
        }
    }

    private WireClient open(OneDestination example) throws IOException {
        WireClient client = WireClient.open(example.address());
        clients.add(client);
        return client;
    }

    private static Callable<Void> put(OneDestination example) {
        return () -> {
            for (int i = 0; i < ENTRIES; i += 100) {
                List<Entry> entries = new ArrayList<>();
                for (int j = i; j < i + 100; j++) {
                    entries.add(TestEntry.rows(j));
                }
                example.store.put(entries);
            }
            return null;
        };
    }

    /** Pulls and acks until each entry was received by some client; an ack that a rollback made void is answered by an error. */
    private static int work(WireClient client, Set<String> seen) throws IOException {
        int count = 0;
        while (seen.size() < ENTRIES) {
            client.askFor(50, 50);
            Messages messages;
            try {
                messages = client.readMessages();
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("is not exist");
                messages = client.readMessages();
            }
            for (ByteString message : messages.getMessagesList()) {
                seen.add(message.toStringUtf8().strip());
            }
            count += messages.getMessagesCount();
            if (messages.getBatchId() > 0) {
                client.ack(messages.getBatchId());
            }
        }
        return count;
    }

    private static long usedBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
