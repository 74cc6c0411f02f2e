package io.sluice.admin.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something about a configuration.
 *
 * @param key the key it is about; null: the text as a whole
 * @param line from 1; null if it is about none
 * @param severity whether a server would take it
 * @param message what is wrong, and what to do; without secrets
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ConfigProblem(@Nullable String key, @Nullable Integer line, Severity severity, String message) {
    /** How bad it is. */
    public enum Severity {
        /** A server would not take the configuration. */
        ERROR,
        /** A server takes it, but it does not do what it says. */
        WARNING;

        /** The name as the API has it. */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
