package io.sluice.stream.mapping;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.schema.table.TableName;
import io.sluice.stream.failure.StreamException;

/** Thrown if rows cannot be named, since they match no schema of their table that is known. */
public final class SchemaMismatchException extends StreamException {
    private static final long serialVersionUID = 1;

    private final transient TableName table;

    SchemaMismatchException(TableName table, String message) {
        super(SourceFailure.SCHEMA_MISMATCH, message);
        this.table = table;
    }

    /** The table of the rows. */
    public TableName table() {
        return table;
    }
}
