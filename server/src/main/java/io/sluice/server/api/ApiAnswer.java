package io.sluice.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.server.config.port.ControlRole;
import java.io.Closeable;
import java.nio.charset.StandardCharsets;

/** What a call is answered by. */
sealed interface ApiAnswer {
    /**
     * A JSON value.
     *
     * @param record what the audit log has of the call, in place of what was asked and of what came of it; empty if it has these
     */
    record Json(JsonNode value, String record) implements ApiAnswer {
        Json(JsonNode value) {
            this(value, "");
        }
    }

    /** A text of some media type, in UTF-8. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Content(String type, byte[] text) implements ApiAnswer {
        Content(String type, String text) {
            this(type, text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /**
     * Events that follow one another until the caller goes.
     *
     * @param role that the caller needs as long as they are sent
     */
    record Events(Source source, ControlRole role) implements ApiAnswer {}

    /** Begins to send events; what it returns ends that. */
    @FunctionalInterface
    interface Source {
        Closeable begin(Sink sink);
    }

    /** Takes events. Thread-safe. */
    interface Sink {
        /** Sends an event; nothing is sent, and false returned, while the caller does not read what was sent before. */
        boolean send(StreamedEvent event);

        /** Makes an event and sends it; nothing is made, and false returned, while the caller does not read what was sent before. */
        default boolean send(String name, JsonNode data) {
            return isReady() && send(StreamedEvent.of(name, data));
        }

        /** Whether an event would be sent now. */
        boolean isReady();

        /** Sends the event {@code end}, even to a caller that is behind, and completes the answer. Nothing is sent after it. */
        void end();
    }
}
