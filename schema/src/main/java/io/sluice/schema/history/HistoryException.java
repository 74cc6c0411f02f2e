package io.sluice.schema.history;

import org.jspecify.annotations.Nullable;

/** The schema history cannot be read or written, and trying again would not help. Its message says what to do. */
public final class HistoryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    HistoryException(String message) {
        super(message);
    }

    HistoryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
