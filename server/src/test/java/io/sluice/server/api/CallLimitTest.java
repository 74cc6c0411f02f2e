package io.sluice.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.NullNode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallLimitTest {
    private static final ApiAnswer DONE = new ApiAnswer.Json(NullNode.getInstance());

    private final CallLimit limit = new CallLimit(2, 2, "too many checks");

    @Test
    void tooManyChecksAreRejectedUntilOneIsDone() throws Exception {
        CountDownLatch running = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService callers = Executors.newFixedThreadPool(2);
        try {
            Future<ApiAnswer> first = callers.submit(() -> limit.run(() -> held(running, end)));
            Future<ApiAnswer> second = callers.submit(() -> limit.run(() -> held(running, end)));
            assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> limit.run(() -> DONE))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.status()).isEqualTo(429));

            end.countDown();
            assertThat(first.get()).isSameAs(DONE);
            assertThat(second.get()).isSameAs(DONE);
            assertThat(limit.run(() -> DONE)).isSameAs(DONE);
        } finally {
            end.countDown();
            callers.shutdownNow();
        }
    }

    @Test
    void aCheckThatFailsEndsItsTurn() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> limit.run(() -> {
                        throw ApiException.badRequest("no");
                    }))
                    .hasMessage("no");
        }
        assertThat(limit.run(() -> DONE)).isSameAs(DONE);
    }

    private static ApiAnswer held(CountDownLatch running, CountDownLatch end) {
        running.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return DONE;
    }
}
