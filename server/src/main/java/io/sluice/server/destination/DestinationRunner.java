package io.sluice.server.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.RestartPolicy;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.Outcome;
import io.sluice.server.ha.Absence;
import io.sluice.server.ha.Candidacies;
import io.sluice.server.instance.CursorHome;
import io.sluice.server.instance.FailureListener;
import io.sluice.server.instance.Instance;
import io.sluice.server.pace.Pace;
import io.sluice.store.cursor.CursorException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one destination as the configuration and the operator want it: alone, or as a candidate among other servers.
 *
 * <p>Thread-safe; what changes something waits until it is done. One lock guards the {@link InstanceStarts} and what changes the {@link Placement}. What is
 * read without it, as whether it is stopped, may change at once.
 */
public final class DestinationRunner {
    private static final Logger LOG = LoggerFactory.getLogger(DestinationRunner.class);

    /** How long what is in flight may take when an operator stops or restarts an instance. */
    public static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    private final InstanceSlot slot;
    private final DestinationPace pace;
    private final PendingRetry retry;
    private final CursorHome cursors;

    /** Changed while {@code changes} is held, except that {@link #beginClose} may come at any time. */
    private final Placement placement;

    private final RunPermission permission = new RunPermission();

    /** Held during changes, which an operator and the policy for failures may want at the same time. Fair: a start that came after a stop follows it. */
    private final ReentrantLock changes = new ReentrantLock(true);

    @GuardedBy("changes") private final InstanceStarts starts;

    private volatile @Nullable String problem;

    /**
     * Makes one that does not run yet.
     *
     * @param pace how fast it is delivered
     * @param home where that is kept
     * @param cursors opens its cursors
     * @param cluster the servers with which it is shared; null if there are none
     * @param onFailure is told when no instance can be made where one should run
     * @param random varies how long it rests after a failure
     */
    DestinationRunner(
            InstanceSlot slot,
            Pace pace,
            PaceHome home,
            CursorHome cursors,
            @Nullable Candidacies cluster,
            FailureListener onFailure,
            RandomGenerator random) {
        this.slot = slot;
        this.pace = new DestinationPace(slot, pace, home);
        this.cursors = cursors;
        this.placement = cluster == null ? new Alone(slot, onFailure) : new AmongServers(slot, cluster);
        this.retry = new PendingRetry(random);
        this.starts = new InstanceStarts(slot, placement, permission, retry, cursors, home, onFailure);
    }

    /** The destination's name. */
    public String name() {
        return slot.name();
    }

    /** What the next start is made of. */
    public InstanceConfig config() {
        return slot.config();
    }

    /** The instance that runs; empty if another server runs the destination, or none does. */
    public Optional<Instance> instance() {
        return slot.instance();
    }

    /** Whether no instance could be made or started, where one should run. */
    public boolean isObstructed() {
        return slot.obstacle() != null && slot.instance().isEmpty();
    }

    /** Whether the instance has failed, or could not be made. */
    public boolean hasFailed() {
        return slot.hasFailed();
    }

    InstanceSlot slot() {
        return slot;
    }

    /** How fast it is delivered. */
    public DestinationPace pace() {
        return pace;
    }

    /** Whether an operator has stopped it. */
    public boolean isStopped() {
        return permission.isStopped();
    }

    /** Why its newest configuration is not in force; null if it is. */
    public @Nullable String problem() {
        return problem;
    }

    /** Sets why its newest configuration is not in force; null if it is. */
    public void setProblem(@Nullable String text) {
        problem = text;
    }

    /** When it is started again after a failure; null if it is not to be. */
    public @Nullable Instant retryAt() {
        return absence().map(Absence::retryAt).orElse(retry.due());
    }

    /** That it runs on no server, as far as this one knows, though it is wanted here; empty if it runs, or is not shared with others. */
    public Optional<Absence> absence() {
        return placement.absence();
    }

    /** Why the source of the last instance could not be read, if that has ended by a failure; null if it has not, or by another. */
    public @Nullable SourceFailure lastSourceFailure() {
        return slot.lastSourceFailure();
    }

    /** Whether it has failed, and its policy is not to try it again. */
    boolean isLost() {
        return slot.hasFailed() && slot.config().restart() == RestartPolicy.NEVER;
    }

    /** Whether it is being started, stopped or reloaded at the moment. */
    boolean isBeingChanged() {
        return changes.isLocked();
    }

    /** Whether it runs here, and no change of it is under way, so that a start has nothing to do: what is being changed may be stopped in a moment. */
    public boolean runsUnchanged() {
        return slot.instance().isPresent() && !slot.hasFailed() && permission.mayRun() && !isBeingChanged();
    }

    /** Enters this server as a candidate, and wants the destination unless it is lazy. */
    public void enterCandidacy() {
        changes.lock();
        try {
            if (permission.mayRun()) {
                placement.enter();
            }
        } finally {
            changes.unlock();
        }
    }

    /**
     * Starts a lazy instance that has waited for a client; among others, this server wants it from now on. Does nothing while another
     * change is made, which may take minutes: the caller is a thread that all clients share.
     *
     * @return whether this server wants it from the other servers only now, so that it starts in a moment unless one of them runs it
     */
    public boolean awaken() {
        if (permission.isStopped() || slot.instance().isPresent() || !changes.tryLock()) {
            return false;
        }
        try {
            return permission.mayRun() && placement.awaken();
        } finally {
            changes.unlock();
        }
    }

    /**
     * Starts it, if it was stopped or has failed. Among others, a rest after a failure ends.
     *
     * @return false if it runs already, or wants to
     * @throws RuntimeException if it cannot be made
     */
    public boolean start() {
        changes.lock();
        try {
            return starts.start();
        } finally {
            changes.unlock();
        }
    }

    /**
     * Starts it with a configuration, which counts from now on if it does not run: also if no instance can be made of it. If it runs meanwhile with
     * another one, it is restarted.
     *
     * @param wait how long it may wait for another change
     * @param stopsBefore {@link #stops()} when the command came
     * @return false if it runs already with this configuration, or wants to
     * @throws CommandRejectedException if the other change takes longer, if it was stopped since the command came, or if it was ended for good; nothing
     *     was done then
     * @throws RuntimeException if it cannot be made
     */
    public boolean start(InstanceConfig next, Duration wait, long stopsBefore) {
        lock(wait);
        try {
            if (permission.isClosed()) {
                throw new CommandRejectedException(
                        name() + " is not started, since it was removed, or the server is stopping");
            }
            if (permission.stops() != stopsBefore) {
                throw new CommandRejectedException(
                        name() + " was stopped since this command was given, so it is not started: repeat the command");
            }
            return starts.startWith(next, STOP_LIMIT);
        } finally {
            changes.unlock();
        }
    }

    /** How often a command to stop it has come, be it carried out or not yet. */
    public long stops() {
        return permission.stops();
    }

    /** For a command, which must not be carried out when its caller has given it up. */
    private void lock(Duration wait) {
        try {
            if (changes.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new CommandRejectedException(
                name() + " is being started, stopped or restarted: repeat the command when that has ended");
    }

    /** Whether it is to run here and does, or has failed to. */
    public boolean isHere() {
        return !permission.isStopped() && slot.term() != null;
    }

    /**
     * Stops it until it is started: what is in flight is delivered, and the cursor written. Among others, it is left to them.
     *
     * @return false if it was stopped already
     * @throws CommandRejectedException if it was stopped, but not in good order, as when the cursor could not be written
     */
    public boolean stop(Duration limit) {
        permission.countStop(); // before it waits: a start that came before it is not carried out meanwhile
        changes.lock();
        try {
            retry.cancel();
            boolean wasStopped = permission.stop();
            slot.forgetFormerEnd();
            placement.withdraw(limit);
            slot.stop(limit);
            cursors.forgetMemory();
            Throwable failure = slot.endFailure();
            if (failure != null) {
                throw new CommandRejectedException(
                        "%s was stopped, but did not end in good order, so that some entries may be delivered again after its start: %s"
                                .formatted(name(), failure.getMessage() == null ? failure : failure.getMessage()),
                        failure);
            }
            return !wasStopped;
        } finally {
            changes.unlock();
        }
    }

    /**
     * Restarts it with a configuration, in the same time of ownership. If it is another one, and no instance can be made of it, the one before continues.
     *
     * @param wait how long it may wait for another change
     * @return false if it does not run here, or not any more
     * @throws CommandRejectedException if the other change takes longer; nothing was done then
     * @throws IllegalStateException if the new instance cannot be made
     */
    public boolean restart(InstanceConfig next, Duration limit, Duration wait) {
        lock(wait);
        try {
            if (permission.isClosed() || !isHere()) {
                return false;
            }
            if (next.equals(slot.config())) {
                return starts.restart(limit);
            }
            return starts.restartWith(next, limit).orThrow();
        } finally {
            changes.unlock();
        }
    }

    /** Whether it is shared with other servers. */
    public boolean isShared() {
        return placement.isShared();
    }

    /** Does something {@linkplain #whileStopped(Runnable, Supplier, Duration, Duration) while it is stopped}, and has it run with the configuration before. */
    public Outcome whileStopped(Runnable work, Duration limit, Duration wait) {
        return whileStopped(work, slot::config, limit, wait);
    }

    /**
     * Sets or deletes cursors while the instance does not run, and has it run again if it should: one that could not be made is started, too.
     *
     * @param work whose exception is thrown when the instance was started again; if it could not be, the message says that, too
     * @param next with what configuration it runs then
     * @param wait how long it may wait for another change
     * @return whether it runs again, or should not, or why it could not be started
     * @throws CommandRejectedException if that is not possible, since other servers would take it, this one ends, or another change takes longer
     */
    public Outcome whileStopped(Runnable work, Supplier<InstanceConfig> next, Duration limit, Duration wait) {
        lock(wait);
        try {
            if (permission.isClosed()) {
                throw new CommandRejectedException("the server ends");
            }
            if (isShared()) {
                throw new CommandRejectedException("in a cluster another server would take " + name()
                        + " meanwhile: stop it on all servers, do it, and start it on them");
            }
            boolean shouldRun = slot.term() != null;
            slot.stop(limit);
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                if (startAgain(shouldRun, next) instanceof Outcome.Failed failed) {
                    throw withFailedStart(e, failed.why());
                }
                throw e;
            }
            cursors.changedByOperator();
            return startAgain(shouldRun, next);
        } finally {
            changes.unlock();
        }
    }

    @GuardedBy("changes") private Outcome startAgain(boolean shouldRun, Supplier<InstanceConfig> next) {
        return shouldRun && !permission.isStopped()
                ? starts.startAgain(next.get(), STOP_LIMIT)
                : new Outcome.Done(false);
    }

    private static RuntimeException withFailedStart(Throwable cause, String failure) {
        String message = "%s; nor could the instance be started again: %s".formatted(cause.getMessage(), failure);
        return cause instanceof CommandRejectedException
                ? new CommandRejectedException(message, cause)
                : new IllegalStateException(message, cause);
    }

    /**
     * Has it run with another configuration, from now on if it runs. If no instance can be made of that, the one before continues.
     *
     * @return whether all went well, or why the configuration before stays
     */
    public Outcome reload(InstanceConfig next, Duration limit) {
        changes.lock();
        try {
            return starts.restartWith(next, limit);
        } finally {
            changes.unlock();
        }
    }

    /**
     * Leaves it to other servers; {@link #enterCandidacy} makes it a candidate again, some seconds later. Alone, it is restarted.
     *
     * @param wait how long it may wait for another change
     * @return false if it was stopped
     * @throws CommandRejectedException if the other change takes longer; nothing was done then
     */
    public boolean release(Duration limit, Duration wait) {
        lock(wait);
        try {
            if (!permission.mayRun()) {
                return false;
            }
            if (!isShared()) {
                return starts.restart(limit);
            }
            placement.withdraw(limit);
            return true;
        } finally {
            changes.unlock();
        }
    }

    /**
     * Notes that the instance has failed. Its policy does not matter if it could not be made: a process manager that would have started the
     * server again does not see that, as long as others run.
     *
     * @return when to {@link #retry} it; null if it is not to be tried again here, or by others, or a retry is pending
     */
    @Nullable Instant failed(long nowMillis) {
        if (isShared() || slot.config().restart() == RestartPolicy.NEVER && !isObstructed()) {
            return null;
        }
        Instant due = retry.after(nowMillis);
        if (due != null) {
            LOG.warn(
                    "a failed instance is started again after a rest: instance={} backOffMs={}",
                    name(),
                    due.toEpochMilli() - nowMillis);
        }
        return due;
    }

    /**
     * Starts it again after a failure, unless an operator was faster.
     *
     * @param due what {@link #failed} has returned; if another retry is pending instead, nothing is done
     * @throws RuntimeException if no instance can be made now
     */
    void retry(Instant due) {
        changes.lock();
        try {
            starts.retry(due);
        } finally {
            changes.unlock();
        }
    }

    /** Begins to end it for good; {@link #close} ends it. Waits for nothing: a change that is under way may take long. */
    public void beginClose(Duration limit) {
        permission.close();
        placement.beginClose(limit);
    }

    /**
     * Ends it for good.
     *
     * @throws IllegalStateException if its instance does not end in good order, or did not before one that could not be made; it is closed all the same
     */
    public void close(Duration limit) {
        Throwable failure = close(() -> limit);
        if (failure != null) {
            throw new IllegalStateException(
                    failure.getMessage() == null ? failure.toString() : failure.getMessage(), failure);
        }
    }

    /**
     * Ends it for good.
     *
     * @param left how long what is in flight may take; asked when no change is under way any more
     * @return why it did not end in good order; null if it did, or has ended before, which was reported then
     */
    @Nullable Throwable close(Supplier<Duration> left) {
        changes.lock();
        try {
            permission.close();
            Duration limit = left.get();
            slot.forgetFormerEnd(); // what an operator has mended since
            try {
                placement.withdraw(limit);
            } finally { // it must not run on without a runner that is known
                slot.stop(limit);
            }
            cursors.forgetMemory();
            return slot.endFailure();
        } finally {
            changes.unlock();
        }
    }

    /**
     * Writes cursors that could not be written when it was closed, as their directory was gone, at the end of the process, if there is no file.
     *
     * @throws CursorException if they cannot be written; that is logged
     */
    void writeLeftCursors() {
        cursors.writeLeft();
    }
}
