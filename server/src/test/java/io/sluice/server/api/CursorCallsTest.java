package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.server.config.port.ControlRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CursorCallsTest {
    private final RecordingOperations operations = new RecordingOperations();
    private final List<Route> routes = new CursorCalls(operations).routes();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void close() {
        end.countDown();
        callers.shutdownNow();
    }

    /** Each may have a session in ZooKeeper, which refuses all of this host if there are too many. */
    @Test
    void someAskForCursorsAtOnceSomeWaitAndOthersAreRejected() throws Exception {
        Route show = routes.get(0);
        Semaphore begun = hold();
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < CursorCalls.SHOWN_AT_ONCE; i++) {
            start(show);
        }
        begun.acquire(CursorCalls.SHOWN_AT_ONCE);
        for (int i = CursorCalls.SHOWN_AT_ONCE; i < CursorCalls.MAX_SHOWN_OR_WAITING; i++) {
            waiting.add(start(show));
        }
        await().until(() -> waiting.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING));

        requireRejected(show);
        assertThat(begun.availablePermits())
                .as("those that wait have not begun")
                .isZero();

        end.countDown();
        begun.acquire(waiting.size());
    }

    @Test
    void tooManyChangesOfCursorsAreRejectedAndThoseWhoLookKeepNoneOut() throws Exception {
        Semaphore begun = hold();
        for (int i = 0; i < CursorCalls.SHOWN_AT_ONCE; i++) {
            start(routes.get(0));
        }
        begun.acquire(CursorCalls.SHOWN_AT_ONCE);
        List<Route> changes = routes.subList(1, routes.size());
        for (int i = 0; i < CursorCalls.CHANGES_AT_ONCE; i++) {
            start(changes.get(i % changes.size()));
        }
        begun.acquire(CursorCalls.CHANGES_AT_ONCE);

        changes.forEach(this::requireRejected);
    }

    @Test
    void theAnswerSaysWhyTheInstanceIsNotStartedAgain() {
        JsonNode answer = CursorCalls.json(List.of("SKIPPED all"), "no broker");

        assertThat(answer.path("lines"))
                .extracting(JsonNode::asText)
                .containsExactly("SKIPPED all", "the instance could not be started again: no broker");
        assertThat(answer.path("notStarted").asText()).isEqualTo("the instance could not be started again: no broker");
        assertThat(CursorCalls.json(List.of("SKIPPED all"), null).has("notStarted"))
                .isFalse();
    }

    /** Has calls wait that ask for the configuration, as they do before they open anything. */
    private Semaphore hold() {
        Semaphore begun = new Semaphore(0);
        operations.hold(begun, end);
        return begun;
    }

    /** The thread of a call that does not end before {@link #end}. */
    private Thread start(Route route) {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        callers.execute(() -> {
            thread.complete(Thread.currentThread());
            try {
                route.call().apply(request());
            } catch (UnsupportedOperationException e) {
                // there is no configuration
            }
        });
        return thread.join();
    }

    private void requireRejected(Route route) {
        assertThatThrownBy(() -> route.call().apply(request()))
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.status()).isEqualTo(429));
    }

    private static ApiRequest request() {
        return new ApiRequest(
                new Caller("an.administrator", ControlRole.ADMINISTRATOR, "127.0.0.1", ""),
                Map.of("destination", "shop"),
                Map.of(),
                JsonNodeFactory.instance.objectNode().put("position", "oldest"),
                () -> false);
    }
}
