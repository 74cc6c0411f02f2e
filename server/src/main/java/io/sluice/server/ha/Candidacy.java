package io.sluice.server.ha;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The thread of one server's candidate for one destination: it makes the steps that the {@link Candidate} decides on.
 *
 * <p>The destination is run only while its lease is held, and started only when the former owner's lease is over. A lease
 * that was lost ends the service at once. Thread-safe.
 */
public final class Candidacy {
    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);

    private final String destination;
    private final Time time;
    private final Candidate candidate;
    private final Thread thread;

    @GuardedBy("this") private boolean woken;

    /**
     * Creates one whose thread is not started.
     *
     * @param candidate creates the candidate, given what to run when a step may be due before its time
     */
    public Candidacy(String destination, Time time, Function<Runnable, Candidate> candidate) {
        this.destination = destination;
        this.time = time;
        this.candidate = candidate.apply(this::wake);
        this.thread = new Thread(this::run, "candidate-" + destination);
    }

    public void start() {
        thread.start();
    }

    /** Competes for the destination from now on; until then it is only known that this server could run it. */
    public void want() {
        candidate.want();
    }

    /** Whether the destination should run here. */
    public boolean isWanted() {
        return candidate.isWanted();
    }

    /** Has it try at once to own the destination, and get its share, if a failure keeps it from that; returns whether one does. */
    public boolean retryNow() {
        return candidate.retryNow();
    }

    /** Since when no server is known to run the destination, though it should run here; empty if one is. */
    public Optional<Absence> absence() {
        return candidate.absence();
    }

    /** Whether it still makes steps; false when it has ended, or died by a failure. */
    public boolean isAlive() {
        return thread.isAlive();
    }

    /** Whether this server runs the destination. */
    public boolean isOwner() {
        return candidate.isOwner();
    }

    /**
     * Begins to stop the service in good order, and to leave the destination to others at once.
     *
     * @param limit how long what is in flight may take
     */
    public void beginClose(Duration limit) {
        candidate.close(limit);
    }

    /** Waits, after {@link #beginClose}, until the service has stopped and the destination is left to others. */
    public void awaitEnd() throws InterruptedException {
        thread.join();
    }

    private synchronized void wake() {
        woken = true;
        notifyAll();
    }

    private synchronized void await(Wait wait) throws InterruptedException {
        long end = time.nanos() + wait.longest().toNanos();
        while (wait.kind() == Wait.Kind.TIME ? !candidate.isClosing() : !woken) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - time.nanos() + 999_999);
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        woken = false;
    }

    private void run() {
        MDC.put("destination", destination);
        try {
            for (Wait wait = candidate.step(); wait.kind() != Wait.Kind.END; wait = candidate.step()) {
                await(wait);
            }
        } catch (InterruptedException e) {
            LOG.warn("a candidate was interrupted, it stops at once: instance={}", destination);
            candidate.abandon();
        } catch (Throwable e) { // the top of the thread
            LOG.error("a candidate died, the destination does not run here any more: instance={}", destination, e);
            candidate.abandon();
        }
    }
}
