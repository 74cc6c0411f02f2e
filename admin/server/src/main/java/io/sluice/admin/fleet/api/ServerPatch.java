package io.sluice.admin.fleet.api;

import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.problem.ProblemException;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Validator;
import java.util.Set;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Applies a change of single fields to what is set of a server: a field that is not given stays, also if it was changed meanwhile. Thread-safe. */
@Component
class ServerPatch {
    private final JsonMapper json;
    private final Validator validator;

    ServerPatch(JsonMapper json, Validator validator) {
        this.json = json;
        this.validator = validator;
    }

    /**
     * Returns what is set of a server after a change.
     *
     * @param changed fields of {@link ServerInput}
     * @throws ProblemException 400 if a field does not exist, or has a value of another type; or if a token is given without its URL
     * @throws ConstraintViolationException if a value is not allowed
     */
    ServerInput applied(ServerRow server, ObjectNode changed) {
        ObjectNode all = json.createObjectNode()
                .put("name", server.name())
                .put("ip", server.ip())
                .put("adminPort", server.adminPort())
                .put("tcpPort", server.tcpPort())
                .put("metricPort", server.metricPort())
                .put("clusterId", server.clusterId())
                .put("controlUrl", server.controlUrl());
        all.setAll(changed);
        ServerInput input;
        try {
            input = json.treeToValue(all, ServerInput.class);
        } catch (JacksonException e) { // its message may quote a token
            throw ProblemException.badRequest("The body is not what is expected here.");
        }
        String token = input.controlToken();
        if (token != null && !token.isBlank() && !changed.has("controlUrl")) {
            throw ProblemException.badRequest(
                    "Give the control URL with its token: the URL may have been changed meanwhile, and the token is sent to no other URL than the one it was entered for.");
        }
        Set<ConstraintViolation<ServerInput>> violations = validator.validate(input);
        if (!violations.isEmpty()) {
            throw new ConstraintViolationException(violations);
        }
        return input;
    }
}
