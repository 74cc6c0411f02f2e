package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** {@code ALTER TABLE} with one or several changes. */
final class RandomAlters {
    private static final Pattern RENAME = Pattern.compile("(?s)rename (?!column|key|index).*");

    private final Scene scene;
    private final Dice dice;
    private final RandomColumns columns;
    private final RandomKeys keys;
    private final RandomCharsets charsets;
    private final RandomPartitions partitions;

    RandomAlters(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        columns = new RandomColumns(scene);
        keys = new RandomKeys(scene);
        charsets = new RandomCharsets(scene);
        partitions = new RandomPartitions(scene);
    }

    /** Changes a table that exists. */
    String alter() {
        return alter(scene.someTable());
    }

    /** A new name comes alone on MariaDB, which sometimes leaves the former table in place if there are other changes. */
    String alter(TableId id) {
        List<String> changes = new ArrayList<>(List.of(change(id)));
        for (int i = dice.percent(45) ? 0 : dice.below(4); i > 0; i--) {
            changes.add(change(id));
        }
        if (scene.mariaDb() && changes.size() > 1) {
            changes.removeIf(change -> RENAME.matcher(change).matches());
        }
        String how = scene.mariaDb() ? dice.oneOf("", "", "", "ignore ", "online ") : "";
        StringBuilder sql = new StringBuilder("alter " + how + "table ")
                .append(scene.mariaDb() && dice.percent(10) ? "if exists " : "")
                .append(scene.mariaDb() && dice.percent(2) ? scene.freeTableName() : scene.name(id))
                .append(scene.mariaDb() && dice.percent(5) ? dice.oneOf(" wait 5 ", " nowait ") : " ")
                .append(String.join(dice.oneOf(", ", ",", " , "), changes));
        if (changes.isEmpty()) {
            return sql.append("force").toString();
        }
        if (scene.mariaDb() && RENAME.matcher(changes.get(0)).matches()) {
            return sql.toString();
        }
        if (dice.percent(4)) {
            sql.append(partitions.clause(scene.someColumn(id)));
        }
        return sql.append(dice.percent(3) ? " remove partitioning" : "").toString();
    }

    /** One change of a table. */
    String change(TableId id) {
        return switch (dice.below(20)) {
            case 0, 1, 2 ->
                "add " + dice.oneOf("column ", "") + ifNotExists() + scene.newColumn(id) + " " + columns.definition(id)
                        + place(id);
            case 3, 4 -> "drop " + dice.oneOf("column ", "") + ifExists() + scene.someColumn(id) + dropEnd();
            case 5, 6 ->
                "modify " + dice.oneOf("column ", "") + ifExists() + scene.someColumn(id) + " " + columns.definition(id)
                        + place(id);
            case 7, 8 ->
                "change " + dice.oneOf("column ", "") + ifExists() + scene.someColumn(id) + " " + scene.newColumn(id)
                        + " " + columns.definition(id) + place(id);
            case 9 -> "rename column " + scene.someColumn(id) + " to " + scene.newColumn(id);
            case 10 ->
                "add " + dice.oneOf("column ", "") + "(" + scene.newColumn(id) + " " + columns.definition(id) + ", "
                        + scene.newColumn(id) + " " + columns.definition(id)
                        + (dice.percent(20) ? ", " + keys.clause(List.of(scene.someColumn(id))) : "") + ")";
            case 11, 12 -> severalOfOneColumn(id);
            case 13 -> charset();
            case 14, 15 -> key(id);
            default -> other(id);
        };
    }

    /** Changes of one statement that concern each other. */
    private String severalOfOneColumn(TableId id) {
        String first = scene.someColumn(id);
        String second = scene.someColumn(id);
        String third = scene.someColumn(id);
        String added = scene.newColumn(id);
        return switch (dice.below(16)) {
            case 0 -> "rename column " + first + " to " + second + ", rename column " + second + " to " + first;
            case 1 ->
                "change " + first + " " + added + " " + columns.definition(id) + ", add " + scene.newColumn(id) + " "
                        + columns.definition(id) + " after " + dice.oneOf(first, added);
            case 2 -> "drop " + first + ", add " + first + " " + columns.definition(id) + place(id);
            case 3 ->
                "rename column " + first + " to " + added + ", modify " + second + " " + columns.definition(id)
                        + " after " + dice.oneOf(first, added);
            case 4 ->
                "add " + added + " " + columns.definition(id) + " first, add " + scene.newColumn(id) + " "
                        + columns.definition(id) + " after " + added;
            case 7 ->
                "rename column " + first + " to " + second + ", rename column " + second + " to " + third
                        + ", rename column " + third + " to " + first;
            case 8 ->
                "change " + first + " " + second + " " + columns.definition(id) + place(id) + ", change " + second + " "
                        + first + " " + columns.definition(id) + place(id);
            case 9 ->
                "change " + first + " " + second + " " + columns.definition(id) + ", change " + second + " " + added
                        + " " + columns.definition(id) + dice.oneOf("", " after " + second, " first");
            case 10 ->
                "drop " + first + ", " + dice.oneOf("rename column " + second + " to ", "change " + second + " ")
                        + first + dice.oneOf("", " " + columns.definition(id) + place(id));
            case 11 ->
                "rename column " + first + " to " + added + ", add " + first + " " + columns.definition(id)
                        + dice.oneOf(" first", "", " after " + added);
            case 12 ->
                "modify " + first + " " + columns.definition(id) + " after " + second + ", modify " + second + " "
                        + columns.definition(id) + " after " + third + ", modify " + third + " "
                        + columns.definition(id)
                        + dice.oneOf(" first", " after " + first);
            case 13 ->
                "add " + added + " " + columns.definition(id) + " first, rename column " + first + " to "
                        + scene.newColumn(id) + ", drop " + second + dice.oneOf("", ", algorithm=instant");
            case 14 ->
                "rename column " + first + " to " + second + ", drop " + second
                        + dice.oneOf("", ", add primary key (" + second + ")");
            case 15 ->
                "add " + added + " " + columns.definition(id) + ", add primary key (" + added + "), change " + first
                        + " " + scene.newColumn(id) + " " + columns.definition(id) + " after " + added;
            case 5 ->
                "modify " + first + " " + columns.definition(id) + " first, modify " + second + " "
                        + columns.definition(id) + " after " + first;
            default ->
                scene.mariaDb()
                        ? "add " + added + " " + columns.definition(id) + place(id) + ", modify " + added + " "
                                + columns.definition(id) + place(id)
                        : "add " + added + " " + columns.definition(id) + " after " + first + ", drop " + second;
        };
    }

    private String charset() {
        return switch (dice.below(4)) {
            case 0, 1 ->
                dice.oneOf("convert to character set ", "convert to charset ", "CONVERT TO CHARACTER SET ")
                        + (dice.percent(10) ? "default" : charsets.charset())
                        + (dice.percent(15) ? " collate " + charsets.collation() : "");
            case 2 ->
                dice.oneOf("default charset=", "charset ", "character set = ", "default character set ")
                        + charsets.charset();
            default -> "collate " + charsets.collation();
        };
    }

    private String key(TableId id) {
        String column = scene.someColumn(id);
        return switch (dice.below(6)) {
            case 0 -> "drop primary key";
            case 1, 2 -> "add " + keys.clause(List.of(column, scene.someColumn(id)));
            case 3 -> "drop primary key, add primary key (" + column + ")";
            case 4 ->
                "add constraint " + dice.oneOf("", "c" + dice.below(99) + " ")
                        + dice.oneOf("check (1=1)", "unique (" + column + ")", "primary key (" + column + ")");
            default ->
                dice.oneOf(
                                "drop key ",
                                "drop index ",
                                "drop constraint ",
                                scene.mariaDb() ? "drop index if exists " : "drop key ")
                        + dice.oneOf("k1", "`i 2`", "`primary`", "u1", "pk");
        };
    }

    private String other(TableId id) {
        String column = scene.someColumn(id);
        return switch (dice.below(6)) {
            case 0 ->
                dice.oneOf(
                        "comment='c, add column x int'",
                        "engine=InnoDB",
                        "force",
                        "order by " + column,
                        "row_format=dynamic",
                        "auto_increment=50",
                        "stats_persistent=1",
                        "disable keys",
                        "enable keys",
                        "engine=MyISAM");
            case 1 ->
                "alter " + dice.oneOf("column ", "") + column + " "
                        + dice.oneOf(
                                "set default '1'",
                                "drop default",
                                "set default (1 + 1)",
                                scene.dialect().isMySqlFrom(80_023) ? "set invisible" : "set default 5",
                                scene.dialect().isMySqlFrom(80_023) ? "set visible" : "set default null");
            case 2 ->
                dice.oneOf(
                        "algorithm=inplace",
                        "lock=none",
                        "algorithm=copy",
                        "lock=default",
                        "algorithm=instant",
                        "algorithm default",
                        "with validation",
                        "without validation");
            case 3 -> "rename " + dice.oneOf("to ", "as ", "", "= ") + scene.freeTableName();
            case 4 -> "rename " + dice.oneOf("key ", "index ") + "k1 to k2";
            default ->
                scene.mariaDb()
                        ? dice.oneOf(
                                "add system versioning",
                                "drop system versioning",
                                "add period for p (" + column + ", " + scene.someColumn(id) + ")",
                                "drop period for p")
                        : "add index (" + column + ")";
        };
    }

    private String place(TableId id) {
        return switch (dice.below(4)) {
            case 0 -> dice.oneOf(" first", " FIRST");
            case 1 -> " after " + scene.someColumn(id);
            default -> "";
        };
    }

    private String dropEnd() {
        return dice.oneOf("", "", "", " restrict", scene.mariaDb() ? "" : " cascade");
    }

    private String ifExists() {
        return scene.mariaDb() && dice.percent(12) ? "if exists " : "";
    }

    private String ifNotExists() {
        return scene.mariaDb() && dice.percent(12) ? "if not exists " : "";
    }
}
