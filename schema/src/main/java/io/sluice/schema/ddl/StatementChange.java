package io.sluice.schema.ddl;

import io.sluice.protocol.entry.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A change that a statement makes, as the header of its entry states it.
 *
 * @param type the kind of change
 * @param ddl whether it is a DDL; false for rows changed in statement format
 * @param schema the schema in the statement, else that of the session; null if there is none or the text is not read
 * @param table null if the change is not one of a table, or the text is not read
 * @param renamedFrom the old name if the type is {@code RENAME}, else null
 * @param unparsed whether canal cannot read the text, so that the entry states neither schema nor table
 */
public record StatementChange(
        EventType type,
        boolean ddl,
        @Nullable String schema,
        @Nullable String table,
        @Nullable TableName renamedFrom,
        boolean unparsed) {

    static StatementChange ofTable(EventType type, TableName table) {
        return new StatementChange(type, true, emptyToNull(table.schema()), table.table(), null, false);
    }

    static StatementChange ofRename(TableName from, TableName to) {
        return new StatementChange(EventType.RENAME, true, emptyToNull(to.schema()), to.table(), from, false);
    }

    static StatementChange ofSchema(String schema) {
        return new StatementChange(EventType.QUERY, true, schema, null, null, false);
    }

    static StatementChange ofRows(EventType type, String sessionSchema, @Nullable TableName table) {
        String schema = table == null ? sessionSchema : table.schema();
        return new StatementChange(type, false, emptyToNull(schema), table == null ? null : table.table(), null, false);
    }

    static StatementChange ofUnreadText() {
        return new StatementChange(EventType.QUERY, true, null, null, null, true);
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
