package io.sluice.schema.ddl.catalog;

import io.sluice.schema.table.StoredColumn;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the definitions of tables from the source as they are now, which may be later than the position of the stream. */
public interface TableDefinitions {
    /**
     * The text of {@code SHOW CREATE TABLE}; null if there is no such table.
     *
     * @throws IOException if the source cannot be asked
     */
    @Nullable String createStatement(TableName table) throws IOException;

    /**
     * What happens to the columns of a table after an event of the stream, so that its present definition, which was asked for before, is not the one at the
     * event.
     *
     * @return the names of columns that are added; empty if the columns stay as they are; null if they are changed otherwise
     * @throws IOException if the source cannot be asked
     */
    default @Nullable List<String> addedAfter(TableName table, EventPosition event) throws IOException {
        return List.of();
    }

    /**
     * Whether the DDL after an event of the stream shows for certain that a name was that of a sequence of MariaDB at the event.
     *
     * @param isGone whether the source has neither a table nor a sequence of that name now
     * @throws IOException if the source cannot be asked
     */
    default boolean wasSequence(TableName name, EventPosition event, boolean isGone) throws IOException {
        return false;
    }

    /**
     * All columns of a table as the server stores them, in its order, with those in which it keeps the values of indexes on expressions; null
     * if there is no such table, or the server does not show them.
     *
     * @throws IOException if the source cannot be asked
     */
    default @Nullable List<StoredColumn> storedColumns(TableName table) throws IOException {
        return null;
    }

    /**
     * The default character set that a schema has now; null if it is not known. Asked only for tables whose DDL names none.
     *
     * @throws IOException if the source cannot be asked
     */
    default @Nullable String schemaCharset(String schema) throws IOException {
        return null;
    }

    /**
     * Whether a statement after an event of the stream changes the default character set of a schema, or drops the schema, so that the present default,
     * which was asked for before, need not be the one at the event.
     *
     * @throws IOException if the source cannot be asked
     */
    default boolean changesCharsetAfter(String schema, EventPosition event) throws IOException {
        return false;
    }
}
