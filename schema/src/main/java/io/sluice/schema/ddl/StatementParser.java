package io.sluice.schema.ddl;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.canal.RowStatementParser;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.definition.AlterParser;
import io.sluice.schema.definition.CharsetClause;
import io.sluice.schema.definition.TableBodyParser;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlLexer;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses the statements of a text, as far as they matter to the table schemas and to the entry.
 *
 * <p>It never fails: what it cannot read becomes {@link Statement.UnreadableDdl} if it is a DDL of tables, else {@link
 * Statement.Silent}.
 */
final class StatementParser {
    /** Statements for which no entry leaves, whatever follows these words. */
    private static final Set<String> SILENT =
            Set.of("BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "REPLACE", "XA", "GRANT", "REVOKE");

    /** What a statement may be about that has no rows; its name follows the definer and the options. */
    private static final Set<String> OBJECTS_WITHOUT_ROWS =
            Set.of("VIEW", "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "USER", "ROLE");

    /** What may be altered or dropped in the same way: a sequence keeps its columns, and one that is dropped is read as such. */
    private static final Set<String> OBJECTS_WITHOUT_COLUMNS = Set.of(
            "VIEW", "PROCEDURE", "FUNCTION", "TRIGGER", "EVENT", "PACKAGE", "SEQUENCE", "ROLE", "USER", "SERVER");

    private static final int TOKENS_BEFORE_AN_OBJECT = 16;

    private final TokenCursor cursor;
    private final String sessionSchema;
    private boolean isModeUnknown;

    StatementParser(String sql, String sessionSchema, SourceTraits source) {
        this(sql, sessionSchema, source, SqlMode.DEFAULT);
    }

    StatementParser(String sql, String sessionSchema, SourceTraits source, SqlMode mode) {
        this.cursor = new TokenCursor(new SqlLexer(sql, source, mode));
        this.sessionSchema = sessionSchema;
    }

    /**
     * Whether a statement that was read is preceded by {@code SET STATEMENT sql_mode = ..}: the event has that mode, and the server has read the text in the mode of the
     * session, which is not in the binlog.
     */
    boolean isModeUnknown() {
        return isModeUnknown;
    }

    /** Whether what was read so far ends in a string, a name or a comment that is not closed, so that no server has run it as it was read. */
    boolean isUnclosed() {
        return cursor.isUnclosed();
    }

    /** The next statement; null after the last one. */
    @Nullable Statement next() {
        while (cursor.acceptSign(';')) {
            // empty statements
        }
        if (cursor.peek().kind() == Token.Kind.END) {
            return null;
        }
        skipStatementSettings();
        if (cursor.accept("CREATE")) {
            return finish(create());
        }
        if (cursor.accept("ALTER")) {
            return finish(alter());
        }
        if (cursor.accept("DROP")) {
            return finish(drop());
        }
        if (cursor.accept("RENAME")) {
            return finish(rename());
        }
        if (cursor.accept("TRUNCATE")) {
            cursor.accept("TABLE");
            return finish(tableChange(EventType.TRUNCATE));
        }
        StatementChange rowChange = RowStatementParser.parse(cursor, sessionSchema);
        if (rowChange != null) {
            return new Statement.RowChange(rowChange);
        }
        boolean silent = SILENT.stream().anyMatch(cursor::isAt) || isRoleSetting(cursor.isAt("SET", "DEFAULT") ? 2 : 1);
        return finish(silent ? new Statement.Silent(true) : other());
    }

    /** {@code SET ROLE} and {@code SET DEFAULT ROLE}. */
    private boolean isRoleSetting(int place) {
        return cursor.isAt("SET") && cursor.peek(place).isWord("ROLE");
    }

    /** A text is read up to a statement that may hold others; what follows that is not looked at. */
    private Statement finish(Statement statement) {
        if (!(statement instanceof Statement.Silent)) {
            cursor.skipStatement();
        }
        return statement;
    }

    /** No entry leaves for what has no rows, whether canal reads all of the text or not. */
    private Statement otherObject() {
        for (int i = 0; i < TOKENS_BEFORE_AN_OBJECT; i++) {
            if (OBJECTS_WITHOUT_ROWS.stream().anyMatch(cursor.peek(i)::isWord)) {
                return new Statement.Silent(true);
            }
        }
        return other();
    }

    /** Of an object, or of no known form; a definer and options may be before the kind of the object. */
    private Statement otherThanTable() {
        for (int i = 0; i < TOKENS_BEFORE_AN_OBJECT && !cursor.peek(i).isWord("TABLE"); i++) {
            if (OBJECTS_WITHOUT_COLUMNS.stream().anyMatch(cursor.peek(i)::isWord)) {
                return new Statement.Silent(false, false);
            }
        }
        return other();
    }

    private Statement other() {
        return new Statement.Silent(false);
    }

    /** {@code SET STATEMENT name=value FOR}, which MariaDB puts before a statement. */
    private void skipStatementSettings() {
        if (cursor.accept("SET", "STATEMENT")) {
            while (!cursor.isAtStatementEnd() && !cursor.accept("FOR")) {
                isModeUnknown |= IdentifierCase.areSame(cursor.peek().text(), "sql_mode")
                        && (cursor.peek(1).isSign('=')
                                || cursor.peek(1).isSign(':') && cursor.peek(2).isSign('='));
                cursor.next();
            }
        }
    }

    private Statement create() {
        boolean orReplace = cursor.accept("OR", "REPLACE");
        boolean temporary = cursor.accept("TEMPORARY");
        if (cursor.accept("TABLE")) {
            return createTable(temporary, orReplace);
        }
        if (cursor.accept("DATABASE") || cursor.accept("SCHEMA")) {
            return createSchema(orReplace);
        }
        if (!temporary && cursor.accept("SEQUENCE")) {
            return createSequence(orReplace);
        }
        cursor.accept("ONLINE");
        cursor.accept("OFFLINE");
        boolean special = cursor.accept("UNIQUE") || cursor.accept("FULLTEXT") || cursor.accept("SPATIAL");
        if (cursor.accept("INDEX") || (!special && cursor.accept("VECTOR", "INDEX"))) {
            cursor.acceptIfNotExists();
            while (!cursor.isAtStatementEnd() && !cursor.accept("ON")) {
                cursor.next();
            }
            return tableChange(EventType.CINDEX);
        }
        return otherObject();
    }

    private Statement createTable(boolean temporary, boolean orReplace) {
        boolean ifNotExists = cursor.acceptIfNotExists() && !orReplace;
        TableName name;
        try {
            name = cursor.tableName(sessionSchema);
        } catch (UnreadableSqlException e) {
            return other();
        }
        try {
            boolean inParentheses = cursor.isAtSign('(') && cursor.peek(1).isWord("LIKE");
            if (inParentheses) {
                cursor.next();
            }
            if (cursor.accept("LIKE")) {
                return new TableStatement.CreateTableLike(
                        name, temporary, orReplace, ifNotExists, cursor.tableName(sessionSchema));
            }
            return new TableStatement.CreateTable(
                    name, temporary, orReplace, ifNotExists, TableBodyParser.parse(cursor));
        } catch (UnreadableSqlException e) {
            List<TableName> tables = temporary ? List.of() : List.of(name);
            return unreadable(StatementChange.ofTable(EventType.CREATE, name), tables, e);
        }
    }

    private Statement createSequence(boolean orReplace) {
        boolean ifNotExists = cursor.acceptIfNotExists() && !orReplace;
        try {
            return new SequenceStatement.CreateSequence(cursor.tableName(sessionSchema), orReplace, ifNotExists);
        } catch (UnreadableSqlException e) {
            return other();
        }
    }

    private Statement createSchema(boolean orReplace) {
        try {
            boolean ifNotExists = cursor.acceptIfNotExists() && !orReplace;
            String name = cursor.name();
            return new SchemaStatement.CreateSchema(
                    name, orReplace, ifNotExists, schemaCharset().charset());
        } catch (UnreadableSqlException e) {
            return other();
        }
    }

    private CharsetClause schemaCharset() throws UnreadableSqlException {
        CharsetClause charset = new CharsetClause();
        while (!cursor.isAtStatementEnd()) {
            if (!charset.accept(cursor)) {
                cursor.next();
            }
        }
        return charset;
    }

    private Statement alter() {
        if (cursor.accept("DATABASE") || cursor.accept("SCHEMA")) {
            return alterSchema();
        }
        cursor.accept("ONLINE");
        cursor.accept("OFFLINE");
        cursor.accept("IGNORE");
        if (!cursor.accept("TABLE")) {
            return cursor.isAt("USER") ? new Statement.Silent(true) : otherThanTable();
        }
        cursor.acceptIfExists();
        TableName name;
        try {
            name = cursor.tableName(sessionSchema);
        } catch (UnreadableSqlException e) {
            return other();
        }
        try {
            if (cursor.accept("WAIT")) {
                cursor.next();
            } else {
                cursor.accept("NOWAIT");
            }
            if (cursor.accept("CONVERT", "PARTITION")) {
                return partitionToTable(name);
            }
            if (cursor.accept("CONVERT", "TABLE")) {
                return new TableStatement.TableToPartition(name, cursor.tableName(sessionSchema));
            }
            return new TableStatement.AlterTable(name, new AlterParser(cursor, name.schema()).items(sessionSchema));
        } catch (UnreadableSqlException e) {
            return unreadable(StatementChange.ofTable(EventType.ALTER, name), List.of(name), e);
        }
    }

    private Statement partitionToTable(TableName partitioned) throws UnreadableSqlException {
        cursor.name();
        cursor.expect("TO");
        cursor.expect("TABLE");
        return new TableStatement.PartitionToTable(partitioned, cursor.tableName(sessionSchema));
    }

    private Statement alterSchema() {
        boolean named = !isAtSchemaOption();
        try {
            String name = named ? cursor.name() : sessionSchema;
            boolean isRead = (named || cursor.isAt("DEFAULT")) && isSchemaCharsetThatCanalReads();
            CharsetClause charset = schemaCharset();
            return new SchemaStatement.AlterSchema(name, charset.charset(), charset.isDefault(), !isRead);
        } catch (UnreadableSqlException e) {
            return other();
        }
    }

    /** Whether an option comes in place of a schema's name; the server takes {@code CHARSET} and {@code ENCRYPTION} for a name there. */
    private boolean isAtSchemaOption() {
        if (cursor.isAt("DEFAULT")
                || cursor.isAt("CHARACTER", "SET")
                || cursor.isAt("CHAR", "SET")
                || cursor.isAt("COLLATE")) {
            return true;
        }
        Token next = cursor.peek(1);
        return cursor.source().mariaDb()
                ? cursor.isAt("COMMENT") && (next.isString() || next.isSign('='))
                : cursor.isAt("READ", "ONLY");
    }

    /** Canal's parser reads {@code [DEFAULT] CHARACTER SET [=] name [COLLATE [=] name]} and {@code UPGRADE} alone. */
    private boolean isSchemaCharsetThatCanalReads() {
        int at = cursor.isAt("DEFAULT") ? 1 : 0;
        if (at == 0 && (cursor.isAtStatementEnd() || cursor.isAt("UPGRADE"))) {
            return true;
        }
        if (!cursor.peek(at).isWord("CHARACTER") || !cursor.peek(at + 1).isWord("SET")) {
            return false;
        }
        at = placeAfterValue(at + 2);
        if (cursor.peek(at).isWord("COLLATE")) {
            at = placeAfterValue(at + 1);
        }
        return cursor.peek(at).kind() == Token.Kind.END || cursor.peek(at).isSign(';');
    }

    private int placeAfterValue(int at) {
        return cursor.peek(at).isSign('=') ? at + 2 : at + 1;
    }

    private Statement drop() {
        if (cursor.accept("DATABASE") || cursor.accept("SCHEMA")) {
            cursor.acceptIfExists();
            try {
                return new SchemaStatement.DropSchema(cursor.name());
            } catch (UnreadableSqlException e) {
                return other();
            }
        }
        cursor.accept("ONLINE");
        cursor.accept("OFFLINE");
        if (cursor.accept("INDEX")) {
            cursor.acceptIfExists();
            boolean primary = IdentifierCase.areSame(cursor.peek().text(), "PRIMARY");
            while (!cursor.isAtStatementEnd() && !cursor.accept("ON")) {
                cursor.next();
            }
            return tableChange(EventType.DINDEX, primary);
        }
        boolean temporary = cursor.accept("TEMPORARY");
        if (cursor.accept("TABLE") || cursor.accept("TABLES")) {
            return dropTables(temporary);
        }
        return !temporary && cursor.accept("SEQUENCE") ? dropSequences() : otherThanTable();
    }

    private Statement dropTables(boolean temporary) {
        List<TableName> names = droppedNames();
        return names.isEmpty() ? other() : new TableStatement.DropTables(names, temporary);
    }

    private Statement dropSequences() {
        boolean ifExists = cursor.isAt("IF", "EXISTS");
        List<TableName> names = droppedNames();
        return names.isEmpty() ? other() : new SequenceStatement.DropSequences(names, ifExists);
    }

    /** Those that can be read, up to the first that cannot. */
    private List<TableName> droppedNames() {
        cursor.acceptIfExists();
        List<TableName> names = new ArrayList<>();
        try {
            do {
                names.add(cursor.tableName(sessionSchema));
            } while (cursor.acceptSign(','));
        } catch (UnreadableSqlException e) {
            return names;
        }
        return names;
    }

    private Statement rename() {
        if (!cursor.accept("TABLE") && !cursor.accept("TABLES")) {
            return other();
        }
        boolean ifExists = cursor.acceptIfExists();
        List<TableStatement.Renaming> renamings = new ArrayList<>();
        List<TableName> tables = new ArrayList<>();
        try {
            do {
                TableName from = cursor.tableName(sessionSchema);
                tables.add(from);
                if (cursor.accept("WAIT")) {
                    cursor.next();
                } else {
                    cursor.accept("NOWAIT");
                }
                cursor.expect("TO");
                TableName to = cursor.tableName(sessionSchema);
                tables.add(to);
                renamings.add(new TableStatement.Renaming(from, to));
            } while (cursor.acceptSign(','));
        } catch (UnreadableSqlException e) {
            return tables.isEmpty() ? other() : unreadable(StatementChange.ofUnreadText(List.of()), tables, e);
        }
        return new TableStatement.RenameTables(renamings, ifExists);
    }

    private Statement tableChange(EventType type) {
        return tableChange(type, false);
    }

    private Statement tableChange(EventType type, boolean dropsPrimaryKey) {
        try {
            return new TableStatement.TableChange(type, cursor.tableName(sessionSchema), dropsPrimaryKey);
        } catch (UnreadableSqlException e) {
            return otherObject();
        }
    }

    private static Statement unreadable(StatementChange change, List<TableName> tables, UnreadableSqlException cause) {
        return new Statement.UnreadableDdl(List.of(change), tables, String.valueOf(cause.getMessage()));
    }
}
