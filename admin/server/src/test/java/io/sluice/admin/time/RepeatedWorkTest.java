package io.sluice.admin.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RepeatedWorkTest {
    /** As when no thread can be started, for which the process does not end. */
    @Test
    void isDoneAgainAfterAnError() throws InterruptedException {
        Error failure = new OutOfMemoryError("unable to create native thread");
        CountDownLatch runs = new CountDownLatch(3);
        Queue<Throwable> logged = new ConcurrentLinkedQueue<>();
        RepeatedWork work = new RepeatedWork(
                () -> {
                    runs.countDown();
                    if (runs.getCount() > 0) {
                        throw failure;
                    }
                },
                logged::add);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try {
            var unused = timer.scheduleWithFixedDelay(work, 0, 1, TimeUnit.MILLISECONDS);

            assertThat(runs.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            timer.shutdownNow();
        }
        assertThat(logged).containsExactly(failure, failure);
    }
}
