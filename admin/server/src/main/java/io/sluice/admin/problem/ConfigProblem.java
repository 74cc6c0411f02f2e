package io.sluice.admin.problem;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An error in a configuration, or a warning about it.
 *
 * @param key the key; null if the problem is about the text as a whole
 * @param line the line, from 1; null if the problem is about no line
 * @param severity whether a server would accept the configuration
 * @param message what is wrong, and what to do; without secrets
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ConfigProblem(@Nullable String key, @Nullable Integer line, Severity severity, String message) {
    /** The severity of a problem. */
    public enum Severity {
        /** A server would reject the configuration. */
        ERROR,
        /** A server accepts the configuration, but a setting does not have the effect that it states. */
        WARNING;

        /** The name as the API has it. */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
