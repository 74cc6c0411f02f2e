package io.sluice.testkit.binlog;

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

/**
 * Writes random transactions of every form that servers log, to a synthetic binlog. For one thread.
 *
 * <p>All rows are of tables with an {@code INT} key and {@code VARCHAR} columns: one, as long as no form changes that. What is written depends on the random numbers and on the
 * forms only, so the same of both make the binlog of a replica.
 */
public final class RandomTransactions {
    private static final byte START_ALTER = 2;
    private static final byte COMMIT_ALTER = 4;

    /** The forms that change the tables with the rows. */
    public static final Set<Form> SCHEMA_CHANGES =
            Collections.unmodifiableSet(EnumSet.range(Form.RENAMED_COLUMN, Form.DROPPED_AND_CREATED));

    private final SyntheticBinlog binlog;
    private final Random random;
    private final NumberedRows rows;
    private final RandomTables tables;
    private final List<Prepared> undecided = new ArrayList<>();
    private final Map<Long, Long> decisions = new HashMap<>();
    private final Set<Long> commits = new HashSet<>();

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
        /** A copy of the table gets a column and rows, and replaces the table, as tools for changes of schemas do it. */
        SWAPPED_TABLE,
        /** A copy replaces the table among the tables that gh-ost makes for it, one of which holds the name that the old table gets. */
        SWAPPED_BEHIND_ANOTHER,
        /** The table and one with other columns take each other's name. */
        EXCHANGED_NAMES,
        /** CREATE TABLE IF NOT EXISTS of a table that exists, with other columns: it stays as it is. */
        CREATED_EXISTING,
        /** CREATE TABLE IF NOT EXISTS of one that does not exist, and rows. */
        CREATED_ABSENT,
        /** CREATE TABLE … LIKE another one, and rows. */
        CREATED_LIKE,
        /** DROP TABLE, and CREATE TABLE with other columns. */
        DROPPED_AND_CREATED,
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
        this.rows = new NumberedRows(binlog, random);
        this.tables = new RandomTables(rows, random);
    }

    /** The forms that a flavour of server logs, and that leave the tables as they are. */
    public static Set<Form> formsOf(Flavour flavour) {
        Set<Form> forms = EnumSet.allOf(Form.class);
        forms.removeAll(SCHEMA_CHANGES);
        forms.removeAll(EnumSet.of(Form.XA_PREPARED, Form.XA_DECISION, Form.XA_ONE_PHASE));
        forms.remove(flavour.isMariaDb() ? Form.PAYLOAD : Form.TWO_PHASE_ALTER);
        return forms;
    }

    /** The forms of {@link #formsOf}, and XA transactions that are undecided while others begin and end. */
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
        return tables.all();
    }

    /** The name that the newest of {@link #SCHEMA_CHANGES} has given to a column, which no other has had; {@code v} before the first. */
    public String newestColumn() {
        return tables.newestColumn();
    }

    /**
     * How many row images were written up to a transaction and in it. Their keys count from 1, in the order of the binlog; each value of
     * another column is its name, a colon, the key, a slash and the number of columns.
     *
     * @param transaction its number; 0 for none
     */
    public int imagesUpTo(long transaction) {
        return rows.imagesUpTo(transaction);
    }

    /** How many row images were written. */
    public int images() {
        return rows.images();
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
                rows.transaction(() -> {
                    rows.changes(tables.orders(), 1 + random.nextInt(4));
                    rows.xid();
                });
            case SAVEPOINTS ->
                rows.transaction(() -> {
                    rows.changes(tables.orders(), 1);
                    rows.statement("SAVEPOINT `a`");
                    long savepoint = binlog.end();
                    rows.changes(tables.orders(), 1);
                    binlog.rollBackFrom(savepoint);
                    rows.statement("ROLLBACK TO `a`");
                    rows.changes(tables.orders(), 1);
                    rows.xid();
                });
            case NON_TRANSACTIONAL ->
                rows.transaction(() -> {
                    rows.changes(tables.orders(), 1);
                    rows.statement("COMMIT");
                });
            case ROLLED_BACK ->
                rows.transaction(() -> {
                    long begin = binlog.end();
                    rows.changes(tables.orders(), 1);
                    binlog.rollBackFrom(begin);
                    rows.statement("ROLLBACK");
                });
            case EMPTY -> rows.transaction(rows::xid);
            case DDL -> rows.ddl("CREATE TABLE d_%d (id int primary key)".formatted(tables.nextNumber()));
            case CREATE_SELECT -> createSelect();
            case TEMPORARY_TABLE ->
                rows.transaction(() -> {
                    rows.statement("CREATE TEMPORARY TABLE tmp_%d (id int)".formatted(tables.nextNumber()));
                    rows.statement("INSERT INTO orders SELECT 1, 'x'");
                    rows.changes(tables.orders(), 1);
                    rows.statement("COMMIT");
                });
            case STATEMENT_FORMAT ->
                rows.transaction(() -> {
                    variable();
                    rows.statement("INSERT INTO orders VALUES (NULL, 'x')");
                    rows.xid();
                });
            case DDL_WITH_VARIABLES ->
                rows.ddl(() -> {
                    variable();
                    rows.statement("CREATE TABLE w_%d (id int primary key)".formatted(tables.nextNumber()));
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
            case RENAMED_COLUMN -> tables.renameColumn();
            case ADDED_COLUMN -> tables.addColumn();
            case REPLACED_COLUMN -> tables.replaceColumn();
            case SWAPPED_TABLE -> tables.swapTable();
            case SWAPPED_BEHIND_ANOTHER -> tables.swapTableBehindAnother();
            case EXCHANGED_NAMES -> tables.exchangeNames();
            case CREATED_EXISTING -> tables.createExisting();
            case CREATED_ABSENT -> tables.createAbsent();
            case CREATED_LIKE -> tables.createLike();
            case DROPPED_AND_CREATED -> tables.dropAndCreate();
            case ROTATION -> binlog.rotate();
            case CRASH -> crash();
        }
    }

    private void createSelect() {
        SyntheticTable filled = tables.another("c_");
        if (binlog.flavour().isMariaDb()) {
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL | SyntheticBinlog.MARIADB_DDL);
            rows.statement(filled.createStatement());
            rows.inserts(filled, 1 + random.nextInt(5));
            rows.statement("COMMIT");
            rows.close();
        } else {
            rows.transaction(() -> {
                rows.statement(filled.createStatement() + " START TRANSACTION");
                rows.inserts(filled, 1 + random.nextInt(5));
                rows.xid();
            });
        }
    }

    private void xa(String end) {
        Prepared prepared = prepare();
        for (int others = random.nextInt(3); others > 0; others--) {
            write(Form.ROWS);
        }
        decide(prepared, end);
    }

    private Prepared prepare() {
        int id = tables.nextNumber() & 0xFF;
        binlog.open(0x4C);
        if (!binlog.flavour().isMariaDb() && random.nextInt(3) == 0) {
            binlog.xaPayload(NumberedRows.SCHEMA, tables.orders(), inserts(), xid(id), prepareBody(id, false));
        } else {
            xaEvents(id, false);
        }
        Prepared prepared = new Prepared(id, rows.close().number());
        decisions.put(prepared.number(), 0L);
        return prepared;
    }

    private void decide(Prepared prepared, String end) {
        binlog.open(0x80 | SyntheticBinlog.MARIADB_STANDALONE);
        String xid = random.nextBoolean() ? xid(prepared.id()) : "0x%02X,'',1".formatted(prepared.id());
        rows.statement("XA " + end + " " + xid);
        long number = rows.close().number();
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
        int id = tables.nextNumber() & 0xFF;
        binlog.open(0);
        if (random.nextBoolean()) {
            binlog.xaPayload(NumberedRows.SCHEMA, tables.orders(), inserts(), xid(id), prepareBody(id, true));
        } else {
            xaEvents(id, true);
        }
        rows.close();
    }

    private void xaEvents(int id, boolean onePhase) {
        if (!binlog.flavour().isMariaDb()) {
            rows.statement("XA START " + xid(id));
        }
        rows.changes(tables.orders(), 1 + random.nextInt(2));
        rows.statement("XA END " + xid(id));
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
        binlog.payload(NumberedRows.SCHEMA, tables.orders(), inserts());
        rows.close();
    }

    private List<List<List<Object>>> inserts() {
        List<List<List<Object>>> inserts = new ArrayList<>();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            inserts.add(List.of(rows.image(tables.orders())));
        }
        return inserts;
    }

    private void twoPhaseAlter() {
        int flags = SyntheticBinlog.MARIADB_STANDALONE | SyntheticBinlog.MARIADB_DDL;
        String sql = "ALTER TABLE orders COMMENT 'c%d'".formatted(tables.nextNumber());
        binlog.open(flags, new byte[] {START_ALTER, 0, 0, 0, 0, 0});
        rows.statement(sql);
        long started = rows.close().number();
        write(Form.ROWS);
        binlog.open(
                flags,
                new EventBytes().number(COMMIT_ALTER, 1).number(started, 8).toByteArray());
        rows.statement(sql);
        rows.close();
    }

    private void crash() {
        if (random.nextBoolean()) {
            binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
            if (!binlog.flavour().isMariaDb()) {
                rows.statement("BEGIN");
            }
            if (random.nextBoolean()) {
                rows.changes(tables.orders(), 1);
            }
        }
        binlog.crash();
    }

    private void variable() {
        binlog.append(
                SyntheticBinlog.INTVAR,
                new EventBytes().number(2, 1).number(rows.images(), 8).toByteArray());
    }
}
