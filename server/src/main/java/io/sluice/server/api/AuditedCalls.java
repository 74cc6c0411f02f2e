package io.sluice.server.api;

import io.sluice.protocol.time.Time;
import io.sluice.server.control.Actor;
import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Operations;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.server.port.LineRate;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Carries calls out, and records those that change something, with the state before and after. Thread-safe. */
final class AuditedCalls {
    static final String RELOAD = "reload";
    static final String ALARM_TEST = "alarm test";

    /** The action of a line that says how many refused calls are not listed. */
    private static final String REFUSED = "refused";

    /** The audit log has what these answer, not only the state after it. */
    private static final Set<String> WITH_RESULT = Set.of(RELOAD, ALARM_TEST);

    /** The refused calls of one caller that are recorded in a minute: more could push what matters out of the audit log. */
    static final int MAX_REFUSED = 10;

    static final Duration REFUSED_INTERVAL = Duration.ofMinutes(1);

    private final Operations operations;
    private final AuditLog audit;
    private final Time time;

    /** By the names of callers, which are those of tokens and of certificates. */
    private final Map<String, LineRate> refused = new ConcurrentHashMap<>();

    /** @param time measures the rate of the refused calls that are recorded */
    AuditedCalls(Operations operations, AuditLog audit, Time time) {
        this.operations = operations;
        this.audit = audit;
        this.time = time;
    }

    /**
     * Rejects a caller whose role is too small, and records that if the call would change something; of many only some, and the number of the others.
     *
     * @throws ApiException if it is
     */
    void requireRole(Route route, Caller caller) {
        if (caller.role().mayDoWhatNeeds(route.role())) {
            return;
        }
        if (!route.action().isEmpty()) {
            recordRefused(route, caller);
        }
        throw new ApiException(
                403,
                "%s has the role %s, and this needs %s"
                        .formatted(
                                caller.name(),
                                caller.role().spelling(),
                                route.role().spelling()));
    }

    private void recordRefused(Route route, Caller caller) {
        LineRate rate =
                refused.computeIfAbsent(caller.name(), name -> new LineRate(time, MAX_REFUSED, REFUSED_INTERVAL));
        recordNotListed(caller.name(), rate.takeLeftOut());
        if (rate.allows()) {
            audit.record(new AuditEntry(caller.actor(), route.action(), "", "", "the role is too small", false));
        }
    }

    /** Records how many refused calls were not in the intervals that are over; to be called regularly. */
    void recordNotListed() {
        refused.forEach((caller, rate) -> recordNotListed(caller, rate.takeLeftOut()));
    }

    /** Records how many refused calls were not until now, also if an interval is not over. */
    void close() {
        refused.forEach((caller, rate) -> recordNotListed(caller, rate.takeAllLeftOut()));
    }

    private void recordNotListed(String caller, long calls) {
        if (calls > 0) {
            audit.record(new AuditEntry(
                    Actor.of(caller, ""),
                    REFUSED,
                    "",
                    "",
                    calls + " more calls for which the role is too small are not listed",
                    false));
        }
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
                        snapshot.pace().pauseTarget(),
                        InstanceJson.limits(snapshot.pace().limits()));
    }
}
