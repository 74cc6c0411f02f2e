package io.sluice.schema.canal;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the head of an INSERT, UPDATE or DELETE that is logged in statement format. */
public final class RowStatementParser {
    private RowStatementParser() {}

    /**
     * Reads the head of a statement; the rest of the text is not read.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     * @return its change, of several tables that of the first; null if it is none of these statements
     */
    public static @Nullable StatementChange parse(TokenCursor cursor, String sessionSchema) {
        EventType type = verb(cursor, new HashSet<>());
        if (type == null) {
            return null;
        }
        if (type == EventType.INSERT) {
            cursor.accept("INTO");
        } else if (type == EventType.DELETE) {
            cursor.accept("FROM");
        } else {
            while (cursor.acceptSign('(')) {
                // a joined table in parentheses
            }
        }
        return StatementChange.ofRows(type, sessionSchema, table(cursor, sessionSchema));
    }

    /**
     * Steps over the head of a statement, up to the INTO, FROM or table after its verb.
     *
     * @param commonTables gets the names in lower case that the statement defines by queries
     * @return null if it is none of these statements
     */
    static @Nullable EventType verb(TokenCursor cursor, Set<String> commonTables) {
        if (cursor.accept("WITH")) {
            cursor.accept("RECURSIVE");
            skipCommonTables(cursor, commonTables);
        }
        EventType type;
        if (cursor.accept("INSERT")) {
            type = EventType.INSERT;
        } else if (cursor.accept("UPDATE")) {
            type = EventType.UPDATE;
        } else if (cursor.accept("DELETE")) {
            type = EventType.DELETE;
        } else {
            return null;
        }
        while (isAtModifier(cursor)) {
            cursor.next();
        }
        return type;
    }

    /** The change of a REPLACE, at which the cursor is. canal's grammar does not have this statement. */
    static StatementChange replacement(TokenCursor cursor, String sessionSchema) {
        cursor.accept("REPLACE");
        while (isAtModifier(cursor)) {
            cursor.next();
        }
        cursor.accept("INTO");
        return StatementChange.ofRows(EventType.INSERT, sessionSchema, table(cursor, sessionSchema));
    }

    /** The table at which the cursor is; null if there is none. */
    static @Nullable TableName table(TokenCursor cursor, String sessionSchema) {
        if (cursor.isAt("SELECT")) {
            return null;
        }
        try {
            return cursor.tableName(sessionSchema);
        } catch (UnreadableSqlException e) {
            return null;
        }
    }

    private static boolean isAtModifier(TokenCursor cursor) {
        return cursor.isAt("LOW_PRIORITY")
                || cursor.isAt("HIGH_PRIORITY")
                || cursor.isAt("DELAYED")
                || cursor.isAt("QUICK")
                || cursor.isAt("IGNORE");
    }

    private static void skipCommonTables(TokenCursor cursor, Set<String> names) {
        names.add(cursor.peek().text().toLowerCase(Locale.ROOT));
        while (!cursor.isAtStatementEnd()
                && !cursor.isAt("UPDATE")
                && !cursor.isAt("DELETE")
                && !cursor.isAt("SELECT")) {
            if (cursor.acceptSign(',')) {
                names.add(cursor.peek().text().toLowerCase(Locale.ROOT));
            }
            try {
                cursor.skipOne();
            } catch (UnreadableSqlException e) {
                return;
            }
        }
    }
}
