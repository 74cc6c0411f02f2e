package io.sluice.schema.ddl.catalog;

import io.sluice.protocol.position.SchemaReference;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records what changes table schemas, so that they can be restored for any position. For one thread. */
public interface SchemaRecorder {
    /** Records nothing. */
    SchemaRecorder NONE = new SchemaRecorder() {};

    /**
     * A statement that changes table schemas.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     * @param changes its effects; the first is the one that its entry states
     * @param temporary whether it was of temporary tables
     * @param session the session that executed it; {@link BinlogSession#NO_ID} if it is not known, or does not matter
     * @param charset the character set that it took from its schema or session, which a replay of it takes; null if it took none
     * @param isAmbiguous whether its effect depends on a mode that it sets itself and that is not known, so that the tables concerned were forgotten
     */
    record Ddl(
            String sql,
            String sessionSchema,
            SqlMode mode,
            List<StatementChange> changes,
            TemporaryUse temporary,
            long session,
            @Nullable String charset,
            boolean isAmbiguous) {
        /** A statement that was not of temporary tables, and took no character set. */
        public Ddl(String sql, String sessionSchema, SqlMode mode, List<StatementChange> changes) {
            this(sql, sessionSchema, mode, changes, TemporaryUse.NONE, BinlogSession.NO_ID, null, false);
        }
    }

    /** Returns table schemas. */
    @FunctionalInterface
    interface StateSupplier {
        /**
         * Returns them as texts.
         *
         * @throws IOException if the heap has no room for a snapshot of them
         */
        SchemaState get() throws IOException;
    }

    /**
     * Records a statement before it is applied.
     *
     * @param before returns the table schemas before the statement
     * @return false if the table schemas contain its effect already, so that it must not be applied
     * @throws IOException if it could not be written; the same statement may be recorded again then
     */
    default boolean recordStatement(EventPosition at, Ddl ddl, StateSupplier before) throws IOException {
        return true;
    }

    /** Called for a statement about tables whose form is not known, so that what it changes is not known, either. */
    default void recordUnread(EventPosition at, Ddl ddl) {
        // records nothing
    }

    /**
     * Records the definition of a table that the source returned.
     *
     * @param before returns the table schemas without it
     * @throws IOException if it could not be written
     */
    default void recordDefinition(EventPosition at, TableName table, String createStatement, StateSupplier before)
            throws IOException {
        // records nothing
    }

    /** The newest row that was written or restored, which cursors refer to; null if nothing is recorded. */
    default @Nullable SchemaReference reference() {
        return null;
    }

    /**
     * Returns the definition of a table that the source gave when this position was read before, if no statement has changed the table since.
     *
     * @return null if none was recorded
     * @throws IOException if it could not be read
     */
    default @Nullable String recall(EventPosition at, TableName table) throws IOException {
        return null;
    }

    /** Returns the character set that the statement at this position took from its schema or session when it was read before; null if none was recorded. */
    default @Nullable String recallCharset(EventPosition at) {
        return null;
    }

    /** Whether a recorded statement after this position changes the table, so that its present definition is not that of this position. */
    default boolean changesLater(EventPosition at, TableName table) {
        return false;
    }
}
