package io.sluice.server.api;

import io.sluice.protocol.time.Time;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
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

    /**
     * A route that a request is for.
     *
     * @param variables the values of the variables in its path
     */
    record Match(Route route, Map<String, String> variables) {}

    /** The route for a method and a path; empty if there is none. */
    Optional<Match> find(String method, String path) {
        for (Route route : routes) {
            Map<String, String> variables = route.match(path);
            if (variables != null && route.method().equals(method)) {
                return Optional.of(new Match(route, variables));
            }
        }
        return Optional.empty();
    }

    /** The methods that are answered at a path. */
    SortedSet<String> methodsOf(String path) {
        return routes.stream()
                .filter(route -> route.match(path) != null)
                .map(Route::method)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** All of them, in the order in which they are matched. */
    List<Route> all() {
        return routes;
    }
}
