package io.sluice.schema.definition;

import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses the columns, keys and options of a {@code CREATE TABLE}. */
public final class TableBodyParser {
    private final TokenCursor cursor;
    private final List<ColumnDefinition> columns = new ArrayList<>();
    private PrimaryKey primaryKey = PrimaryKey.NONE;
    private @Nullable Period period;
    private boolean namesPeriod;
    private boolean isVersioned;

    private TableBodyParser(TokenCursor cursor) {
        this.cursor = cursor;
    }

    /**
     * Reads from the end of the table's name to the end of the statement.
     *
     * @return null if the columns come, all or some, from a query
     * @throws UnreadableSqlException if the columns cannot be read
     */
    public static @Nullable TableBody parse(TokenCursor cursor) throws UnreadableSqlException {
        return new TableBodyParser(cursor).parse();
    }

    private @Nullable TableBody parse() throws UnreadableSqlException {
        if (cursor.isAtSign('(') && !isAtQuery(1)) {
            cursor.next();
            do {
                element();
            } while (cursor.acceptSign(','));
            cursor.expectSign(')');
        }
        CharsetClause charset = new CharsetClause();
        boolean options = true;
        while (!cursor.isAtStatementEnd()) {
            if (cursor.isAt("AS") || isAtQuery(0) || (options && cursor.isAtSign('(') && isAtQuery(1))) {
                return null; // what PARTITION BY has in parentheses is an expression
            }
            isVersioned |= cursor.isAt("SYSTEM", "VERSIONING");
            if (cursor.isAt("PARTITION", "BY")) {
                options = false;
            }
            if (!options || !charset.accept(cursor)) {
                cursor.skipOne();
            }
        }
        if (columns.isEmpty()) {
            throw new UnreadableSqlException("no columns found");
        }
        if (isVersioned && !namesPeriod) {
            columns.addAll(ColumnDefinition.hiddenPeriod());
        } else if (!isVersioned && columns.stream().anyMatch(ColumnDefinition::isUnversioned)) {
            columns.replaceAll(
                    ColumnDefinition::withoutVersioning); // MariaDB takes columns of ROW START and END for others then
        }
        return new TableBody(columns, primaryKey, period, charset.charset());
    }

    private boolean isAtQuery(int distance) {
        Token token = cursor.peek(distance);
        return token.isWord("SELECT")
                || token.isWord("TABLE")
                || token.isWord("VALUES")
                || (distance > 0 && token.isSign('('));
    }

    private void element() throws UnreadableSqlException {
        if (!isAtKeyClause(cursor)) {
            ColumnDefinition column = ColumnParser.parse(cursor);
            isVersioned |= column.startsVersioning();
            columns.add(column);
            return;
        }
        if (cursor.accept("PERIOD", "FOR")) {
            period(cursor.isAt("SYSTEM_TIME"));
        }
        if (cursor.accept("CONSTRAINT") && !isAtConstraintKind(cursor)) {
            cursor.name();
        }
        if (cursor.accept("PRIMARY")) {
            primaryKey = primaryKey(cursor);
        }
        cursor.skipItem();
    }

    private void period(boolean ofSystem) throws UnreadableSqlException {
        namesPeriod |= ofSystem;
        if (!ofSystem) {
            period = period(cursor);
        }
    }

    /** Reads the name and the columns of a period. */
    static Period period(TokenCursor cursor) throws UnreadableSqlException {
        cursor.name();
        cursor.expectSign('(');
        String start = cursor.name();
        cursor.expectSign(',');
        String end = cursor.name();
        cursor.expectSign(')');
        return new Period(start, end);
    }

    /** Reads the columns of a key whose {@code PRIMARY} was read; an index name and type may be before them. */
    static PrimaryKey primaryKey(TokenCursor cursor) throws UnreadableSqlException {
        while (!cursor.isAtSign('(') && !cursor.isAtItemEnd()) {
            cursor.next();
        }
        return keyColumns(cursor);
    }

    /** The names in a list in parentheses; lengths, orders and expressions are left out. */
    private static PrimaryKey keyColumns(TokenCursor cursor) throws UnreadableSqlException {
        List<String> names = new ArrayList<>();
        boolean hasPeriod = false;
        cursor.expectSign('(');
        do {
            boolean isPeriod = cursor.peek(1).isWord("WITHOUT"); // WITHOUT OVERLAPS, in the last place
            hasPeriod |= isPeriod;
            if (!cursor.isAtSign('(') && !isPeriod) {
                names.add(cursor.name());
            }
            cursor.skipItem();
        } while (cursor.acceptSign(','));
        cursor.expectSign(')');
        return new PrimaryKey(names, hasPeriod);
    }

    static boolean isAtConstraintKind(TokenCursor cursor) {
        return cursor.isAt("PRIMARY") || cursor.isAt("UNIQUE") || cursor.isAt("FOREIGN") || cursor.isAt("CHECK");
    }

    /** Whether a key or constraint comes, not a column: but for the last two, these words cannot name one. */
    static boolean isAtKeyClause(TokenCursor cursor) {
        return isAtConstraintKind(cursor)
                || cursor.isAt("CONSTRAINT")
                || cursor.isAt("KEY")
                || cursor.isAt("INDEX")
                || cursor.isAt("FULLTEXT")
                || cursor.isAt("SPATIAL")
                || cursor.isAt("PERIOD", "FOR")
                || cursor.isAt("VECTOR", "KEY")
                || cursor.isAt("VECTOR", "INDEX");
    }
}
