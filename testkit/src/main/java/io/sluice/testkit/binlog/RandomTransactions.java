package io.sluice.testkit.binlog;

import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.StringJoiner;

/**
 * Writes random transactions of every form that servers log, to a synthetic binlog. For one thread.
 *
 * <p>All rows are of tables with an {@code INT} key and {@code VARCHAR} columns: one, as long as no form changes that. What is written depends on the random numbers and on the
 * forms only, so the same of both make the binlog of a replica.
 */
public final class RandomTransactions {
    private static final byte START_ALTER = 2;
    private static final byte COMMIT_ALTER = 4;
    private static final String SCHEMA = "shop";
    private static final List<Change> CHANGES = List.of(Change.values());
    private static final List<String> COLUMNS = List.of("id", "v");
    private static final int MAX_COLUMNS = 6;

    /** The forms that change the table with the rows. */
    public static final Set<Form> SCHEMA_CHANGES = Collections.unmodifiableSet(
            EnumSet.of(Form.RENAMED_COLUMN, Form.ADDED_COLUMN, Form.REPLACED_COLUMN, Form.SWAPPED_TABLE));

    private final SyntheticBinlog binlog;
    private final Random random;
    private final List<SyntheticTable> created = new ArrayList<>();
    private final List<Integer> idsAfter = new ArrayList<>();
    private final List<Prepared> undecided = new ArrayList<>();
    private final Map<Long, Long> decisions = new HashMap<>();
    private final Set<Long> commits = new HashSet<>();
    private SyntheticTable orders = new SyntheticTable(SCHEMA, "orders", COLUMNS);
    private String newestColumn = "v";
    private int tables;
    private int ids;

    /** An XA transaction that was prepared. */
    private record Prepared(int id, long number) {}

    /** The forms of transactions. */
    public enum Form {
        /** BEGIN, rows, XID. */
        ROWS,
        /** Several statements, with savepoints and a rollback to one. */
        SAVEPOINTS,
        /** An engine without transactions: ends with a COMMIT statement. */
        NON_TRANSACTIONAL,
        /** A transaction that is rolled back after the use of a temporary table: ends with ROLLBACK. */
        ROLLED_BACK,
        /** BEGIN and XID only, as when all its tables are left out. */
        EMPTY,
        /** A DDL. */
        DDL,
        /** CREATE TABLE … SELECT: a DDL and its rows in one transaction. */
        CREATE_SELECT,
        /** A temporary table within a transaction, as statement and mixed format log it. */
        TEMPORARY_TABLE,
        /** Rows changed in statement format, with the values that the statement uses. */
        STATEMENT_FORMAT,
        /** A DDL after events with the values that it uses. */
        DDL_WITH_VARIABLES,
        /** XA to its preparation, other transactions, and its commit. */
        XA_COMMIT,
        /** XA to its preparation, and its rollback. */
        XA_ROLLBACK,
        /** One compressed event of MySQL 8.0.20. */
        PAYLOAD,
        /** MariaDB's ALTER in two steps, with another transaction between them. */
        TWO_PHASE_ALTER,
        /** A DDL that gives a column of the table with the rows another name. */
        RENAMED_COLUMN,
        /** A DDL that adds a column to it, at the end or between others. */
        ADDED_COLUMN,
        /** A DDL that drops one of its columns and adds one elsewhere, so that it has as many as before. */
        REPLACED_COLUMN,
        /** A copy of the table gets a column and rows, and takes the place of the table, as tools for changes of schemas do it. */
        SWAPPED_TABLE,
        /** XA to its preparation; a later {@link #XA_DECISION} may decide on it. */
        XA_PREPARED,
        /** The commit or rollback of any XA transaction that is not decided; nothing if there is none. */
        XA_DECISION,
        /** XA that is committed at once. */
        XA_ONE_PHASE,
        /** Not a transaction: another file. */
        ROTATION,
        /** Not a transaction: the server crashes within one. */
        CRASH
    }

    public RandomTransactions(SyntheticBinlog binlog, Random random) {
        this.binlog = binlog;
        this.random = random;
    }

    /** The forms that a flavour of server logs, and that leave the tables as they are. */
    public static Set<Form> formsOf(Flavour flavour) {
        Set<Form> forms = EnumSet.allOf(Form.class);
        forms.removeAll(SCHEMA_CHANGES);
        forms.removeAll(EnumSet.of(Form.XA_PREPARED, Form.XA_DECISION, Form.XA_ONE_PHASE));
        forms.remove(flavour.isMariaDb() ? Form.PAYLOAD : Form.TWO_PHASE_ALTER);
        return forms;
    }

    /** The same, with XA transactions that are undecided while others begin and end. */
    public static Set<Form> withUndecidedXa(Flavour flavour) {
        Set<Form> forms = formsOf(flavour);
        forms.addAll(EnumSet.of(Form.XA_PREPARED, Form.XA_DECISION, Form.XA_ONE_PHASE));
        return forms;
    }

    /** The numbers of the XA transactions that were prepared, and of those that decided on them; 0 if none did. */
    public Map<Long, Long> decisions() {
        return Map.copyOf(decisions);
    }

    /** The numbers of those that committed an XA transaction. */
    public Set<Long> commits() {
        return Set.copyOf(commits);
    }

    /** The tables with rows, as they are now. */
    public List<SyntheticTable> tables() {
        List<SyntheticTable> all = new ArrayList<>(created);
        all.add(orders);
        return all;
    }

    /** The name that the newest of {@link #SCHEMA_CHANGES} has given to a column, which no other has had; {@code v} before the first. */
    public String newestColumn() {
        return newestColumn;
    }

    /**
     * How many row images were written up to a transaction and in it. Their keys count from 1, in the order of the binlog; each value of
     * another column is its name, a colon, the key, a slash and the number of columns.
     *
     * @param transaction its number; 0 for none
     */
    public int imagesUpTo(long transaction) {
        return transaction == 0 ? 0 : idsAfter.get((int) transaction - 1);
    }

    /** Writes one of each of these forms, in random order. */
    public void write(Set<Form> forms, int count) {
        List<Form> all = new ArrayList<>(forms);
        for (int i = 0; i < count; i++) {
            write(all.get(random.nextInt(all.size())));
        }
    }

    /** Writes a transaction, or what the form is. */
    public void write(Form form) {
        binlog.advance(random.nextInt(3));
        switch (form) {
            case ROWS ->
                transaction(() -> {
                    rows(orders, 1 + random.nextInt(4));
                    binlog.xid();
                });
            case SAVEPOINTS ->
                transaction(() -> {
                    rows(orders, 1);
                    statement("SAVEPOINT `a`");
                    long savepoint = binlog.end();
                    rows(orders, 1);
                    binlog.rollBackFrom(savepoint);
                    statement("ROLLBACK TO `a`");
                    rows(orders, 1);
                    binlog.xid();
                });
            case NON_TRANSACTIONAL ->
                transaction(() -> {
                    rows(orders, 1);
                    statement("COMMIT");
                });
            case ROLLED_BACK ->
                transaction(() -> {
                    long begin = binlog.end();
                    rows(orders, 1);
                    binlog.rollBackFrom(begin);
                    statement("ROLLBACK");
                });
            case EMPTY -> transaction(binlog::xid);
            case DDL -> ddl(() -> statement("CREATE TABLE d_%d (id int primary key)".formatted(tables++)));
            case CREATE_SELECT -> createSelect();
            case TEMPORARY_TABLE ->
                transaction(() -> {
                    statement("CREATE TEMPORARY TABLE tmp_%d (id int)".formatted(tables++));
                    statement("INSERT INTO orders SELECT 1, 'x'");
                    rows(orders, 1);
                    statement("COMMIT");
                });
            case STATEMENT_FORMAT ->
                transaction(() -> {
                    variable();
                    statement("INSERT INTO orders VALUES (NULL, 'x')");
                    binlog.xid();
                });
            case DDL_WITH_VARIABLES ->
                ddl(() -> {
                    variable();
                    statement("CREATE TABLE w_%d (id int primary key)".formatted(tables++));
                });
            case XA_COMMIT -> xa("COMMIT");
            case XA_ROLLBACK -> xa("ROLLBACK");
            case XA_PREPARED -> undecided.add(prepare());
            case XA_DECISION -> {
                if (!undecided.isEmpty()) {
                    decide(
                            undecided.remove(random.nextInt(undecided.size())),
                            random.nextBoolean() ? "COMMIT" : "ROLLBACK");
                }
            }
            case XA_ONE_PHASE -> onePhase();
            case PAYLOAD -> payload();
            case TWO_PHASE_ALTER -> twoPhaseAlter();
            case RENAMED_COLUMN -> renameColumn();
            case ADDED_COLUMN -> {
                if (orders.columns().size() < MAX_COLUMNS) {
                    ddl(() -> orders = withAnother(orders));
                } else {
                    replaceColumn();
                }
            }
            case REPLACED_COLUMN -> replaceColumn();
            case SWAPPED_TABLE -> swapTable();
            case ROTATION -> binlog.rotate();
            case CRASH -> crash();
        }
    }

    private SyntheticBinlog.Transaction close() {
        SyntheticBinlog.Transaction closed = binlog.close();
        idsAfter.add(ids);
        return closed;
    }

    private void transaction(Runnable events) {
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        if (!binlog.flavour().isMariaDb()) {
            statement("BEGIN");
        }
        events.run();
        close();
    }

    private void ddl(Runnable events) {
        binlog.open(SyntheticBinlog.MARIADB_STANDALONE | SyntheticBinlog.MARIADB_DDL);
        events.run();
        close();
    }

    private void renameColumn() {
        List<String> columns = new ArrayList<>(orders.columns());
        int renamed = 1 + random.nextInt(columns.size() - 1);
        String before = columns.set(renamed, newColumn());
        ddl(() -> statement("ALTER TABLE orders CHANGE %s %s %s"
                .formatted(before, newestColumn, SyntheticTable.typeOf(newestColumn))));
        orders = new SyntheticTable(SCHEMA, "orders", columns);
    }

    private void replaceColumn() {
        List<String> columns = new ArrayList<>(orders.columns());
        String dropped = columns.remove(1 + random.nextInt(columns.size() - 1));
        int at = 1 + random.nextInt(columns.size());
        columns.add(at, newColumn());
        ddl(() -> statement("ALTER TABLE orders DROP COLUMN %s, ADD COLUMN %s %s AFTER %s"
                .formatted(dropped, newestColumn, SyntheticTable.typeOf(newestColumn), columns.get(at - 1))));
        orders = new SyntheticTable(SCHEMA, "orders", columns);
    }

    /** Logs that a table gets another column; returns the table with it. */
    private SyntheticTable withAnother(SyntheticTable table) {
        List<String> columns = new ArrayList<>(table.columns());
        int at = 1 + random.nextInt(columns.size());
        String place = at == columns.size() ? "" : " AFTER " + columns.get(at - 1);
        columns.add(at, newColumn());
        statement("ALTER TABLE %s ADD COLUMN %s %s%s"
                .formatted(table.name(), newestColumn, SyntheticTable.typeOf(newestColumn), place));
        return new SyntheticTable(SCHEMA, table.name(), columns);
    }

    private void swapTable() {
        boolean hasRoom = orders.columns().size() < MAX_COLUMNS;
        SyntheticTable[] copy = {new SyntheticTable(SCHEMA, "_orders_new", orders.columns())};
        ddl(() -> statement("CREATE TABLE _orders_new LIKE orders"));
        ddl(() -> {
            if (hasRoom) {
                copy[0] = withAnother(copy[0]);
            } else {
                copy[0] = new SyntheticTable(SCHEMA, "_orders_new", List.of("id", newColumn()));
                StringJoiner changes = new StringJoiner(", ", "ALTER TABLE _orders_new ", "");
                orders.columns().stream().skip(1).forEach(old -> changes.add("DROP " + old));
                statement(changes.add("ADD %s %s".formatted(newestColumn, SyntheticTable.typeOf(newestColumn)))
                        .toString());
            }
        });
        for (int count = random.nextInt(3); count > 0; count--) {
            transaction(() -> {
                rows(copy[0], 1);
                rows(orders, 1);
                binlog.xid();
            });
        }
        ddl(() -> statement("RENAME TABLE orders TO _orders_old, _orders_new TO orders"));
        orders = new SyntheticTable(SCHEMA, "orders", copy[0].columns());
        ddl(() -> statement("DROP TABLE `_orders_old` /* generated by server */"));
    }

    /** Names a column, whose type has one of two widths. */
    private String newColumn() {
        tables++;
        newestColumn = "v%d%s".formatted(tables, tables % 2 == 0 ? "w" : "x");
        return newestColumn;
    }

    private void createSelect() {
        SyntheticTable filled = new SyntheticTable(SCHEMA, "c_" + tables++, COLUMNS);
        if (binlog.flavour().isMariaDb()) {
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL | SyntheticBinlog.MARIADB_DDL);
            statement(filled.createStatement());
            rows(filled, 1 + random.nextInt(5));
            statement("COMMIT");
            close();
        } else {
            transaction(() -> {
                statement(filled.createStatement() + " START TRANSACTION");
                rows(filled, 1 + random.nextInt(5));
                binlog.xid();
            });
        }
        created.add(filled);
    }

    private void xa(String end) {
        Prepared prepared = prepare();
        for (int others = random.nextInt(3); others > 0; others--) {
            write(Form.ROWS);
        }
        decide(prepared, end);
    }

    private Prepared prepare() {
        int id = tables++ & 0xFF;
        binlog.open(0x4C);
        if (!binlog.flavour().isMariaDb() && random.nextInt(3) == 0) {
            binlog.xaPayload(SCHEMA, orders, inserts(), xid(id), prepareBody(id, false));
        } else {
            xaEvents(id, false);
        }
        Prepared prepared = new Prepared(id, close().number());
        decisions.put(prepared.number(), 0L);
        return prepared;
    }

    private void decide(Prepared prepared, String end) {
        binlog.open(0x80 | SyntheticBinlog.MARIADB_STANDALONE);
        String xid = random.nextBoolean() ? xid(prepared.id()) : "0x%02X,'',1".formatted(prepared.id());
        statement("XA " + end + " " + xid);
        long number = close().number();
        decisions.put(prepared.number(), number);
        if (end.equals("COMMIT")) {
            commits.add(number);
        }
    }

    /** MariaDB logs it as any other transaction. */
    private void onePhase() {
        if (binlog.flavour().isMariaDb()) {
            write(Form.ROWS);
            return;
        }
        int id = tables++ & 0xFF;
        binlog.open(0);
        if (random.nextBoolean()) {
            binlog.xaPayload(SCHEMA, orders, inserts(), xid(id), prepareBody(id, true));
        } else {
            xaEvents(id, true);
        }
        close();
    }

    private void xaEvents(int id, boolean onePhase) {
        if (!binlog.flavour().isMariaDb()) {
            statement("XA START " + xid(id));
        }
        rows(orders, 1 + random.nextInt(2));
        statement("XA END " + xid(id));
        binlog.append(SyntheticBinlog.XA_PREPARE, prepareBody(id, onePhase));
    }

    private static String xid(int id) {
        return "X'%02x',X'',1".formatted(id);
    }

    private static byte[] prepareBody(int id, boolean onePhase) {
        return new EventBytes()
                .number(onePhase ? 1 : 0, 1)
                .number(1, 4)
                .number(1, 4)
                .number(0, 4)
                .number(id, 1)
                .toByteArray();
    }

    private void payload() {
        binlog.open(0);
        binlog.payload(SCHEMA, orders, inserts());
        close();
    }

    private List<List<List<Object>>> inserts() {
        List<List<List<Object>>> inserts = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            inserts.add(List.of(image(orders)));
        }
        return inserts;
    }

    private void twoPhaseAlter() {
        int flags = SyntheticBinlog.MARIADB_STANDALONE | SyntheticBinlog.MARIADB_DDL;
        String sql = "ALTER TABLE orders COMMENT 'c%d'".formatted(tables++);
        binlog.open(flags, new byte[] {START_ALTER, 0, 0, 0, 0, 0});
        statement(sql);
        long started = close().number();
        write(Form.ROWS);
        binlog.open(
                flags,
                new EventBytes().number(COMMIT_ALTER, 1).number(started, 8).toByteArray());
        statement(sql);
        close();
    }

    private void crash() {
        if (random.nextBoolean()) {
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
            if (!binlog.flavour().isMariaDb()) {
                statement("BEGIN");
            }
            if (random.nextBoolean()) {
                rows(orders, 1);
            }
        }
        binlog.crash();
    }

    private void statement(String sql) {
        binlog.query(SCHEMA, sql);
    }

    private void variable() {
        binlog.append(
                SyntheticBinlog.INTVAR,
                new EventBytes().number(2, 1).number(ids, 8).toByteArray());
    }

    /** Rows events, each with its table map; two of them may share a statement. */
    private void rows(SyntheticTable table, int events) {
        for (int i = 0; i < events; i++) {
            Change change = table.equals(orders) ? CHANGES.get(random.nextInt(CHANGES.size())) : Change.INSERT;
            List<List<Object>> images = new ArrayList<>();
            for (int rows = 1 + random.nextInt(2); rows > 0; rows--) {
                images.add(image(table));
                if (change == Change.UPDATE) {
                    images.add(image(table));
                }
            }
            binlog.rows(table, change, images);
        }
    }

    private List<Object> image(SyntheticTable table) {
        ids++;
        List<Object> image = new ArrayList<>();
        image.add(ids);
        for (String column : table.columns().subList(1, table.columns().size())) {
            image.add("%s:%d/%d".formatted(column, ids, table.columns().size()));
        }
        return image;
    }
}
