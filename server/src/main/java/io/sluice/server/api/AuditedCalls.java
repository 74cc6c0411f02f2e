package io.sluice.server.api;

import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Operations;
import io.sluice.server.control.UnknownDestinationException;
import java.util.Set;

/** Carries calls out, and records those that change something, with the state before and after. Thread-safe. */
final class AuditedCalls {
    static final String RELOAD = "reload";
    static final String ALARM_TEST = "alarm test";

    /** The audit log has what these answer, not only the state after it. */
    private static final Set<String> WITH_RESULT = Set.of(RELOAD, ALARM_TEST);

    private final Operations operations;
    private final AuditLog audit;

    AuditedCalls(Operations operations, AuditLog audit) {
        this.operations = operations;
        this.audit = audit;
    }

    /**
     * Rejects a caller whose role is too small, and records that if the call would change something.
     *
     * @throws ApiException if it is
     */
    void requireRole(Route route, Caller caller) {
        if (caller.role().mayDoWhatNeeds(route.role())) {
            return;
        }
        if (!route.action().isEmpty()) {
            audit.record(new AuditEntry(caller.actor(), route.action(), "", "", "the role is too small", false));
        }
        throw new ApiException(
                403,
                "%s has the role %s, and this needs %s"
                        .formatted(
                                caller.name(),
                                caller.role().spelling(),
                                route.role().spelling()));
    }

    /** Carries a call out, and records it if it changes something. */
    ApiAnswer run(Route route, ApiRequest request) {
        if (route.action().isEmpty()) {
            return route.call().apply(request);
        }
        String before = state(request.destination());
        ApiAnswer answer;
        try {
            request.requireOnly(route.members());
            answer = route.call().apply(request);
        } catch (RuntimeException | Error e) {
            record(route, request, before, String.valueOf(e.getMessage()), false);
            throw e;
        }
        if (answer instanceof ApiAnswer.Json own && !own.record().isEmpty()) {
            record(route, request, before, own.record(), true);
            return answer;
        }
        String result = answer instanceof ApiAnswer.Json json && WITH_RESULT.contains(route.action())
                ? json.value().toString()
                : state(request.destination());
        record(route, request, before, result + " asked=" + request.body(), true);
        return answer;
    }

    private void record(Route route, ApiRequest request, String before, String after, boolean done) {
        audit.record(
                new AuditEntry(request.caller().actor(), route.action(), request.destination(), before, after, done));
    }

    private String state(String destination) {
        if (destination.isEmpty() || !operations.destinations().contains(destination)) {
            return "";
        }
        InstanceSnapshot snapshot;
        try {
            snapshot = operations.snapshot(destination);
        } catch (UnknownDestinationException e) {
            return ""; // it was removed meanwhile
        }
        return "state=%s paused=%s pauseAt=%s limits=%s"
                .formatted(
                        InstanceJson.state(snapshot),
                        snapshot.pace().paused(),
                        snapshot.pace().stopPoint(),
                        InstanceJson.limits(snapshot.pace().limits()));
    }
}
