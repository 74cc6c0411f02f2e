package io.sluice.schema.canal;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.table.TableName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that a statement makes, as the header of its entry states it.
 *
 * @param type the kind of change
 * @param ddl whether it is a DDL; false for rows changed in statement format
 * @param schema the schema in the statement, else that of the session; null if there is none or the text is not read
 * @param table null if the change is not one of a table, or the text is not read
 * @param renamedFrom the old name if the type is {@code RENAME}, else null
 * @param unstated what the statement does to tables, if canal cannot read the text, so that the entry states neither schema nor table; empty if
 *     it is not known, or the entry states it
 */
public record StatementChange(
        EventType type,
        boolean ddl,
        @Nullable String schema,
        @Nullable String table,
        @Nullable TableName renamedFrom,
        List<StatementChange> unstated) {

    /** A DDL of a table; an empty schema is stated as none. */
    public static StatementChange ofTable(EventType type, TableName table) {
        return new StatementChange(type, true, emptyToNull(table.schema()), table.table(), null, List.of());
    }

    /** A new name of a table; an empty schema is stated as none. */
    public static StatementChange ofRename(TableName from, TableName to) {
        return new StatementChange(EventType.RENAME, true, emptyToNull(to.schema()), to.table(), from, List.of());
    }

    /** A DDL of a schema. */
    public static StatementChange ofSchema(String schema) {
        return new StatementChange(EventType.QUERY, true, schema, null, null, List.of());
    }

    /**
     * A change of rows.
     *
     * @param sessionSchema the schema of the session, stated if there is no table; may be empty
     * @param table the first table of the statement; null if it is not known
     */
    public static StatementChange ofRows(EventType type, String sessionSchema, @Nullable TableName table) {
        String schema = table == null ? sessionSchema : table.schema();
        return new StatementChange(
                type, false, emptyToNull(schema), table == null ? null : table.table(), null, List.of());
    }

    /**
     * A text that canal cannot read, so that its entry states neither schema nor table.
     *
     * @param unstated what it does to tables; empty if it is not known
     */
    public static StatementChange ofUnreadText(List<StatementChange> unstated) {
        return new StatementChange(EventType.QUERY, true, null, null, null, List.copyOf(unstated));
    }

    /** The table that it changes, by its name and by the one that it had before; empty if it states none. */
    public List<TableName> tables() {
        if (table == null) {
            return List.of();
        }
        TableName name = new TableName(schema == null ? "" : schema, table);
        return renamedFrom == null ? List.of(name) : List.of(name, renamedFrom);
    }

    private static @Nullable String emptyToNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
