package io.sluice.server.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;

/** A store with its clients, for the tests that extend it; cursors are in memory, and no server is read. */
abstract class PulledStore {
    static final int ONE = 1001;
    static final int OTHER = 1002;
    static final int THIRD = 1003;

    final ExecutorService workers = Executors.newFixedThreadPool(2);
    final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    final EntryRing store = new EntryRing(new RingConfig(64, 64, false));
    final FailingCursors cursors = new FailingCursors();
    final TableFilter tables = new TableFilter("configured\\..*", "");
    final ClientFilters filters = new ClientFilters("example", tables, cursors);
    final BatchNumbers numbers = new BatchNumbers();

    /** Whether this server owns the destination. */
    volatile boolean ours = true;

    /** Whether no thread can be started for the next task of a worker. */
    final AtomicBoolean isShortOfThreads = new AtomicBoolean();

    final PullClients clients =
            new PullClients("example", store, cursors, this::execute, timer, filters, numbers, 3, () -> this.ours);

    @AfterEach
    void stop() {
        clients.close();
        workers.shutdownNow();
        timer.shutdownNow();
    }

    private void execute(Runnable task) {
        if (isShortOfThreads.compareAndSet(true, false)) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        workers.execute(task);
    }

    /** The outcome of a get. */
    static final class Answer implements PullAnswer {
        volatile PulledBatch batch;
        volatile PullException failure;
        volatile boolean wanted = true;
        volatile RuntimeException defect;

        @Override
        public boolean isWanted() {
            if (defect != null) {
                throw defect;
            }
            return wanted;
        }

        @Override
        public void batch(PulledBatch answered) {
            batch = answered;
        }

        @Override
        public void failed(PullException why) {
            failure = why;
        }

        boolean isDone() {
            return batch != null || failure != null;
        }

        long[] offsets() {
            return batch.entries().stream()
                    .mapToLong(entry -> entry.changeId().offset())
                    .toArray();
        }
    }

    Answer get(int client, int entries, BatchWait wait) {
        Answer answer = new Answer();
        clients.get(new PullRequest(client, BatchLimit.entries(entries), wait), answer);
        return answer;
    }

    Answer get(int client, int entries) {
        Answer answer = get(client, entries, BatchWait.NONE);
        assertThat(answer.isDone()).isTrue();
        return answer;
    }

    void put(Entry... entries) throws InterruptedException {
        store.put(List.of(entries));
    }

    static Cursor at(long offset, long millis) {
        return new Cursor("db", 3306, new BinlogPosition("binlog.000001", offset), "", 1, millis);
    }
}
