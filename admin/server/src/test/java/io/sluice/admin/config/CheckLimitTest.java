package io.sluice.admin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.problem.ProblemException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CheckLimitTest {
    private final CheckLimit limit = new CheckLimit(1, 1);

    @Test
    void aCheckIsRejectedWhileTooManyAreMadeAndRunsAfterwards() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService callers = Executors.newSingleThreadExecutor();
        try {
            Future<String> first = callers.submit(() -> limit.run(() -> {
                running.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                return "first";
            }));
            assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();

            assertThatThrownBy(() -> limit.run(() -> "second"))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("Too many configurations");

            end.countDown();
            assertThat(first.get()).isEqualTo("first");
            assertThat(limit.run(() -> "second")).isEqualTo("second");
        } finally {
            end.countDown();
            callers.shutdownNow();
        }
    }
}
