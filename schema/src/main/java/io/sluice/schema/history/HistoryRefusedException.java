package io.sluice.schema.history;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;

/** Thrown if the server of a schema history can be reached, but does not take a statement, or would not. What was written before is not concerned. */
final class HistoryRefusedException extends SourceException {
    private static final long serialVersionUID = 1;

    HistoryRefusedException(String message, String remedy) {
        super(SourceFailure.HISTORY_UNREACHABLE, message, remedy);
    }

    HistoryRefusedException(String message, String remedy, Throwable cause) {
        super(SourceFailure.HISTORY_UNREACHABLE, message, remedy, cause);
    }
}
