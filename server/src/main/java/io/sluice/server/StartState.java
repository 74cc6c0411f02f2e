package io.sluice.server;

import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.mysql.failure.Reaction;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Missing;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.InstanceState;
import org.jspecify.annotations.Nullable;

/**
 * How far the start of a destination is.
 *
 * @param isSettled whether it reads its source, waits for what it needs, runs on another server, or has failed, so that waiting for more is of no use
 * @param problem what keeps it from reading, with the remedy, in one line; null if nothing does
 */
record StartState(boolean isSettled, @Nullable String problem) {
    private static final StartState FINE = new StartState(true, null);

    /**
     * Computes that of a destination.
     *
     * @param isSought whether it is wanted here, and no server of a cluster is known to run it
     * @param hasReceived whether the source has accepted the request for its binlog, and has sent something
     * @param notAdmitted why the broker does not admit it; null if it does, or is not known to refuse it
     */
    static StartState of(
            InstanceSnapshot snapshot,
            boolean isSought,
            boolean hasReceived,
            @Nullable NotAdmittedException notAdmitted) {
        String name = snapshot.destination();
        Missing missing = snapshot.missing();
        if (missing != null && missing.reason() == Missing.Reason.INVALID) {
            return new StartState(true, name + ": its configuration is not right: " + snapshot.problem());
        }
        InstanceHealth health = snapshot.health().orElse(null);
        if (health == null && isSought) {
            return new StartState(
                    false,
                    name
                            + ": no server is known to run it yet: the former owner's lease may last, or ZooKeeper does not answer; "
                            + log(snapshot));
        }
        if (health == null || snapshot.stopped()) {
            return FINE; // it waits for a client or for an operator, or another server runs it
        }
        return switch (health.state()) {
            case NEW, CONNECTING -> new StartState(false, name + ": it has not read its source yet");
            case RUNNING -> {
                if (notAdmitted != null) {
                    yield new StartState(
                            true,
                            "%s: the delivery is tried again: %s; %s"
                                    .formatted(name, notAdmitted.getMessage(), log(snapshot)));
                }
                yield hasReceived ? FINE : new StartState(false, name + ": the source has not sent anything yet");
            }
            case RETRYING ->
                new StartState(retriesForLong(health), name + ": is tried again: " + newestError(snapshot));
            case FAILED ->
                new StartState(
                        true,
                        name
                                + (snapshot.retryAt() == null ? ": has failed: " : ": has failed, is tried again: ")
                                + newestError(snapshot));
            case STOPPING, STOPPED -> FINE;
        };
    }

    /** Whether it has failed, whether it is tried again or not. */
    static boolean hasFailed(InstanceSnapshot snapshot) {
        return snapshot.health()
                .filter(health -> health.state() == InstanceState.FAILED)
                .isPresent();
    }

    /** Whether it is not an attempt at which it may fail for good; while it connects again that is not known. */
    private static boolean retriesForLong(InstanceHealth health) {
        return health.failure() != null && health.failure().reaction() != Reaction.RETRY_THEN_STOP;
    }

    private static String log(InstanceSnapshot snapshot) {
        return "more in logs/%1$s/%1$s.log".formatted(snapshot.destination());
    }

    private static String newestError(InstanceSnapshot snapshot) {
        String log = log(snapshot);
        return snapshot.errors().stream()
                .findFirst()
                .map(error -> "%s; remedy: %s; %s".formatted(error.message(), error.remedy(), log))
                .orElse(log);
    }
}
