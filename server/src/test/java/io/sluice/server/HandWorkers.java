package io.sluice.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Workers that run what they are given when the test says so, in its thread. */
public final class HandWorkers extends EndlessExecutor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Whether there is nothing to run. */
    public boolean isIdle() {
        return tasks.isEmpty();
    }

    /** Runs what it was given, and what that gives it. */
    public void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
