package io.sluice.server.instance;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one instance, and the failure that ended it.
 *
 * <p>Nothing follows {@link InstanceState#FAILED} and {@link InstanceState#STOPPED}, and nothing but these two {@link InstanceState#STOPPING}. Thread-safe.
 */
final class Lifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final String instance;
    private final ErrorLog errors;
    private final FailureListener listener;
    private volatile InstanceState state = InstanceState.NEW;
    private volatile @Nullable Throwable failure;

    Lifecycle(String instance, ErrorLog errors, FailureListener listener) {
        this.instance = instance;
        this.errors = errors;
        this.listener = listener;
    }

    InstanceState state() {
        return state;
    }

    /** Why the instance cannot continue; null unless {@link InstanceState#FAILED}. */
    @Nullable Throwable failure() {
        return failure;
    }

    /** Changes the state; false if the next one does not follow it, or is there already. */
    synchronized boolean moveTo(InstanceState next) {
        if (state == next || !mayFollow(next)) {
            return false;
        }
        state = next;
        return true;
    }

    private boolean mayFollow(InstanceState next) {
        return switch (state) {
            case FAILED, STOPPED -> false;
            case STOPPING -> next == InstanceState.STOPPED || next == InstanceState.FAILED;
            case NEW, CONNECTING, RUNNING, RETRYING -> true;
        };
    }

    /**
     * Ends the instance with a failure.
     *
     * @param part that failed
     */
    void fail(String part, Throwable cause) {
        failure = failure == null ? cause : failure;
        if (moveTo(InstanceState.FAILED)) {
            failure = cause;
            LOG.error(
                    "the instance cannot continue: instance={} part={} cause={} remedy={}",
                    instance,
                    part,
                    cause.getMessage(),
                    ErrorLog.remedy(part, cause));
            errors.addOfInstance(part, cause);
            listener.failed(instance, cause);
        }
    }
}
