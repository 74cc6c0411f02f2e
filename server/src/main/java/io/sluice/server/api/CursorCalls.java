package io.sluice.server.api;

import static io.sluice.server.config.port.ControlRole.ADMINISTRATOR;
import static io.sluice.server.config.port.ControlRole.VIEWER;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.Operations;
import io.sluice.server.control.Outcome;
import io.sluice.server.cursor.CursorAdmin;
import io.sluice.server.cursor.CursorRejectedException;
import io.sluice.server.cursor.CursorTarget;
import io.sluice.server.cursor.InstanceCursors;
import io.sluice.server.cursor.PlannedMove;
import io.sluice.store.cursor.Subscription;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls that show, move, delete and restore the cursors of an instance, which is stopped meanwhile if that is asked for. */
final class CursorCalls {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CURSOR = "/instances/{destination}/cursor";

    /** Each call may have a session of its own in ZooKeeper, which takes only some from a host, 60 by default. */
    static final int SHOWN_AT_ONCE = 4;

    static final int MAX_SHOWN_OR_WAITING = 20;
    static final int CHANGES_AT_ONCE = 8;

    private final Operations operations;
    private final CallLimit shown = new CallLimit(SHOWN_AT_ONCE, MAX_SHOWN_OR_WAITING, "too many ask for cursors");

    /** Of their own, so that calls which only read reject no change. None waits, since one may take minutes. */
    private final CallLimit changes = new CallLimit(CHANGES_AT_ONCE, CHANGES_AT_ONCE, "too many cursors are changed");

    CursorCalls(Operations operations) {
        this.operations = operations;
    }

    List<Route> routes() {
        return List.of(
                Route.get(CURSOR, VIEWER, this::show),
                Route.post(
                        CURSOR,
                        ADMINISTRATOR,
                        "cursor",
                        Set.of("position", "gtid", "time", "client", "onlyBack", "dryRun", "restart"),
                        request -> changes.run(() -> move(request))),
                Route.post(
                        CURSOR + "/delete",
                        ADMINISTRATOR,
                        "cursor delete",
                        Set.of("client", "dryRun", "restart"),
                        request -> changes.run(() -> delete(request))),
                Route.post(
                        CURSOR + "/restore",
                        ADMINISTRATOR,
                        "cursor restore",
                        Set.of("dryRun", "restart"),
                        request -> changes.run(() -> change(request, InstanceCursors::restore))));
    }

    private ApiAnswer show(ApiRequest request) {
        return shown.run(() -> cursors(request, InstanceCursors::show));
    }

    private ApiAnswer move(ApiRequest request) {
        CursorTarget target = RequestedPosition.of(request).cursorTarget();
        boolean isDry = request.flag("dryRun");
        boolean onlyBack = request.flag("onlyBack");
        int client = client(request);
        if (!isRestarted(request)) {
            return cursors(request, cursors -> cursors.move(client, target, onlyBack, isDry, request.isAbandoned()));
        }
        // The source is asked before anything is stopped: that may take minutes, or be rejected.
        return whileStopped(request, next -> {
            AtomicReference<@Nullable PlannedMove> plan = new AtomicReference<>();
            lines(request, cursors -> {
                plan.set(cursors.plan(client, target, onlyBack, next, request.isAbandoned()));
                return List.of();
            });
            PlannedMove found = Objects.requireNonNull(plan.get(), "it was found");
            return cursors -> cursors.move(found);
        });
    }

    private ApiAnswer delete(ApiRequest request) {
        int client = client(request);
        return change(request, (cursors, isDry) -> cursors.delete(client, isDry));
    }

    private static int client(ApiRequest request) {
        long number = request.text("client").isEmpty() ? Subscription.QUEUE_CLIENT : request.amount("client");
        if (number > Short.MAX_VALUE) {
            throw ApiException.badRequest("client must be at most " + Short.MAX_VALUE);
        }
        return (int) number;
    }

    /** Whether the instance runs, or has failed, and is to be stopped for the change and started after it. */
    private boolean isRestarted(ApiRequest request) {
        return request.flag("restart") && !request.flag("dryRun") && hasInstance(request);
    }

    private boolean hasInstance(ApiRequest request) {
        return operations.snapshot(request.destination()).instance().isPresent();
    }

    private ApiAnswer change(ApiRequest request, CursorChange change) {
        if (!isRestarted(request)) {
            return cursors(request, cursors -> change.run(cursors, request.flag("dryRun")));
        }
        return whileStopped(request, next -> {
            lines(
                    request,
                    cursors -> change.run(cursors, true)); // what is rejected is rejected before anything is stopped
            return cursors -> change.run(cursors, false);
        });
    }

    private ApiAnswer whileStopped(ApiRequest request, Function<InstanceConfig, CursorCall> plan) {
        List<String> lines = new ArrayList<>();
        Outcome outcome = operations.whileStopped(request.destination(), next -> {
            CursorCall call = plan.apply(next);
            if (request.isAbandoned().getAsBoolean()) {
                throw new CommandRejectedException(
                        "the caller has closed its connection before the instance was stopped: no cursor was changed");
            }
            return () -> lines.addAll(lines(request, call));
        });
        ObjectNode json = json(lines, outcome instanceof Outcome.Failed failed ? failed.why() : null);
        ReloadJson.putServer(json, operations);
        return new ApiAnswer.Json(json);
    }

    /** A change of the cursors of an instance, which may be only tried. */
    @FunctionalInterface
    private interface CursorChange {
        List<String> run(InstanceCursors cursors, boolean isDry) throws CursorRejectedException;
    }

    /** What is done with the cursors of an instance. */
    @FunctionalInterface
    private interface CursorCall {
        List<String> run(InstanceCursors cursors) throws CursorRejectedException;
    }

    private ApiAnswer cursors(ApiRequest request, CursorCall call) {
        return new ApiAnswer.Json(json(lines(request, call), null));
    }

    /** @param failure why the instance could not be started again, after its cursor was changed; null if it was, or was not to be */
    static ObjectNode json(List<String> lines, @Nullable String failure) {
        ObjectNode json = JSON.createObjectNode();
        ArrayNode array = json.putArray("lines");
        lines.forEach(array::add);
        if (failure != null) {
            String line = "the instance could not be started again: " + failure;
            array.add(line);
            json.put("notStarted", line);
        }
        return json;
    }

    private List<String> lines(ApiRequest request, CursorCall call) {
        try (CursorAdmin admin = hasInstance(request)
                ? CursorAdmin.ofRunner(operations.configuration(), "this server")
                : new CursorAdmin(operations.configuration(), Optional.empty())) {
            return call.run(admin.of(request.destination()));
        } catch (CursorRejectedException e) {
            throw new CommandRejectedException(String.valueOf(e.getMessage()), e);
        }
    }
}
