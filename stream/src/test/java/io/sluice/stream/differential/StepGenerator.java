package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Generates steps of random DDL and DML.
 *
 * <p>A table whose columns a step has changed gets a row in one of the next steps.
 */
final class StepGenerator {
    private static final int MIN_TABLES = 3;
    private static final int MAX_TABLES = 8;

    private final Scene scene;
    private final Dice dice;
    private final RandomTables tables;
    private final RandomAlters alters;
    private final RandomMigrations migrations;
    private final RandomSessions sessions;
    private final RandomPartitions partitions;
    private final RandomCharsets charsets;
    private final RandomTexts texts;
    private final RandomRows rows;
    private final RandomTransactions transactions;
    private final RandomTemporaries temporaries;
    private final RandomForeignKeys foreignKeys;
    private final RandomObjects objects;
    private final Noise noise;
    private final Deque<TableId> changed = new ArrayDeque<>();
    /** The session that logs rows. */
    private SessionState ofRows;

    private SessionState mixed = new SessionState(
            Client.MIXED, SessionState.FIRST_SCHEMA, /* ansiQuotes */ false, /* plainBackslashes */ false);
    /** Sessions that may have temporary tables. */
    private final Set<Client> temporary = EnumSet.noneOf(Client.class);

    StepGenerator(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        tables = new RandomTables(scene);
        alters = new RandomAlters(scene);
        migrations = new RandomMigrations(scene);
        sessions = new RandomSessions(scene);
        partitions = new RandomPartitions(scene);
        charsets = new RandomCharsets(scene);
        texts = new RandomTexts(scene);
        rows = new RandomRows(scene);
        transactions = new RandomTransactions(scene);
        temporaries = new RandomTemporaries(scene);
        foreignKeys = new RandomForeignKeys(scene);
        objects = new RandomObjects(scene);
        ofRows = scene.session();
        noise = new Noise(scene);
    }

    /** Continues after a step. */
    void changeTo(SessionState session, ServerSnapshot snapshot) {
        snapshot.tables().forEach((id, table) -> {
            if (!table.columns().equals(scene.columns(id)) && !changed.contains(id)) {
                changed.add(id);
            }
        });
        if (session.client() == Client.MIXED) {
            mixed = session;
        } else {
            ofRows = session;
        }
        scene.changeTo(ofRows, snapshot);
    }

    Step next() {
        while (!changed.isEmpty()) {
            TableId id = changed.removeFirst();
            if (!scene.columns(id).isEmpty()) {
                return step(rows.insert(id));
            }
        }
        if (!temporary.isEmpty() && dice.percent(25)) {
            return inSessionWithTemporaries();
        }
        if (temporary.isEmpty() && dice.percent(2)) {
            return Step.RESTART;
        }
        int existing = scene.snapshot().tables().size();
        int choice = dice.below(100);
        if (existing > 0 && choice < 35) {
            return dice.percent(80)
                    ? step(rows.change(scene.someTable()))
                    : dice.percent(30) ? step(rows.changeOfTwo()) : steps(transactions.transaction());
        }
        if (existing < MIN_TABLES) {
            return step(noise.add(tables.create(scene.freeTable())));
        }
        if (choice < 55) {
            return step(noise.add(alters.alter()));
        }
        if (choice < 60) {
            return existing < MAX_TABLES
                    ? step(noise.add(tables.create(scene.freeTable())))
                    : step("drop table " + scene.someTableName());
        }
        return choice < 85 ? ofTables() : choice < 92 ? ofSession() : stored();
    }

    private Step ofTables() {
        return switch (dice.below(26)) {
            case 15 -> steps(migrations.exchangePartition());
            case 16 -> step(noise.add(scene.mariaDb() ? tables.replace() : alters.alter()));
            case 17, 18 -> step(noise.add(transactions.trigger()));
            case 19 -> step(noise.add(foreignKeys.change()));
            case 20 -> step(noise.add(objects.view()));
            case 21 -> scene.mariaDb() ? steps(objects.sequence()) : step(noise.add(objects.view()));
            case 22, 23, 24 -> temporary();
            case 0, 1 -> step(noise.add(tables.createLike()));
            case 2, 3 -> step(noise.add(logsNamesOfQueries() ? tables.createSelect() : alters.alter()));
            case 4 -> drop();
            case 5 -> step(noise.add("truncate " + dice.oneOf("", "table ") + scene.someTableName()));
            case 6, 7, 8 -> step(noise.add(migrations.rename()));
            case 9 -> step(noise.add(index()));
            case 10 -> step(noise.add(ofSchema()));
            case 11 -> step(noise.add(partitions.change(scene.someTable())));
            case 12 -> steps(migrations.ghOst());
            case 13 -> steps(migrations.ptOnlineSchemaChange());
            case 14 -> steps(migrations.dropAndCreate());
            default -> step(noise.add(withoutColumns()));
        };
    }

    /** The text that MySQL 5.7 logs is in UTF-8, and does not tell whether the client's was. */
    private boolean logsNamesOfQueries() {
        return scene.session().client() == Client.UTF8
                || scene.mariaDb()
                || scene.dialect().isMySqlFrom(80_000);
    }

    /** A use of temporary tables, by the session that logs rows, or by one that logs statements. */
    private Step temporary() {
        return dice.percent(40) ? temporary(ofRows) : temporary(mixed);
    }

    private Step temporary(SessionState session) {
        return in(session, () -> {
            if (dice.percent(20)) {
                return steps(temporaries.useInProcedure());
            }
            temporary.add(session.client());
            return steps(temporaries.use());
        });
    }

    private Step inSessionWithTemporaries() {
        Client client = temporary.iterator().next();
        if (client != Client.MIXED && client != ofRows.client() || dice.percent(30)) {
            temporary.remove(client);
            return new Step(client, List.of(Step.RECONNECT));
        }
        return in(client == Client.MIXED ? mixed : ofRows, () -> step(noise.add(temporaries.next())));
    }

    /** Makes a step of a session. */
    private Step in(SessionState session, Supplier<Step> step) {
        SessionState before = scene.session();
        scene.changeTo(session, scene.snapshot());
        try {
            return step.get();
        } finally {
            scene.changeTo(before, scene.snapshot());
        }
    }

    /** Of several tables without foreign keys: some servers drop only some of them otherwise, and the binlog does not tell which. */
    private Step drop() {
        boolean several = dice.percent(40);
        String drop = noise.add("drop table " + dice.oneOf("", "if exists ") + scene.someTableName()
                + (several ? ", " + dice.oneOf(scene.someTableName(), scene.freeTableName()) : "")
                + dice.oneOf("", "", " cascade", " restrict"));
        return several ? steps(List.of("set foreign_key_checks = 0", drop, "set foreign_key_checks = 1")) : step(drop);
    }

    private String index() {
        TableId id = scene.someTable();
        if (dice.percent(40)) {
            return "drop index " + dice.oneOf("k1", "`i 2`", "`PRIMARY`", "i9") + " on " + scene.name(id);
        }
        return "create " + dice.oneOf("", "unique ", "fulltext ", "spatial ") + "index "
                + (scene.mariaDb() && dice.percent(20) ? "if not exists " : "")
                + dice.oneOf("k1", "`i 2`", "i9") + dice.oneOf("", " using btree") + " on " + scene.name(id)
                + " (" + scene.someColumn(id) + ")" + dice.oneOf("", " comment 'x'", " algorithm=inplace lock=none");
    }

    private String ofSchema() {
        String word = dice.oneOf("database ", "schema ");
        String other = scene.schemaName(dice.oneOf("D`2", "库3"));
        return switch (dice.below(5)) {
            case 0 -> "drop " + word + dice.oneOf("", "if exists ") + other;
            case 1, 2 -> "create " + word + dice.oneOf("", "if not exists ") + other + charsets.ofSchema();
            default ->
                "alter " + word + dice.oneOf(other, scene.schemaName(SessionState.FIRST_SCHEMA))
                        + dice.oneOf(" charset ", " default character set = ", " character set ") + charsets.charset();
        };
    }

    /** Statements that change no columns, and sequences. */
    private String withoutColumns() {
        return switch (dice.below(5)) {
            case 0, 1 ->
                dice.oneOf("analyze table ", "optimize table ", "check table ", "repair table ", "flush tables ")
                        + scene.someTableName();
            case 2 ->
                scene.mariaDb()
                        ? "create " + dice.oneOf("", "or replace ") + "sequence " + dice.oneOf("", "if not exists ")
                                + scene.freeTableName() + " start with 5"
                        : "create view d1.v1 as select 1 as a";
            case 3 ->
                scene.mariaDb()
                        ? dice.oneOf("drop sequence if exists ", "drop sequence ") + scene.freeTableName()
                        : "drop view d1.v1";
            default ->
                scene.mariaDb()
                        ? "rename table " + scene.freeTableName() + " to " + scene.freeTableName()
                        : "analyze local table " + scene.someTableName();
        };
    }

    private Step ofSession() {
        return switch (dice.below(6)) {
            case 0 -> step(sessions.use());
            case 1, 2 -> step(sessions.setting());
            case 3, 4 -> steps(sessions.binlog());
            default -> {
                Client client = dice.oneOf(Client.UTF8, dice.oneOf(Client.ofRows()));
                yield new Step(client, List.of("use d1"));
            }
        };
    }

    /** An ALTER that is executed by another statement, or together with another one. */
    private Step stored() {
        if (dice.percent(20)) {
            return steps(objects.program());
        }
        String alter = alters.alter();
        return switch (dice.below(5)) {
            case 0 ->
                steps(List.of(
                        "create procedure d1.p1() begin " + dice.oneOf("", "declare x int default 5; ") + alter
                                + "; end",
                        "call d1.p1()",
                        "drop procedure if exists d1.p1"));
            case 1 ->
                steps(List.of(
                        "set @s = " + texts.plainLiteral(alter),
                        "prepare st from @s",
                        "execute st",
                        "deallocate prepare st"));
            case 2 -> step(alter + dice.oneOf(";", " ; ", ";\n-- c\n") + alters.alter());
            case 3 -> {
                TableId id = scene.someTable();
                yield steps(List.of(
                        "lock tables " + scene.name(id) + " write", noise.add(alters.alter(id)), "unlock tables"));
            }
            default ->
                scene.mariaDb()
                        ? step(noise.add("set statement max_statement_time=100 for " + alter))
                        : step(noise.add(alter));
        };
    }

    private Step step(String sql) {
        return steps(List.of(sql));
    }

    private Step steps(List<String> statements) {
        return new Step(scene.session().client(), statements);
    }
}
