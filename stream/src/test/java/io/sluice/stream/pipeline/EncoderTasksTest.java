package io.sluice.stream.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testkit.time.HandTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class EncoderTasksTest {
    private final Queue<Runnable> work = new ArrayDeque<>();
    private final List<Thread> runBy = new ArrayList<>();

    private void task() {
        runBy.add(Thread.currentThread());
    }

    @Test
    void workersRunTheTasks() {
        new EncoderTasks(work::add, new HandTime()).execute(this::task);

        assertThat(runBy).isEmpty();
        assertThat(work).hasSize(1);
    }

    @Test
    void theCallerRunsWhatNoWorkerCanBeStartedFor() {
        EncoderTasks tasks = new EncoderTasks(
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                },
                new HandTime());

        tasks.execute(this::task);

        assertThat(runBy).containsExactly(Thread.currentThread());
    }

    /** The server ends: the encoders end before the instances would. */
    @Test
    void aPoolThatHasEndedIsReported() {
        EncoderTasks tasks = new EncoderTasks(
                task -> {
                    throw new RejectedExecutionException("ended");
                },
                new HandTime());

        assertThatThrownBy(() -> tasks.execute(this::task)).isInstanceOf(RejectedExecutionException.class);
        assertThat(runBy).isEmpty();
    }
}
