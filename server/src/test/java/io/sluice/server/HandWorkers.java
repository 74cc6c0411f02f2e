package io.sluice.server;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;

/** Workers that run what they are given when the test says so, in its thread. */
public final class HandWorkers extends EndlessExecutor {
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private volatile boolean isFull;

    @Override
    public void execute(Runnable task) {
        if (isFull) {
            throw new RejectedExecutionException("all are busy");
        }
        tasks.add(task);
    }

    /** Says whether it rejects what it is given. */
    public void setFull(boolean isFull) {
        this.isFull = isFull;
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
