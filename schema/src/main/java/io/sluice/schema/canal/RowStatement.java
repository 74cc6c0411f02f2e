package io.sluice.schema.canal;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.TokenCursor;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes statements that change rows. Those are in the binlog as text only if the server logs them in statement format, and then their rows are not.
 */
public final class RowStatement {
    private RowStatement() {}

    /**
     * Reads the beginning of a statement.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     * @return the change of its first table, without the table if that cannot be told, as for a call of a function that changes rows; null if
     *     the statement changes no rows
     */
    public static @Nullable StatementChange changeOf(String sql, String sessionSchema) {
        TokenCursor cursor = new TokenCursor(new SqlLexer(sql, SourceTraits.DEFAULT));
        if (cursor.isAt("REPLACE")) {
            return RowStatementParser.replacement(cursor, sessionSchema);
        }
        boolean isCall = cursor.isAt("SELECT") || cursor.isAt("DO") || cursor.isAt("CALL");
        if (isCall || cursor.isAt("LOAD")) {
            return StatementChange.ofRows(EventType.INSERT, sessionSchema, null);
        }
        return RowStatementParser.parse(cursor, sessionSchema);
    }
}
