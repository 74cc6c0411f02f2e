package io.sluice.schema.canal;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.table.TableName;
import java.util.List;

/**
 * Classifies a statement by its beginning alone, as canal does where its SQL parser is switched off.
 *
 * <p>What is no DDL of a table is of type {@code QUERY} in the session's schema, be it a view or a schema; changes of rows
 * have no table; a list of tables is one name, as it is written, without the first and the last backtick.
 */
public final class StatementHead {
    private final String sql;
    private final String sessionSchema;
    private final TokenCursor cursor;

    private StatementHead(String sql, String sessionSchema) {
        this.sql = sql;
        this.sessionSchema = sessionSchema;
        this.cursor = new TokenCursor(new SqlLexer(sql, SourceTraits.DEFAULT));
    }

    /**
     * Reads a statement's beginning.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     */
    public static StatementChange read(String sql, String sessionSchema) {
        return new StatementHead(sql, sessionSchema).read();
    }

    private StatementChange read() {
        if (cursor.accept("CREATE")) {
            return create();
        }
        if (cursor.accept("ALTER")) {
            cursor.accept("IGNORE");
            return cursor.accept("TABLE") ? table(EventType.ALTER) : other();
        }
        if (cursor.accept("DROP")) {
            if (cursor.accept("INDEX")) {
                return indexed(EventType.DINDEX);
            }
            cursor.accept("TEMPORARY");
            return cursor.accept("TABLE") ? table(EventType.ERASE) : other();
        }
        if (cursor.accept("TRUNCATE")) {
            cursor.accept("TABLE");
            return table(EventType.TRUNCATE);
        }
        if (cursor.accept("RENAME", "TABLE")) {
            return renamed();
        }
        if (cursor.isAt("INSERT") || cursor.isAt("REPLACE") || cursor.isAt("MERGE")) {
            return rows(EventType.INSERT);
        }
        if (cursor.isAt("UPDATE")) {
            return rows(EventType.UPDATE);
        }
        return cursor.isAt("DELETE") ? rows(EventType.DELETE) : other();
    }

    private StatementChange create() {
        cursor.accept("OR", "REPLACE");
        cursor.accept("TEMPORARY");
        if (cursor.accept("TABLE")) {
            return table(EventType.CREATE);
        }
        if (!cursor.accept("UNIQUE") && !cursor.accept("FULLTEXT")) {
            cursor.accept("SPATIAL");
        }
        return cursor.accept("INDEX") ? indexed(EventType.CINDEX) : other();
    }

    private StatementChange indexed(EventType type) {
        while (!cursor.isAtStatementEnd() && !cursor.accept("ON")) {
            cursor.next();
        }
        return table(type);
    }

    private StatementChange table(EventType type) {
        if (!cursor.acceptIfNotExists()) {
            cursor.acceptIfExists();
        }
        return cursor.isAtStatementEnd() ? other() : StatementChange.ofTable(type, name("(;"));
    }

    private StatementChange renamed() {
        if (cursor.isAtStatementEnd()) {
            return other();
        }
        TableName from = name("(;,");
        while (!cursor.isAtStatementEnd() && !cursor.accept("TO")) {
            cursor.next();
        }
        return cursor.isAtStatementEnd() ? other() : StatementChange.ofRename(from, name("(;,"));
    }

    /** What is up to the next blank, or sign that ends it, that is not in quotes. */
    private TableName name(String ends) {
        int start = cursor.peek().start();
        int dot = -1;
        int end = start;
        boolean quoted = false;
        while (end < sql.length()) {
            char c = sql.charAt(end);
            if (c == '`') {
                quoted = !quoted;
            } else if (!quoted && (c <= ' ' || ends.indexOf(c) >= 0)) {
                break;
            } else if (!quoted && c == '.' && dot < 0) {
                dot = end;
            }
            end++;
        }
        while (cursor.peek().start() < end && !cursor.isAtStatementEnd()) {
            cursor.next();
        }
        return dot < 0
                ? new TableName(sessionSchema, unquoted(sql.substring(start, end)))
                : new TableName(unquoted(sql.substring(start, dot)), unquoted(sql.substring(dot + 1, end)));
    }

    private static String unquoted(String name) {
        int from = name.startsWith("`") ? 1 : 0;
        int to = name.length() > from && name.endsWith("`") ? name.length() - 1 : name.length();
        return name.substring(from, to);
    }

    private StatementChange rows(EventType type) {
        return StatementChange.ofRows(type, sessionSchema, null);
    }

    private StatementChange other() {
        String schema = sessionSchema.isEmpty() ? null : sessionSchema;
        return new StatementChange(EventType.QUERY, true, schema, null, null, List.of());
    }
}
