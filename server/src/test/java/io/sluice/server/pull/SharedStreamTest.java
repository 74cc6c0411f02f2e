package io.sluice.server.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.filter.TableFilter;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several client ids that share the stream of a destination, in one thread and without time. */
class SharedStreamTest {
    private static final int ONE = 1001;
    private static final int OTHER = 1002;
    private static final int THIRD = 1003;
    private static final List<Integer> IDS = List.of(ONE, OTHER, THIRD);

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final EntryRing store = new EntryRing(new RingConfig(64, 1024, false));
    private final MemoryCursorStore cursors = new MemoryCursorStore();
    private final PullClients clients = new PullClients(
            "example",
            store,
            cursors,
            Runnable::run,
            timer,
            new ClientFilters("example", new TableFilter("", ""), cursors),
            new BatchNumbers(),
            3,
            () -> true);
    private final Map<Integer, Deque<PulledBatch>> held = new HashMap<>();
    private int put;

    @AfterEach
    void stop() {
        clients.close();
        timer.shutdownNow();
    }

    private void subscribe(int... ids) {
        for (int id : ids) {
            clients.subscribe(id, "");
            held.put(id, new ArrayDeque<>());
        }
    }

    private void put(int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            store.put(List.of(TestEntry.end(put++)));
        }
    }

    private static final class Answer implements PullAnswer {
        private PulledBatch batch = PulledBatch.NOTHING;

        @Override
        public boolean isWanted() {
            return true;
        }

        @Override
        public void batch(PulledBatch answered) {
            batch = answered;
        }

        @Override
        public void failed(PullException why) {
            throw why;
        }
    }

    private List<Long> get(int id, BatchLimit limit) {
        Answer answer = new Answer();
        Runnable unused = clients.get(new PullRequest(id, limit, BatchWait.NONE), answer);
        clients.sent(answer.batch);
        if (!answer.batch.isEmpty()) {
            held.get(id).add(answer.batch);
        }
        return offsets(answer.batch);
    }

    private List<Long> get(int id, int entries) {
        return get(id, BatchLimit.entries(entries));
    }

    private static List<Long> offsets(PulledBatch batch) {
        return batch.entries().stream().map(entry -> entry.changeId().offset()).toList();
    }

    private List<Long> ack(int id) {
        PulledBatch oldest = held.get(id).remove();
        clients.ack(id, oldest.id());
        return offsets(oldest);
    }

    private void rollback(int id) {
        held.get(id).clear();
        clients.rollback(id);
    }

    @Test
    void aRollbackOfOneClientLeavesTheBatchesOfOthersAsTheyAre() throws InterruptedException {
        subscribe(ONE, OTHER);
        put(4);
        get(ONE, 2);
        get(OTHER, 1);

        rollback(ONE);

        ack(OTHER);
        assertThat(store.stats().acked().entries())
                .as("what was given back is before it")
                .isZero();
        assertThat(get(ONE, 9)).containsExactly(0L, 1L);
        assertThat(get(ONE, 9)).containsExactly(3L);
        ack(ONE);
        assertThat(store.stats().acked().entries()).isEqualTo(3);
        assertThat(cursors.load(OTHER)).isEqualTo(TestEntry.end(2).cursor());
    }

    @Test
    void aClientThatUnsubscribesLeavesTheBatchesOfOthersAsTheyAre() throws InterruptedException {
        subscribe(ONE, OTHER);
        put(4);
        get(ONE, 2);
        get(OTHER, 1);

        clients.unsubscribe(ONE);

        ack(OTHER);
        assertThat(get(OTHER, 9)).containsExactly(0L, 1L);
        ack(OTHER);
        assertThat(store.stats().acked().entries()).isEqualTo(3);
    }

    @Test
    void whatWasGivenBackIsWithinTheLimitOfTheNextGet() throws InterruptedException {
        subscribe(ONE, OTHER);
        put(6);
        get(ONE, 5);
        get(OTHER, 1);
        rollback(ONE);

        assertThat(get(ONE, 2)).containsExactly(0L, 1L);
        int size = TestEntry.end(2).sizeBytes();
        assertThat(get(ONE, BatchLimit.bytes(size)))
                .as("with the entry that exceeds the limit")
                .containsExactly(2L, 3L);
        assertThat(get(ONE, BatchLimit.entries(9, 1))).containsExactly(4L);
        ack(ONE);
        assertThat(store.stats().acked().entries()).isEqualTo(2);
        ack(ONE);
        ack(OTHER);
        ack(ONE);
        assertThat(store.stats().acked().entries()).isEqualTo(6);
    }

    /** A row that changed twice would have its older values in the end. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatAClientHasGivenBackGoesToNoClientThatGotWhatFollows(boolean isAcked) throws InterruptedException {
        subscribe(ONE, OTHER, THIRD);
        put(4);
        get(ONE, 2);
        get(OTHER, 1);
        if (isAcked) {
            ack(OTHER);
        }
        Answer waiting = new Answer();
        Runnable unused = clients.get(new PullRequest(OTHER, BatchLimit.entries(1), BatchWait.FOR_EVER), waiting);
        assertThat(offsets(waiting.batch)).containsExactly(3L);

        rollback(ONE);

        assertThat(get(OTHER, 9)).isEmpty();
        assertThat(get(THIRD, 1)).as("has got nothing").containsExactly(0L);
        assertThat(get(ONE, 9)).containsExactly(1L);
    }

    @Test
    void aClientContinuesWithWhatFollowsWhileAnotherOneDoesNotTakeWhatItHasGivenBack() throws InterruptedException {
        subscribe(ONE, OTHER);
        put(3);
        get(ONE, 1);
        get(OTHER, 1);
        rollback(ONE);

        assertThat(get(OTHER, 1)).containsExactly(2L);
        ack(OTHER);
        ack(OTHER);
        assertThat(store.stats().acked().entries()).isZero();

        assertThat(get(ONE, 9)).containsExactly(0L);
        ack(ONE);
        assertThat(store.stats().acked().entries()).isEqualTo(3);
    }

    /** Its numbers are in the order in which it got them, and it acks by them. */
    @Test
    void whatAClientHasGivenBackThatUnsubscribesGoesToAnyClient() throws InterruptedException {
        subscribe(ONE, OTHER);
        put(2);
        get(ONE, 1);
        get(OTHER, 1);
        rollback(ONE);
        Answer waiting = new Answer();
        Runnable unused = clients.get(new PullRequest(OTHER, BatchLimit.entries(9), BatchWait.FOR_EVER), waiting);
        assertThat(waiting.batch.isEmpty()).isTrue();

        clients.unsubscribe(ONE);

        assertThat(offsets(waiting.batch)).containsExactly(0L);
        held.get(OTHER).add(waiting.batch);
        assertThat(ack(OTHER)).containsExactly(1L);
        assertThat(ack(OTHER)).containsExactly(0L);
        assertThat(store.stats().acked().entries()).isEqualTo(2);
    }

    @Test
    void aGetThatWaitsIsAnsweredByWhatAnotherClientGivesBack() throws InterruptedException {
        subscribe(ONE, OTHER, THIRD);
        put(2);
        get(ONE, 1);
        get(OTHER, 1);
        Answer waiting = new Answer();
        Runnable unused = clients.get(new PullRequest(THIRD, BatchLimit.entries(9), BatchWait.FOR_EVER), waiting);

        rollback(ONE);

        assertThat(offsets(waiting.batch)).containsExactly(0L);
    }

    /** canal's clients read a refused ack as the answer to their next get, which is executed, and connect again, which is a rollback. */
    @Test
    void aReconnectOfOneClientLeadsToNoRefusedAcks() throws InterruptedException {
        subscribe(ONE, OTHER);
        put(4);
        get(ONE, 1);
        get(OTHER, 1);
        rollback(ONE); // its process is started again
        get(ONE, 1);
        int refused = 0;

        for (int i = 0; i < 40; i++) {
            int id = i % 2 == 0 ? OTHER : ONE;
            put(1);
            try {
                ack(id);
                get(id, 1);
            } catch (PullException e) {
                refused++;
                get(id, 1); // sent with the ack
                rollback(id);
                get(id, 1);
            }
        }

        assertThat(refused).isZero();
        assertThat(store.stats().acked().entries()).isGreaterThanOrEqualTo(39);
    }

    /** Whatever the order of calls, each ack of an oldest batch is accepted, and what was acked, or is held by another client, is not handed out. */
    @ParameterizedTest
    @MethodSource("seeds")
    void eachEntryIsHandedOutUntilItIsAckedAndHeldByOneClientAtATime(long seed) throws InterruptedException {
        Random random = new Random(seed);
        boolean unsubscribes = seed % 2 == 0;
        subscribe(ONE, OTHER, THIRD);
        Set<Long> acked = new HashSet<>();
        Map<Integer, Long> newestAcked = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            int id = IDS.get(random.nextInt(3));
            switch (random.nextInt(10)) {
                case 0, 1, 2 -> put(Math.min(random.nextInt(4), 64 - unacked()));
                case 3, 4, 5 -> {
                    Set<Long> taken = taken(acked);
                    long newest = Math.max(newestAcked.getOrDefault(id, -1L), newestHeld(id));
                    List<Long> got = get(id, limit(random));
                    assertThat(got).noneMatch(taken::contains);
                    if (!unsubscribes) {
                        assertThat(got).as("after %s", newest).allMatch(offset -> offset > newest);
                    }
                }
                case 6, 7, 8 -> {
                    if (!held.get(id).isEmpty()) {
                        List<Long> now = ack(id);
                        acked.addAll(now);
                        newestAcked.merge(id, now.get(now.size() - 1), Math::max);
                    }
                }
                default -> giveBack(random, id, unsubscribes);
            }
            assertThat(store.stats().acked().entries()).isEqualTo(prefixOf(acked));
        }
        IDS.forEach(this::rollback);
        for (int id : IDS) {
            for (List<Long> rest = get(id, 7); !rest.isEmpty(); rest = get(id, 7)) {
                assertThat(rest).noneMatch(acked::contains);
                acked.addAll(ack(id));
            }
        }
        assertThat(acked).hasSize(put);
        assertThat(store.stats().acked().entries()).isEqualTo(put);
    }

    private long newestHeld(int id) {
        return held.get(id).stream()
                .flatMap(batch -> offsets(batch).stream())
                .mapToLong(offset -> offset)
                .max()
                .orElse(-1);
    }

    private int unacked() {
        return (int) (put - store.stats().acked().entries());
    }

    private static BatchLimit limit(Random random) {
        return random.nextBoolean()
                ? BatchLimit.entries(1 + random.nextInt(6))
                : BatchLimit.bytes(1 + random.nextInt(6 * TestEntry.end(4).sizeBytes()));
    }

    private void giveBack(Random random, int id, boolean unsubscribes) {
        if (unsubscribes && random.nextInt(3) == 0) {
            clients.unsubscribe(id);
            subscribe(id);
        } else if (random.nextBoolean() && !held.get(id).isEmpty()) {
            long oldest = held.get(id).element().id();
            held.get(id).clear();
            clients.rollback(id, oldest);
        } else {
            rollback(id);
        }
    }

    /** What must not be handed out. */
    private Set<Long> taken(Set<Long> acked) {
        Set<Long> taken = new HashSet<>(acked);
        held.values().forEach(batches -> batches.forEach(batch -> taken.addAll(offsets(batch))));
        return taken;
    }

    private static long prefixOf(Set<Long> acked) {
        long count = 0;
        while (acked.contains(count)) {
            count++;
        }
        return count;
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }
}
