package io.sluice.deployer.e2e;

import io.sluice.deployer.e2e.SoakTables.Column;
import io.sluice.deployer.e2e.SoakTables.Table;
import io.sluice.deployer.e2e.SoakTables.Version;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Changes rows and schemas of {@link SoakTables} from several connections until it is told to end, and knows what is committed, also of statements that were
 * running when the source was killed: each transaction writes a row of its own.
 */
final class SoakWriter {
    /** The table with a row for each transaction. */
    static final String TRANSACTIONS = "transactions";

    private static final int WRITERS = 3;
    private static final int FIRST_TABLES = 5;
    private static final int MAX_TABLES = 9;
    private static final int MAX_COLUMNS = 9;
    private static final int LARGE = 2_000;
    private static final Duration RETRY = Duration.ofMillis(200);

    private final MySqlServer mysql;
    private final long seed;
    private final Duration pace;
    private final SoakTables versions = new SoakTables();
    private final Map<String, Table> tables = new TreeMap<>();
    private final Set<String> committed = ConcurrentHashMap.newKeySet();
    private final Set<Long> truncated = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> done = new ConcurrentHashMap<>();
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final AtomicLong lastSeq = new AtomicLong();
    private final AtomicLong lastId = new AtomicLong();
    private final AtomicLong lastTransaction = new AtomicLong();
    private final AtomicLong lastDdl = new AtomicLong();

    /** Held for reading by transactions, for writing by DDL and by who compares. */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

    private long lastTable;
    private long lastName;

    SoakWriter(MySqlServer mysql, long seed, Duration pace) {
        this.mysql = mysql;
        this.seed = seed;
        this.pace = pace;
    }

    SoakTables versions() {
        return versions;
    }

    /** All changes that are committed, by the names that the ledger gives them. */
    Set<String> committed() {
        return committed;
    }

    /** The keys of rows that were in a table when it was truncated. */
    Set<Long> truncated() {
        return truncated;
    }

    /** How often what was done. */
    Map<String, Integer> done() {
        return new TreeMap<>(done);
    }

    void end() {
        isEnding.set(true);
    }

    /** Makes the first tables. */
    void create() {
        SoakTables.SCHEMAS.forEach(schema -> mysql.execute("CREATE DATABASE " + schema + " CHARACTER SET utf8mb4"));
        mysql.execute("CREATE TABLE %s.%s (id BIGINT PRIMARY KEY)".formatted(SoakTables.SCHEMAS.get(0), TRANSACTIONS));
        try (Session session = new Session(0)) {
            while (tables.size() < FIRST_TABLES) {
                session.createTable(session.freshName());
            }
        }
    }

    /** What the writers do; each is for a thread of its own. */
    List<Runnable> writers() {
        List<Runnable> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int number = i;
            writers.add(() -> {
                try (Session session = new Session(number)) {
                    while (!isEnding.get()) {
                        session.step();
                        LockSupport.parkNanos(pace.toNanos());
                    }
                }
            });
        }
        return writers;
    }

    /** Runs something while nothing is written, with the names of transactions that were just committed in enough numbers for each partition. */
    void whileQuiet(Quiet action) throws Exception {
        lock.writeLock().lock();
        try (Session session = new Session(0)) {
            List<String> marks = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                marks.add(session.mark());
            }
            action.run(marks, List.copyOf(tables.values()));
        } finally {
            lock.writeLock().unlock();
        }
    }

    /** What is done while nothing is written. */
    interface Quiet {
        void run(List<String> marks, List<Table> tables) throws Exception;
    }

    private void count(String what) {
        done.merge(what, 1, Integer::sum);
    }

    /** A row that a transaction has changed, not committed yet; {@code seq} is 0 if it is deleted. */
    private record Effect(Table table, long id, long seq, String name) {}

    /** The rows that a transaction has changed up to now. */
    private record Progress(List<Effect> effects, Map<Long, Long> newest) {
        Progress copy() {
            return new Progress(new ArrayList<>(effects), new HashMap<>(newest));
        }
    }

    /** One connection, made again where the source has ended. */
    private final class Session implements AutoCloseable {
        private final int writer;
        private final Random random;
        private @Nullable Connection connection;
        private Progress progress = new Progress(new ArrayList<>(), new HashMap<>());

        Session(int writer) {
            this.writer = writer;
            this.random = new Random(seed * WRITERS + writer);
        }

        void step() {
            if (random.nextInt(25) == 0) {
                lock.writeLock().lock();
                try {
                    changeSchema();
                } finally {
                    lock.writeLock().unlock();
                }
            } else {
                lock.readLock().lock();
                try {
                    transaction(random.nextInt(12) == 0);
                } finally {
                    lock.readLock().unlock();
                }
            }
        }

        String mark() throws SQLException {
            long number = lastTransaction.incrementAndGet();
            run("INSERT INTO %s VALUES (%d)".formatted(transactions(), number));
            String name = SoakLedger.transaction(number);
            committed.add(name);
            return name;
        }

        private String transactions() {
            return SoakTables.SCHEMAS.get(0) + "." + TRANSACTIONS;
        }

        private void transaction(boolean isXa) {
            long number = lastTransaction.incrementAndGet();
            progress = new Progress(new ArrayList<>(), new HashMap<>());
            boolean isCommitted;
            try {
                isCommitted = attempt(number, isXa);
            } catch (SQLException e) {
                isCommitted = outcome(number, isXa, e);
            }
            if (isCommitted) {
                committed.add(SoakLedger.transaction(number));
                for (Effect effect : progress.effects()) {
                    committed.add(effect.name());
                    if (effect.seq() == 0) {
                        effect.table().rows(writer).remove(effect.id());
                    } else {
                        effect.table().put(writer, effect.id(), effect.seq());
                    }
                }
            }
            count((isXa ? "xa " : "") + (isCommitted ? "commit" : "rollback"));
        }

        /** Returns whether it was committed. */
        private boolean attempt(long number, boolean isXa) throws SQLException {
            Connection session = connection();
            if (isXa) {
                run("XA START 'x%d'".formatted(number));
            } else {
                session.setAutoCommit(false);
            }
            run("INSERT INTO %s VALUES (%d)".formatted(transactions(), number));
            if (random.nextInt(80) == 0) {
                int statements = 1 + random.nextInt(5);
                for (int i = 0; i < statements; i++) {
                    insert(anyTable(), LARGE / statements);
                }
                count("large");
            }
            for (int steps = 1 + random.nextInt(5); steps > 0; steps--) {
                if (!isXa && random.nextInt(6) == 0) {
                    savepoint(session);
                } else {
                    changeRows();
                }
            }
            boolean commits = random.nextInt(10) != 0;
            if (isXa) {
                run("XA END 'x%d'".formatted(number));
                if (commits && random.nextInt(4) == 0) {
                    run("XA COMMIT 'x%d' ONE PHASE".formatted(number));
                    return true;
                }
                run("XA PREPARE 'x%d'".formatted(number));
                LockSupport.parkNanos(Duration.ofMillis(random.nextInt(60)).toNanos());
                run("XA %s 'x%d'".formatted(commits ? "COMMIT" : "ROLLBACK", number));
            } else {
                if (commits) {
                    session.commit();
                } else {
                    session.rollback();
                }
                session.setAutoCommit(true);
            }
            return commits;
        }

        /** Whether a transaction was committed whose connection broke. */
        private boolean outcome(long number, boolean isXa, SQLException failure) {
            close(); // which ends the transaction, unless it is prepared or committed
            while (true) {
                try {
                    if (isXa) {
                        finish(connection(), "x" + number);
                    }
                    count("failed: " + failure.getMessage());
                    return select("SELECT COUNT(*) FROM %s WHERE id = %d".formatted(transactions(), number)) == 1;
                } catch (SQLException e) {
                    close();
                    pause(e);
                }
            }
        }

        private void finish(Connection session, String xa) throws SQLException {
            boolean isPrepared = false;
            try (Statement statement = session.createStatement();
                    ResultSet prepared = statement.executeQuery("XA RECOVER")) {
                while (prepared.next()) {
                    isPrepared |= xa.equals(prepared.getString("data"));
                }
            }
            if (isPrepared) {
                count("xa recovered");
                run("XA COMMIT '%s'".formatted(xa));
            }
        }

        private void savepoint(Connection session) throws SQLException {
            Savepoint savepoint = session.setSavepoint();
            Progress before = progress.copy();
            for (int steps = random.nextInt(3); steps > 0; steps--) {
                changeRows();
            }
            if (random.nextBoolean()) {
                session.rollback(savepoint);
                progress = before;
                count("rollback to savepoint");
            } else {
                session.releaseSavepoint(savepoint);
            }
        }

        private void changeRows() throws SQLException {
            Table table = anyTable();
            Long id = anyRow(table);
            if (id == null) {
                insert(table, 1 + random.nextInt(6));
                return;
            }
            Version version = table.version();
            long seq = lastSeq.incrementAndGet();
            switch (random.nextInt(11)) {
                case 0, 1, 2 -> insert(table, 1 + random.nextInt(random.nextInt(12) == 0 ? 200 : 6));
                case 3, 4 -> {
                    change("UPDATE %s SET %s WHERE id = %d".formatted(version.fullName(), all(version, seq, ""), id));
                    wrote(table, id, seq);
                }
                case 5 -> {
                    List<Column> some = new ArrayList<>(version.free());
                    Collections.shuffle(some, random);
                    String set = assignments(version, some.subList(0, Math.min(1, some.size())), seq, "");
                    change("UPDATE %s SET %s WHERE id = %d".formatted(version.fullName(), set, id));
                    wrote(table, id, seq);
                }
                case 6 -> {
                    List<Long> ids = anyRows(table, id);
                    change("UPDATE %s SET %s WHERE id IN (%s)"
                            .formatted(version.fullName(), all(version, seq, ""), list(ids)));
                    ids.forEach(next -> wrote(table, next, seq));
                }
                case 7 -> {
                    List<Long> ids = anyRows(table, id);
                    change("DELETE FROM %s WHERE id IN (%s)".formatted(version.fullName(), list(ids)));
                    ids.forEach(next -> deleted(table, next));
                    if (random.nextBoolean()) {
                        insert(table, ids);
                    }
                }
                case 8 -> {
                    change("INSERT INTO %s (%s) VALUES %s ON DUPLICATE KEY UPDATE %s"
                            .formatted(
                                    version.fullName(), names(version), row(version, id, seq), all(version, seq, "")));
                    wrote(table, id, seq);
                }
                case 9 -> {
                    change("REPLACE INTO %s (%s) VALUES %s"
                            .formatted(version.fullName(), names(version), row(version, id, seq)));
                    wrote(table, id, seq);
                }
                default -> changeTwo(table, id, seq);
            }
        }

        /** One statement for rows of two tables. */
        private void changeTwo(Table table, long id, long seq) throws SQLException {
            Table other = anyTable();
            Long otherId = anyRow(other);
            if (otherId == null || other == table) {
                return;
            }
            Version one = table.version();
            Version two = other.version();
            if (random.nextBoolean()) {
                change("UPDATE %s a JOIN %s b ON a.id = %d AND b.id = %d SET %s, %s"
                        .formatted(
                                one.fullName(), two.fullName(), id, otherId, all(one, seq, "a."), all(two, seq, "b.")));
                wrote(table, id, seq);
                wrote(other, otherId, seq);
                count("update of two tables");
            } else {
                change("DELETE a, b FROM %s a JOIN %s b ON a.id = %d AND b.id = %d"
                        .formatted(one.fullName(), two.fullName(), id, otherId));
                deleted(table, id);
                deleted(other, otherId);
                count("delete from two tables");
            }
        }

        private void insert(Table table, int count) throws SQLException {
            List<Long> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(lastId.incrementAndGet());
            }
            insert(table, ids);
        }

        private void insert(Table table, List<Long> ids) throws SQLException {
            Version version = table.version();
            long seq = lastSeq.incrementAndGet();
            change("INSERT INTO %s (%s) VALUES %s"
                    .formatted(
                            version.fullName(),
                            names(version),
                            ids.stream().map(id -> row(version, id, seq)).collect(Collectors.joining(", "))));
            ids.forEach(id -> wrote(table, id, seq));
        }

        private void wrote(Table table, long id, long seq) {
            progress.effects().add(new Effect(table, id, seq, SoakLedger.written(id, seq)));
            progress.newest().put(id, seq);
        }

        private void deleted(Table table, long id) {
            long seq = progress.newest().getOrDefault(id, table.rows(writer).getOrDefault(id, 0L));
            progress.effects().add(new Effect(table, id, 0, SoakLedger.deleted(id, seq)));
            progress.newest().put(id, 0L);
        }

        private Table anyTable() {
            List<Table> all = List.copyOf(tables.values());
            return all.get(random.nextInt(all.size()));
        }

        /** A row of this writer that this transaction has not deleted, or null. */
        private @Nullable Long anyRow(Table table) {
            Long id = table.anyRow(writer, random);
            return id == null || progress.newest().getOrDefault(id, 1L) == 0 ? null : id;
        }

        /** A row, and some others perhaps. */
        private List<Long> anyRows(Table table, long one) {
            List<Long> ids = new ArrayList<>(List.of(one));
            for (int count = random.nextInt(4); count > 0; count--) {
                Long id = anyRow(table);
                if (id != null && !ids.contains(id)) {
                    ids.add(id);
                }
            }
            return ids;
        }

        private String all(Version version, long seq, String alias) {
            return assignments(version, version.free(), seq, alias);
        }

        private String assignments(Version version, List<Column> columns, long seq, String alias) {
            StringBuilder text =
                    new StringBuilder("%1$sseq = %2$d, %1$sver = %3$d".formatted(alias, seq, version.number()));
            for (Column column : columns) {
                text.append(", %s%s = %s".formatted(alias, SoakTables.quoted(column.name()), literal(column, seq)));
            }
            return text.toString();
        }

        private String names(Version version) {
            return version.names().stream().map(SoakTables::quoted).collect(Collectors.joining(", "));
        }

        private String row(Version version, long id, long seq) {
            return version.columns().stream()
                    .map(column -> switch (column.name()) {
                        case SoakTables.ID -> Long.toString(id);
                        case SoakTables.SEQ -> Long.toString(seq);
                        case SoakTables.VER -> Long.toString(version.number());
                        default -> literal(column, seq);
                    })
                    .collect(Collectors.joining(", ", "(", ")"));
        }

        private String literal(Column column, long seq) {
            String value = column.value(seq);
            return value == null ? "NULL" : "'" + value + "'";
        }

        private String list(List<Long> ids) {
            return ids.stream().map(String::valueOf).collect(Collectors.joining(", "));
        }

        private void changeSchema() {
            Table table = anyTable();
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
                        Column added = versions.newColumn(columns, random);
                        if (added.kind() == SoakTables.Kind.TEXT
                                && !added.type().equals("text")
                                && random.nextBoolean()) {
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
                    Column renamed = any.named(versions.freeName(columns, random));
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
                                                name,
                                                one.definition(),
                                                SoakTables.quoted(other.name()),
                                                two.definition()));
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
                    Column added = versions.newColumn(columns, random);
                    columns.remove(place);
                    columns.add(1, added);
                    alter(
                            table,
                            columns,
                            "DROP COLUMN %s, ADD COLUMN %s%s".formatted(name, added.definition(), after(columns, 1)));
                }
                case 8 -> rename(Map.of(table, freshName()), null);
                case 9, 10 -> {
                    Table other = anyTable();
                    if (other != table) {
                        rename(Map.of(table, other.version().fullName(), other, before.fullName()), freshName());
                    }
                }
                case 11 -> {
                    if (tables.size() < MAX_TABLES) {
                        createLike(before);
                    }
                }
                case 12 ->
                    ddl(
                            "TRUNCATE",
                            "TABLE " + before.fullName(),
                            () -> select("SELECT COUNT(*) FROM " + before.fullName()) == 0,
                            () -> {
                                for (int i = 0; i < WRITERS; i++) {
                                    truncated.addAll(table.rows(i).keySet());
                                }
                                table.clear();
                            });
                case 13 -> {
                    boolean isDropped = ddl(
                            "DROP",
                            "TABLE " + before.fullName(),
                            () -> tableOf(before.fullName()) == 0,
                            () -> tables.remove(before.fullName()));
                    if (isDropped && (tables.size() < FIRST_TABLES || random.nextInt(3) == 0)) {
                        createTable(random.nextBoolean() ? before.fullName() : freshName());
                    }
                }
                case 14 -> {
                    if (tables.size() < MAX_TABLES) {
                        createSelect(table);
                    }
                }
                default ->
                    ddl(
                            "ALTER",
                            "TABLE %s ADD INDEX i%d (seq)".formatted(before.fullName(), lastDdl.get()),
                            () -> select(
                                            "SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = '%s' AND table_name = '%s' AND index_name = 'i%d'"
                                                    .formatted(before.schema(), before.name(), lastDdl.get() - 1))
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
            Version next = versions.alter(before, columns);
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
                next.put(table, versions.add(before.table(), full[0], full[1], before.columns()));
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
                                .forEach(table -> tables.remove(table.version().fullName()));
                        next.forEach((table, version) -> {
                            table.version(version);
                            tables.put(version.fullName(), table);
                        });
                    });
        }

        void createTable(String name) {
            List<Column> columns = versions.columns(random);
            make(name, columns, "", version -> {});
        }

        private void createLike(Version like) {
            String[] full = freshName().split("\\.");
            Version version = versions.add(++lastTable, full[0], full[1], like.columns());
            ddl(
                    "CREATE",
                    "TABLE %s LIKE %s".formatted(version.fullName(), like.fullName()),
                    () -> hasColumns(version),
                    () -> tables.put(version.fullName(), new Table(version, WRITERS)));
            // Its comment names the other table until then.
            for (int i = 0; tables.containsKey(version.fullName()) && i < 100; i++) {
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
            Version version = versions.add(++lastTable, full[0], full[1], columns);
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
                        tables.put(name, new Table(version, WRITERS));
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
            long shift = lastId.getAndAdd(ids.get(ids.size() - 1) - first + 1) + 1 - first;
            long seq = lastSeq.incrementAndGet();
            List<Column> columns = versions.columns(random);
            List<Long> copied = List.copyOf(ids);
            String selected = columns.stream()
                    .map(column -> switch (column.name()) {
                        case SoakTables.ID -> "id + " + shift + " AS id";
                        case SoakTables.SEQ -> seq + " AS seq";
                        case SoakTables.VER -> "@version AS ver";
                        default -> literal(column, seq) + " AS " + SoakTables.quoted(column.name());
                    })
                    .collect(Collectors.joining(", "));
            make(
                    freshName(),
                    columns,
                    " AS SELECT %s FROM %s WHERE id IN (%s)"
                            .formatted(selected, from.version().fullName(), list(copied)),
                    version -> {
                        Table made = Objects.requireNonNull(tables.get(version.fullName()));
                        copied.forEach(id -> {
                            committed.add(SoakLedger.written(id + shift, seq));
                            made.put(writer, id + shift, seq);
                        });
                        count("create select");
                    });
        }

        String freshName() {
            return SoakTables.SCHEMAS.get(random.nextInt(SoakTables.SCHEMAS.size())) + ".t" + ++lastName;
        }

        /** Whether a DDL has had its effect. */
        private interface Check {
            boolean holds() throws SQLException;
        }

        /** Executes a DDL; returns whether it has had its effect. */
        private boolean ddl(String verb, String rest, Check check, Runnable then) {
            long number = lastDdl.getAndIncrement();
            boolean isDone;
            try {
                run("%s /* ddl %d */ %s".formatted(verb, number, rest));
                isDone = true;
            } catch (SQLException e) {
                isDone = holds(check, e);
            }
            if (isDone) {
                then.run();
                // A server writes these as it likes, without the comment.
                if (!verb.equals("DROP") && !rest.contains(" AS SELECT ")) {
                    committed.add(SoakLedger.ddl(number));
                }
            }
            count(verb + (isDone ? "" : " failed"));
            return isDone;
        }

        private boolean holds(Check check, SQLException failure) {
            while (true) {
                try {
                    boolean holds = check.holds();
                    count("of unknown outcome: " + failure.getMessage());
                    return holds;
                } catch (SQLException e) {
                    close();
                    pause(e);
                }
            }
        }

        private boolean hasColumns(Version version) throws SQLException {
            List<String> columns = new ArrayList<>();
            try (Statement statement = connection().createStatement();
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
            return select(
                    "SELECT MAX(table_comment) FROM information_schema.tables WHERE table_schema = '%s' AND table_name = '%s'"
                            .formatted(full[0], full[1]));
        }

        private long select(String sql) throws SQLException {
            try (Statement statement = connection().createStatement();
                    ResultSet rows = statement.executeQuery(sql)) {
                return rows.next() ? rows.getLong(1) : 0;
            }
        }

        private void change(String sql) throws SQLException {
            run(sql);
            count(sql.substring(0, sql.indexOf(' ')).toLowerCase(Locale.ROOT));
        }

        private void run(String sql) throws SQLException {
            try (Statement statement = connection().createStatement()) {
                statement.execute(sql);
            }
        }

        private Connection connection() throws SQLException {
            Connection open = connection;
            while (open == null) {
                try {
                    open = mysql.connect();
                    open.setCatalog(SoakTables.SCHEMAS.get(0)); // which a DELETE with aliases needs
                } catch (SQLException e) {
                    pause(e);
                }
            }
            connection = open;
            return open;
        }

        private void pause(SQLException e) {
            if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while the source is down", e);
            }
            LockSupport.parkNanos(RETRY.toNanos());
        }

        @Override
        public void close() {
            try {
                if (connection != null) {
                    connection.close();
                }
            } catch (SQLException e) {
                // it is broken
            }
            connection = null;
        }
    }
}
