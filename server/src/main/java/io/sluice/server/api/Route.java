package io.sluice.server.api;

import io.sluice.server.config.port.ControlRole;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One call of the API.
 *
 * @param method of HTTP
 * @param path with variables in braces, each a whole part of it
 * @param role that a caller needs at least
 * @param action its name in the audit log; empty if it changes nothing
 * @param members what its body may have
 * @param call answers it; may wait
 */
record Route(
        String method,
        String path,
        ControlRole role,
        String action,
        Set<String> members,
        Function<ApiRequest, ApiAnswer> call) {
    private static final String ROOT = "/api/v1";

    /** A route that changes nothing, and that no audit log has. */
    static Route get(String path, ControlRole role, Function<ApiRequest, ApiAnswer> call) {
        return new Route("GET", ROOT + path, role, "", Set.of(), call);
    }

    static Route post(
            String path, ControlRole role, String action, Set<String> members, Function<ApiRequest, ApiAnswer> call) {
        return new Route("POST", ROOT + path, role, action, members, call);
    }

    static Route put(
            String path, ControlRole role, String action, Set<String> members, Function<ApiRequest, ApiAnswer> call) {
        return new Route("PUT", ROOT + path, role, action, members, call);
    }

    /** The values of the variables in a path; null if the path is another one. */
    @Nullable Map<String, String> match(String other) {
        String[] own = path.split("/", -1);
        String[] parts = other.split("/", -1);
        if (own.length != parts.length) {
            return null;
        }
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < own.length; i++) {
            if (own[i].startsWith("{")) {
                values.put(own[i].substring(1, own[i].length() - 1), parts[i]);
            } else if (!own[i].equals(parts[i])) {
                return null;
            }
        }
        return values;
    }
}
