package io.sluice.deployer.e2e;

import io.sluice.deployer.e2e.SoakTables.Column;
import io.sluice.deployer.e2e.SoakTables.Table;
import io.sluice.deployer.e2e.SoakTables.Version;
import io.sluice.deployer.e2e.SoakTables.Written;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The changes of schemas by a writer, each with a number in its text. Called with the lock of {@link SoakState} held for writing. */
final class SoakDdl {
    /** A schema that is there for a while. */
    private static final String PASSING = "soak_c";

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
        Table table = state.freeTable(random);
        if (table == null) {
            return;
        }
        Version before = table.version();
        List<Column> columns = new ArrayList<>(before.columns());
        List<Column> free = before.free();
        Column any = free.get(random.nextInt(free.size()));
        int place = columns.indexOf(any);
        String name = SoakTables.quoted(any.name());
        int kind = random.nextInt(33);
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
                Table other = state.freeTable(random);
                if (other != null && other != table) {
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
            case 15, 16 -> changeKey(table);
            case 17 -> {
                List<Column> parts = before.parts();
                if (!parts.isEmpty()) {
                    changePart(table, parts.get(random.nextInt(parts.size())));
                }
            }
            case 18, 19 -> changeGenerated(table);
            case 20 -> {
                Table second = state.freeTable(random);
                Table third = state.freeTable(random);
                if (second != null && third != null && new HashSet<>(List.of(table, second, third)).size() == 3) {
                    rotate(List.of(table, second, third));
                }
            }
            case 21, 22 -> partition(before);
            case 23 -> truncatePartition(table);
            case 24 -> dropTwo(table);
            case 25, 26 -> changeMuch(table);
            case 27, 28 -> changeNothing(before);
            case 29 -> replace(table);
            case 30, 31 -> changeSchemas();
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

    /** Adds, drops, renames and moves columns, and renames the table, by one statement. */
    private void changeMuch(Table table) {
        Version before = table.version();
        List<Column> columns = new ArrayList<>(before.columns());
        List<Column> free = new ArrayList<>(before.free());
        Collections.shuffle(free, random);
        List<String> names = new ArrayList<>(before.names());
        List<String> changes = new ArrayList<>();
        if (free.size() > 2) {
            Column dropped = free.remove(0);
            columns.remove(dropped);
            changes.add("DROP " + SoakTables.quoted(dropped.name()));
        }
        if (random.nextBoolean() && columns.size() < MAX_COLUMNS) {
            List<Column> taken = new ArrayList<>(before.columns());
            Column added = state.versions.newColumn(taken, random);
            names.add(added.name());
            columns.add(0, added);
            changes.add("ADD " + added.definition() + " FIRST");
        }
        Column changed = free.get(0);
        Column renamed = changed.widened();
        for (int attempt = 0; attempt < 10; attempt++) {
            Column next = changed.widened().named(state.versions.freeName(before.columns(), random));
            if (!names.contains(next.name())) {
                renamed = next;
            }
        }
        int place = columns.indexOf(changed);
        columns.set(place, renamed);
        if (random.nextBoolean()) {
            changes.add("CHANGE COLUMN %s %s".formatted(SoakTables.quoted(changed.name()), renamed.definition()));
        } else {
            columns.remove(place);
            columns.add(renamed);
            Column last = columns.get(columns.size() - 2);
            changes.add("CHANGE %s %s AFTER %s"
                    .formatted(
                            SoakTables.quoted(changed.name()), renamed.definition(), SoakTables.quoted(last.name())));
        }
        changes.add("ADD INDEX i%d (ver, seq)".formatted(state.lastDdl.get()));
        String name = random.nextBoolean() ? before.fullName() : freshName();
        if (!name.equals(before.fullName())) {
            changes.add((random.nextBoolean() ? "RENAME TO " : "RENAME ") + name);
        }
        String[] full = name.split("\\.");
        Version next = state.versions.add(before.table(), full[0], full[1], columns, before.key());
        ddl(
                "ALTER",
                "TABLE %s %s".formatted(before.fullName(), String.join(", ", changes)),
                () -> hasColumns(next),
                () -> {
                    state.tables.remove(before.fullName());
                    table.version(next);
                    state.tables.put(next.fullName(), table);
                    state.count("change of much");
                });
    }

    /** Statements that leave all tables as they are. */
    private void changeNothing(Version version) {
        long number = state.lastDdl.getAndIncrement();
        String name = version.fullName();
        String other = state.anyTable(random).version().fullName();
        String statement = switch (random.nextInt(12)) {
            case 0 -> "CREATE TABLE IF NOT EXISTS %s (x%d INT PRIMARY KEY)".formatted(name, number);
            case 1 -> "CREATE TABLE /* %d */ IF NOT EXISTS %s LIKE %s".formatted(number, name, other);
            case 2 -> "DROP TABLE IF EXISTS soak_b.never%d".formatted(number);
            case 3 -> "CREATE VIEW soak_a.v%d AS SELECT id FROM %s".formatted(number, other);
            case 4 -> "ALTER TABLE %s COMMENT '%d', ENGINE = InnoDB /* %d */".formatted(name, version.table(), number);
            case 5 -> "ALTER TABLE /* %d */ %s DEFAULT CHARACTER SET latin1".formatted(number, name);
            case 6 ->
                "ALTER DATABASE /* %d */ soak_b DEFAULT CHARACTER SET %s"
                        .formatted(number, random.nextBoolean() ? "latin1" : "utf8mb4");
            case 7 -> "OPTIMIZE TABLE /* %d */ %s".formatted(number, name);
            case 9 -> "ALTER TABLE %s ADD INDEX f%d ((seq + %d))".formatted(name, number, number);
            case 10 -> "ALTER TABLE %s ADD CONSTRAINT c%d CHECK (seq > 0)".formatted(name, number);
            case 8 -> "CREATE OR REPLACE VIEW soak_b.v AS SELECT %d AS x".formatted(number);
            default -> "ALTER TABLE /* %d */ %s ALTER COLUMN seq SET DEFAULT %d".formatted(number, name, number);
        };
        try {
            connection.run(statement);
            state.count("no change");
        } catch (SQLException e) {
            state.count("no change failed: " + e.getMessage());
            connection.close();
        }
    }

    /** Creates a schema in which tables are made from then on, or drops it with all of them. */
    private void changeSchemas() {
        if (state.hasOneTopicEach) {
            return;
        }
        if (!state.hasPassing) {
            ddl(
                    "CREATE",
                    "DATABASE %s CHARACTER SET %s".formatted(PASSING, random.nextBoolean() ? "latin1" : "utf8mb4"),
                    this::hasPassing,
                    () -> state.hasPassing = true);
            return;
        }
        List<String> inside = state.tables.keySet().stream()
                .filter(name -> name.startsWith(PASSING + "."))
                .toList();
        if (inside.isEmpty() || state.isAnyHeld(inside) || state.tables.size() - inside.size() < 2) {
            return;
        }
        ddl("DROP", "DATABASE " + PASSING, () -> !hasPassing(), () -> {
            inside.forEach(state.tables::remove);
            state.hasPassing = false;
            state.count("drop of a schema with tables");
        });
    }

    private boolean hasPassing() throws SQLException {
        return connection.select(
                        "SELECT COUNT(*) FROM information_schema.schemata WHERE schema_name = '%s'".formatted(PASSING))
                == 1;
    }

    /** Drops a table and makes another one with its name, where that is one statement. */
    private void replace(Table table) {
        if (state.generates) {
            return; // MySQL
        }
        Version before = table.version();
        List<Column> columns = state.versions.columns(random, !state.leavesOutMost && random.nextBoolean());
        make("OR REPLACE TABLE", before.fullName(), columns, SoakTables.key(columns, random), "", Made.NOTHING);
    }

    private void changeKey(Table table) {
        Version before = table.version();
        List<Long> key = SoakTables.key(before.columns(), random);
        if (key.equals(before.key())) {
            return;
        }
        Version next = state.versions.add(before.table(), before.schema(), before.name(), before.columns(), key);
        List<String> parts = new ArrayList<>();
        if (!before.key().isEmpty()) {
            parts.add("DROP PRIMARY KEY");
        }
        if (!key.isEmpty()) {
            parts.add("ADD " + next.keyDefinition());
        }
        ddl(
                "ALTER",
                "TABLE %s %s".formatted(before.fullName(), String.join(", ", parts)),
                () -> hasKey(next),
                () -> table.version(next));
    }

    /** Renames, moves or widens a column of a key. */
    private void changePart(Table table, Column part) {
        Version before = table.version();
        List<Column> columns = new ArrayList<>(before.columns());
        int place = columns.indexOf(part);
        String name = SoakTables.quoted(part.name());
        if (random.nextBoolean()) {
            Column renamed = part.named(state.versions.freeName(columns, random));
            columns.set(place, renamed);
            alter(table, columns, "CHANGE %s %s".formatted(name, renamed.definition()));
        } else {
            columns.remove(place);
            int to = random.nextInt(columns.size() + 1);
            Column moved = part.widened();
            columns.add(to, moved);
            alter(table, columns, "MODIFY " + moved.definition() + after(columns, to));
        }
    }

    /** Adds a column that the source computes, or renames, moves or drops one. */
    private void changeGenerated(Table table) {
        Version before = table.version();
        List<Column> columns = new ArrayList<>(before.columns());
        List<Column> generated = columns.stream().filter(Column::isGenerated).toList();
        if (!state.generates) {
            return;
        }
        if (generated.isEmpty()) {
            Column added = state.versions.newGenerated(columns, random);
            int to = random.nextInt(columns.size() + 1);
            columns.add(to, added);
            alter(table, columns, "ADD COLUMN " + added.definition() + after(columns, to));
            return;
        }
        Column column = generated.get(0);
        String name = SoakTables.quoted(column.name());
        int place = columns.indexOf(column);
        columns.remove(place);
        switch (random.nextInt(3)) {
            case 0 -> alter(table, columns, "DROP COLUMN " + name);
            case 1 -> {
                Column renamed = column.named(state.versions.freeName(before.columns(), random));
                columns.add(place, renamed);
                alter(table, columns, "CHANGE %s %s".formatted(name, renamed.definition()));
            }
            default -> {
                int to = random.nextInt(columns.size() + 1);
                columns.add(to, column);
                alter(table, columns, "MODIFY " + column.definition() + after(columns, to));
            }
        }
    }

    /** Partitions a table, or changes that, which leaves its rows as they are. */
    private void partition(Version version) {
        long number = state.lastDdl.get();
        String change = switch (random.nextInt(5)) {
            case 0, 1 ->
                "COMMENT = '%d' PARTITION BY HASH (id) PARTITIONS %d".formatted(version.table(), 2 + random.nextInt(4));
            case 2 -> "ADD PARTITION PARTITIONS 1";
            case 3 -> "COALESCE PARTITION 1";
            default -> "REMOVE PARTITIONING";
        };
        ddl("ALTER", "TABLE %s %s".formatted(version.fullName(), change), () -> number < 0, () -> {});
    }

    private void truncatePartition(Table table) {
        Version version = table.version();
        Set<Long> there = new HashSet<>();
        try (Statement statement = connection.open().createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT id FROM %s PARTITION (p0)".formatted(version.fullName()))) {
            while (rows.next()) {
                there.add(rows.getLong(1));
            }
        } catch (SQLException e) {
            connection.close(); // it has no partitions, most often
            return;
        }
        ddl(
                "ALTER",
                "TABLE %s TRUNCATE PARTITION p0".formatted(version.fullName()),
                () -> connection.select("SELECT COUNT(*) FROM %s PARTITION (p0)".formatted(version.fullName())) == 0,
                () -> {
                    state.truncated.addAll(there);
                    for (int i = 0; i < SoakState.WRITERS; i++) {
                        table.rows(i).keySet().removeAll(there);
                    }
                });
    }

    private void dropTwo(Table one) {
        Table two = state.freeTable(random);
        if (two == null || two == one || state.tables.size() <= SoakState.FIRST_TABLES) {
            return;
        }
        String first = one.version().fullName();
        String second = two.version().fullName();
        if (random.nextBoolean()) {
            dropBesideTemporary(first, second);
            return;
        }
        ddl(
                "DROP",
                "TABLE IF EXISTS %s, soak_a.never, %s".formatted(first, second),
                () -> tableOf(first) == 0 && tableOf(second) == 0,
                () -> {
                    state.tables.remove(first);
                    state.tables.remove(second);
                });
    }

    /** Drops a temporary table that has the name of a table, and another table, by one statement. */
    private void dropBesideTemporary(String shadowed, String dropped) {
        try {
            connection.run("CREATE TEMPORARY TABLE %s (x INT)".formatted(shadowed));
        } catch (SQLException e) {
            connection.close();
            return;
        }
        ddl(
                "DROP",
                "TABLE %s, %s".formatted(shadowed, dropped),
                () -> tableOf(dropped) == 0,
                () -> state.tables.remove(dropped));
        connection.close(); // which ends the temporary table, if it is still there
    }

    /** Changes a temporary table with the name of a table, which stays as it is. */
    void useTemporary() {
        String name = state.anyTable(random).version().fullName();
        try {
            connection.run("CREATE TEMPORARY TABLE %s (id INT PRIMARY KEY, x INT)".formatted(name));
            connection.run("INSERT INTO %s VALUES (1, 2)".formatted(name));
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                connection.run(
                        switch (random.nextInt(4)) {
                            case 0 -> "TRUNCATE TABLE " + name;
                            case 1 -> "ALTER TABLE %s ADD COLUMN y%d INT FIRST".formatted(name, changes);
                            case 2 -> "UPDATE %s SET x = 7".formatted(name);
                            default -> "ALTER TABLE %s DROP PRIMARY KEY, ADD INDEX (x)".formatted(name);
                        });
            }
            if (random.nextBoolean()) {
                connection.run("DROP %s TABLE %s".formatted(random.nextBoolean() ? "TEMPORARY" : "", name));
                state.count("temporary");
                return;
            }
        } catch (SQLException e) {
            state.count("temporary failed: " + e.getMessage());
        }
        connection.close();
    }

    /** Gives each of some tables the name of the next one. */
    private void rotate(List<Table> tables) {
        String between = freshName();
        List<Version> next = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        int last = tables.size() - 1;
        parts.add(tables.get(last).version().fullName() + " TO " + between);
        for (int i = last - 1; i >= 0; i--) {
            parts.add(tables.get(i).version().fullName() + " TO "
                    + tables.get(i + 1).version().fullName());
        }
        parts.add(between + " TO " + tables.get(0).version().fullName());
        for (int i = 0; i <= last; i++) {
            Version before = tables.get(i).version();
            Version name = tables.get((i + 1) % tables.size()).version();
            next.add(state.versions.add(before.table(), name.schema(), name.name(), before.columns(), before.key()));
        }
        ddl(
                "RENAME",
                "TABLE " + String.join(", ", parts),
                () -> tableOf(next.get(0).fullName()) == next.get(0).table(),
                () -> {
                    for (int i = 0; i <= last; i++) {
                        tables.get(i).version(next.get(i));
                        state.tables.put(next.get(i).fullName(), tables.get(i));
                    }
                    state.count("rotate");
                });
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
            next.put(table, state.versions.add(before.table(), full[0], full[1], before.columns(), before.key()));
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
        List<Column> columns = state.versions.columns(random, !state.leavesOutMost && random.nextBoolean());
        if (state.generates && random.nextInt(3) == 0) {
            columns.add(random.nextInt(columns.size() + 1), state.versions.newGenerated(columns, random));
        }
        make("TABLE", name, columns, SoakTables.key(columns, random), "", Made.NOTHING);
    }

    private void createLike(Version like) {
        String[] full = freshName().split("\\.");
        Version version = state.versions.add(++state.lastTable, full[0], full[1], like.columns(), like.key());
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

    /** What is done about a table with rows. */
    private interface Made {
        Made NOTHING = version -> {};

        void accept(Version version);

        /** Before the statement. */
        default void prepare(Version version) {}
    }

    /** The rows of a writer that a table is made with. */
    private final class Copied implements Made {
        private final List<Long> ids;
        private final long seq;

        Copied(List<Long> ids, long seq) {
            this.ids = ids;
            this.seq = seq;
        }

        @Override
        public void prepare(Version version) {
            state.versions.note(seq, version);
        }

        @Override
        public void accept(Version version) {
            Table made = Objects.requireNonNull(state.tables.get(version.fullName()));
            ids.forEach(id -> {
                state.committed.add(SoakLedger.written(id, seq));
                made.put(writer, id, seq);
            });
            state.count("create select");
        }
    }

    private void make(String what, String name, List<Column> columns, List<Long> key, String select, Made made) {
        String[] full = name.split("\\.");
        Version version = state.versions.add(++state.lastTable, full[0], full[1], columns, key);
        made.prepare(version);
        ddl(
                "CREATE",
                "%s %s (%s, KEY by_id (id)%s) COMMENT = '%d'%s"
                        .formatted(
                                what,
                                name,
                                columns.stream().map(Column::definition).collect(Collectors.joining(", ")),
                                key.isEmpty() ? "" : ", " + version.keyDefinition(),
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
        long seq = state.shortSeq();
        List<Column> columns = state.versions.columns(random, false);
        List<Long> copied = List.copyOf(ids);
        String selected = columns.stream()
                .map(column -> switch (column.name()) {
                    case SoakTables.ID -> "id + " + shift + " AS id";
                    case SoakTables.SEQ -> seq + " AS seq";
                    case SoakTables.VER -> "@version AS ver";
                    default -> column.literal(new Written(0, seq, 0)) + " AS " + SoakTables.quoted(column.name());
                })
                .collect(Collectors.joining(", "));
        make(
                "TABLE",
                freshName(),
                columns,
                SoakTables.key(columns, random),
                " AS SELECT %s FROM %s WHERE id IN (%s)"
                        .formatted(selected, from.version().fullName(), SoakTables.list(copied)),
                new Copied(copied.stream().map(id -> id + shift).toList(), seq));
    }

    String freshName() {
        if (state.hasPassing && random.nextInt(3) == 0) {
            return PASSING + ".t" + (random.nextInt(3) == 0 ? freeNumber() : ++state.lastName);
        }
        return SoakTables.SCHEMAS.get(random.nextInt(SoakTables.SCHEMAS.size())) + ".t" + ++state.lastName;
    }

    /** A number of which the schema may have had a table before it was dropped, and has none now. */
    private long freeNumber() {
        long number = 1L + random.nextInt((int) state.lastName);
        return state.tables.containsKey(PASSING + ".t" + number) ? ++state.lastName : number;
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
            String sql = "%s /* ddl %d */ %s".formatted(verb, number, rest);
            state.statements.put(SoakLedger.ddl(number), sql);
            connection.run(sql);
            isDone = true;
        } catch (SQLException e) {
            isDone = holds(check, e);
        }
        if (isDone) {
            then.run();
            // A server writes the first two as it likes, without the comment; canal has no event for some of the last.
            if (!verb.equals("DROP")
                    && !rest.contains(" AS SELECT ")
                    && !rest.matches("(?s)DATABASE.*|.*PARTITION.*")) {
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

    private boolean hasKey(Version version) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.open().createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT column_name FROM information_schema.columns WHERE table_schema = '%s' AND table_name = '%s' AND column_key = 'PRI' ORDER BY ordinal_position"
                                .formatted(version.schema(), version.name()))) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names.equals(version.keyNames());
    }

    /** The number of the table that has a name; 0 if there is none. */
    private long tableOf(String fullName) throws SQLException {
        String[] full = fullName.split("\\.");
        return connection.select(
                "SELECT MAX(table_comment) FROM information_schema.tables WHERE table_schema = '%s' AND table_name = '%s'"
                        .formatted(full[0], full[1]));
    }
}
