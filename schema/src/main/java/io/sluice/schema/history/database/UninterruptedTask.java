package io.sluice.schema.history.database;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Runs tasks that an interrupt would break: it closes a file channel, which a driver may not recover from. */
final class UninterruptedTask {
    private UninterruptedTask() {}

    /**
     * Runs a task on a thread of its own, and waits until it has ended. An interrupt of the caller is kept for what comes after.
     *
     * @param name the thread's
     * @param onInterrupt called when the caller is interrupted, each time; the task is waited for nevertheless
     * @throws ExecutionException if the task fails
     */
    static <T> T run(String name, Callable<T> task, Runnable onInterrupt) throws ExecutionException {
        FutureTask<T> running = new FutureTask<>(task);
        Thread thread = new Thread(running, name);
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return running.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                    onInterrupt.run();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
