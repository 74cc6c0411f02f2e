package io.sluice.schema.canal;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.util.ArrayList;
import java.util.List;
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
        if (cursor.isAt("WITH")) {
            skipCommonTables(cursor);
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

    /** The change of a REPLACE, at which the cursor is. canal's grammar does not have this statement. */
    static StatementChange replacement(TokenCursor cursor, String sessionSchema) {
        cursor.accept("REPLACE");
        while (isAtModifier(cursor)) {
            cursor.next();
        }
        cursor.accept("INTO");
        return StatementChange.ofRows(EventType.INSERT, sessionSchema, table(cursor, sessionSchema));
    }

    /**
     * Reads on from the first table of an UPDATE or DELETE, up to its SET or WHERE.
     *
     * @param first what {@link #parse} has read
     * @return the tables that it joins; empty if it has only one, or is another statement
     */
    static List<TableName> joined(TokenCursor cursor, String sessionSchema, StatementChange first) {
        List<TableName> tables = new ArrayList<>();
        if (first.type() == EventType.UPDATE) {
            if (first.schema() != null && first.table() != null) {
                tables.add(new TableName(first.schema(), first.table()));
            }
            addJoined(cursor, sessionSchema, tables);
        } else if (first.type() == EventType.DELETE) {
            skipTargets(cursor);
            if (cursor.accept("FROM") || cursor.accept("USING")) {
                addTable(cursor, sessionSchema, tables);
                addJoined(cursor, sessionSchema, tables);
            }
        }
        return tables;
    }

    /** Steps over what a DELETE names before its joined tables: names of them, or their aliases. */
    private static void skipTargets(TokenCursor cursor) {
        while (!cursor.isAt("FROM") && !cursor.isAt("USING") && !isAtEndOfTables(cursor)) {
            cursor.next();
        }
    }

    private static void addJoined(TokenCursor cursor, String sessionSchema, List<TableName> tables) {
        while (!isAtEndOfTables(cursor)) {
            if (cursor.acceptSign(',') || cursor.accept("JOIN") || cursor.accept("STRAIGHT_JOIN")) {
                addTable(cursor, sessionSchema, tables);
            } else {
                skip(cursor); // what is in parentheses is a condition, or a list of columns or partitions
            }
        }
    }

    private static void addTable(TokenCursor cursor, String sessionSchema, List<TableName> tables) {
        cursor.accept("LATERAL");
        while (cursor.isAtSign('(')) {
            if (isQuery(cursor.peek(1))) {
                skip(cursor);
                return;
            }
            cursor.next();
        }
        TableName table = table(cursor, sessionSchema);
        if (table != null) {
            tables.add(table);
        }
    }

    private static boolean isQuery(Token token) {
        return token.isWord("SELECT") || token.isWord("WITH") || token.isWord("VALUES") || token.isWord("TABLE");
    }

    /** Steps over a token, or over parentheses with what is in them. */
    private static void skip(TokenCursor cursor) {
        try {
            cursor.skipOne();
        } catch (UnreadableSqlException e) {
            // at the end of the text then
        }
    }

    private static boolean isAtEndOfTables(TokenCursor cursor) {
        return cursor.isAt("SET")
                || cursor.isAt("WHERE")
                || cursor.isAt("ORDER")
                || cursor.isAt("LIMIT")
                || cursor.isAt("RETURNING")
                || cursor.isAt("FOR", "PORTION")
                || cursor.isAtStatementEnd();
    }

    private static @Nullable TableName table(TokenCursor cursor, String sessionSchema) {
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

    private static void skipCommonTables(TokenCursor cursor) {
        while (!cursor.isAtStatementEnd()
                && !cursor.isAt("UPDATE")
                && !cursor.isAt("DELETE")
                && !cursor.isAt("SELECT")) {
            try {
                cursor.skipOne();
            } catch (UnreadableSqlException e) {
                return;
            }
        }
    }
}
