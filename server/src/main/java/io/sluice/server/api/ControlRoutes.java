package io.sluice.server.api;

import io.sluice.protocol.time.Time;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import java.util.List;
import java.util.stream.Stream;

/** All calls of the API. {@code openapi.json} describes them for callers; a test compares both. */
final class ControlRoutes {
    private final List<Route> routes;

    ControlRoutes(Operations operations, EventStreams streams, LogFiles logs, AuditLog audit, Time time) {
        routes = Stream.of(
                        new ServerCalls(operations).routes(),
                        new ConfigCalls(operations).routes(),
                        new InstanceCalls(operations, time).routes(),
                        new CursorCalls(operations).routes(),
                        new EventCalls(operations, streams, audit, time).routes(),
                        new LogCalls(operations, logs).routes())
                .flatMap(List::stream)
                .toList();
    }

    /** All of them, in the order in which they are matched. */
    List<Route> all() {
        return routes;
    }
}
