package io.sluice.server.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.NumberedEntry;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.store.text.DurableText;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PaceKeepingTest {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final Disk disk = new Disk();

    @AfterEach
    void close() {
        timer.shutdownNow();
    }

    private Pace pace() {
        Pace pace = new Pace("shop", timer, new HandTime(), entries -> {});
        pace.keepIn(disk, Runnable::run);
        return pace;
    }

    @Test
    void whatCannotBeWrittenIsToldUntilItIsRepeated() {
        Pace pace = pace();
        disk.isFull = true;

        pace.pause("by ops");

        assertThat(pace.whyNotKept()).isEqualTo("shop/pace cannot be written: java.io.IOException: no space");
        assertThat(pace.status().paused()).isTrue();
        disk.isFull = false;
        pace.pause("by ops");
        assertThat(pace.whyNotKept()).isNull();
        assertThat(pace().status().reason()).isEqualTo("by ops");
    }

    @Test
    void whatCouldNotBeWrittenIsWrittenLater() {
        Pace pace = pace();
        disk.isFull = true;
        pace.pause("by ops");
        assertThat(pace.status().keptProblem()).contains("no space");

        disk.isFull = false;

        await().atMost(Duration.ofSeconds(60)).until(() -> pace.status().keptProblem() == null);
        assertThat(pace().status().reason()).isEqualTo("by ops");
    }

    /** So that the next process can deliver what is before it. */
    @Test
    void thePointOfAPauseIsKeptWithIt() throws InterruptedException {
        Pace pace = pace();
        EntryRing store = new EntryRing(new RingConfig(64, 1024, false));
        pace.attach(store, null, null);
        pace.pauseAt(new PauseTarget.Position(new BinlogPosition("binlog.000001", 2)));
        store.put(List.of(NumberedEntry.of(1, EntryKind.END), NumberedEntry.of(2, EntryKind.END)));
        assertThat(store.getIfReady(BatchLimit.entries(9), Readiness.ANY)).isNotNull();
        EntryRing next = new EntryRing(new RingConfig(64, 1024, false));
        Pace ofNextProcess = pace();

        ofNextProcess.attach(next, NumberedEntry.of(0, EntryKind.END).cursor(), null);

        next.put(List.of(NumberedEntry.of(1, EntryKind.END), NumberedEntry.of(2, EntryKind.END)));
        assertThat(next.getIfReady(BatchLimit.entries(9), Readiness.ANY).entries())
                .hasSize(1);
        assertThat(next.getIfReady(BatchLimit.entries(9), Readiness.ANY)).isNull();
        assertThat(ofNextProcess.status().paused()).isTrue();
    }

    /** What was set in an earlier term of ownership is known better by the owners since. */
    @Test
    void aNextTermBeginsWithWhatIsKeptAndNothingElse() {
        Pace pace = pace();
        pace.pause("in the first term");
        pace.limit(new RateLimits(7, 0));
        Disk other = new Disk();

        pace.takeOver(other, () -> true, PaceKept.CLUSTER, Runnable::run);

        assertThat(pace.status())
                .isEqualTo(new PaceStatus(false, null, null, null, RateLimits.NONE, PaceKept.CLUSTER, null));
        assertThat(pace().status().reason()).as("where it was kept before").isEqualTo("in the first term");
        pace.limit(new RateLimits(8, 0));
        assertThat(other.text).contains("limit.rows=8");
    }

    @Test
    void whatIsSetIsKeptAlsoAtAnotherPlace() {
        Pace pace = pace();
        pace.pause("by ops");
        Disk other = new Disk();

        pace.moveTo(other, () -> true, PaceKept.CLUSTER, Runnable::run);

        assertThat(pace.status().reason()).isEqualTo("by ops");
        assertThat(other.text).contains("paused.reason=by ops");
    }

    @Test
    void aFormerOwnerTriesNoMore() {
        Pace pace = pace();
        Disk other = new Disk();
        AtomicBoolean isOwner = new AtomicBoolean(true);
        pace.takeOver(other, isOwner::get, PaceKept.CLUSTER, Runnable::run);
        other.isFull = true;
        isOwner.set(false);

        pace.pause("by ops");

        assertThat(pace.whyNotKept()).contains("no space");
        assertThat(timer.shutdownNow()).isEmpty();
    }

    private static final class Disk implements DurableText {
        private volatile boolean isFull;
        private volatile @Nullable String text;

        @Override
        public String location() {
            return "shop/pace";
        }

        @Override
        public String read() throws IOException {
            String read = text;
            if (read == null) {
                throw new NoSuchFileException(location());
            }
            return read;
        }

        @Override
        public void replace(String next) throws IOException {
            if (isFull) {
                throw new IOException("no space");
            }
            text = next;
        }
    }
}
