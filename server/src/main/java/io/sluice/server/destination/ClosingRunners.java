package io.sluice.server.destination;

import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the destinations of a server for good, at the same time: one whose broker does not answer, or that an operator is changing, takes
 * none of the time of the others.
 */
public final class ClosingRunners {
    private static final Logger LOG = LoggerFactory.getLogger(ClosingRunners.class);

    private final List<DestinationRunner> runners;
    private final Time time;
    private final long deadline;
    private final Queue<String> problems = new ConcurrentLinkedQueue<>();

    /**
     * Ends nothing yet.
     *
     * @param limit how long all of them together may finish what is in flight, from now on
     */
    public ClosingRunners(List<DestinationRunner> runners, Duration limit, Time time) {
        this.runners = runners;
        this.time = time;
        this.deadline = time.nanos() + limit.toNanos();
    }

    /**
     * Ends them, and waits until all have ended. If its thread is interrupted, what is in flight is not waited for, but a change that is under way is.
     *
     * @return which of them did not end in good order, and why, an element each
     */
    public List<String> run() {
        runners.forEach(runner -> runner.beginClose(left()));
        List<DestinationRunner> withoutThread = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (DestinationRunner runner : runners) {
            Thread thread = new Thread(() -> close(runner), "close-" + runner.name());
            try {
                thread.start();
                threads.add(thread);
            } catch (OutOfMemoryError e) { // no thread can be started
                withoutThread.add(runner);
            }
        }
        withoutThread.forEach(this::close);
        boolean isInterrupted = false;
        for (Thread thread : threads) {
            isInterrupted |= awaitEnd(thread, threads);
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return List.copyOf(problems);
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

    private void close(DestinationRunner runner) {
        @Nullable Throwable failure;
        try {
            failure = runner.close(this::left);
        } catch (RuntimeException | Error e) { // the others, and what they share, are ended all the same
            LOG.error("an instance did not stop in good order: instance={}", runner.name(), e);
            failure = e;
        }
        addProblem(runner, failure);
        try {
            runner.writeLeftCursors();
        } catch (CursorException e) { // which is logged
            if (!(failure instanceof CursorException)) { // which has said so
                addProblem(runner, e);
            }
        } catch (RuntimeException | Error e) {
            LOG.error("an instance did not stop in good order: instance={}", runner.name(), e);
            addProblem(runner, e);
        }
    }

    private void addProblem(DestinationRunner runner, @Nullable Throwable failure) {
        if (failure != null) {
            problems.add("%s did not end in good order: %s"
                    .formatted(runner.name(), failure.getMessage() == null ? failure : failure.getMessage()));
        }
    }

    private Duration left() {
        return Duration.ofNanos(Math.max(0, deadline - time.nanos()));
    }
}
