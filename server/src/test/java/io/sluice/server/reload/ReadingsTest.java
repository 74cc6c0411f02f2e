package io.sluice.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.server.control.CommandRejectedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that wait until the configuration is read. */
@Timeout(60)
class ReadingsTest extends ReloadedFiles {
    @Test
    void aCommandBehindALongReadingIsGivenUp() throws Exception {
        AtomicBoolean isRun = new AtomicBoolean();
        try (Held held = new Held(hold -> {
            whileRead = hold;
            reloads.look();
        })) {
            whileRead = () -> {};
            assertRefused(
                    () -> reloads.start("a", "a start of a", (config, wait) -> isRun.getAndSet(true)),
                    "the configuration is being read: by automatic scanning, for");
            assertRefused(() -> reloads.reload("a"), "the configuration is being read");
        }

        assertThat(isRun).isFalse();
        assertThat(reloads.reload("a").changed()).as("nothing is left of them").containsExactly("a");
    }

    @Test
    void aCommandWhoseOwnReadingTakesTooLongIsNotCarriedOut() throws Exception {
        writeInstance("a", "canal.instance.memory.buffer.size = 1024");
        whileRead = () -> time.passSeconds(26);

        assertThatThrownBy(() -> reloads.start("a", "a start of a", (config, wait) -> fail("it was run")))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("it took too long to read the configuration");
        assertThatThrownBy(() -> reloads.reload(null)).isInstanceOf(CommandRejectedException.class);

        assertThat(calls).isEmpty();
        whileRead = () -> {};
        assertThat(reloads.reload(null).changed()).as("it was not tried").containsExactly("a");
    }

    /** Of many instances at a slow admin server. */
    @Test
    void aReadingThatTakesLongerThanOthersAreWaitedForIsUsed() {
        whileRead = () -> time.passSeconds(24);

        assertThat(reloads.<String>start("a", "a start of a", (config, wait) -> config.destination()))
                .isEqualTo("a");
    }

    /** As when all instances are started at the same time. */
    @Test
    void commandsThatWaitForAReadingShareTheNextOne() throws Exception {
        AtomicInteger readings = new AtomicInteger();
        List<String> started = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(7);
        try (Held held = new Held(hold -> {
            whileRead = () -> {
                readings.incrementAndGet();
                hold.run();
            };
            reloads.start("a", "a start of a", (config, wait) -> started.add("a"));
        })) {
            whileRead = readings::incrementAndGet;
            List<Thread> waiting = new CopyOnWriteArrayList<>();
            List<Future<?>> starts = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                String name = "c" + i;
                writeInstance(name, "");
                starts.add(threads.submit(() -> {
                    waiting.add(Thread.currentThread());
                    reloads.start(name, "a start of " + name, (config, wait) -> started.add(name));
                }));
            }
            Awaitility.await()
                    .until(() -> waiting.size() == 7
                            && waiting.stream().allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING));
            held.release();
            for (Future<?> start : starts) {
                start.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(started).hasSize(8);
        assertThat(readings)
                .as("that of the first, and one for those that came meanwhile")
                .hasValue(2);
        whileRead = readings::incrementAndGet;
        reloads.start("a", "a start of a", (config, wait) -> true);
        assertThat(readings).as("a later one reads again").hasValue(3);
    }
}
