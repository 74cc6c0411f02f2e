package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayList;
import java.util.List;

/** What random statements are made for: a server, the tables that it has, and the session that executes them. */
final class Scene {
    private static final int TRIES = 6;

    private final Dice dice;
    private final Dialect dialect;
    private SessionState session = new SessionState(
            Client.UTF8, SessionState.FIRST_SCHEMA, /* ansiQuotes */ false, /* plainBackslashes */ false);
    private ServerSnapshot snapshot;

    Scene(Dice dice, Dialect dialect, ServerSnapshot snapshot) {
        this.dice = dice;
        this.dialect = dialect;
        this.snapshot = snapshot;
    }

    /** Continues after a step. */
    void changeTo(SessionState session, ServerSnapshot snapshot) {
        this.session = session;
        this.snapshot = snapshot;
    }

    Dice dice() {
        return dice;
    }

    Dialect dialect() {
        return dialect;
    }

    boolean mariaDb() {
        return dialect.mariaDb();
    }

    SessionState session() {
        return session;
    }

    ServerSnapshot snapshot() {
        return snapshot;
    }

    /** The columns of a table; none if it does not exist. */
    List<ColumnState> columns(TableId id) {
        TableState table = snapshot.tables().get(id);
        return table == null ? List.of() : table.columns();
    }

    /** A table that exists, if there is any. */
    TableId someTable() {
        return snapshot.tables().isEmpty()
                ? anyTable()
                : dice.oneOf(new ArrayList<>(snapshot.tables().keySet()));
    }

    /** A table that most likely does not exist. */
    TableId freeTable() {
        for (int i = 0; i < TRIES; i++) {
            TableId id = anyTable();
            if (!snapshot.tables().containsKey(id)) {
                return id;
            }
        }
        return anyTable();
    }

    private TableId anyTable() {
        return new TableId(
                dice.percent(60) ? SessionState.FIRST_SCHEMA : dice.oneOf(Identifiers.SCHEMAS),
                dice.oneOf(Identifiers.TABLES));
    }

    /** The name of a table, as a statement may spell it. */
    String name(TableId id) {
        if (id.schema().equals(session.schema()) && dice.percent(40)) {
            return exact(recased(id.table()));
        }
        return exact(recased(id.schema())) + dice.oneOf(".", ".", ".", " . ", ". ") + exact(recased(id.table()));
    }

    private String recased(String name) {
        if (!dialect.foldsNames() || dice.percent(70)) {
            return name;
        }
        return dice.percent(50) ? Identifiers.upper(name) : Identifiers.lower(name);
    }

    /** The name of a schema, as a statement may spell it. */
    String schemaName(String schema) {
        return exact(schema);
    }

    String someTableName() {
        return name(someTable());
    }

    String freeTableName() {
        return name(freeTable());
    }

    /** A column of a table, as a statement may spell it. */
    String someColumn(TableId id) {
        List<ColumnState> columns = columns(id);
        if (columns.isEmpty()) {
            return "nothing";
        }
        String name = dice.oneOf(columns).name();
        return columnName(
                dice.percent(85) ? name : dice.percent(50) ? Identifiers.upper(name) : Identifiers.lower(name));
    }

    /** A column that a table does not have, most likely. */
    String newColumn(TableId id) {
        for (int i = 0; i < TRIES; i++) {
            String name = dice.oneOf(Identifiers.COLUMNS);
            if (columns(id).stream().noneMatch(column -> column.name().equalsIgnoreCase(name))) {
                return columnName(name);
            }
        }
        return anyColumn();
    }

    String anyColumn() {
        return columnName(dice.oneOf(Identifiers.COLUMNS));
    }

    /** A column's name, as a statement may spell it. */
    String columnName(String name) {
        if (Identifiers.needsNoQuotes(name) && dice.percent(30)) {
            return dice.percent(30) ? Identifiers.upper(name) : name;
        }
        return inQuotes(name);
    }

    private String exact(String name) {
        return Identifiers.needsNoQuotes(name) && dice.percent(30) ? name : inQuotes(name);
    }

    private String inQuotes(String name) {
        return session.ansiQuotes() && dice.percent(50)
                ? "\"" + name.replace("\"", "\"\"") + "\""
                : Identifiers.quoted(name);
    }
}
