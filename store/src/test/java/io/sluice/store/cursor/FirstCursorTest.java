package io.sluice.store.cursor;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cursor with which a client begins. */
@Timeout(300)
class FirstCursorTest {
    private static final int ROUNDS = 1_000;

    /** Enough of them that the two changes overlap in most rounds. */
    private static final int CLIENTS = 100;

    /** Whichever is first: after a reset of the stream, a restart must not begin where it began before. */
    @Test
    void aFirstCursorNeverReplacesOneThatIsSavedMeanwhile() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < ROUNDS; round++) {
                CursorStore store = new MemoryCursorStore();
                for (int client = 1; client <= CLIENTS; client++) {
                    store.subscribe(client, "");
                }
                Future<?> saved = other.submit(() -> {
                    together.await();
                    store.saveAll(() -> at(700));
                    return null;
                });
                together.await();
                store.begin(() -> at(4));
                saved.get();

                assertThat(store.subscriptions())
                        .extracting(Subscription::cursor)
                        .containsOnly(at(700));
            }
        } finally {
            other.shutdownNow();
        }
    }

    private static Cursor at(long offset) {
        return new Cursor("localhost", 3306, new BinlogPosition("mysql-bin.000001", offset), "", 1, 1700000000000L);
    }
}
