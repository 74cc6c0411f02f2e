package io.sluice.testkit.time;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what a server or a source does: much longer than it ever takes, since a slow machine is no failure. */
public final class Waiting {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private Waiting() {}

    /** Begins a wait, as {@link Awaitility#await()} does. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(TIMEOUT);
    }

    /** Runs a task in a thread of its own, and returns when it has ended, or waits for a monitor, which the caller may hold. */
    public static Thread untilEndedOrBlocked(Runnable task) {
        Thread thread = new Thread(task, "meanwhile");
        thread.start();
        await().until(() -> !thread.isAlive() || thread.getState() == Thread.State.BLOCKED);
        return thread;
    }
}
