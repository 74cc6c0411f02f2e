package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayList;
import java.util.List;

/** Views, sequences, events and stored programs, which may have the names of tables, or the text of a DDL in them. */
final class RandomObjects {
    private static final List<TableId> SEQUENCES = List.of(
            new TableId("d1", "seq1"), new TableId("d1", "t3"), new TableId("D`2", "like"), new TableId("d1", "seq1"));

    private final Scene scene;
    private final Dice dice;
    private final RandomAlters alters;
    private final RandomTables tables;

    RandomObjects(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        alters = new RandomAlters(scene);
        tables = new RandomTables(scene);
    }

    String view() {
        String view = dice.oneOf("d1.v1", scene.freeTableName());
        return switch (dice.below(6)) {
            case 0, 1, 2 ->
                "create " + dice.oneOf("or replace ", "", "algorithm=merge ") + "view " + view
                        + dice.oneOf(" as select * from " + scene.someTableName(), " (a, b) as select 1, 2");
            case 3 -> "drop view " + dice.oneOf("if exists ", "") + view;
            case 4 -> "rename table " + view + " to " + scene.freeTableName();
            default -> "alter view " + view + " as select 1 as x";
        };
    }

    /** A sequence's life; the last statement often makes a table of its name. */
    List<String> sequence() {
        TableId id = dice.oneOf(SEQUENCES);
        String name = scene.name(id);
        List<String> statements = new ArrayList<>();
        for (int i = 1 + dice.below(3); i > 0; i--) {
            statements.add(
                    switch (dice.below(9)) {
                        case 0, 1 ->
                            "create " + dice.oneOf("", "or replace ") + "sequence "
                                    + dice.oneOf("", "if not exists ") + name
                                    + dice.oneOf(
                                            "",
                                            " start with 5 increment by -1 minvalue -100 maxvalue 100 cycle",
                                            " nocache");
                        case 2 ->
                            "alter sequence " + dice.oneOf("", "if exists ") + name
                                    + dice.oneOf(" restart 50", " maxvalue 9999", " increment = 3");
                        case 3, 4 -> "select nextval(" + name + ")";
                        case 5 -> "do setval(" + name + ", 7" + dice.below(9) + ")";
                        case 6 -> "drop " + dice.oneOf("sequence ", "sequence if exists ", "table ") + name;
                        case 7 ->
                            dice.oneOf("rename table " + name + " to ", "alter table " + name + " rename to ")
                                    + scene.freeTableName();
                        default ->
                            "create table " + scene.freeTableName() + " (id int default nextval(" + name + "), x int)";
                    });
        }
        if (dice.percent(40)) {
            statements.add(tables.create(id));
        }
        return statements;
    }

    /** A program that is stored, and not executed. */
    List<String> program() {
        String alter = alters.alter();
        return switch (dice.below(5)) {
            case 0 ->
                List.of(
                        "create event d1.e1 on schedule every 1 day disable do " + alter,
                        "alter event d1.e1 comment 'alter table' do " + alters.alter(),
                        "drop event if exists d1.e1");
            case 1 -> List.of("create procedure d1.p3() begin " + alter + "; drop table if exists d1.t1; end");
            case 2 -> List.of("drop procedure if exists d1.p3");
            case 3 ->
                List.of(
                        "create function d1.f1(x int) returns int deterministic begin declare y int; set y = x; return y; end",
                        "drop function d1.f1");
            default ->
                List.of(
                        "create " + dice.oneOf("", "definer=root@localhost ") + "procedure d1.p4(in `table` int)"
                                + " comment 'alter table d1.t1 drop column a' " + alter,
                        "drop procedure if exists d1.p4");
        };
    }
}
