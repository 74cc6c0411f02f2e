package io.sluice.server.api;

import static io.sluice.server.config.port.ControlRole.ADMINISTRATOR;
import static io.sluice.server.config.port.ControlRole.VIEWER;

import io.sluice.protocol.time.Time;
import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.Operations;
import java.util.List;

/** The calls that are answered by events: the state of all instances, and changes of rows as they are delivered. */
final class EventCalls {
    private final Operations operations;
    private final EventStreams streams;
    private final AuditLog audit;
    private final Time time;

    EventCalls(Operations operations, EventStreams streams, AuditLog audit, Time time) {
        this.operations = operations;
        this.streams = streams;
        this.audit = audit;
        this.time = time;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/events", VIEWER, this::instances),
                Route.get("/instances/{destination}/changes", VIEWER, this::changes));
    }

    private ApiAnswer instances(ApiRequest request) {
        return new ApiAnswer.Events(
                streams.instances(
                        request.caller().name(),
                        () -> InstanceJson.all(operations.snapshots(), time.millis()),
                        request.number("interval", 1, 3600, 1)),
                VIEWER);
    }

    private ApiAnswer changes(ApiRequest request) {
        boolean showsValues = request.query("values").orElse("masked").equals("shown");
        if (showsValues && !request.caller().role().mayDoWhatNeeds(ADMINISTRATOR)) {
            throw new ApiException(403, "values of rows are shown to the role administrator only");
        }
        String table = request.query("table").orElse("");
        if (showsValues) {
            audit.record(new AuditEntry(
                    request.caller().actor(),
                    "see values",
                    request.destination(),
                    "",
                    table.isEmpty() ? "of all tables" : "of " + table,
                    true));
        }
        int limit = request.number("limit", 1, 1_000_000, Integer.MAX_VALUE);
        return new ApiAnswer.Events(
                streams.changes(
                        request.caller().name(),
                        () -> new ChangeTail(operations.tap(request.destination()), table, showsValues),
                        limit),
                showsValues ? ADMINISTRATOR : VIEWER);
    }
}
