package io.sluice.schema.history.database;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.error.ServerErrorException;

/** Thrown if the server of a schema history can be reached, but rejects a statement, or would reject it. What was written before is not affected. */
public final class HistoryRejectedException extends SourceException {
    private static final long serialVersionUID = 1;

    private final int errno;

    HistoryRejectedException(String message, String remedy) {
        super(SourceFailure.HISTORY_UNREACHABLE, message, remedy);
        this.errno = 0;
    }

    HistoryRejectedException(String message, String remedy, ServerErrorException cause) {
        super(SourceFailure.HISTORY_UNREACHABLE, message, remedy, cause);
        this.errno = cause.errno();
    }

    /** The number of the server's error; 0 if the statement was not sent. */
    int errno() {
        return errno;
    }

    /** Whether the statement was rejected because of another transaction, so that it may succeed when that has ended. */
    public boolean isOfOtherTransaction() {
        return errno == 1205 // ER_LOCK_WAIT_TIMEOUT
                || errno == 1213 // ER_LOCK_DEADLOCK
                || errno == 3101; // ER_TRANSACTION_ROLLBACK_DURING_COMMIT, a conflict within a replication group
    }
}
