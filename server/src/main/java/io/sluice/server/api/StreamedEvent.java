package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;

/**
 * An event as {@code text/event-stream} has it. It may be sent to many callers, which share its bytes while they have not read them.
 *
 * @param text in UTF-8; must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record StreamedEvent(String name, byte[] text) {
    /** Makes one. */
    static StreamedEvent of(String name, JsonNode data) {
        return new StreamedEvent(
                name, ("event: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8));
    }
}
