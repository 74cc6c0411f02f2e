package io.sluice.server.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.ha.Service;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.store.cursor.CursorException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The place of one destination in a server: empty, or with the instance that runs it now. An instance is used once; each
 * start makes a new one.
 *
 * <p>Thread-safe: starts, stops and restarts wait for each other, and {@link #abandon} for none of them longer than a
 * start takes.
 */
final class InstanceSlot implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceSlot.class);

    private final String name;
    private final InstanceMaker maker;

    /** Held during starts, stops and restarts. */
    private final ReentrantLock changes = new ReentrantLock();

    /** Guards what follows when both change together. */
    private final Object monitor = new Object();

    private volatile InstanceConfig config;
    private volatile @Nullable Instance instance;

    /** Why no instance could be made or started, where one should run; null if none should, or one does. */
    private volatile @Nullable RuntimeException obstacle;

    private volatile @Nullable SourceFailure lastSourceFailure;

    /** Why the last instance did not end in good order; null if it did, or runs. */
    private volatile @Nullable Throwable endFailure;

    /** In which the destination may run here; null if it may not. */
    private volatile @Nullable OwnershipTerm term;

    /**
     * Whether something that an instance of the term has sent may arrive after its end. Not forgotten when another instance follows it in
     * the same term: when it was the last to send is not known.
     */
    private volatile boolean isDoubtful;

    /** Makes one, empty. */
    InstanceSlot(InstanceConfig config, InstanceMaker maker) {
        this.name = config.destination();
        this.config = config;
        this.maker = maker;
    }

    /** The destination's name. */
    String name() {
        return name;
    }

    /** What the next start is made of. */
    InstanceConfig config() {
        return config;
    }

    void setConfig(InstanceConfig next) {
        config = next;
    }

    /** Whether it is filled only when a client asks for it. */
    boolean isLazy() {
        return config.lazy();
    }

    /** The instance that runs; empty if another server runs the destination, or none does. */
    Optional<Instance> instance() {
        return Optional.ofNullable(instance);
    }

    /** Why none runs though one should: none could be made; null if that is not so. */
    @Nullable RuntimeException obstacle() {
        return obstacle;
    }

    /** Why the source of the last instance could not be read, if that has ended by a failure; null if it has not, or by another. */
    @Nullable SourceFailure lastSourceFailure() {
        return lastSourceFailure;
    }

    /** Why the last instance did not end in good order, so that a part of it may run; null if it did, or runs. */
    @Nullable Throwable endFailure() {
        return endFailure;
    }

    /** Forgets why the last instance did not end in good order, unless one should have followed it and could not be made. */
    void forgetFormerEnd() {
        if (obstacle == null) {
            endFailure = null;
        }
    }

    /** The term in which the destination may run here; null if it may not. */
    @Nullable OwnershipTerm term() {
        return term;
    }

    /**
     * Makes an instance without starting it.
     *
     * @throws IllegalStateException if there is one: two would write the same cursor
     */
    void fill(OwnershipTerm next) {
        synchronized (monitor) {
            if (instance != null) {
                throw new IllegalStateException("there is an instance of " + name + " already");
            }
            term = next;
            lastSourceFailure = null;
            instance = maker.make(config, next);
            obstacle = null;
            endFailure = null; // not before: an end that failed may be why none can be made
        }
    }

    /** Starts the instance that is there. */
    void begin() {
        Instance current = instance;
        if (current != null) {
            current.start();
        }
    }

    @Override
    public void start(OwnershipTerm next) {
        changes.lock();
        try {
            synchronized (monitor) {
                isDoubtful = false;
                run(next);
            }
        } finally {
            changes.unlock();
        }
    }

    @GuardedBy("monitor") private void run(OwnershipTerm next) {
        boolean isMade = false;
        try {
            fill(next);
            isMade = true;
            begin();
        } catch (RuntimeException | Error e) { // an Error may pass as well, as when no thread can be started
            if (isMade) {
                end(Duration.ZERO); // a part of it may run, and its cursor is locked
            }
            RuntimeException failure =
                    e instanceof RuntimeException known ? known : new IllegalStateException(String.valueOf(e), e);
            obstacle = failure;
            throw failure;
        }
    }

    @Override
    public boolean stop(Duration limit) {
        changes.lock();
        try {
            end(limit);
            term = null;
            obstacle = null;
            return !isDoubtful;
        } finally {
            changes.unlock();
        }
    }

    /** A restart that is under way may replace what has failed. */
    @Override
    public Optional<Boolean> stopIfFailed() {
        changes.lock();
        try {
            return hasFailed() ? Optional.of(stop(Duration.ZERO)) : Optional.empty();
        } finally {
            changes.unlock();
        }
    }

    /**
     * Stops the instance that runs, and starts one of the configuration that is set, within the same time of ownership.
     *
     * @param limit how long what is in flight may take
     * @param mayStart whether another instance may be started, asked when the one before has ended
     * @return false if the destination does not run here, or not any more, or its ownership is not confirmed, which ends the term
     * @throws RuntimeException if the new instance cannot be made or started; none runs then
     */
    boolean restart(Duration limit, BooleanSupplier mayStart) {
        changes.lock();
        try {
            OwnershipTerm current = term;
            if (current == null) {
                return false;
            }
            end(limit);
            synchronized (monitor) {
                if (term != current || !mayStart.getAsBoolean()) {
                    return false;
                }
                if (!current.isHeldOrEnds()) { // the next owner may be reading with the same replica id
                    return false;
                }
                run(current);
            }
            return true;
        } finally {
            changes.unlock();
        }
    }

    private void end(Duration limit) {
        Instance current = instance;
        if (current == null) {
            return;
        }
        if (current.state() == InstanceState.FAILED) {
            lastSourceFailure = current.sourceFailure().orElse(null);
        }
        boolean isSilent = false;
        try {
            isSilent = current.stop(limit);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CursorException e) { // the last part that is closed, which has logged it
            endFailure = e;
        } catch (RuntimeException | Error e) { // an Error is no reason not to start the next one
            LOG.error("an instance did not stop in good order: instance={}", name, e);
            endFailure = e;
        } finally {
            synchronized (monitor) {
                isDoubtful |= !isSilent;
                instance = null;
            }
        }
    }

    @Override
    public boolean abandon() {
        Instance current;
        synchronized (monitor) {
            term = null;
            obstacle = null;
            current = instance;
            instance = null;
        }
        if (current == null) {
            return !isDoubtful;
        }
        boolean isSilent = false;
        try {
            isSilent = current.abandon();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CursorException e) { // the last part that is closed, which has logged it
            endFailure = e;
        } catch (RuntimeException | Error e) {
            LOG.error("an instance did not end in good order: instance={}", name, e);
            endFailure = e;
        }
        return isSilent && !isDoubtful;
    }

    /** One that is lazy is not: no client may have asked another server for it, which does not start it then. */
    @Override
    public boolean isBalanced() {
        return !isLazy();
    }

    @Override
    public boolean hasFailed() {
        Instance current = instance;
        return obstacle != null || current != null && current.state() == InstanceState.FAILED;
    }
}
