package io.sluice.schema.canal;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.definition.TableBodyParser;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Recognizes statements that change rows. Those are in the binlog as text only if the server logs them in statement format, and then their rows are not. For a
 * {@code CREATE TABLE .. SELECT} in row format the server logs a text of its own, which has no query.
 */
public final class RowStatement {
    private RowStatement() {}

    /**
     * Reads the head of a statement.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     * @return the change of each table whose rows it may change by its text, which of a join are those that it names as changed; without the table if that cannot be told, as
     *     for a call of a function that changes rows; none if the statement changes no rows
     */
    public static List<StatementChange> changesOf(String sql, String sessionSchema) {
        TokenCursor cursor = new TokenCursor(new SqlLexer(sql, SourceTraits.DEFAULT));
        if (cursor.isAt("REPLACE")) {
            return List.of(RowStatementParser.replacement(cursor, sessionSchema));
        }
        boolean isCall = cursor.isAt("SELECT") || cursor.isAt("DO") || cursor.isAt("CALL");
        if (isCall || cursor.isAt("LOAD")) {
            return List.of(StatementChange.ofRows(EventType.INSERT, sessionSchema, null));
        }
        if (cursor.accept("CREATE")) {
            return filled(cursor, sessionSchema);
        }
        Set<String> commonTables = new HashSet<>();
        EventType type = RowStatementParser.verb(cursor, commonTables);
        if (type == null) {
            return List.of();
        }
        if (type == EventType.INSERT) {
            cursor.accept("INTO");
            return List.of(
                    StatementChange.ofRows(type, sessionSchema, RowStatementParser.table(cursor, sessionSchema)));
        }
        ChangedTables changed = new ChangedTables(cursor, sessionSchema, commonTables);
        List<TableName> tables = type == EventType.UPDATE ? changed.ofUpdate() : changed.ofDelete();
        return tables.isEmpty()
                ? List.of(StatementChange.ofRows(type, sessionSchema, null))
                : tables.stream()
                        .map(table -> StatementChange.ofRows(type, sessionSchema, table))
                        .toList();
    }

    /** The table that a {@code CREATE TABLE} fills from a query; none if it does not. */
    private static List<StatementChange> filled(TokenCursor cursor, String sessionSchema) {
        cursor.accept("OR", "REPLACE");
        if (!cursor.accept("TABLE")) {
            return List.of();
        }
        cursor.acceptIfNotExists();
        try {
            TableName table = cursor.tableName(sessionSchema);
            return cursor.isAt("LIKE") || TableBodyParser.parse(cursor) != null
                    ? List.of()
                    : List.of(StatementChange.ofRows(EventType.INSERT, sessionSchema, table));
        } catch (UnreadableSqlException e) {
            return List.of();
        }
    }
}
