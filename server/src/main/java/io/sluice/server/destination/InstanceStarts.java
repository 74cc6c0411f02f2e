package io.sluice.server.destination;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.control.Outcome;
import io.sluice.server.instance.CursorHome;
import io.sluice.server.instance.FailureListener;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and restarts the instances of one destination, with the configuration that is set or with another one. If no instance can be made of another one,
 * the one before continues.
 *
 * <p>Not thread-safe: guarded by the lock of {@link DestinationRunner}. Only the {@link RunPermission} may change meanwhile, and is asked again after what
 * may have taken long.
 */
final class InstanceStarts {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceStarts.class);

    private final InstanceSlot slot;
    private final Placement placement;
    private final RunPermission permission;
    private final PendingRetry retry;
    private final CursorHome cursors;
    private final PaceHome pace;
    private final FailureListener onFailure;

    /**
     * Starts nothing yet.
     *
     * @param retry cancelled by each start
     * @param cursors follow the configuration
     * @param pace follows the configuration
     * @param onFailure is told when no instance can be made where one should run
     */
    InstanceStarts(
            InstanceSlot slot,
            Placement placement,
            RunPermission permission,
            PendingRetry retry,
            CursorHome cursors,
            PaceHome pace,
            FailureListener onFailure) {
        this.slot = slot;
        this.placement = placement;
        this.permission = permission;
        this.retry = retry;
        this.cursors = cursors;
        this.pace = pace;
        this.onFailure = onFailure;
    }

    /** Starts it with the configuration that is set, as {@link DestinationRunner#start()} says. */
    boolean start() {
        retry.cancel();
        if (permission.isClosed()) {
            return false;
        }
        return placement.start(permission.allow());
    }

    /**
     * Starts it with a configuration, or restarts it if it runs with another one, here or elsewhere.
     *
     * @param limit how long what is in flight may take if it is restarted
     * @return false if it runs already with this configuration, or wants to
     * @throws RuntimeException if it cannot be made
     */
    boolean startWith(InstanceConfig next, Duration limit) {
        boolean runs = slot.instance().isPresent() && !slot.hasFailed();
        boolean isOther = !next.equals(slot.config());
        if (isOther && !permission.isClosed() && (runs || placement.isShared())) { // elsewhere, or here in a moment
            restartWith(next, limit).orThrow();
            return start() || runs;
        }
        if (isOther && !permission.isClosed()) {
            slot.setConfig(next);
        }
        return start();
    }

    /** Starts it with a configuration after it was stopped for a moment. */
    Outcome startAgain(InstanceConfig next, Duration limit) {
        InstanceConfig before = slot.config();
        try {
            return new Outcome.Done(startWith(next, limit));
        } catch (RuntimeException e) {
            LOG.error("an instance cannot be started again: instance={}", slot.name(), e);
            String failure = String.valueOf(e.getMessage());
            return new Outcome.Failed(next.equals(before) ? failure : startBefore(before, failure));
        }
    }

    /** Has it continue with the configuration before, since no instance can be made of the next one. Returns what failed. */
    private String startBefore(InstanceConfig before, String failure) {
        slot.setConfig(before);
        try {
            start();
            return failure + "; it continues with the configuration before";
        } catch (RuntimeException e) {
            return "%s; nor can one be made of the configuration before: %s".formatted(failure, e.getMessage());
        }
    }

    /**
     * Restarts it with the configuration that is set, in the same time of ownership: no other server gets it.
     *
     * @return false if it does not run here
     * @throws RuntimeException if the new instance cannot be made; none runs then
     */
    boolean restart(Duration limit) {
        if (!permission.mayRun()) {
            return false;
        }
        retry.cancel();
        try {
            return slot.restart(limit, this::mayStart);
        } catch (RuntimeException e) {
            onFailure.failed(slot.name(), e);
            throw e;
        }
    }

    /** Restarts it with another configuration, which counts from now on also if it does not run. */
    Outcome restartWith(InstanceConfig next, Duration limit) {
        InstanceConfig before = slot.config();
        slot.setConfig(next);
        try {
            boolean mayRun = permission.mayRun();
            retry.cancel(); // before the restart: the next instance may fail at once
            boolean isRestarted = mayRun && slot.restart(limit, this::mayStart);
            if (!isRestarted && !placement.isShared()) {
                cursors.relocate(next.cursor());
                pace.relocate(next);
            }
            boolean isUnasked = !isRestarted && before.lazy() && !next.lazy();
            if (isUnasked && mayRun && mayStart()) { // the restart before it may have taken long
                placement.startUnasked();
            }
            LOG.info("the configuration was reloaded: instance={} restarted={}", slot.name(), isRestarted);
            return new Outcome.Done(isRestarted);
        } catch (RuntimeException e) {
            LOG.error(
                    "no instance can be made of a new configuration, the one before stays: instance={}",
                    slot.name(),
                    e);
            slot.setConfig(before);
            return new Outcome.Failed(restartBefore(limit, String.valueOf(e.getMessage())));
        }
    }

    /** Has it run with the configuration before again. Returns what failed. */
    private String restartBefore(Duration limit, String failure) {
        try {
            restart(limit);
            return failure;
        } catch (RuntimeException e) {
            return "%s; nor can one be made of the configuration before: %s".formatted(failure, e.getMessage());
        }
    }

    /** Starts it again after a failure, unless another retry is pending, or an operator was faster. */
    void retry(Instant due) {
        if (retry.begin(due) && permission.mayRun() && slot.hasFailed()) {
            slot.restart(Duration.ZERO, this::mayStart);
        }
    }

    /** Asked again during a restart: the destination may be closed meanwhile. */
    private boolean mayStart() {
        return !permission.isClosed();
    }
}
