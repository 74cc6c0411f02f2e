package io.sluice.admin.fleet.control;

import io.sluice.admin.problem.FailureKind;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a control API has answered; its status is one of success.
 *
 * @param body as it was sent; not to be changed
 */
@SuppressWarnings("ArrayRecordComponent") // read once, compared never
public record ControlAnswer(byte[] body) {
    private static final JsonMapper JSON = new JsonMapper();

    /** The body as text. */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * The body as JSON.
     *
     * @throws ControlFailure if it is none
     */
    public JsonNode json() throws ControlFailure {
        try {
            return JSON.readTree(body);
        } catch (JacksonException e) {
            throw new ControlFailure(
                    FailureKind.UNREACHABLE,
                    200,
                    "what answers there is no Sluice server: it sends no JSON. Check address and port");
        }
    }
}
