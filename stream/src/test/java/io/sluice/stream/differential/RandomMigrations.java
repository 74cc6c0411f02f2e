package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.List;

/** The statements with which tools for online changes replace a table by a changed copy, and people exchange tables. */
final class RandomMigrations {
    private final Scene scene;
    private final Dice dice;
    private final RandomAlters alters;
    private final RandomTables tables;

    RandomMigrations(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        alters = new RandomAlters(scene);
        tables = new RandomTables(scene);
    }

    /** As gh-ost does. */
    List<String> ghOst() {
        TableId id = scene.someTable();
        TableId copy = new TableId(id.schema(), "_x_gho");
        TableId log = new TableId(id.schema(), "_x_ghc");
        TableId old = new TableId(id.schema(), "_x_del");
        return List.of(
                "drop /* gh-ost */ table if exists " + scene.name(copy),
                "drop /* gh-ost */ table if exists " + scene.name(old),
                "create /* gh-ost */ table " + scene.name(log)
                        + " (id bigint auto_increment, last_update timestamp not null default current_timestamp on update"
                        + " current_timestamp, hint varchar(64) charset ascii not null, value varchar(4096) charset ascii not"
                        + " null, primary key(id), unique key hint_uidx(hint)) auto_increment=256",
                "create /* gh-ost */ table " + scene.name(copy) + " like " + scene.name(id),
                "alter /* gh-ost */ table " + scene.name(copy) + " " + alters.change(id),
                "create /* gh-ost */ table " + scene.name(old)
                        + " (id int auto_increment primary key) engine=InnoDB comment='ghost-cut-over-sentry'",
                "drop /* gh-ost */ table if exists " + scene.name(old),
                "rename /* gh-ost */ table " + scene.name(id) + " to " + scene.name(old) + ", " + scene.name(copy)
                        + " to " + scene.name(id),
                "drop /* gh-ost */ table if exists " + scene.name(log),
                "drop /* gh-ost */ table if exists " + scene.name(old));
    }

    /** As pt-online-schema-change does. */
    List<String> ptOnlineSchemaChange() {
        TableId id = scene.someTable();
        TableId made = new TableId(id.schema(), "_t1_new");
        TableId old = new TableId(id.schema(), "_t1_old");
        return List.of(
                "create table " + scene.name(made) + " like " + scene.name(id),
                "alter table " + scene.name(made) + " " + alters.change(id),
                "rename table " + scene.name(id) + " to " + scene.name(old) + ", " + scene.name(made) + " to "
                        + scene.name(id),
                "drop table if exists " + scene.name(old));
    }

    /** Exchanges a partition of a table with a copy of it. */
    List<String> exchangePartition() {
        TableId id = scene.someTable();
        TableId made = new TableId(id.schema(), "_x_part");
        return List.of(
                "create table " + scene.name(made) + " like " + scene.name(id),
                "alter table " + scene.name(made) + " remove partitioning",
                dice.oneOf(
                        "alter table " + scene.name(made) + " " + alters.change(id),
                        "-- the copy has the same columns"),
                "alter table " + scene.name(id) + " exchange partition " + dice.oneOf("p0", "p1") + " with table "
                        + scene.name(made) + dice.oneOf("", " without validation"),
                "drop table if exists " + scene.name(made));
    }

    /** Replaces a table by another one that is created in its place. */
    List<String> dropAndCreate() {
        TableId id = scene.someTable();
        TableId other = scene.freeTable();
        return dice.percent(50)
                ? List.of("drop table " + scene.name(id), tables.create(id))
                : List.of(
                        tables.create(other),
                        "drop table if exists " + scene.name(id),
                        "rename table " + scene.name(other) + " to " + scene.name(id));
    }

    /** Renames one or several tables, also in a circle. */
    String rename() {
        String word = dice.oneOf("rename table ", "rename tables ");
        if (scene.mariaDb() && dice.percent(12)) {
            return word + "if exists " + dice.oneOf(scene.freeTableName(), scene.someTableName()) + " to "
                    + dice.oneOf(scene.freeTableName(), scene.someTableName())
                    + dice.oneOf("", ", " + scene.someTableName() + " to " + scene.freeTableName());
        }
        if (dice.percent(15)) {
            return rotation(word);
        }
        if (dice.percent(50)) {
            return word + scene.someTableName() + " to " + scene.freeTableName()
                    + (dice.percent(30) ? ", " + scene.someTableName() + " to " + scene.freeTableName() : "");
        }
        TableId first = scene.someTable();
        TableId second = scene.someTable();
        TableId between = new TableId(dice.percent(80) ? first.schema() : dice.oneOf(Identifiers.SCHEMAS), "swap_tmp");
        return word + scene.name(first) + " to " + scene.name(between) + ", " + scene.name(second) + " to "
                + scene.name(first) + ", " + scene.name(between) + " to " + scene.name(second);
    }

    /** Three tables of one schema exchange their names, or a table moves away and another one to its place. */
    private String rotation(String word) {
        TableId first = scene.someTable();
        TableId second = scene.someTable();
        TableId third = scene.someTable();
        String between = scene.name(new TableId(first.schema(), "swap_tmp"));
        return dice.percent(50)
                ? word + scene.name(first) + " to " + between + ", " + scene.name(second) + " to " + scene.name(first)
                        + ", " + scene.name(third) + " to " + scene.name(second) + ", " + between + " to "
                        + scene.name(third)
                : word + scene.name(first) + " to " + scene.freeTableName() + ", " + scene.name(second) + " to "
                        + scene.name(first);
    }
}
