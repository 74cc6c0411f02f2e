package io.sluice.admin.fleet.watch;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The state of a server as it was seen last. */
public enum ServerState {
    /** It answers, and not all of its instances are stopped. */
    RUNNING,
    /** It answers, and an operator has stopped all of its instances. */
    STOPPED,
    /** It does not answer. */
    UNREACHABLE,
    /** It answers, and does not accept the login. */
    UNAUTHORIZED,
    /** It was not tried yet, or has not answered yet. */
    CONNECTING;

    /** The name as the API has it. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether what it has reported holds. */
    public boolean isAnswering() {
        return this == RUNNING || this == STOPPED;
    }
}
