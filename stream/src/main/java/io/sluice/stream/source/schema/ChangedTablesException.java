package io.sluice.stream.source.schema;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;

/**
 * Thrown if the columns of tables at a start are not known, since the source has changed the tables after it, and after rows. They are known at a start
 * after these changes.
 */
public final class ChangedTablesException extends SourceException {
    private static final long serialVersionUID = 1L;

    ChangedTablesException(String message) {
        super(SourceFailure.MISCONFIGURED, message);
    }
}
