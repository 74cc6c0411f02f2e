package io.sluice.schema.ddl;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.canal.CanalGrammar;
import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the texts of statements, and determines what they do, whatever tables there are. Immutable. */
public final class DdlReader {
    private static final String MODE_UNKNOWN = "it depends on the session's sql_mode, which is not in the binlog";

    private final SourceTraits source;

    public DdlReader(SourceTraits source) {
        this.source = source;
    }

    /**
     * Determines what a statement changes.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     */
    public List<StatementChange> classify(String sql, String sessionSchema) {
        List<Statement> statements = read(sql, sessionSchema, SqlMode.DEFAULT);
        return changes(statements, isReadByCanal(sql, statements));
    }

    /**
     * The tables whose schema a statement may change; a schema that is made or dropped is one with an empty name.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     */
    public Set<TableName> touched(String sql, String sessionSchema, SqlMode mode) {
        Set<TableName> touched = new HashSet<>();
        for (Statement statement : read(sql, sessionSchema, mode)) {
            touched.addAll(statement.tables());
            if (statement instanceof SchemaStatement.CreateSchema create) {
                touched.add(new TableName(create.name(), ""));
            } else if (statement instanceof SchemaStatement.DropSchema drop) {
                touched.add(new TableName(drop.name(), ""));
            }
        }
        return touched;
    }

    /**
     * What a statement does to the columns of tables. One that leaves the columns as they are, such as a new index, has no
     * effect. Nor has {@code CREATE TABLE IF NOT EXISTS}: it may have found the table there, and is in the binlog all the same.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     */
    public List<TableEffect> effects(String sql, String sessionSchema, SqlMode mode) {
        List<TableEffect> effects = new ArrayList<>();
        for (Statement statement : read(sql, sessionSchema, mode)) {
            if (statement instanceof SchemaStatement.DropSchema drop) {
                effects.add(TableEffect.change(new TableName(drop.name(), "")));
            } else if (statement instanceof SchemaStatement.CreateSchema create && create.orReplace()) {
                effects.add(TableEffect.change(new TableName(create.name(), "")));
            } else if (!statement.leavesColumns()) {
                effects.addAll(statement.effects());
            }
        }
        return effects;
    }

    /**
     * What a statement that was executed shows about what had the names that it uses.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     */
    public List<NameUse> nameUses(String sql, String sessionSchema, SqlMode mode) {
        return read(sql, sessionSchema, mode).stream()
                .flatMap(statement -> statement.nameUses().stream())
                .toList();
    }

    /**
     * The schemas whose default character set a statement may change; a schema that is dropped is among them.
     *
     * @param sessionSchema the schema that is meant where none is named; may be empty
     */
    public List<String> changedDefaults(String sql, String sessionSchema, SqlMode mode) {
        List<String> schemas = new ArrayList<>();
        for (Statement statement : read(sql, sessionSchema, mode)) {
            if (statement instanceof SchemaStatement.CreateSchema create && !create.ifNotExists()) {
                schemas.add(create.name());
            } else if (statement instanceof SchemaStatement.AlterSchema alter
                    && (alter.charset() != null || alter.takesServerCharset())) {
                schemas.add(alter.name());
            } else if (statement instanceof SchemaStatement.DropSchema drop) {
                schemas.add(drop.name());
            }
        }
        return schemas;
    }

    /**
     * Reads the statements of a text.
     *
     * @param mode that of the event, which is not always that of the session
     */
    List<Statement> read(String sql, String sessionSchema, SqlMode mode) {
        StatementParser parser = new StatementParser(sql, sessionSchema, source, mode);
        List<Statement> statements = parse(parser);
        if (!parser.isModeUnknown()) {
            return statements;
        }
        Set<List<Statement>> closed = new LinkedHashSet<>();
        Set<List<Statement>> unclosed =
                new LinkedHashSet<>(); // which the source has not read so, since it has run them
        (parser.isUnclosed() ? unclosed : closed).add(statements);
        for (SqlMode other : mode.alternatives()) {
            StatementParser again = new StatementParser(sql, sessionSchema, source, other);
            List<Statement> reading = parse(again);
            (again.isUnclosed() ? unclosed : closed).add(reading);
        }
        return ofReadings(closed.isEmpty() ? unclosed : closed, statements);
    }

    /**
     * The statements of a text that was read in a mode that is not known: those of the modes in which it can be read, if they are the same. If not, it is unreadable.
     *
     * @param readings those in which all is closed, if there are such
     * @param inMode the statements in the mode of the event
     */
    private static List<Statement> ofReadings(Set<List<Statement>> readings, List<Statement> inMode) {
        if (readings.size() == 1) {
            return readings.iterator().next();
        }
        readings.removeIf(reading -> reading.stream()
                .anyMatch(statement -> statement instanceof Statement.UnreadableDdl
                        || statement instanceof Statement.Silent silent && silent.mayBeOfTables()));
        if (readings.size() == 1) {
            return readings.iterator().next();
        }
        List<TableName> tables = new ArrayList<>();
        readings.forEach(reading -> reading.forEach(statement -> tables.addAll(statement.tables())));
        if (tables.isEmpty()) {
            return inMode;
        }
        return new ArrayList<>(List.of(new Statement.UnreadableDdl(
                inMode.stream()
                        .flatMap(statement -> statement.changes().stream())
                        .toList(),
                tables.stream().distinct().toList(),
                MODE_UNKNOWN)));
    }

    /** Reads the statements of a text in the mode of the event alone, for records of canal, which has no other. */
    List<Statement> readInMode(String sql, String sessionSchema, SqlMode mode) {
        return parse(new StatementParser(sql, sessionSchema, source, mode));
    }

    /** Whether what the statements do depends on a mode that is not known. */
    static boolean isAmbiguous(List<Statement> statements) {
        return statements.stream()
                .anyMatch(statement -> statement instanceof Statement.UnreadableDdl unreadable
                        && unreadable.reason().equals(MODE_UNKNOWN));
    }

    private static List<Statement> parse(StatementParser parser) {
        List<Statement> statements = new ArrayList<>();
        for (Statement statement = parser.next(); statement != null; statement = parser.next()) {
            statements.add(statement);
            if (statement instanceof Statement.Silent || statement instanceof Statement.RowChange) {
                break; // such a statement may be long, or hold others
            }
        }
        return statements;
    }

    /** Whether canal can parse the text; not determined where that makes no difference, as for rows. */
    boolean isReadByCanal(String sql, List<Statement> statements) {
        boolean matters = false;
        for (Statement statement : statements) {
            if (statement.isBeyondCanal()) {
                return false;
            }
            matters |= !(statement instanceof Statement.RowChange
                    || statement instanceof SchemaStatement.AlterSchema
                    || (statement instanceof Statement.Silent silent && silent.known()));
        }
        return !matters || CanalGrammar.reads(sql, source);
    }

    /** @param isRead whether canal can parse the text */
    static List<StatementChange> changes(List<Statement> statements, boolean isRead) {
        if (!isRead) {
            return List.of(StatementChange.ofUnreadText(changesOfTables(statements)));
        }
        List<StatementChange> changes = new ArrayList<>();
        for (Statement statement : statements) {
            changes.addAll(statement.changes());
        }
        return changes;
    }

    /** What the statements do to tables, as far as it is known without canal's parser; empty if one may do it to any. */
    private static List<StatementChange> changesOfTables(List<Statement> statements) {
        List<StatementChange> changes = new ArrayList<>();
        for (Statement statement : statements) {
            List<StatementChange> some = new ArrayList<>(statement.changes());
            some.removeIf(change -> change.table() == null);
            Set<TableName> named = new HashSet<>();
            some.forEach(change -> named.addAll(change.tables()));
            for (TableName table : statement.tables()) {
                if (named.add(table)) {
                    some.add(StatementChange.ofTable(EventType.ALTER, table));
                }
            }
            if (some.isEmpty()) {
                return List.of();
            }
            changes.addAll(some);
        }
        return changes;
    }
}
