package io.sluice.schema.history.database;

import org.jspecify.annotations.Nullable;

/** Thrown if the schema history cannot be read or written, and a retry would not help. Its message states the remedy. */
public final class HistoryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HistoryException(String message) {
        super(message);
    }

    public HistoryException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
