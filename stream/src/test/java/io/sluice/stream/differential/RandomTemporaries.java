package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayList;
import java.util.List;

/**
 * Statements of temporary tables, which often have the name of another table, and of other tables beside them.
 *
 * <p>A session that logs statements makes no tables with the columns of temporary ones: only the source can tell these columns.
 */
final class RandomTemporaries {
    private static final String COPY = "tmp1";

    private final Scene scene;
    private final Dice dice;
    private final RandomAlters alters;
    private final RandomTables tables;
    private final RandomMigrations migrations;
    private final RandomRows rows;

    RandomTemporaries(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        alters = new RandomAlters(scene);
        tables = new RandomTables(scene);
        migrations = new RandomMigrations(scene);
        rows = new RandomRows(scene);
    }

    /** Creates a temporary table, and uses it; it may stay. */
    List<String> use() {
        TableId original = scene.someTable();
        TableId temporary = dice.percent(75) ? original : scene.freeTable();
        List<String> statements = new ArrayList<>(creation(temporary, original));
        for (int i = dice.below(4); i > 0; i--) {
            statements.add(change(temporary, original));
        }
        if (dice.percent(50)) {
            statements.add(drop(temporary));
        }
        return statements;
    }

    /** Uses temporary tables in a procedure, where the server flags also what is of other tables. */
    List<String> useInProcedure() {
        return List.of(
                "create procedure d1.p2() begin declare continue handler for sqlexception begin end; "
                        + String.join("; ", use()) + "; " + alters.alter() + "; end",
                "call d1.p2()",
                "drop procedure if exists d1.p2");
    }

    /** A statement of a session that may have temporary tables. */
    String next() {
        TableId id = scene.someTable();
        return switch (dice.below(logsRows() ? 9 : 7)) {
            case 0, 1 -> change(id, id);
            case 2, 3 -> drop(id);
            case 4 -> alters.alter(id);
            case 5 -> scene.mariaDb() && logsRows() ? rename(id) : migrations.rename();
            case 6 -> "drop table if exists " + scene.name(id) + ", " + scene.someTableName();
            case 7 -> tables.createLike();
            default -> "create table if not exists " + scene.freeTableName() + " like " + scene.name(id);
        };
    }

    private boolean logsRows() {
        return scene.session().client() != Client.MIXED;
    }

    /** With the columns of another table, or its own. */
    private List<String> creation(TableId temporary, TableId original) {
        String ifNotExists = dice.oneOf("", "", "if not exists ");
        String orReplace = scene.mariaDb() && dice.percent(20) ? "or replace " : "";
        TableId copy = new TableId(temporary.schema(), COPY);
        return switch (dice.below(4)) {
            case 0 -> List.of(tables.createTemporary(temporary));
            case 1 ->
                List.of("create " + orReplace + "temporary table " + ifNotExists + scene.name(temporary)
                        + " as select * from " + scene.name(original));
            default ->
                temporary.equals(original)
                        ? List.of(
                                "create temporary table " + scene.name(copy) + " like " + scene.name(original),
                                "alter table " + scene.name(copy) + " rename to " + scene.name(temporary))
                        : List.of("create " + orReplace + "temporary table " + ifNotExists + scene.name(temporary)
                                + " like " + scene.name(original));
        };
    }

    private String change(TableId temporary, TableId original) {
        String name = scene.name(temporary);
        String other = scene.freeTableName();
        return switch (dice.below(logsRows() ? 14 : 11)) {
            case 0, 1, 2 -> "alter table " + name + " " + alters.change(original);
            case 3 -> alters.alter(temporary);
            case 4 -> rename(temporary);
            case 5 -> "truncate table " + name;
            case 6 -> "create index k8 on " + name + " (" + scene.someColumn(original) + ")";
            case 7 -> "alter table " + name + " drop primary key";
            case 8 -> "alter table " + name + " rename to " + other;
            case 9 -> "create temporary table " + other + " like " + name;
            case 10 -> "drop table " + name + ", " + scene.someTableName();
            case 11 -> rows.insertInto(temporary, original);
            case 12 -> "create table " + other + " like " + name;
            default -> "create table " + other + " as select * from " + name;
        };
    }

    /** MariaDB logs it also of a temporary table whose creation it has not logged, so that a reader cannot tell what it was of. */
    private String rename(TableId temporary) {
        return scene.mariaDb() && logsRows()
                ? drop(temporary)
                : "rename table " + scene.name(temporary) + " to " + scene.freeTableName();
    }

    private String drop(TableId id) {
        return "drop " + dice.oneOf("temporary ", "temporary ", "") + "table " + dice.oneOf("if exists ", "")
                + scene.name(id);
    }
}
