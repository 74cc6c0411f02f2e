package io.sluice.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.control.ReloadReport;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands and looks while destinations are being changed. */
@Timeout(60)
class ClaimsTest extends ReloadedFiles {
    @Test
    void instancesAreStartedAndReloadedWhileAReloadWaitsForAnotherOne() throws Exception {
        try (Held held = changing("a")) {
            assertThat(reloads.<String>start("b", "a start of b", (config, wait) -> config.destination()))
                    .isEqualTo("b");
            assertThat(reloads.reload("b").changed()).containsExactly("b");

            assertThat(held.task).isNotDone();
        }
    }

    @Test
    void aCommandForAnInstanceThatIsBeingChangedIsGivenUpAndNotCarriedOutLater() throws Exception {
        AtomicBoolean isRun = new AtomicBoolean();
        try (Held held = changing("a")) {
            assertRefused(
                    () -> reloads.start("a", "a start of a", (config, wait) -> isRun.getAndSet(true)),
                    "a is being changed: by a reload, for 30 s");
            assertRefused(() -> reloads.reload("a"), "a is being changed: by a reload");
        }
        try (Held held = starting("b")) {
            assertRefused(() -> reloads.reload("b"), "b is being changed: by a start of b");
            assertRefused(() -> reloads.add("b"), "b is being changed: by a start of b");
        }

        assertThat(isRun).isFalse();
        assertThat(calls).filteredOn(call -> call.startsWith("change")).containsExactly("change a");
    }

    @Test
    void aStartIsCarriedOutWhenTheReloadOfItsInstanceHasEnded() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Held held = changing("a")) {
            Thread[] starter = new Thread[1];
            CountDownLatch isBegun = new CountDownLatch(1);
            Future<?> start = threads.submit(() -> {
                starter[0] = Thread.currentThread();
                isBegun.countDown();
                reloads.start("a", "a start of a", (config, wait) -> order.add("start"));
            });
            isBegun.await();
            Awaitility.await().until(() -> starter[0].getState() == Thread.State.TIMED_WAITING);
            order.add("reload ends");
            held.release();
            start.get();
        } finally {
            threads.shutdownNow();
        }

        assertThat(order).containsExactly("reload ends", "start");
    }

    @Test
    void anInstanceCanBeStartedAsSoonAsAReloadHasChangedItThoughOthersAreStillChanged() throws Exception {
        writeInstance("b", "canal.instance.filter.black.regex = unused\\\\.t");
        try (Held held = changing("a")) {
            Awaitility.await().until(() -> changedTo.containsKey("b"));
            assertThat(reloads.<String>start("b", "a start of b", (config, wait) -> config.destination()))
                    .isEqualTo("b");
            assertThatThrownBy(() -> reloads.start("b", "a start of b", (config, wait) -> {
                        throw new IllegalStateException("no room");
                    }))
                    .hasMessage("no room");

            assertThat(held.task).isNotDone();
        }
        assertThat(problems.get("a")).isNull();
    }

    /** It may read the same tables, or with the same replica id. */
    @Test
    void whatIsAddedWaitsForAnInstanceThatIsToBeRemovedAndIsBeingStarted() throws Exception {
        writeServer("canal.destinations = a, b");
        try (Held held = starting("b")) {
            Files.move(home.resolve("conf/b"), home.resolve("conf/renamed"));
            reloads.look();
            reloads.look();
            assertThat(calls).isEmpty();

            hurry.set(2);
            ReloadReport report = reloads.reload(null);
            assertThat(calls).isEmpty();
            assertThat(report.isComplete()).isFalse();
            assertThat(report.refused()).containsOnlyKeys("b", "renamed");
            assertThat(report.serverProblems())
                    .hasSize(2)
                    .allSatisfy(problem -> assertThat(problem).contains("is not in force yet"));
        }

        reloads.look();

        assertThat(calls).endsWith("remove b", "add renamed", "removed");
    }

    /** The renamed one must not be stopped without its successor. */
    @Test
    void whatIsRemovedWaitsWithWhatIsAddedForAnotherInstance() throws Exception {
        writeServer("canal.destinations = a, b");
        try (Held held = starting("a")) {
            writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
            Files.move(home.resolve("conf/b"), home.resolve("conf/renamed"));
            reloads.look();
            reloads.look();
            assertThat(calls).isEmpty();
        }
        reloads.look();
        assertThat(calls).endsWith("remove b", "change a", "add renamed", "removed");
    }

    /** Its tables may be those of the one that is changed now. */
    @Test
    void whatIsChangedWaitsWithWhatIsRemovedForAnotherInstance() throws Exception {
        writeInstance("c", "");
        reloads.reload(null);
        calls.clear();
        try (Held held = starting("c")) {
            writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
            Files.delete(home.resolve("conf/b/instance.properties"));
            reloads.look();
            reloads.look();
            assertThat(calls).isEmpty();
            assertThat(log.texts())
                    .anyMatch(line -> line.contains("the newest configuration of a is not in force yet"));
        }
        reloads.look();
        assertThat(calls).containsSubsequence("remove b", "change a", "removed");
    }

    /** It was removed with one table, which another one gets meanwhile. */
    @Test
    void whatIsAddedWaitsForTheRemovalOfOneThatIsAddedAgain() throws Exception {
        Files.delete(home.resolve("conf/b/instance.properties"));
        try (Held held = new Held(hold -> {
            whileChanged.put("b", hold);
            reloads.reload(null);
        })) {
            writeInstance("b", "");
            writeInstance("c", "");
            writeInstance("a", "canal.instance.filter.black.regex = unused\\\\.t");
            reloads.look();
            reloads.look();
            assertThat(calls).containsExactly("remove b");
        }
        reloads.look();
        assertThat(calls).contains("change a", "add b", "add c");
    }

    @Test
    void oneThatIsToBeAddedIsPendingWithTheReasonUntilItIsAddedOrNotConfiguredAnyMore() throws Exception {
        Files.delete(home.resolve("conf/b/instance.properties"));
        try (Held held = new Held(hold -> {
            whileChanged.put("b", hold);
            reloads.reload(null);
        })) {
            assertThat(pending).isEmpty();
            writeInstance("c", "");
            reloads.look();
            reloads.look();
            assertThat(pending).containsOnlyKeys("c");
            assertThat(pending.get("c"))
                    .contains("b is being changed: by a reload", "canal.auto.scan adds it")
                    .doesNotContain("repeat");
            writeInstance("b", "");
            hurry.set(2);
            assertThat(reloads.reload(null).isComplete()).isFalse();
            assertThat(pending).containsOnlyKeys("b", "c");
            assertThat(pending.get("c"))
                    .contains("by the last reload", "sluice.sh start c")
                    .doesNotContain("repeat");
            Files.delete(home.resolve("conf/c/instance.properties"));
            Files.delete(home.resolve("conf/c"));
            reloads.look();
            reloads.look();
            assertThat(pending).containsOnlyKeys("b");
        }
        assertThat(calls).doesNotContain("add b");

        reloads.look();

        assertThat(calls).contains("add b").doesNotContain("add c");
    }

    @Test
    void oneThatIsAddedAfterOthersOfTheSameReloadAreRemovedIsPendingMeanwhile() throws Exception {
        Files.delete(home.resolve("conf/b/instance.properties"));
        writeInstance("c", "");
        try (Held held = new Held(hold -> {
            whileChanged.put("b", hold);
            reloads.reload(null);
        })) {
            assertThat(pending).containsOnlyKeys("c");
            assertThat(calls).doesNotContain("add c");
        }
        reloads.reload(null);

        assertThat(pending).isEmpty();
    }

    /** It is in no list any more, and may read its source still. */
    @Test
    void whatIsAddedWaitsForAnInstanceThatIsBeingRemoved() throws Exception {
        Files.delete(home.resolve("conf/b/instance.properties"));
        try (Held held = new Held(hold -> {
            whileChanged.put("b", hold);
            reloads.reload(null);
        })) {
            writeInstance("c", "");
            reloads.look();
            reloads.look();
            assertThat(calls).containsExactly("remove b");
        }
        reloads.look();
        assertThat(calls).contains("add c");
    }

    @Test
    void aWrongFileOfAnInstanceThatIsBeingChangedIsReported() throws Exception {
        try (Held held = starting("a")) {
            writeInstance("a", "canal.instance.memory.buffer.size = many");
            hurry.set(2);
            ReloadReport report = reloads.reload(null);
            assertThat(report.isComplete()).isFalse();
            assertThat(report.refused()).containsOnlyKeys("a");
        }
    }

    @Test
    void theEndOfAReloadLeavesWhatALaterOneHasFoundToBeWrong() throws Exception {
        try (Held held = changing("a")) {
            writeInstance("c", "canal.instance.memory.buffer.size = many");
            reloads.reload("c");
            assertThat(invalid).containsOnlyKeys("c");
        }
        assertThat(invalid).containsOnlyKeys("c");
    }

    @Test
    void aLookLeavesAnInstanceThatIsBeingStartedAndTakesTheOthers() throws Exception {
        try (Held held = starting("a")) {
            String other = "canal.instance.filter.black.regex = unused\\\\.t";
            writeInstance("a", other);
            writeInstance("b", other);
            reloads.look();
            reloads.look();
            assertThat(calls).containsExactly("change b");
        }
        calls.clear();

        reloads.look();

        assertThat(calls).containsExactly("change a");
    }

    @Test
    void aReloadTakesOverTheOthersAndNamesAnInstanceThatIsBeingChangedForLong() throws Exception {
        try (Held held = starting("a")) {
            String other = "canal.instance.filter.black.regex = unused\\\\.t";
            writeInstance("a", other);
            writeInstance("b", other);
            hurry.set(2);

            ReloadReport report = reloads.reload(null);

            assertThat(report.changed()).containsExactly("b");
            assertThat(report.isComplete()).isFalse();
            assertThat(report.refused().get("a"))
                    .singleElement()
                    .asString()
                    .contains("a is being changed: by a start of a, for 30 s");
        }
        assertThat(reloads.reload(null).changed()).containsExactly("a");
    }

    @Test
    void theServerIsNotAskedToEndAfterARemovalWhileAnotherInstanceIsBeingStarted() throws Exception {
        try (Held held = starting("a")) {
            Files.delete(home.resolve("conf/b/instance.properties"));
            assertThat(reloads.reload("b").removed()).containsExactly("b");
            assertThat(calls).containsExactly("remove b");
        }

        assertThat(calls).endsWith("removed");
    }

    @Test
    void anInstanceThatIsThereMeanwhileIsNotAddedOnceMore() throws IOException {
        writeInstance("c", "canal.instance.memory.buffer.size = many");
        reloads.reload(null);
        writeInstance("c", "");

        assertThat(reloads.add("c").orElseThrow().added()).containsExactly("c");
        assertThat(reloads.add("c")).isEmpty();

        assertThat(calls).containsExactly("add c");
    }
}
