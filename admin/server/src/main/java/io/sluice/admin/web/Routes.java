package io.sluice.admin.web;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.springframework.http.server.RequestPath;
import org.springframework.stereotype.Component;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The operations of the API, as {@code openapi.json} lists them, and the role that each requires: the only place that defines it. Paths are
 * matched as Spring MVC does. Never changes.
 */
@Component
final class Routes {
    /** The file, which is a resource of this program. */
    static final String FILE = "/io/sluice/admin/openapi.json";

    /**
     * An operation.
     *
     * @param method in capitals
     * @param access what it requires
     */
    record Route(String method, PathPattern path, Access access) {}

    private final List<Route> routes;

    Routes() {
        List<Route> all = new ArrayList<>();
        document().path("paths").forEachEntry((path, operations) -> {
            PathPattern pattern = PathPatternParser.defaultInstance.parse(path);
            operations.forEachEntry((method, operation) -> {
                if (!method.equals("parameters")) {
                    all.add(new Route(
                            method.toUpperCase(Locale.ROOT),
                            pattern,
                            Access.of(operation.path("x-role").asString())));
                }
            });
        });
        all.sort(Comparator.comparing(Route::path)); // the most specific first
        routes = List.copyOf(all);
    }

    private static JsonNode document() {
        try (InputStream in = Routes.class.getResourceAsStream(FILE)) {
            if (in == null) {
                throw new IllegalStateException(FILE + " is missing in this program");
            }
            return JsonMapper.shared().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Route> all() {
        return routes;
    }

    /** Finds the operation of a request; empty if there is none. */
    Optional<Route> find(HttpServletRequest request) {
        String method = request.getMethod().equals("HEAD") ? "GET" : request.getMethod();
        RequestPath path = ServletRequestPathUtils.parse(request);
        return routes.stream()
                .filter(route -> route.method().equals(method) && route.path().matches(path.pathWithinApplication()))
                .findFirst();
    }

    /** Whether the path of a request is that of some operation. */
    boolean hasPath(HttpServletRequest request) {
        RequestPath path = ServletRequestPathUtils.parse(request);
        return routes.stream().anyMatch(route -> route.path().matches(path.pathWithinApplication()));
    }
}
