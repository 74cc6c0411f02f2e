package io.sluice.store.ring;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.format.entry.ChangeId;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.entry.ImageEntry;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(600) // a put that waits for ever must fail the build, not stop it
class EntryRingTest {
    private static final BatchLimit ALL = BatchLimit.entries(1000);

    private final ExecutorService others = Executors.newCachedThreadPool();
    private EntryRing ring = new EntryRing(new RingConfig(8, 1024, false));

    @AfterEach
    void endOtherThreads() throws InterruptedException {
        others.shutdownNow();
        assertThat(others.awaitTermination(30, SECONDS)).isTrue();
    }

    /** The next entries that are there. */
    private Batch get(BatchLimit limit) {
        return Objects.requireNonNull(ring.getIfReady(limit, Readiness.ANY), "nothing is there");
    }

    /** The next full batch, which is there. */
    private Batch full(BatchLimit limit) {
        return Objects.requireNonNull(ring.getIfReady(limit, Readiness.FULL), "no full batch is there");
    }

    private Batch awaitBatch(BatchLimit limit, Readiness awaited) {
        return await().pollDelay(Duration.ZERO).until(() -> ring.getIfReady(limit, awaited), Objects::nonNull);
    }

    @Test
    void handsOutWhatIsThere() throws InterruptedException {
        ring.put(numbers(0, 3));

        Batch batch = get(ALL);

        assertThat(numbersOf(batch)).containsExactly(0, 1, 2);
        assertThat(batch.id()).isEqualTo(1);
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();
    }

    @Test
    void aCheckpointIsGivenOutOnceWhenAllBeforeItIsAcked() throws InterruptedException {
        ring.put(numbers(0, 3));
        ring.checkpoint(() -> cursor(10));
        Batch first = get(BatchLimit.entries(2));
        Batch second = get(ALL);
        ring.ack(first);
        assertThat(ring.takeCursor()).isNull();

        ring.ack(second);

        assertThat(ring.takeCursor()).isEqualTo(cursor(10));
        assertThat(ring.takeCursor()).as("the same again").isNull();
        assertThat(ring.cursor()).isEqualTo(cursor(10));
    }

    @Test
    void aCheckpointReplacesOneWithoutEntriesBetween() throws InterruptedException {
        ring.checkpoint(() -> cursor(1));
        ring.put(numbers(0, 1));
        ring.checkpoint(() -> cursor(2));
        ring.checkpoint(() -> cursor(3));
        assertThat(ring.takeCursor()).isEqualTo(cursor(1));

        ring.ack(get(ALL));

        assertThat(ring.takeCursor()).isEqualTo(cursor(3));
    }

    @Test
    void aCheckpointIsReachedWhileLaterOnesAreAdded() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            ring.put(numbers(i, i + 1));
            long offset = 10L * (i + 1);
            ring.checkpoint(() -> cursor(offset));
        }

        ring.ack(get(BatchLimit.entries(2)));

        assertThat(ring.takeCursor()).isEqualTo(cursor(20));
    }

    @Test
    void theStreamBeginsWhereItIsSetToBegin() throws InterruptedException {
        assertThat(ring.cursor()).isNull();

        ring.begin(cursor(4));
        ring.put(numbers(0, 1));

        assertThat(ring.cursor()).isEqualTo(cursor(4));
        assertThat(ring.takeCursor()).as("stored already").isNull();
    }

    private static Cursor cursor(long offset) {
        return new Cursor("db", 3306, new BinlogPosition("binlog.000001", offset), "", 1, 0);
    }

    @Test
    void cutsByCount() throws InterruptedException {
        ring.put(numbers(0, 3));

        assertThat(numbersOf(get(BatchLimit.entries(2)))).containsExactly(0, 1);
        assertThat(numbersOf(get(BatchLimit.entries(2)))).containsExactly(2);
    }

    @Test
    void cutsBehindTheEntryThatExceedsTheBytes() throws InterruptedException {
        ring.put(List.of(sized(0, 5), sized(1, 5), sized(2, 1), sized(3, 9), sized(4, 50), sized(5, 1)));

        assertThat(numbersOf(get(BatchLimit.bytes(10)))).containsExactly(0, 1, 2);
        assertThat(numbersOf(get(BatchLimit.bytes(10)))).containsExactly(3, 4);
        assertThat(numbersOf(get(BatchLimit.bytes(10)))).containsExactly(5);
    }

    @Test
    void cutsByCountAndBytes() throws InterruptedException {
        BatchLimit limit = BatchLimit.entries(3, 10);
        ring.put(List.of(sized(0, 5), sized(1, 5), sized(2, 1), sized(3, 50), sized(4, 5), sized(5, 9), sized(6, 1)));

        assertThat(numbersOf(full(limit))).containsExactly(0, 1, 2);
        assertThat(numbersOf(full(limit))).containsExactly(3);
        assertThat(numbersOf(full(limit))).containsExactly(4, 5);
        assertThat(ring.getIfReady(limit, Readiness.FULL)).isNull();
    }

    @Test
    void rollbackHandsOutUnackedEntriesAgain() throws InterruptedException {
        ring.put(numbers(0, 3));
        ring.ack(get(BatchLimit.entries(1)));
        get(BatchLimit.entries(2));

        ring.rollback();

        assertThat(numbersOf(get(ALL))).containsExactly(1, 2);
    }

    @Test
    void refusesAnAckOfARolledBackBatch() throws InterruptedException {
        ring.put(numbers(0, 4));
        Batch stale = get(BatchLimit.entries(3));
        ring.rollback();
        ring.ack(get(BatchLimit.entries(1)));
        get(ALL);

        assertThatThrownBy(() -> ring.ack(stale))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("batch 1 of 3 entries was rolled back");
    }

    @Test
    void anAckIsCumulativeAndMayBeRepeated() throws InterruptedException {
        ring.put(numbers(0, 4));
        Batch first = get(BatchLimit.entries(1));
        Batch second = get(BatchLimit.entries(2));

        ring.ack(second);
        ring.ack(first);
        ring.ack(second);

        assertThat(ring.stats().acked().entries()).isEqualTo(3);
    }

    @Test
    void aBatchStaysReadableAfterItsAck() throws InterruptedException {
        ring.put(numbers(0, 8));
        Batch batch = get(ALL);

        ring.ack(batch);
        ring.put(numbers(8, 16));

        assertThat(numbersOf(batch)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    }

    @Test
    void aDdlComesAloneIfIsolated() throws InterruptedException {
        ring = new EntryRing(new RingConfig(8, 1024, true));
        ring.put(List.of(NumberedEntry.of(0), ddl(1), ddl(2), NumberedEntry.of(3), NumberedEntry.of(4)));

        assertThat(numbersOf(full(ALL))).containsExactly(0);
        assertThat(numbersOf(full(ALL))).containsExactly(1);
        assertThat(numbersOf(full(ALL))).containsExactly(2);
        assertThat(numbersOf(get(ALL))).containsExactly(3, 4);
    }

    @Test
    void theCursorFollowsTheLastAckedBoundary() throws InterruptedException {
        ring.put(List.of(
                NumberedEntry.of(0, EntryKind.BEGIN),
                NumberedEntry.of(1),
                NumberedEntry.of(2, EntryKind.END),
                NumberedEntry.of(3, EntryKind.BEGIN),
                new NumberedEntry(4, EntryKind.DDL, 1, false),
                NumberedEntry.of(5),
                NumberedEntry.of(6, EntryKind.END),
                NumberedEntry.of(7, EntryKind.BEGIN)));

        assertThat(cursorAfterAckOf(2)).isNull();
        assertThat(cursorAfterAckOf(2)).isEqualTo(2);
        assertThat(cursorAfterAckOf(1)).as("a DDL within a transaction").isNull();
        assertThat(cursorAfterAckOf(3)).isEqualTo(6);
    }

    /** The offset of the cursor that the store gives out after an ack of the next entries; null if it gives none. */
    private Long cursorAfterAckOf(int count) throws InterruptedException {
        ring.ack(get(BatchLimit.entries(count)));
        Cursor cursor = ring.takeCursor();
        return cursor == null ? null : cursor.position().offset();
    }

    @Test
    void noCursorIsAfterTheOneToWhichTheStreamGoesBackUntilWhatComesFromThereIsAcked() throws InterruptedException {
        ring.put(numbers(0, 2));
        ring.checkpoint(() -> at(20, 60));
        Batch acked = get(BatchLimit.entries(1));
        ring.ack(acked);
        ring.takeCursor();
        Cursor to = at(7, 50);

        ring.goBack(to);

        ring.put(numbers(2, 3));
        ring.checkpoint(() -> at(9, 55));
        ring.ack(get(BatchLimit.entries(1)));
        assertThat(ring.takeCursor()).isEqualTo(to);
        assertThat(ring.cursor()).isEqualTo(to);
        ring.ack(get(BatchLimit.entries(1)));
        assertThat(ring.takeCursor()).isEqualTo(at(9, 55));
    }

    @Test
    void aCursorBeforeTheOneToWhichTheStreamGoesBackStays() throws InterruptedException {
        ring.put(numbers(0, 1));
        ring.checkpoint(() -> at(20, 49));
        ring.put(numbers(1, 2));
        ring.checkpoint(() -> at(30, 60));
        Cursor to = at(7, 50);

        ring.goBack(to);

        ring.ack(get(BatchLimit.entries(1)));
        assertThat(ring.takeCursor()).isEqualTo(at(20, 49));
        ring.ack(get(BatchLimit.entries(1)));
        assertThat(ring.takeCursor()).isEqualTo(to);
        ring.checkpoint(() -> at(9, 55));
        assertThat(ring.takeCursor()).isEqualTo(at(9, 55));
    }

    /** Times are those of seconds, so what is after the position to which the stream goes back may have the same one. */
    @Test
    void noCursorOfTheSameTimeIsGivenOutInPlaceOfTheOneToWhichTheStreamGoesBack() throws InterruptedException {
        ring.checkpoint(() -> at(20, 50));
        ring.put(numbers(0, 1));
        ring.checkpoint(() -> at(30, 50));
        ring.put(numbers(1, 2));
        Cursor to = at(7, 50);

        ring.goBack(to);

        assertThat(ring.takeCursor()).isEqualTo(to);
        ring.ack(get(BatchLimit.entries(1)));
        assertThat(ring.takeCursor()).isEqualTo(to);
    }

    /** What was put before the stream went back has cursors of its own, beside those of checkpoints. */
    @Test
    void noCursorOfAnEntryIsAfterTheOneToWhichTheStreamGoesBack() throws InterruptedException {
        ring.put(List.of(NumberedEntry.of(1, EntryKind.END), NumberedEntry.of(2, EntryKind.END)));
        Cursor to = at(0, -1);
        ring.goBack(to);
        ring.put(List.of(NumberedEntry.of(3), NumberedEntry.of(4, EntryKind.END)));

        ring.ack(get(BatchLimit.entries(1)));
        assertThat(ring.takeCursor()).isEqualTo(to);
        ring.ack(get(BatchLimit.entries(2)));
        assertThat(ring.takeCursor())
                .as("the last entry before the stream went back is acked")
                .isEqualTo(to);
        ring.ack(get(BatchLimit.entries(1)));
        assertThat(ring.takeCursor()).isNotNull().isNotEqualTo(to);
    }

    @Test
    void aCursorThatWasTakenIsGivenAgainIfTheStreamGoesBackBeforeIt() {
        ring.checkpoint(() -> at(20, 60));
        ring.takeCursor();

        ring.goBack(at(7, 50));

        assertThat(ring.takeCursor()).isEqualTo(at(7, 50));
    }

    private static Cursor at(long offset, long millis) {
        return new Cursor("db", 3306, new BinlogPosition("binlog.000001", offset), "", 1, millis);
    }

    /** Whatever the order of calls, the cursor is the newest boundary or checkpoint before which all is acked. */
    @ParameterizedTest
    @MethodSource("seeds")
    void theCursorNeverPassesWhatIsNotAcked(long seed) throws InterruptedException {
        Random random = new Random(seed);
        ring = new EntryRing(new RingConfig(1 << (3 + random.nextInt(5)), 1024, random.nextBoolean()));
        List<Batch> open = new ArrayList<>();
        TreeMap<Integer, Long> wanted = new TreeMap<>(); // by how many entries must be acked
        Long given = null;
        int put = 0;
        int acked = 0;
        for (int i = 0; i < 2_000; i++) {
            switch (random.nextInt(5)) {
                case 0 -> {
                    NumberedEntry entry = new NumberedEntry(put, EntryKind.ROWS, 1, random.nextInt(4) == 0);
                    if (ring.offer(List.of(entry), 0, () -> {}) == 1) {
                        put++;
                        if (entry.isBoundary()) {
                            wanted.put(put, (long) entry.number());
                        }
                    }
                }
                case 1 -> {
                    long offset = 1_000_000L + i;
                    ring.checkpoint(() -> cursor(offset));
                    wanted.put(put, offset);
                }
                case 2 -> {
                    Batch batch = ring.getIfReady(BatchLimit.entries(1 + random.nextInt(5)), Readiness.ANY);
                    if (batch != null) {
                        open.add(batch);
                    }
                }
                case 3 -> {
                    if (!open.isEmpty()) {
                        int count = 1 + random.nextInt(open.size());
                        acked += open.subList(0, count).stream()
                                .mapToInt(batch -> batch.entries().size())
                                .sum();
                        ring.ack(open.get(count - 1));
                        open.subList(0, count).clear();
                    }
                }
                default -> {
                    if (random.nextInt(4) == 0) {
                        ring.rollback();
                        open.clear();
                    }
                }
            }
            Map.Entry<Integer, Long> newest = wanted.floorEntry(acked);
            Cursor cursor = ring.cursor();
            assertThat(cursor == null ? null : cursor.position().offset())
                    .as("seed %d, step %d", seed, i)
                    .isEqualTo(newest == null ? null : newest.getValue());
            Cursor taken = ring.takeCursor();
            if (newest != null && !newest.getValue().equals(given)) {
                assertThat(taken).as("seed %d, step %d", seed, i).isEqualTo(cursor);
                given = newest.getValue();
            } else {
                assertThat(taken).as("seed %d, step %d", seed, i).isNull();
            }
        }
    }

    @Test
    void aListLargerThanTheRingFlowsThrough() throws Exception {
        Future<?> put = others.submit(() -> {
            ring.put(numbers(0, 100));
            return null;
        });
        List<Integer> read = new ArrayList<>();
        while (read.size() < 100) {
            Batch batch = awaitBatch(ALL, read.size() < 96 ? Readiness.FULL : Readiness.ANY);
            read.addAll(numbersOf(batch));
            ring.ack(batch);
        }

        put.get(30, SECONDS);
        assertThat(read)
                .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
    }

    @Test
    void anOfferPutsWhatFitsAndCallsOnceThereIsMoreRoom() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        List<Entry> list = numbers(0, 10);

        assertThat(ring.offer(list, 0, calls::incrementAndGet)).isEqualTo(8);
        Batch batch = get(BatchLimit.entries(1));
        assertThat(calls).as("nothing was acked").hasValue(0);
        ring.ack(batch);
        assertThat(calls).hasValue(1);

        assertThat(ring.offer(list, 8, calls::incrementAndGet)).isEqualTo(9);
        Batch rest = full(ALL);
        assertThat(numbersOf(rest)).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        ring.ack(rest);
        assertThat(ring.offer(list, 9, calls::incrementAndGet)).isEqualTo(10);
        ring.ack(get(ALL));
        assertThat(calls).as("once for each offer that did not fit").hasValue(2);
    }

    @Test
    void whatWasHandedOutLeavesItsRoomToOthers() throws InterruptedException {
        ring = new EntryRing(new RingConfig(8, 1024, false, 2));
        assertThat(ring.offer(numbers(0, 9), 0, () -> {})).as("two may wait").isEqualTo(2);
        assertThat(ring.stats().capacityEntries()).isEqualTo(2);
        assertThat(ring.stats().capacityBytes()).isEqualTo(2048);
        Batch first = get(ALL);
        assertThat(ring.stats().capacityEntries()).isEqualTo(4);
        assertThat(ring.stats().capacityBytes()).isEqualTo(2048 + first.sizeBytes());
        assertThat(ring.offer(numbers(0, 9), 2, () -> {})).isEqualTo(4);
        get(BatchLimit.entries(1));
        assertThat(ring.offer(numbers(0, 9), 4, () -> {})).isEqualTo(5);
        get(ALL);
        assertThat(ring.offer(numbers(0, 9), 5, () -> {})).isEqualTo(7);
        get(ALL);
        assertThat(ring.offer(numbers(0, 9), 7, () -> {}))
                .as("eight slots in all")
                .isEqualTo(8);
        assertThat(ring.stats().capacityEntries()).isEqualTo(8);

        ring.ack(first);

        assertThat(ring.offer(numbers(0, 9), 8, () -> {})).isEqualTo(9);
    }

    @Test
    void aGetEndsTheWaitsOfPutsAndOffersForWhatMayWait() throws Exception {
        ring = new EntryRing(new RingConfig(8, 1024, false, 2));
        Future<?> put = others.submit(() -> {
            ring.put(numbers(0, 3));
            return null;
        });
        await().until(() -> ring.level().put() == 2);
        get(BatchLimit.entries(1));
        put.get(30, SECONDS);
        AtomicInteger calls = new AtomicInteger();
        assertThat(ring.offer(numbers(3, 4), 0, calls::incrementAndGet)).isZero();
        assertThat(calls).hasValue(0);

        get(BatchLimit.entries(1));

        assertThat(calls).hasValue(1);
        assertThat(ring.offer(numbers(3, 4), 0, calls::incrementAndGet)).isEqualTo(1);
        assertThat(calls).hasValue(1);
    }

    @Test
    void theBytesOfWhatWaitsAreLimitedToo() throws Exception {
        ring = new EntryRing(new RingConfig(8, 10, false, 2));
        List<Entry> entries = List.of(sized(0, 15), sized(1, 15), sized(2, 60), sized(3, 25));
        assertThat(ring.offer(entries, 0, () -> {})).isEqualTo(1);
        assertThat(ring.awaitRoom(5, Duration.ZERO)).isTrue();
        assertThat(ring.awaitRoom(6, Duration.ZERO)).isFalse();
        get(ALL);
        assertThat(ring.offer(entries, 1, () -> {})).isEqualTo(2);
        Batch second = get(ALL);
        assertThat(ring.offer(entries, 2, () -> {}))
                .as("larger than what may wait")
                .isEqualTo(2);

        ring.ack(second);

        assertThat(ring.offer(entries, 2, () -> {})).as("alone").isEqualTo(3);
    }

    @Test
    void hasWaitingWhatWasPutAndNotHandedOut() throws InterruptedException {
        ring = new EntryRing(new RingConfig(16, 100, false, 8));
        ring.put(List.of(sized(0, 30), sized(1, 30), sized(2, 30)));
        assertThat(ring.hasWaiting(90)).isTrue();
        assertThat(ring.hasWaiting(91)).isFalse();
        get(BatchLimit.entries(1));
        assertThat(ring.hasWaiting(60)).isTrue();
        assertThat(ring.hasWaiting(61)).isFalse();

        ring.put(List.of(sized(3, 1), sized(4, 1), sized(5, 1)));
        assertThat(ring.hasWaiting(Long.MAX_VALUE)).isFalse();
        ring.put(List.of(sized(6, 1)));
        assertThat(ring.hasWaiting(Long.MAX_VALUE)).as("six of eight entries").isTrue();

        get(ALL);
        assertThat(ring.hasWaiting(1)).isFalse();
        ring.put(List.of(sized(7, 599)));
        assertThat(ring.hasWaiting(Long.MAX_VALUE)).isFalse();
        ring.put(List.of(sized(8, 1)));
        assertThat(ring.hasWaiting(Long.MAX_VALUE)).as("600 of 800 bytes").isTrue();
    }

    @Test
    void aRingFullOfWhatWaitsIsAFullBatch() throws InterruptedException {
        ring = new EntryRing(new RingConfig(8, 1024, false, 2));
        ring.put(numbers(0, 2));

        assertThat(numbersOf(full(ALL))).containsExactly(0, 1);
    }

    @Test
    void aConfigWithinSoManyBytesLetsTheSameShareWait() {
        RingConfig large = new RingConfig(1 << 16, 1024, true, 1 << 14);

        assertThat(large.within(1L << 40)).isEqualTo(large);
        assertThat(large.within(48 << 20)).isEqualTo(new RingConfig(1 << 15, 1024, true, 1 << 13));
        assertThat(large.within(3000)).isEqualTo(new RingConfig(2, 1024, true, 1));
        assertThat(large.within(10)).isEqualTo(new RingConfig(1, 1024, true, 1));
        assertThat(RingConfig.DEFAULT.within(8 << 20)).isEqualTo(RingConfig.DEFAULT);
        RingConfig set = new RingConfig(1 << 14, 1 << 16, true); // 1 GiB, as an operator may want it
        assertThat(set.within(16 << 20)).isEqualTo(set);
        assertThat(RingConfig.growing(false).within(16 << 20)).isEqualTo(new RingConfig(1 << 14, 1024, false, 1 << 13));
        assertThatThrownBy(() -> new RingConfig(8, 1024, false, 16)).hasMessageContaining("16 of 8 slots");
        assertThatThrownBy(() -> new RingConfig(8, 1024, false, 3)).hasMessageContaining("3 of 8 slots");
    }

    @Test
    void closeCallsWhoseOfferDidNotFit() {
        AtomicInteger calls = new AtomicInteger();
        ring.offer(numbers(0, 9), 0, calls::incrementAndGet);

        ring.close();

        assertThat(calls).hasValue(1);
        assertThatThrownBy(() -> ring.offer(numbers(8, 9), 0, calls::incrementAndGet))
                .isInstanceOf(StoreClosedException.class);
    }

    @Test
    void anEntryLargerThanTheRingPassesAlone() throws Exception {
        ring = new EntryRing(new RingConfig(4, 10, false));
        Future<?> put = others.submit(() -> {
            ring.put(List.of(sized(0, 1), sized(1, 1000), sized(2, 1)));
            return null;
        });

        for (int number = 0; number < 3; number++) {
            Batch batch = awaitBatch(ALL, Readiness.ANY);
            assertThat(numbersOf(batch)).containsExactly(number);
            ring.ack(batch);
        }
        put.get(30, SECONDS);
    }

    @Test
    void thereIsRoomForWhatFitsAndForAnythingIfAllIsAcked() throws InterruptedException {
        assertThat(ring.awaitRoom(Long.MAX_VALUE / 2, Duration.ZERO)).isTrue();
        ring.put(List.of(sized(0, 5000)));

        assertThat(ring.awaitRoom(8 * 1024 - 5000, Duration.ZERO)).isTrue();
        assertThat(ring.awaitRoom(8 * 1024 - 4999, Duration.ofMillis(1))).isFalse();
    }

    @Test
    void anAckEndsTheWaitForRoom() throws Exception {
        ring.put(List.of(sized(0, 5000)));
        Batch batch = get(ALL);
        Semaphore changes = changes();
        Future<Boolean> room = others.submit(() -> ring.awaitRoom(100_000, Duration.ofMinutes(10)));
        awaitWait(changes);

        ring.ack(batch);

        assertThat(room.get(30, SECONDS)).isTrue();
    }

    @Test
    void closeEndsTheWaitForRoom() throws InterruptedException {
        ring.put(List.of(sized(0, 5000)));
        Semaphore changes = changes();
        Future<Boolean> room = others.submit(() -> ring.awaitRoom(100_000, Duration.ofMinutes(10)));
        awaitWait(changes);

        ring.close();

        assertThatThrownBy(() -> room.get(30, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreClosedException.class);
    }

    @Test
    void holdsMoreBytesThanFitAnInt() throws InterruptedException {
        ring = new EntryRing(new RingConfig(4, Integer.MAX_VALUE, false));
        ring.put(List.of(
                sized(0, Integer.MAX_VALUE), sized(1, Integer.MAX_VALUE), sized(2, Integer.MAX_VALUE), sized(3, 1)));

        assertThat(numbersOf(get(BatchLimit.bytes(1L + Integer.MAX_VALUE)))).containsExactly(0, 1);
        assertThat(ring.stats().put().bytes()).isEqualTo(3L * Integer.MAX_VALUE + 1);
    }

    @Test
    void aFullBatchIsReadyWhenItsLastEntryIsPut() throws InterruptedException {
        BatchLimit four = BatchLimit.entries(4);
        ring.put(numbers(0, 3));
        assertThat(ring.getIfReady(four, Readiness.FULL)).isNull();

        ring.put(numbers(3, 5));

        assertThat(numbersOf(full(four))).containsExactly(0, 1, 2, 3);
        assertThat(ring.getIfReady(four, Readiness.FULL)).isNull();
        assertThat(numbersOf(get(four))).containsExactly(4);
    }

    @Test
    void aGetForAnyEntryIsContentWithOne() throws InterruptedException {
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();

        ring.put(numbers(0, 1));

        assertThat(numbersOf(get(ALL))).containsExactly(0);
    }

    @Test
    void aRingFullOfSlotsIsAFullBatch() throws InterruptedException {
        ring.put(numbers(0, 8));

        assertThat(numbersOf(full(ALL))).hasSize(8);
    }

    @Test
    void aRingFullOfBytesIsAFullBatch() throws Exception {
        ring = new EntryRing(new RingConfig(8, 10, false));
        Future<?> put = others.submit(() -> {
            ring.put(List.of(sized(0, 50), sized(1, 50)));
            return null;
        });

        Batch first = awaitBatch(BatchLimit.bytes(1000), Readiness.FULL);
        assertThat(numbersOf(first)).containsExactly(0);
        ring.ack(first);
        put.get(30, SECONDS);
        assertThat(numbersOf(get(BatchLimit.bytes(1000)))).containsExactly(1);
    }

    @Test
    void closeEndsAPutThatWaits() throws InterruptedException {
        ring.put(numbers(0, 8));
        Semaphore changes = changes();
        Future<?> put = others.submit(() -> {
            ring.put(numbers(8, 9));
            return null;
        });
        awaitWait(changes);

        ring.close();

        assertThatThrownBy(() -> put.get(30, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(StoreClosedException.class);
    }

    @Test
    void closeTellsAConsumerThatWaits() {
        AtomicInteger changes = new AtomicInteger();
        ring.onChange(changes::incrementAndGet);

        ring.close();

        assertThat(changes).hasValue(1);
        assertThatThrownBy(() -> ring.getIfReady(ALL, Readiness.ANY)).isInstanceOf(StoreClosedException.class);
    }

    @Test
    void tellsAConsumerOfEachPutGateAndRollback() throws InterruptedException {
        AtomicInteger changes = new AtomicInteger();
        ring.onChange(changes::incrementAndGet);

        ring.put(numbers(0, 3));
        assertThat(changes).hasValue(1);
        ring.offer(numbers(3, 5), 0, () -> {});
        assertThat(changes).hasValue(2);
        ring.setGate(new TestGate());
        assertThat(changes).hasValue(3);
        ring.rollback();
        assertThat(changes).hasValue(4);
    }

    /** None of the three puts anything, so the consumer would wait for an ack that only follows its own get. */
    @Test
    void tellsAConsumerThatWaitsForAFullBatchThatAPutWaits() throws Exception {
        Semaphore changes = waitForAFullBatch();
        Future<?> put = others.submit(() -> {
            ring.put(List.of(sized(1, 50)));
            return null;
        });

        assertFullAfterAChange(changes);
        put.get(30, SECONDS);
    }

    @Test
    void tellsAConsumerThatWaitsForAFullBatchThatAnOfferDoesNotFit() throws InterruptedException {
        Semaphore changes = waitForAFullBatch();
        assertThat(ring.offer(List.of(sized(1, 50)), 0, () -> {})).isZero();

        assertFullAfterAChange(changes);
    }

    @Test
    void tellsAConsumerThatWaitsForAFullBatchThatAProducerWaitsForRoom() throws Exception {
        Semaphore changes = waitForAFullBatch();
        Future<Boolean> room = others.submit(() -> ring.awaitRoom(50, Duration.ofMinutes(1)));

        assertFullAfterAChange(changes);
        assertThat(room.get(30, SECONDS)).isTrue();
    }

    /** Puts 50 of 80 bytes, which is no full batch. The result has a permit for each change that follows. */
    private Semaphore waitForAFullBatch() throws InterruptedException {
        ring = new EntryRing(new RingConfig(8, 10, false));
        ring.put(List.of(sized(0, 50)));
        Semaphore changes = changes();
        assertThat(ring.getIfReady(ALL, Readiness.FULL)).isNull();
        return changes;
    }

    /** Has a permit for each change that follows. */
    private Semaphore changes() {
        Semaphore changes = new Semaphore(0);
        ring.onChange(changes::release);
        return changes;
    }

    /** Returns when a producer waits, which it tells under the lock of the ring. */
    private static void awaitWait(Semaphore changes) throws InterruptedException {
        assertThat(changes.tryAcquire(30, SECONDS)).as("a change").isTrue();
    }

    private void assertFullAfterAChange(Semaphore changes) throws InterruptedException {
        awaitWait(changes);
        Batch batch = full(ALL);
        assertThat(numbersOf(batch)).containsExactly(0);
        ring.ack(batch);
    }

    @Test
    void countsEntriesBytesAndRows() throws InterruptedException {
        ring.put(List.of(sized(1, 10), sized(2, 20), sized(3, 30)));
        ring.ack(get(BatchLimit.entries(1)));
        get(BatchLimit.entries(1));

        assertThat(ring.stats())
                .isEqualTo(new StoreStats(
                        new StoreProgress(3, 60, 6, 3000),
                        new StoreProgress(2, 30, 4, 2000),
                        new StoreProgress(1, 10, 2, 1000),
                        3000,
                        2000,
                        Duration.ZERO,
                        new RingConfig(8, 1024, false)));
        assertThat(ring.stats().capacityEntries()).isEqualTo(8);
        assertThat(ring.stats().capacityBytes()).isEqualTo(8192);
    }

    /** Whatever the order of calls, what is acked is a prefix of what was put: nothing lost, doubled or reordered. */
    @ParameterizedTest
    @MethodSource("seeds")
    void acksAPrefixOfWhatWasPut(long seed) throws InterruptedException {
        Random random = new Random(seed);
        RingConfig config = randomConfig(random, 7);
        ring = new EntryRing(config);
        List<Batch> open = new ArrayList<>();
        List<Batch> stale = new ArrayList<>();
        List<Integer> acked = new ArrayList<>();
        List<Long> rowsThrough = new ArrayList<>(List.of(0L));
        int put = 0;
        for (int step = 0; step < 3000; step++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    Entry entry = randomEntry(random, put);
                    StoreStats stats = ring.stats();
                    if (fits(config, stats, entry)) {
                        ring.put(List.of(entry));
                        rowsThrough.add(rowsThrough.get(put) + entry.rowCount());
                        put++;
                    }
                }
                case 2, 3 -> {
                    Batch batch = ring.getIfReady(randomLimit(random), Readiness.ANY);
                    if (batch != null) {
                        open.add(batch);
                    }
                }
                case 4 -> {
                    if (!open.isEmpty()) {
                        int upTo = random.nextInt(open.size());
                        ring.ack(open.get(upTo));
                        List<Batch> done = open.subList(0, upTo + 1);
                        done.forEach(batch -> acked.addAll(numbersOf(batch)));
                        done.clear();
                    }
                }
                default -> {
                    if (random.nextInt(10) == 0) {
                        ring.rollback();
                        stale.addAll(open);
                        open.clear();
                    }
                    for (Batch batch : stale) {
                        ackStale(batch);
                    }
                }
            }
            assertThat(ring.stats().acked().entries()).isEqualTo(acked.size());
            for (StoreProgress progress :
                    List.of(ring.stats().put(), ring.stats().got(), ring.stats().acked())) {
                assertThat(progress.rows()).isEqualTo(rowsThrough.get((int) progress.entries()));
            }
        }
        assertThat(acked)
                .containsExactlyElementsOf(
                        IntStream.range(0, acked.size()).boxed().toList());
    }

    private void ackStale(Batch batch) {
        long before = ring.stats().acked().entries();
        try {
            ring.ack(batch);
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageContaining("was rolled back");
        }
        assertThat(ring.stats().acked().entries()).isEqualTo(before);
    }

    @Test
    void theTimeIsCountedInWhichThereIsNoRoom() throws InterruptedException {
        HandTime time = new HandTime();
        ring = new EntryRing(new RingConfig(8, 1024, false), time);
        List<Entry> entries = numbers(0, 9);
        assertThat(ring.offer(entries, 0, () -> {})).isEqualTo(8);
        time.pass(Duration.ofNanos(30));
        assertThat(ring.offer(entries, 8, () -> {})).isEqualTo(8);
        time.pass(Duration.ofNanos(12));
        assertThat(ring.level()).isEqualTo(new StoreLevel(8, 0, 0, 0, Duration.ofNanos(42)));
        assertThat(ring.stats().waited()).isEqualTo(Duration.ofNanos(42));

        ring.ack(get(BatchLimit.entries(2)));
        time.pass(Duration.ofNanos(100));

        assertThat(ring.offer(entries, 8, () -> {})).isEqualTo(9);
        assertThat(ring.level()).isEqualTo(new StoreLevel(9, 2, 2, 4, Duration.ZERO));
        assertThat(ring.awaitRoom(1 << 20, Duration.ZERO)).as("no wait").isFalse();
        assertThat(ring.stats().waited()).isEqualTo(Duration.ofNanos(42));
    }

    @Test
    void theOldestEntriesThatWaitAreKnown() throws InterruptedException {
        assertThat(ring.stats().oldestToAckMillis()).isZero();
        List<Entry> entries = numbers(0, 3);
        ring.put(entries);

        Batch first = get(BatchLimit.entries(2));

        assertThat(ring.stats().oldestToGetMillis()).isEqualTo(entries.get(2).executeTimeMillis());
        assertThat(ring.stats().oldestToAckMillis()).isEqualTo(entries.get(0).executeTimeMillis());
        ring.ack(first);
        assertThat(ring.stats().oldestToAckMillis()).isEqualTo(entries.get(2).executeTimeMillis());
        ring.ack(get(ALL));
        assertThat(ring.stats().oldestToGetMillis()).isZero();
        assertThat(ring.stats().oldestToAckMillis()).isZero();
    }

    @Test
    void anEntryThatCannotBeReadCountsForNothing() throws InterruptedException {
        ring.put(List.of(NumberedEntry.of(1), new Unreadable(NumberedEntry.of(2)), NumberedEntry.of(3)));
        get(BatchLimit.entries(2));

        assertThat(ring.stats().put().rows()).isEqualTo(4);
        assertThat(ring.stats().got().rows()).isEqualTo(2);
    }

    /** One whose bytes are damaged. */
    private record Unreadable(NumberedEntry whole) implements ImageEntry {
        @Override
        public EntryKind kind() {
            return whole.kind();
        }

        @Override
        public EventType eventType() {
            return whole.eventType();
        }

        @Override
        public String schemaName() {
            return whole.schemaName();
        }

        @Override
        public String tableName() {
            return whole.tableName();
        }

        @Override
        public long executeTimeMillis() {
            return whole.executeTimeMillis();
        }

        @Override
        public int rowCount() {
            throw new IllegalArgumentException("its bytes are damaged");
        }

        @Override
        public int sizeBytes() {
            return whole.sizeBytes();
        }

        @Override
        public boolean isBoundary() {
            return whole.isBoundary();
        }

        @Override
        public Cursor cursor() {
            return whole.cursor();
        }

        @Override
        public ChangeId changeId() {
            throw new IllegalArgumentException("its bytes are damaged, and it has the number of rows");
        }
    }

    private static boolean fits(RingConfig config, StoreStats stats, Entry entry) {
        StoreProgress put = stats.put();
        long unacked = put.entries() - stats.acked().entries();
        long unackedBytes = put.bytes() - stats.acked().bytes() + entry.sizeBytes();
        long waiting = put.entries() - stats.got().entries();
        long waitingBytes = put.bytes() - stats.got().bytes() + entry.sizeBytes();
        return unacked == 0
                || (unacked < config.slots()
                        && unackedBytes <= config.capacityBytes()
                        && waiting < config.waitingSlots()
                        && waitingBytes <= config.waitingBytes());
    }

    private static RingConfig randomConfig(Random random, int slotBits) {
        int slots = 1 << random.nextInt(slotBits);
        int waiting = random.nextBoolean() ? slots : Integer.highestOneBit(1 + random.nextInt(slots));
        return new RingConfig(slots, 1 + random.nextInt(40), random.nextBoolean(), waiting);
    }

    /** What is acked is a prefix of what was put, also with a parser that puts lists of any length while a reader gets, acks and rolls back. */
    @ParameterizedTest
    @MethodSource("seeds")
    void acksAPrefixWhileAnotherThreadPuts(long seed) throws Exception {
        Random random = new Random(seed);
        int total = 20_000;
        ring = new EntryRing(randomConfig(random, 10));
        long putSeed = random.nextLong();
        Future<?> put = others.submit(() -> {
            Random sizes = new Random(putSeed);
            for (int next = 0; next < total; ) {
                List<Entry> list = new ArrayList<>();
                for (int length = 1 + sizes.nextInt(300); length > 0 && next < total; length--) {
                    list.add(randomEntry(sizes, next++));
                }
                if (sizes.nextBoolean()) {
                    ring.put(list);
                } else {
                    offerAll(list);
                }
            }
            return null;
        });

        List<Batch> open = new ArrayList<>();
        List<Integer> acked = new ArrayList<>();
        while (acked.size() < total) {
            Batch batch = ring.getIfReady(randomLimit(random), random.nextBoolean() ? Readiness.FULL : Readiness.ANY);
            if (batch != null) {
                open.add(batch);
            }
            if (random.nextInt(20) == 0) {
                ring.rollback();
                open.clear();
            } else if (!open.isEmpty() && random.nextInt(3) > 0) {
                Batch oldest = open.remove(0);
                ring.ack(oldest);
                acked.addAll(numbersOf(oldest));
            }
        }

        put.get(30, SECONDS);
        assertThat(acked)
                .containsExactlyElementsOf(IntStream.range(0, total).boxed().toList());
    }

    private void offerAll(List<Entry> list) throws InterruptedException {
        Semaphore room = new Semaphore(0);
        for (int next = ring.offer(list, 0, room::release);
                next < list.size();
                next = ring.offer(list, next, room::release)) {
            room.acquire();
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 40);
    }

    private static BatchLimit randomLimit(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> BatchLimit.entries(1 + random.nextInt(50));
            case 1 -> BatchLimit.bytes(1 + random.nextInt(500));
            default -> BatchLimit.entries(1 + random.nextInt(50), 1 + random.nextInt(500));
        };
    }

    private static Entry randomEntry(Random random, int number) {
        EntryKind kind = random.nextInt(20) == 0 ? EntryKind.DDL : EntryKind.ROWS;
        int size = random.nextInt(50) == 0 ? 5000 : 1 + random.nextInt(60);
        return new NumberedEntry(number, kind, size, false);
    }

    private static NumberedEntry sized(int number, int bytes) {
        return NumberedEntry.sized(number, bytes);
    }

    private static NumberedEntry ddl(int number) {
        return NumberedEntry.of(number, EntryKind.DDL);
    }

    private static List<Entry> numbers(int from, int to) {
        return IntStream.range(from, to).<Entry>mapToObj(NumberedEntry::of).toList();
    }

    private static List<Integer> numbersOf(Batch batch) {
        return batch.entries().stream()
                .map(entry -> Objects.requireNonNull((NumberedEntry) entry).number())
                .toList();
    }

    /** Closed until it is opened; then it stops at the entries it was given. */
    private static final class TestGate implements StoreGate {
        private volatile boolean open;
        private volatile boolean openAgain;
        private volatile int before = Integer.MAX_VALUE;
        private volatile int after = Integer.MAX_VALUE;
        private final List<Integer> firsts = new ArrayList<>();
        private final List<Integer> acked = new ArrayList<>();

        @Override
        public void acked(List<Entry> entries) {
            entries.forEach(entry -> acked.add(((NumberedEntry) entry).number()));
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public boolean isOpenAgain() {
            return openAgain;
        }

        @Override
        public boolean inspectsEntries() {
            return true;
        }

        @Override
        public Verdict judge(Entry entry, boolean isFirst) {
            int number = ((NumberedEntry) entry).number();
            if (isFirst) {
                firsts.add(number);
            }
            if (number >= before) {
                return Verdict.CLOSE_BEFORE;
            }
            return number >= after ? Verdict.STOP_AFTER : Verdict.PASS;
        }
    }

    @Test
    void handsOutOnceMoreWhatWasHandedOutBeforeItsGateClosedIfTheGateAllowsThat() throws InterruptedException {
        TestGate gate = new TestGate();
        gate.open = true;
        ring.setGate(gate);
        ring.put(numbers(0, 4));
        get(BatchLimit.entries(3));
        ring.rollback();
        assertThat(numbersOf(get(BatchLimit.entries(1)))).containsExactly(0);
        ring.rollback();
        gate.open = false;

        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();
        gate.openAgain = true;

        assertThat(numbersOf(get(ALL)))
                .as("all that was handed out at any time, and no more")
                .containsExactly(0, 1, 2);
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();
    }

    @Test
    void doesNotHandOutTheEntryBeforeWhichItsGateClosedNotEvenAfterARollback() throws InterruptedException {
        TestGate gate = new TestGate();
        gate.open = true;
        gate.before = 2;
        ring.setGate(gate);
        ring.put(numbers(0, 4));
        assertThat(numbersOf(get(ALL))).containsExactly(0, 1);
        gate.open = false;
        gate.openAgain = true;
        gate.before = Integer.MAX_VALUE;

        ring.rollback();

        assertThat(numbersOf(get(ALL))).containsExactly(0, 1);
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();
    }

    @Test
    void handsOutNothingWhileItsGateIsClosedAndWakesItsReaderWhenItOpens() throws InterruptedException {
        TestGate gate = new TestGate();
        AtomicInteger changes = new AtomicInteger();
        ring.setGate(gate);
        ring.put(numbers(0, 3));
        ring.onChange(changes::incrementAndGet);

        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();
        gate.open = true;
        ring.gateChanged();

        assertThat(changes.get()).isEqualTo(1);
        assertThat(numbersOf(get(ALL))).containsExactly(0, 1, 2);
    }

    @Test
    void tellsItsGateOfEachEntryOnceAlsoOfBatchesThatWereAckedWithANewerOne() throws InterruptedException {
        TestGate gate = new TestGate();
        gate.open = true;
        ring.setGate(gate);
        ring.put(numbers(0, 7));
        BatchLimit two = BatchLimit.entries(2);
        Batch first = get(two);
        Batch second = get(two);
        Batch third = get(two);

        ring.ack(second);
        assertThat(gate.acked).containsExactly(0, 1, 2, 3);
        ring.ack(first);
        ring.ack(second);
        ring.rollback();
        assertThat(gate.acked).containsExactly(0, 1, 2, 3);
        assertThatThrownBy(() -> ring.ack(third)).isInstanceOf(IllegalStateException.class);
        ring.ack(get(ALL));

        assertThat(gate.acked).containsExactly(0, 1, 2, 3, 4, 5, 6);
    }

    @Test
    void endsBatchesWhereItsGateStops() throws InterruptedException {
        TestGate gate = new TestGate();
        gate.open = true;
        gate.after = 1;
        ring.setGate(gate);
        ring.put(numbers(0, 5));

        assertThat(numbersOf(get(ALL))).containsExactly(0, 1);
        gate.after = Integer.MAX_VALUE;
        gate.before = 3;
        assertThat(numbersOf(get(ALL))).containsExactly(2);
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();
        assertThat(ring.getIfReady(ALL, Readiness.ANY)).isNull();
        gate.before = Integer.MAX_VALUE;
        assertThat(numbersOf(get(ALL))).containsExactly(3, 4);
    }

    @Test
    void tellsItsGateWhereTransactionsBeginAlsoAfterARollback() throws InterruptedException {
        TestGate gate = new TestGate();
        gate.open = true;
        ring.setGate(gate);
        ring.put(List.of(
                NumberedEntry.of(0, EntryKind.BEGIN),
                NumberedEntry.of(1),
                NumberedEntry.of(2, EntryKind.END),
                NumberedEntry.of(3, EntryKind.DDL),
                NumberedEntry.of(4, EntryKind.BEGIN),
                NumberedEntry.of(5)));

        ring.ack(get(BatchLimit.entries(2)));
        get(ALL);
        assertThat(gate.firsts).containsExactly(0, 3, 4);
        ring.rollback();
        gate.firsts.clear();
        ring.ack(get(BatchLimit.entries(1)));
        get(ALL);

        assertThat(gate.firsts).containsExactly(3, 4);
    }
}
