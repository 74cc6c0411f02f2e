package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Definitions of columns: a type, attributes in any order, or an expression. */
final class RandomColumns {
    private static final List<String> WITHOUT_LITERAL_DEFAULT = List.of(
            "json", "text", "blob", "long", "clob", "point", "geom", "string", "polygon", "vector", "enum", "set");

    private final Scene scene;
    private final Dice dice;
    private final RandomTypes types;
    private final RandomTexts texts;
    private final RandomCharsets charsets;

    RandomColumns(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        types = new RandomTypes(scene);
        texts = new RandomTexts(scene);
        charsets = new RandomCharsets(scene);
    }

    /** The definition of a column of a table that exists. */
    String definition(TableId table) {
        return dice.percent(9)
                ? generated(scene.columns(table).isEmpty() ? "1" : scene.someColumn(table))
                : definition();
    }

    /** A definition without other columns. */
    String definition() {
        if (dice.percent(25)) {
            return dice.oneOf(
                    "int",
                    "int",
                    "varchar(20)",
                    "bigint unsigned",
                    "datetime(3) null"); // most servers take it anywhere
        }
        String type = types.type();
        List<String> attributes = new ArrayList<>();
        add(attributes, 35, defaultOf(type));
        add(attributes, 15, " not null");
        add(attributes, 10, " null");
        add(attributes, 15, texts.comment());
        add(attributes, 7, dice.oneOf(" unique", " unique key"));
        add(attributes, 5, dice.oneOf(" primary key", " key"));
        add(attributes, 5, " check (1 = 1)");
        add(attributes, 2, " constraint " + dice.oneOf("ck", "`check`", "k" + dice.below(9999)) + " check (2 > 1)");
        add(
                attributes,
                3,
                dice.oneOf(" column_format fixed", " storage disk", " column_format dynamic", " storage memory"));
        add(attributes, 5, scene.mariaDb() || scene.dialect().version() >= 80_023 ? " invisible" : "");
        add(attributes, 3, scene.dialect().isMySqlFrom(80_023) ? " visible" : "");
        add(attributes, 4, " collate " + charsets.collation());
        add(attributes, 2, scene.dialect().isMySqlFrom(80_021) ? " engine_attribute '{}'" : "");
        add(attributes, 2, scene.mariaDb() ? " without system versioning" : "");
        add(attributes, 2, scene.mariaDb() ? " `my opt`='x, y)' " : "");
        add(attributes, 1, " references d1.t1 (id) on delete set null");
        dice.shuffle(attributes);
        return type + String.join("", attributes);
    }

    /** A column whose value is computed from another one. */
    String generated(String base) {
        return dice.oneOf(
                        "int",
                        "varchar(50)",
                        "bigint unsigned",
                        "varchar(20) character set latin1",
                        "double",
                        "datetime(3)")
                + dice.oneOf(" generated always as (", " as (", " AS(")
                + dice.oneOf(
                        "length(" + base + ")",
                        "1 + 1",
                        "concat(" + base + ", 'x)')",
                        base,
                        "if(" + base + " is null, 1, 2)")
                + ")"
                + dice.oneOf("", " virtual", " stored", scene.mariaDb() ? " persistent" : " virtual")
                + dice.oneOf("", "", " comment 'g'", " unique", scene.mariaDb() ? " invisible" : "", "");
    }

    private void add(List<String> attributes, int percent, String attribute) {
        if (dice.percent(percent)) {
            attributes.add(attribute);
        }
    }

    private String defaultOf(String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        if (dice.percent(10) && (scene.mariaDb() || scene.dialect().version() >= 80_013)) {
            return " default "
                    + dice.oneOf(
                            "(uuid())",
                            "(concat('a', 'b)'))",
                            "(1 + 1)",
                            "(now())",
                            "( cast('5' as unsigned) )",
                            "(case when 1 then 2 else 3 end)",
                            "(json_array())",
                            "(rand())",
                            "('x''y\\'')");
        }
        if (dice.percent(20)) {
            return " default null";
        }
        if (WITHOUT_LITERAL_DEFAULT.stream().anyMatch(lower::contains)) {
            return "";
        }
        if (lower.startsWith("timestamp") || lower.startsWith("datetime")) {
            return lower.contains("default")
                    ? ""
                    : dice.oneOf(
                            " default '2020-02-02 02:02:02'",
                            " default current_timestamp",
                            " default now() on update now()",
                            " default 0");
        }
        if (lower.startsWith("date")) {
            return " default '2020-02-02'";
        }
        if (lower.startsWith("bit")) {
            return dice.oneOf(" default b'1'", " default 0b1", " default 1", " default 0x1");
        }
        return lower.contains("char") || lower.contains("binary") ? textDefault() : numberDefault();
    }

    private String textDefault() {
        return dice.oneOf(
                " default 'x'",
                " default ''",
                " default 'it''s'",
                " default \"d'q\"",
                " default _latin1'x'",
                " default N'n'",
                " default x'41'",
                " default 'unsigned, primary key'",
                " default 'a' 'b'",
                scene.mariaDb() ? " default (concat('x', 'y'))" : " default 'z'",
                scene.mariaDb() ? " default user()" : " default 'u'",
                scene.mariaDb() ? " default case when 1 = 1 then ascii('x') when 2 then 'first' end" : " default 'v'");
    }

    private String numberDefault() {
        return dice.oneOf(
                " default 5",
                " default -1",
                " default '7'",
                " default +3",
                " default 0",
                scene.mariaDb() ? " default (5 + 2)" : " default 1",
                scene.mariaDb() ? " default length('abc') " : " default 2",
                scene.mariaDb() ? " default case when 1 = 1 then 3 else 4 end" : " default 3");
    }
}
