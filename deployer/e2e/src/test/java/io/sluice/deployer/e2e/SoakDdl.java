package io.sluice.deployer.e2e;

import io.sluice.deployer.e2e.SoakTables.Column;
import io.sluice.deployer.e2e.SoakTables.Table;
import io.sluice.deployer.e2e.SoakTables.Version;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The changes of schemas by a writer, each with a number in its text. Called with the lock of {@link SoakState} held for writing. */
final class SoakDdl {
    private static final int MAX_TABLES = 9;
    private static final int MAX_COLUMNS = 9;

    private final SoakState state;
    private final SoakConnection connection;
    private final int writer;
    private final Random random;

    SoakDdl(SoakState state, SoakConnection connection) {
        this.state = state;
        this.connection = connection;
        this.writer = connection.writer();
        this.random = connection.random();
    }

    void changeSchema() {
        Table table = state.anyTable(random);
        Version before = table.version();
        List<Column> columns = new ArrayList<>(before.columns());
        List<Column> free = before.free();
        Column any = free.get(random.nextInt(free.size()));
        int place = columns.indexOf(any);
        String name = SoakTables.quoted(any.name());
        int kind = random.nextInt(16);
        switch (kind) {
            case 0, 1 -> {
                if (columns.size() < MAX_COLUMNS) {
                    Column added = state.versions.newColumn(columns, random);
                    if (added.kind() == SoakTables.Kind.TEXT && !added.type().equals("text") && random.nextBoolean()) {
                        added = new Column(added.number(), added.name(), added.kind(), added.type(), "as before");
                    }
                    int after = random.nextInt(columns.size());
                    columns.add(after + 1, added);
                    alter(table, columns, "ADD COLUMN " + added.definition() + after(columns, after + 1));
                }
            }
            case 2 -> {
                if (free.size() > 1) {
                    columns.remove(place);
                    alter(table, columns, "DROP COLUMN " + name);
                }
            }
            case 3 -> {
                Column renamed = any.named(state.versions.freeName(columns, random));
                columns.set(place, renamed);
                alter(
                        table,
                        columns,
                        random.nextBoolean()
                                ? "RENAME COLUMN %s TO %s".formatted(name, SoakTables.quoted(renamed.name()))
                                : "CHANGE %s %s".formatted(name, renamed.definition()));
            }
            case 4 -> {
                Column other = free.get(random.nextInt(free.size()));
                if (!other.equals(any)) {
                    Column one = any.named(other.name());
                    Column two = other.named(any.name());
                    columns.set(place, one);
                    columns.set(columns.indexOf(other), two);
                    alter(
                            table,
                            columns,
                            "CHANGE %s %s, CHANGE %s %s"
                                    .formatted(
                                            name, one.definition(), SoakTables.quoted(other.name()), two.definition()));
                }
            }
            case 5, 6 -> {
                columns.remove(place);
                int to = random.nextInt(columns.size() + 1);
                Column moved = random.nextBoolean() ? any.widened() : any;
                columns.add(to, moved);
                alter(table, columns, "MODIFY " + moved.definition() + after(columns, to));
            }
            case 7 -> {
                Column added = state.versions.newColumn(columns, random);
                columns.remove(place);
                columns.add(1, added);
                alter(
                        table,
                        columns,
                        "DROP COLUMN %s, ADD COLUMN %s%s".formatted(name, added.definition(), after(columns, 1)));
            }
            case 8 -> rename(Map.of(table, freshName()), null);
            case 9, 10 -> {
                Table other = state.anyTable(random);
                if (other != table) {
                    rename(Map.of(table, other.version().fullName(), other, before.fullName()), freshName());
                }
            }
            case 11 -> {
                if (state.tables.size() < MAX_TABLES) {
                    createLike(before);
                }
            }
            case 12 ->
                ddl(
                        "TRUNCATE",
                        "TABLE " + before.fullName(),
                        () -> connection.select("SELECT COUNT(*) FROM " + before.fullName()) == 0,
                        () -> {
                            for (int i = 0; i < SoakState.WRITERS; i++) {
                                state.truncated.addAll(table.rows(i).keySet());
                            }
                            table.clear();
                        });
            case 13 -> {
                boolean isDropped = ddl(
                        "DROP",
                        "TABLE " + before.fullName(),
                        () -> tableOf(before.fullName()) == 0,
                        () -> state.tables.remove(before.fullName()));
                if (isDropped && (state.tables.size() < SoakState.FIRST_TABLES || random.nextInt(3) == 0)) {
                    createTable(random.nextBoolean() ? before.fullName() : freshName());
                }
            }
            case 14 -> {
                if (state.tables.size() < MAX_TABLES) {
                    createSelect(table);
                }
            }
            default ->
                ddl(
                        "ALTER",
                        "TABLE %s ADD INDEX i%d (seq)".formatted(before.fullName(), state.lastDdl.get()),
                        () -> connection.select(
                                        "SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = '%s' AND table_name = '%s' AND index_name = 'i%d'"
                                                .formatted(before.schema(), before.name(), state.lastDdl.get() - 1))
                                > 0,
                        () -> {});
        }
    }

    private String after(List<Column> columns, int place) {
        return place == 0
                ? " FIRST"
                : " AFTER " + SoakTables.quoted(columns.get(place - 1).name());
    }

    private void alter(Table table, List<Column> columns, String change) {
        Version before = table.version();
        Version next = state.versions.alter(before, columns);
        ddl(
                "ALTER",
                "TABLE %s %s".formatted(before.fullName(), change),
                () -> hasColumns(next),
                () -> table.version(next));
    }

    /** Renames a table, or two by way of a third name. */
    private void rename(Map<Table, String> names, @Nullable String between) {
        Map<Table, Version> next = new HashMap<>();
        List<String> parts = new ArrayList<>();
        names.forEach((table, name) -> {
            Version before = table.version();
            String[] full = name.split("\\.");
            next.put(table, state.versions.add(before.table(), full[0], full[1], before.columns()));
        });
        List<Table> order = List.copyOf(names.keySet());
        Table first = order.get(0);
        if (between == null) {
            parts.add(first.version().fullName() + " TO " + names.get(first));
        } else {
            Table second = order.get(1);
            parts.add(first.version().fullName() + " TO " + between);
            parts.add(second.version().fullName() + " TO " + names.get(second));
            parts.add(between + " TO " + names.get(first));
        }
        ddl(
                "RENAME",
                "TABLE " + String.join(", ", parts),
                () -> tableOf(next.get(first).fullName()) == next.get(first).table(),
                () -> {
                    names.keySet()
                            .forEach(
                                    table -> state.tables.remove(table.version().fullName()));
                    next.forEach((table, version) -> {
                        table.version(version);
                        state.tables.put(version.fullName(), table);
                    });
                });
    }

    void createTable(String name) {
        List<Column> columns = state.versions.columns(random);
        make(name, columns, "", version -> {});
    }

    private void createLike(Version like) {
        String[] full = freshName().split("\\.");
        Version version = state.versions.add(++state.lastTable, full[0], full[1], like.columns());
        ddl(
                "CREATE",
                "TABLE %s LIKE %s".formatted(version.fullName(), like.fullName()),
                () -> hasColumns(version),
                () -> state.tables.put(version.fullName(), new Table(version, SoakState.WRITERS)));
        // Its comment names the other table until then.
        for (int i = 0; state.tables.containsKey(version.fullName()) && i < 100; i++) {
            if (ddl(
                    "ALTER",
                    "TABLE %s COMMENT = '%d'".formatted(version.fullName(), version.table()),
                    () -> tableOf(version.fullName()) == version.table(),
                    () -> {})) {
                return;
            }
        }
    }

    private interface Made {
        void accept(Version version);
    }

    private void make(String name, List<Column> columns, String select, Made made) {
        String[] full = name.split("\\.");
        Version version = state.versions.add(++state.lastTable, full[0], full[1], columns);
        ddl(
                "CREATE",
                "TABLE %s (%s, PRIMARY KEY (id)) COMMENT = '%d'%s"
                        .formatted(
                                name,
                                columns.stream().map(Column::definition).collect(Collectors.joining(", ")),
                                version.table(),
                                select.replace("@version", Long.toString(version.number()))),
                () -> tableOf(name) == version.table(),
                () -> {
                    state.tables.put(name, new Table(version, SoakState.WRITERS));
                    made.accept(version);
                });
    }

    /** Makes a table with rows of another one. */
    private void createSelect(Table from) {
        List<Long> ids = new ArrayList<>(from.rows(writer).keySet());
        Collections.sort(ids);
        if (ids.size() > 300) {
            ids = ids.subList(0, 300);
        }
        if (ids.isEmpty()) {
            return;
        }
        long first = ids.get(0);
        long shift = state.lastId.getAndAdd(ids.get(ids.size() - 1) - first + 1) + 1 - first;
        long seq = state.lastSeq.incrementAndGet();
        List<Column> columns = state.versions.columns(random);
        List<Long> copied = List.copyOf(ids);
        String selected = columns.stream()
                .map(column -> switch (column.name()) {
                    case SoakTables.ID -> "id + " + shift + " AS id";
                    case SoakTables.SEQ -> seq + " AS seq";
                    case SoakTables.VER -> "@version AS ver";
                    default -> column.literal(seq) + " AS " + SoakTables.quoted(column.name());
                })
                .collect(Collectors.joining(", "));
        make(
                freshName(),
                columns,
                " AS SELECT %s FROM %s WHERE id IN (%s)"
                        .formatted(selected, from.version().fullName(), SoakTables.list(copied)),
                version -> {
                    Table made = Objects.requireNonNull(state.tables.get(version.fullName()));
                    copied.forEach(id -> {
                        state.committed.add(SoakLedger.written(id + shift, seq));
                        made.put(writer, id + shift, seq);
                    });
                    state.count("create select");
                });
    }

    String freshName() {
        return SoakTables.SCHEMAS.get(random.nextInt(SoakTables.SCHEMAS.size())) + ".t" + ++state.lastName;
    }

    /** Whether a DDL has had its effect. */
    private interface Check {
        boolean holds() throws SQLException;
    }

    /** Executes a DDL; returns whether it has had its effect. */
    private boolean ddl(String verb, String rest, Check check, Runnable then) {
        long number = state.lastDdl.getAndIncrement();
        boolean isDone;
        try {
            connection.run("%s /* ddl %d */ %s".formatted(verb, number, rest));
            isDone = true;
        } catch (SQLException e) {
            isDone = holds(check, e);
        }
        if (isDone) {
            then.run();
            // A server writes these as it likes, without the comment.
            if (!verb.equals("DROP") && !rest.contains(" AS SELECT ")) {
                state.committed.add(SoakLedger.ddl(number));
            }
        }
        state.count(verb + (isDone ? "" : " failed"));
        return isDone;
    }

    private boolean holds(Check check, SQLException failure) {
        while (true) {
            try {
                boolean holds = check.holds();
                state.count("of unknown outcome: " + failure.getMessage());
                return holds;
            } catch (SQLException e) {
                connection.close();
                connection.pause(e);
            }
        }
    }

    private boolean hasColumns(Version version) throws SQLException {
        List<String> columns = new ArrayList<>();
        try (Statement statement = connection.open().createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT column_name, column_type FROM information_schema.columns WHERE table_schema = '%s' AND table_name = '%s' ORDER BY ordinal_position"
                                .formatted(version.schema(), version.name()))) {
            while (rows.next()) {
                columns.add(rows.getString(1) + " " + rows.getString(2).replaceAll("int\\(\\d+\\)", "int"));
            }
        }
        return columns.equals(version.columns().stream()
                .map(column -> column.name() + " " + column.type())
                .toList());
    }

    /** The number of the table that has a name; 0 if there is none. */
    private long tableOf(String fullName) throws SQLException {
        String[] full = fullName.split("\\.");
        return connection.select(
                "SELECT MAX(table_comment) FROM information_schema.tables WHERE table_schema = '%s' AND table_name = '%s'"
                        .formatted(full[0], full[1]));
    }
}
