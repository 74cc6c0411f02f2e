package io.sluice.server.api;

import static io.sluice.server.config.port.ControlRole.OPERATOR;
import static io.sluice.server.config.port.ControlRole.VIEWER;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.time.Time;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Operations;
import io.sluice.server.pace.PauseTarget;
import io.sluice.server.pace.RateLimits;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The calls that show, start, stop, pause, limit and reload instances. */
final class InstanceCalls {
    private static final int LISTS_AT_ONCE = 4;
    private static final int MAX_WAITING_LISTS = 32;

    private static final String INSTANCE = "/instances/{destination}";

    private final Operations operations;
    private final Time time;

    /** With thousands of instances the state of all takes much of the heap until it is written. */
    private final CallLimit lists =
            new CallLimit(LISTS_AT_ONCE, MAX_WAITING_LISTS, "too many ask for the state of all instances");

    InstanceCalls(Operations operations, Time time) {
        this.operations = operations;
        this.time = time;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/instances", VIEWER, request -> instances()),
                Route.get(INSTANCE, VIEWER, this::instance),
                Route.get(INSTANCE + "/errors", VIEWER, this::errors),
                Route.get(INSTANCE + "/tables", VIEWER, this::tables),
                start("start", request -> operations.start(request.destination())),
                change("stop", Set.of(), request -> operations.stop(request.destination())),
                start("restart", request -> {
                    operations.restart(request.destination());
                    return true;
                }),
                start("release", request -> {
                    operations.release(request.destination());
                    return true;
                }),
                change("pause", Set.of("position", "gtid", "time", "reason"), this::pause),
                change("resume", operations::resume),
                Route.post(INSTANCE + "/reload", OPERATOR, AuditedCalls.RELOAD, Set.of(), this::reload),
                Route.put(
                        INSTANCE + "/limits",
                        OPERATOR,
                        "limit",
                        Set.of("rowsPerSecond", "bytesPerSecond"),
                        this::limit));
    }

    /** A call that always changes the instance. */
    private Route change(String verb, Consumer<String> call) {
        return change(verb, Set.of(), request -> {
            call.accept(request.destination());
            return true;
        });
    }

    /** A call that reads the configuration of an instance again, and reports which settings of the server do not have an effect yet. */
    private Route start(String verb, Predicate<ApiRequest> call) {
        return Route.post(INSTANCE + "/" + verb, OPERATOR, verb, Set.of(), request -> {
            ObjectNode json = changed(request, call);
            ReloadJson.putServer(json, operations);
            return new ApiAnswer.Json(json);
        });
    }

    /**
     * A call that changes an instance, and answers by its state after that.
     *
     * @param call returns false if it was so before
     */
    private Route change(String verb, Set<String> members, Predicate<ApiRequest> call) {
        return Route.post(
                INSTANCE + "/" + verb, OPERATOR, verb, members, request -> new ApiAnswer.Json(changed(request, call)));
    }

    private ObjectNode changed(ApiRequest request, Predicate<ApiRequest> call) {
        boolean isChanged = call.test(request);
        return json(request.destination()).put("changed", isChanged);
    }

    private ObjectNode json(String destination) {
        return InstanceJson.of(operations.snapshot(destination), time.millis());
    }

    private ApiAnswer instances() {
        return lists.run(() -> ApiResponses.jsonContent(InstanceJson.all(operations.snapshots(), time.millis())));
    }

    private ApiAnswer instance(ApiRequest request) {
        InstanceSnapshot snapshot = operations.snapshot(request.destination());
        ObjectNode json = InstanceJson.of(snapshot, time.millis());
        json.set("errors", InstanceJson.errors(snapshot));
        return new ApiAnswer.Json(json);
    }

    private ApiAnswer errors(ApiRequest request) {
        return new ApiAnswer.Json(InstanceJson.errors(operations.snapshot(request.destination())));
    }

    private ApiAnswer tables(ApiRequest request) {
        return new ApiAnswer.Json(TablesJson.of(operations.tables(request.destination())));
    }

    private boolean pause(ApiRequest request) {
        Optional<PauseTarget> position = RequestedPosition.of(request).pauseTarget();
        String reason = request.text("reason")
                .map(text -> request.caller().shownName() + ": " + text)
                .orElse("by " + request.caller().shownName());
        if (position.isPresent()) {
            operations.pauseAt(request.destination(), position.get());
            return true;
        }
        boolean wasPaused = operations.snapshot(request.destination()).pace().paused();
        operations.pause(request.destination(), reason);
        return !wasPaused;
    }

    private ApiAnswer reload(ApiRequest request) {
        return new ApiAnswer.Json(ReloadJson.of(operations.reload(request.destination())));
    }

    private ApiAnswer limit(ApiRequest request) {
        RateLimits limits = new RateLimits(request.amount("rowsPerSecond"), request.amount("bytesPerSecond"));
        operations.limit(request.destination(), limits);
        return new ApiAnswer.Json(json(request.destination()));
    }
}
