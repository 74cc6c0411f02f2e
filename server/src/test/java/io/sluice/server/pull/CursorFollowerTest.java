package io.sluice.server.pull;

import static io.sluice.server.pull.TestEntry.begin;
import static io.sluice.server.pull.TestEntry.end;
import static io.sluice.server.pull.TestEntry.rows;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.Subscription;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CursorFollowerTest extends PulledStore {
    private static final Cursor BACK = at(7, 50);

    /** The thread in which the stream goes back. */
    private volatile Thread back;

    @Test
    void theCursorsAdvanceWithTheStreamWhileThereIsNothingToHandOut() throws InterruptedException {
        clients.subscribe(ONE, "");
        put(begin(4), end(50));
        get(ONE, 2);
        get(ONE, 2);
        assertThat(cursors.load(ONE)).isNull();
        clients.ack(ONE, 1);
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(50);
        store.checkpoint(() -> end(700).cursor());

        get(ONE, 2);

        assertThat(cursors.load(ONE).position().offset()).isEqualTo(700);
    }

    /** Else they would be where the source has no binlog any more when the instance starts again. */
    @Test
    void theCursorsAdvanceWithTheStreamWhileNoClientAsks() {
        clients.start();
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "");
        store.checkpoint(() -> end(700).cursor());

        await().until(() -> cursors.load(ONE).position().offset() == 700);

        clients.unsubscribe(ONE);
        store.checkpoint(() -> end(900).cursor());
        await().until(() -> cursors.kept().get(0).cursor().position().offset() == 900);
        assertThat(cursors.subscriptions()).isEmpty();
    }

    @Test
    void theyDoNotPassWhatNoClientHasAcked() throws InterruptedException {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "");
        put(begin(4), end(50));
        store.checkpoint(() -> end(700).cursor());
        get(ONE, 1);

        clients.follow();
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(4);

        clients.ack(ONE, 1);
        clients.follow();
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(4);
        get(ONE, 1);
        clients.ack(ONE, 2);
        assertThat(cursors.load(ONE).position().offset()).isEqualTo(700);
    }

    /** Else the next start would begin at the cursor of an idle client, which the source has purged, and be a reset, too. */
    @Test
    void afterAResetTheCursorsOfClientsThatAreIdleMoveWithTheOthers() throws InterruptedException {
        store.begin(end(4).cursor());
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(begin(4), end(50));
        get(ONE, 1);
        clients.streamWasReset();
        store.checkpoint(() -> end(700).cursor());
        put(begin(800), end(900));

        clients.ack(ONE, 1);
        assertThat(cursors.load(OTHER).position().offset())
                .as("it does not pass what is not acked")
                .isEqualTo(4);
        get(ONE, 1);
        get(ONE, 1);
        clients.ack(ONE, 2);

        assertThat(cursors.load(ONE).position().offset()).isEqualTo(700);
        assertThat(cursors.load(OTHER).position().offset()).isEqualTo(700);
    }

    /** The instance started at the smallest of their cursors, which was purged. */
    @Test
    void afterAResetAtAStartTheCursorsOfAllClientsAreAtTheNewestPosition() throws InterruptedException {
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        cursors.save(ONE, end(50).cursor());
        cursors.save(OTHER, end(20).cursor());
        Cursor newest = end(700).cursor();
        store.begin(newest);
        cursors.begin(() -> newest);
        clients.streamWasReset();
        store.checkpoint(() -> newest);

        clients.follow();

        assertThat(cursors.subscriptions()).extracting(Subscription::cursor).containsExactly(newest, newest);

        put(begin(800), end(900));
        get(ONE, 2);
        clients.ack(ONE, 1);
        assertThat(cursors.subscriptions())
                .extracting(client -> client.cursor().position())
                .containsExactly(end(900).cursor().position(), end(900).cursor().position());
    }

    /** The host that was read before may come back, and a restart would begin there, after what has come again from the other one. */
    @Test
    void anAckDuringWhichTheStreamGoesBackSavesNoCursorAfterThat() throws InterruptedException {
        store.begin(at(4, 40));
        clients.subscribe(ONE, "");
        put(rows(20));
        get(ONE, 1);
        checkpointThatIsTakenWhileTheStreamGoesBack();

        clients.ack(ONE, 1);

        assertWentBack();
    }

    @Test
    void cursorsThatFollowTheStreamWhileItGoesBackAreNotAfterThat() throws InterruptedException {
        store.begin(at(4, 40));
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        checkpointThatIsTakenWhileTheStreamGoesBack();

        clients.follow();

        assertWentBack();
    }

    @Test
    void aClientThatSubscribesWhileTheStreamGoesBackDoesNotBeginAfterThat() throws InterruptedException {
        store.begin(at(4, 40));
        checkpointThatIsTakenWhileTheStreamGoesBack();

        clients.subscribe(ONE, "");

        assertWentBack();
        assertThat(cursors.written()).isEqualTo(cursors.subscriptions());
    }

    /** They are valid, but what they ack comes again. */
    @Test
    void batchesFromBeforeTheStreamWentBackAreAckedAndNoCursorIsAfterThat() throws InterruptedException {
        store.begin(at(4, 40));
        clients.subscribe(ONE, "");
        clients.subscribe(OTHER, "");
        put(end(20), end(30), end(50));
        get(ONE, 1);
        get(OTHER, 1);
        goBack();
        put(end(800));

        clients.ack(ONE, 1);
        clients.ack(OTHER, 1);
        assertThat(cursors.subscriptions()).extracting(Subscription::cursor).containsExactly(BACK, BACK);
        get(ONE, 1);
        get(OTHER, 1);
        clients.ack(ONE, 2);
        assertThat(cursors.load(ONE)).as("the last one of before").isEqualTo(BACK);
        clients.ack(OTHER, 2);
        assertThat(cursors.load(OTHER)).isEqualTo(end(800).cursor());
    }

    private void goBack() {
        store.goBack(BACK);
        cursors.goBack(BACK);
    }

    private void checkpointThatIsTakenWhileTheStreamGoesBack() {
        store.checkpoint(() -> {
            if (back == null) {
                back = Waiting.untilEndedOrBlocked(this::goBack);
            }
            return at(700, 60);
        });
    }

    private void assertWentBack() throws InterruptedException {
        back.join();
        assertThat(cursors.subscriptions()).extracting(Subscription::cursor).containsOnly(BACK);
    }

    @Test
    void thatNoThreadCanBeStartedForWhatFollowsTheStreamIsLoggedOncePerShortage() throws InterruptedException {
        List<Runnable> ticks = new ArrayList<>();
        ScheduledThreadPoolExecutor clock = new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long period, TimeUnit unit) {
                ticks.add(task);
                return schedule(() -> {}, 0, TimeUnit.SECONDS);
            }
        };
        AtomicBoolean isShort = new AtomicBoolean(true);
        Executor pool = task -> {
            if (isShort.get()) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        };
        try (LogLines log = LogLines.of(CursorFollower.class);
                PullClients idle =
                        new PullClients("example", store, cursors, pool, clock, filters, numbers, 3, () -> true)) {
            idle.start();
            assertThat(ticks).hasSize(1);
            ticks.get(0).run();
            ticks.get(0).run();
            assertThat(log.events()).singleElement().satisfies(event -> {
                assertThat(event.getLevel()).isEqualTo(Level.WARN);
                assertThat(event.getFormattedMessage())
                        .contains("cursors follow the stream later", "instance=example", "native thread");
            });

            isShort.set(false);
            ticks.get(0).run();
            isShort.set(true);
            ticks.get(0).run();
            assertThat(log.texts()).as("the next shortage").hasSize(2);
        } finally {
            clock.shutdownNow();
        }
    }
}
