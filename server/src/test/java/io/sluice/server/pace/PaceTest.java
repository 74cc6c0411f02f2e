package io.sluice.server.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.NumberedEntry;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
    private static final BatchLimit ALL = BatchLimit.entries(1000);
    private static final Duration STEP = Duration.ofMillis(7);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final HandTime time = new HandTime();
    private final EntryRing ring = new EntryRing(new RingConfig(4096, 1024, false), time);
    private final Pace pace = new Pace("shop", timer, time, batch -> {});

    @AfterEach
    void endTimer() {
        timer.shutdownNow();
    }

    @Test
    void handsOutNothingWhilePausedAndEverythingAfterIt() throws InterruptedException {
        pace.attach(ring, null, null);
        ring.put(transactions(0, 2));

        pace.pause("an operator wants it");
        assertThat(take()).isEmpty();
        assertThat(pace.isHolding()).isTrue();
        assertThat(pace.status().paused()).isTrue();
        assertThat(pace.status().reason()).isEqualTo("an operator wants it");
        pace.resume();

        assertThat(take()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(pace.status().paused()).isFalse();
        assertThat(pace.isHolding()).isFalse();
    }

    @Test
    void staysPausedWhenAnotherStoreIsAttached() throws InterruptedException {
        pace.pause("an operator wants it");

        pace.attach(ring, null, null);
        ring.put(transactions(0, 1));

        assertThat(take()).isEmpty();
    }

    @Test
    void wakesTheReaderWhenItIsResumed() throws InterruptedException {
        AtomicInteger changes = new AtomicInteger();
        pace.attach(ring, null, null);
        pace.pause("an operator wants it");
        ring.put(transactions(0, 1));
        ring.onChange(changes::incrementAndGet);

        pace.resume();

        assertThat(changes.get()).isPositive();
    }

    @Test
    void aStoreThatIsDetachedIsNotWokenAndNotMeasured() {
        AtomicInteger changes = new AtomicInteger();
        AtomicInteger measured = new AtomicInteger();
        pace.attach(ring, null, measured::incrementAndGet);
        ring.onChange(changes::incrementAndGet);

        pace.detach(ring);
        measured.set(0);
        pace.limit(new RateLimits(0, 1000));
        pace.resume();

        assertThat(changes).hasValue(0);
        assertThat(measured).hasValue(0);
        assertThat(pace.status().limits()).isEqualTo(new RateLimits(0, 1000));
    }

    /** The next instance of the destination may have been made before the former has ended. */
    @Test
    void detachingTheFormerStoreLeavesTheNextOneAttached() {
        AtomicInteger changes = new AtomicInteger();
        EntryRing next = new EntryRing(new RingConfig(64, 1024, false), time);
        pace.attach(ring, null, null);
        pace.attach(next, null, null);
        next.onChange(changes::incrementAndGet);

        pace.detach(ring);
        pace.resume();

        assertThat(changes.get()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5}) // the begin of the second transaction, and within it
    void pausesBetweenTwoTransactionsAtOrBehindAPosition(int offset) throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Position(new BinlogPosition("binlog.000001", offset)));
        ring.put(transactions(0, 4));

        List<Integer> before = take();
        assertThat(before).isEqualTo(offset <= 3 ? List.of(0, 1, 2) : List.of(0, 1, 2, 3, 4, 5));
        assertThat(take()).isEmpty();
        assertThat(pace.status().reason()).isEqualTo("position binlog.000001:" + offset + " is reached");
        pace.resume();

        assertThat(take()).startsWith(before.size()).hasSize(12 - before.size());
    }

    @Test
    void pausesBeforeTheFirstTransactionBehindAPositionWhoseOwnIsFilteredOut() throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Position(new BinlogPosition("binlog.000001", 50)));
        ring.put(transactions(0, 1));
        ring.put(transactions(100, 1));

        assertThat(take()).containsExactly(0, 1, 2);
        assertThat(take()).isEmpty();
    }

    @Test
    void pausesBeforeTheFirstTransactionOfATime() throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Time(Instant.ofEpochMilli(4000))); // within the second, which began before
        ring.put(transactions(0, 3));

        assertThat(take()).containsExactly(0, 1, 2, 3, 4, 5);
        assertThat(take()).isEmpty();
        assertThat(pace.status().reason()).contains("1970-01-01T00:00:04Z");
    }

    @Test
    void forgetsWhereToPauseWhenItIsResumed() throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Position(new BinlogPosition("binlog.000001", 3)));
        assertThat(pace.status().pauseTarget()).isEqualTo("position binlog.000001:3");

        pace.resume();
        ring.put(transactions(0, 2));

        assertThat(take()).hasSize(6);
        assertThat(pace.status().pauseTarget()).isNull();
    }

    /** It may be what the pause is waited for: with a target, all before it is to be delivered. */
    @Test
    void whatWasHandedOutIsHandedOutAgainWhilePaused() throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Position(new BinlogPosition("binlog.000001", 3)));
        ring.put(transactions(0, 3));
        assertThat(take()).containsExactly(0, 1, 2);

        ring.rollback();

        assertThat(ring.getIfReady(BatchLimit.entries(2), Readiness.FULL).entries())
                .hasSize(2);
        assertThat(take()).containsExactly(2);
        assertThat(take()).isEmpty();
        pace.resume();
        assertThat(take()).startsWith(3);
        pace.pause("an operator wants it");
        ring.rollback();
        assertThat(take()).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 2}) // before a transaction, and at the end of the one before
    void whatWasRolledBackAndIsBehindThePointStaysThere(int offset) throws InterruptedException {
        pace.attach(ring, null, null);
        ring.put(transactions(0, 3));
        assertThat(take()).hasSize(9);
        ring.rollback();

        pace.pauseAt(new PauseTarget.Position(new BinlogPosition("binlog.000001", offset)));

        assertThat(take()).containsExactly(0, 1, 2);
        assertThat(take()).isEmpty();
        ring.rollback();
        assertThat(take()).containsExactly(0, 1, 2);
        assertThat(take()).isEmpty();
        pace.resume();
        assertThat(take()).containsExactly(3, 4, 5, 6, 7, 8);
    }

    @Test
    void aLimitHoldsForWhatIsHandedOutAgainWhilePaused() throws InterruptedException {
        pace.attach(ring, null, null);
        ring.put(transactions(0, 40));
        assertThat(take()).hasSize(120);
        pace.limit(new RateLimits(8, 0));
        pace.pause("an operator wants it");
        ring.rollback();

        List<Integer> again = take();
        assertThat(again).isNotEmpty().hasSizeLessThan(60);
        assertThat(take()).isEmpty();
        time.pass(Duration.ofMinutes(1));
        assertThat(take()).startsWith(again.size());
    }

    /** Fleets are paused as a whole, and calls are repeated. */
    @Test
    void aSecondPauseKeepsThePointOfTheFirst() throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Position(new BinlogPosition("binlog.000001", 3)));
        ring.put(transactions(0, 2));
        assertThat(take()).containsExactly(0, 1, 2);
        EntryRing next = new EntryRing(new RingConfig(64, 1024, false), time);

        pace.pause("all are paused");
        pace.attach(next, NumberedEntry.of(0, EntryKind.END).cursor(), null);
        pace.pause("all are paused");
        next.put(transactions(0, 2));

        assertThat(pace.status().reason()).isEqualTo("position binlog.000001:3 is reached");
        assertThat(take(next)).containsExactly(0, 1, 2);
        assertThat(take(next)).isEmpty();
    }

    /** A restart, or another server that takes over: without what is before the target, it would never be reached. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsBeforeThePointOfAPauseIsHandedOutByTheNextStore(boolean isAcked) throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Position(new BinlogPosition("binlog.000001", 3)));
        ring.put(transactions(0, 2));
        assertThat(take()).containsExactly(0, 1, 2);
        EntryRing next = new EntryRing(new RingConfig(64, 1024, false), time);

        pace.attach(next, NumberedEntry.of(isAcked ? 3 : 0, EntryKind.END).cursor(), null);
        next.put(isAcked ? transactions(3, 1) : transactions(0, 2));

        assertThat(pace.status().paused()).isTrue();
        assertThat(pace.status().pauseTarget()).isNull();
        assertThat(pace.isHolding()).isEqualTo(isAcked);
        assertThat(take(next)).isEqualTo(isAcked ? List.of() : List.of(0, 1, 2));
        assertThat(take(next)).isEmpty();
        assertThat(pace.isHolding()).isTrue();
        assertThat(pace.status().reason()).isEqualTo("position binlog.000001:3 is reached");
        pace.resume();
        assertThat(take(next)).containsExactly(3, 4, 5);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 100, 20_000})
    void holdsALimitOfRowsOnAverageHoweverLargeEntriesAre(long rowsPerSecond) throws InterruptedException {
        pace.attach(ring, null, null);
        pace.limit(new RateLimits(rowsPerSecond, 0));
        long rows = 0;
        long seconds = rowsPerSecond == 1 ? 100 : 20;
        for (long nanos = 0; nanos < Duration.ofSeconds(seconds).toNanos(); nanos += STEP.toNanos()) {
            rows += takeAllOf(400).stream().mapToLong(Batch::rows).sum();
            time.pass(STEP);
        }

        assertThat((double) rows / seconds / rowsPerSecond).isBetween(0.95, 1.05);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 1, 4.5}) // messages of compact and of wordy formats
    void holdsALimitOfTheBytesOfMessages(double expansion) throws InterruptedException {
        AtomicLong delivered = new AtomicLong();
        pace.attach(ring, null, delivered::get);
        pace.limit(new RateLimits(0, 100_000));
        for (long nanos = 0; nanos < Duration.ofSeconds(20).toNanos(); nanos += STEP.toNanos()) {
            if (ring.level().put() - ring.level().got() < 100) {
                ring.put(List.of(
                        NumberedEntry.sized(1, 100), NumberedEntry.sized(2, 2000), NumberedEntry.sized(3, 300)));
            }
            for (Batch batch = ring.getIfReady(ALL, Readiness.ANY);
                    batch != null;
                    batch = ring.getIfReady(ALL, Readiness.ANY)) {
                delivered.addAndGet((long) (batch.sizeBytes() * expansion));
                ring.ack(batch);
            }
            time.pass(STEP);
        }

        assertThat(delivered.get() / 20.0 / 100_000).isBetween(0.95, 1.05);
    }

    @Test
    void countsNothingOfWhatWasDeliveredBeforeALimitOfBytes() throws InterruptedException {
        AtomicLong delivered = new AtomicLong(1_000_000_000);
        pace.attach(ring, null, delivered::get);
        delivered.addAndGet(1_000_000_000);

        pace.limit(new RateLimits(0, 1000));
        time.pass(Duration.ofSeconds(1));
        ring.put(transactions(0, 1));

        assertThat(take()).isNotEmpty();
    }

    @Test
    void takesANewLimitAtOnce() throws InterruptedException {
        pace.attach(ring, null, null);
        pace.limit(new RateLimits(1, 0));
        ring.put(transactions(0, 100));
        drain();
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();

        pace.limit(RateLimits.NONE);

        assertThat(take()).hasSizeGreaterThan(200);
    }

    @Test
    void hasTheReaderWokenSoonerWhenALimitIsRaised() throws InterruptedException {
        AtomicInteger changes = new AtomicInteger();
        pace.attach(ring, null, null);
        pace.limit(new RateLimits(1, 0));
        ring.put(transactions(0, 100));
        drain();
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull(); // a wake in two seconds or so is due now
        pace.limit(new RateLimits(0, 1));
        drain();
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull(); // and one in minutes
        pace.limit(new RateLimits(1000, 0));
        drain();
        ring.onChange(changes::incrementAndGet); // before the last look, which has it woken again if it was already
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();

        await().untilAsserted(() -> assertThat(changes.get()).isPositive());
    }

    @Test
    void pausesWhenTheSourceIsAnotherServerThanThatOfThePosition() throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Position(
                new BinlogPosition("binlog.000001", 50), new SourceServer("elsewhere", 3306, "another")));
        ring.put(transactions(0, 4));

        assertThat(take()).containsExactly(0, 1, 2);
        assertThat(take()).isEmpty();
        assertThat(pace.status().reason()).contains("another server");
    }

    /** It has been switched off, or the source is another server, without them. */
    @Test
    void pausesWhenTheSourceHasNoGtidsAnyMoreToFindItsPointBy() throws InterruptedException {
        pace.attach(ring, null, null);
        pace.pauseAt(new PauseTarget.Transactions(GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-9")));
        ring.put(transactions(0, 4));

        assertThat(take()).containsExactly(0, 1, 2);
        assertThat(take()).isEmpty();
        assertThat(pace.status().reason()).contains("no such GTIDs any more");
    }

    @ParameterizedTest
    @ValueSource(strings = {"3e11fa47-71ca-11e1-9e33-c80aa9429562:1-8", "", "0-1-8"})
    void aGtidIsLostWhereThereAreNoneOrThoseOfAnotherKind(String begin) {
        PauseTarget target = new PauseTarget.Transactions(GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-9"));
        Cursor cursor = new Cursor("localhost", 3306, new BinlogPosition("binlog.000001", 0), begin, 1, 0);

        assertThat(target.isReachedBy(cursor)).isFalse();
        assertThat(target.isLostAt(cursor)).isEqualTo(!begin.endsWith(":1-8"));
    }

    @Test
    void keepsReasonsToOneLine() {
        pace.pause("first\nsecond " + "x".repeat(1000));

        assertThat(pace.status().reason()).startsWith("first second").hasSize(300);
    }

    @Test
    void hasTheReaderWokenWhenThereAreTokensAgain() throws InterruptedException {
        AtomicInteger changes = new AtomicInteger();
        pace.attach(ring, null, null);
        pace.limit(new RateLimits(50, 0));
        ring.put(transactions(0, 100));
        drain();
        ring.onChange(changes::incrementAndGet);

        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();

        await().untilAsserted(() -> assertThat(changes.get()).isPositive());
    }

    private List<Batch> takeAllOf(int transactions) throws InterruptedException {
        if (ring.level().put() == ring.level().got()) {
            ring.put(transactions(0, transactions));
        }
        List<Batch> taken = new ArrayList<>();
        for (Batch batch = ring.getIfReady(ALL, Readiness.ANY);
                batch != null;
                batch = ring.getIfReady(ALL, Readiness.ANY)) {
            ring.ack(batch);
            taken.add(batch);
        }
        return taken;
    }

    private void drain() {
        for (Batch batch = ring.getIfReady(ALL, Readiness.ANY);
                batch != null;
                batch = ring.getIfReady(ALL, Readiness.ANY)) {
            ring.ack(batch);
        }
    }

    private List<Integer> take() {
        return take(ring);
    }

    private static List<Integer> take(EntryRing ring) {
        Batch batch = ring.getIfReady(ALL, Readiness.ANY);
        return batch == null
                ? List.of()
                : batch.entries().stream()
                        .map(entry -> ((NumberedEntry) entry).number())
                        .toList();
    }

    /** Transactions of a begin, a rows event of two rows and an end each. */
    private static List<Entry> transactions(int from, int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = from + 3 * i;
            entries.add(NumberedEntry.of(number, EntryKind.BEGIN));
            entries.add(NumberedEntry.of(number + 1));
            entries.add(NumberedEntry.of(number + 2, EntryKind.END));
        }
        return entries;
    }
}
