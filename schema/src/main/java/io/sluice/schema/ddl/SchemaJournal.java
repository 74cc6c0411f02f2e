package io.sluice.schema.ddl;

import io.sluice.protocol.position.SchemaReference;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes down what changes table schemas, so that they can be told again as of any position. For one thread. */
public interface SchemaJournal {
    /** Writes nothing and knows nothing. */
    SchemaJournal NONE = new SchemaJournal() {};

    /**
     * A statement that changes table schemas.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     * @param changes what it does; the first is the one that an entry tells of
     */
    record Statement(String sql, String sessionSchema, SqlMode mode, List<StatementChange> changes) {}

    /**
     * Writes a statement down before it is applied.
     *
     * @param before gives the table schemas as they are before it
     * @return false if the table schemas have it already, so that it must not be applied
     * @throws IOException if it could not be written; the same statement may come again then
     */
    default boolean statement(SchemaPoint at, Statement statement, Supplier<SchemaState> before) throws IOException {
        return true;
    }

    /**
     * Writes down what the source said of a table when it was asked.
     *
     * @throws IOException if it could not be written
     */
    default void definition(SchemaPoint at, TableName table, String createStatement) throws IOException {
        // keeps nothing
    }

    /** The newest row that was written or restored, on which cursors rely; null if nothing is kept. */
    default @Nullable SchemaReference reference() {
        return null;
    }

    /**
     * What the source said of a table when this position was passed before, and has changed since by no statement.
     *
     * @return null if it said nothing
     * @throws IOException if it could not be read
     */
    default @Nullable String recall(SchemaPoint at, TableName table) throws IOException {
        return null;
    }

    /** Whether a statement after this position is known to change the table: then what it is now says nothing of here. */
    default boolean changesLater(SchemaPoint at, TableName table) {
        return false;
    }
}
