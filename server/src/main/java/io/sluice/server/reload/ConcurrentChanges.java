package io.sluice.server.reload;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes changes of several destinations at the same time: one whose broker does not answer takes none of the time of the others. */
final class ConcurrentChanges {
    private static final Logger LOG = LoggerFactory.getLogger(ConcurrentChanges.class);

    private ConcurrentChanges() {}

    /**
     * Makes changes, begins them in their order, and waits until all are made. If its thread is interrupted, all of those that are under way are. If one
     * of them throws, so does this, when the others are made.
     *
     * @param changes of a destination each
     * @param limit how many are under way at a time, at most
     */
    static void run(List<Runnable> changes, int limit) {
        Queue<Runnable> left = new ConcurrentLinkedQueue<>(changes);
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> helpers = new ArrayList<>();
        try {
            while (helpers.size() + 1 < Math.min(limit, changes.size())) {
                Thread helper = new Thread(() -> runAll(left, failures), "reload-" + (helpers.size() + 1));
                helper.setDaemon(true);
                helper.start();
                helpers.add(helper);
            }
        } catch (OutOfMemoryError e) {
            LOG.debug("no more threads can be started, those that are there make all changes of a reload", e);
        }
        runAll(left, failures);
        boolean isInterrupted = false;
        for (Thread helper : helpers) {
            isInterrupted |= awaitEnd(helper, helpers);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        Throwable failure = failures.peek();
        if (failure instanceof Error error) {
            throw error;
        } else if (failure instanceof RuntimeException exception) {
            throw exception;
        }
    }

    private static void runAll(Queue<Runnable> left, Queue<Throwable> failures) {
        for (Runnable change = left.poll(); change != null; change = left.poll()) {
            try {
                change.run();
            } catch (RuntimeException | Error e) {
                failures.add(e);
            }
        }
    }

    /** Returns whether it was interrupted meanwhile. */
    private static boolean awaitEnd(Thread thread, List<Thread> all) {
        boolean isInterrupted = false;
        while (true) {
            try {
                thread.join();
                return isInterrupted;
            } catch (InterruptedException e) {
                isInterrupted = true;
                all.forEach(Thread::interrupt);
            }
        }
    }
}
