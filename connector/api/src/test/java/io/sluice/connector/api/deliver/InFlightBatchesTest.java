package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.time.Waiting;
import org.junit.jupiter.api.Test;

class InFlightBatchesTest {
    private final EntryRing ring = new EntryRing(new RingConfig(64, 64, false));
    private final CursorStore cursors = new MemoryCursorStore();
    private final InFlightBatches batches = new InFlightBatches(ring, cursors);
    private Thread back;

    /** The host that was read before may come back, and a restart would begin there, after what has come again from the other one. */
    @Test
    void aCursorThatIsTakenWhileTheStreamGoesBackIsNotSavedAfterThat() throws InterruptedException {
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        Cursor to = at(7, 50);
        ring.begin(at(4, 40));
        ring.checkpoint(() -> {
            if (back == null) {
                back = Waiting.untilEndedOrBlocked(() -> {
                    ring.goBack(to);
                    cursors.goBack(to);
                });
            }
            return at(700, 60);
        });

        batches.saveCursor();

        back.join();
        assertThat(cursors.load(Subscription.QUEUE_CLIENT)).isEqualTo(to);
        batches.saveCursor();
        assertThat(cursors.load(Subscription.QUEUE_CLIENT)).as("the next one").isEqualTo(to);
    }

    private static Cursor at(long offset, long millis) {
        return new Cursor("db", 3306, new BinlogPosition("binlog.000001", offset), "", 1, millis);
    }
}
