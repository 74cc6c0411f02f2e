package io.sluice.stream.differential;

import io.sluice.testkit.check.TableId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Statements that create tables. */
final class RandomTables {
    static final String PERIOD_START = "s1";
    static final String PERIOD_END = "s2";

    private final Scene scene;
    private final Dice dice;
    private final RandomTypes types;
    private final RandomColumns columns;
    private final RandomKeys keys;
    private final RandomPartitions partitions;
    private final RandomTexts texts;
    private final RandomCharsets charsets;

    RandomTables(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        types = new RandomTypes(scene);
        columns = new RandomColumns(scene);
        keys = new RandomKeys(scene);
        partitions = new RandomPartitions(scene);
        texts = new RandomTexts(scene);
        charsets = new RandomCharsets(scene);
    }

    /** Creates a table with a list of columns. */
    String create(TableId id) {
        return "create " + (scene.mariaDb() && dice.percent(15) ? "or replace " : "") + "table "
                + dice.oneOf("", "", "", "", "if not exists ") + scene.name(id) + body();
    }

    /** Creates a temporary table with a list of columns. */
    String createTemporary(TableId id) {
        return "create " + (scene.mariaDb() && dice.percent(15) ? "or replace " : "") + "temporary table "
                + dice.oneOf("", "", "if not exists ") + scene.name(id) + body();
    }

    /** Replaces a table that exists. */
    String replace() {
        TableId id = scene.someTable();
        String create = "create or replace table " + scene.name(id);
        return switch (dice.below(4)) {
            case 0 -> create + " like " + scene.someTableName();
            case 1 -> create + dice.oneOf(" ", " as ") + "select * from " + scene.someTableName();
            default -> create + body();
        };
    }

    private String body() {
        List<String> names = new ArrayList<>();
        List<String> parts = new ArrayList<>();
        String counter = null;
        if (dice.percent(65)) {
            String key = scene.columnName(dice.oneOf("id", "主键", "Id", "pk id"));
            String definition = key();
            counter = definition.contains("auto_increment") ? key : null;
            names.add(key);
            parts.add(key + definition);
        }
        Set<String> seen = new HashSet<>();
        for (int i = dice.below(6) + (names.isEmpty() ? 1 : 0); i > 0; i--) {
            String name = dice.oneOf(Identifiers.COLUMNS);
            if (seen.add(name.toLowerCase(Locale.ROOT))) {
                String spelt = scene.columnName(name);
                boolean generated = dice.percent(8) && !names.isEmpty();
                parts.add(spelt + " "
                        + (generated ? columns.generated(base(dice.oneOf(names), counter)) : columns.definition()));
                names.add(spelt);
            }
        }
        if (scene.mariaDb() && dice.percent(20)) {
            parts.addAll(period());
        }
        for (int i = dice.below(3); i > 0; i--) {
            parts.add(keys.clause(names));
        }
        return dice.oneOf(" (", "(", "\n(")
                + String.join(dice.oneOf(", ", ",", ",\n  "), parts)
                + dice.oneOf(")", " )", "\n)")
                + options()
                + (dice.percent(12) ? partitions.clause(dice.oneOf(names)) : "");
    }

    /** MariaDB logs what is computed from a counter as it was before the counter had its value. */
    private String base(String name, @Nullable String counter) {
        return scene.mariaDb() && name.equals(counter) ? "7" : name;
    }

    private String key() {
        return dice.oneOf(
                        " int",
                        " BIGINT UNSIGNED",
                        " varchar(20)",
                        " int",
                        " binary(3)",
                        " varchar(20) character set gbk",
                        " datetime(2)",
                        " decimal(8,3)",
                        " enum('q','r','s','t','u')")
                + dice.oneOf(" not null", "")
                + dice.oneOf(
                        " primary key",
                        " primary key",
                        " key",
                        " comment 'no key'",
                        " primary key auto_increment",
                        " auto_increment primary key");
    }

    private List<String> period() {
        if (dice.percent(60)) {
            List<String> parts = new ArrayList<>(List.of(
                    PERIOD_START + " date",
                    PERIOD_END + dice.oneOf(" date", " date not null"),
                    "period for p (" + PERIOD_START + ", " + PERIOD_END + ")"));
            if (dice.percent(30)) {
                parts.add(0, "pn int default 1");
                parts.add(dice.oneOf("unique", "primary key") + " (pn, p without overlaps)");
            }
            return parts;
        }
        return List.of(
                "rs timestamp(6) generated always as row start" + dice.oneOf("", " invisible"),
                "re timestamp(6) generated always as row end" + dice.oneOf("", " invisible"),
                "period for system_time (rs, re)");
    }

    private String options() {
        StringBuilder options = new StringBuilder();
        for (int i = dice.below(4); i > 0; i--) {
            options.append(options.isEmpty() ? " " : dice.oneOf(" ", ", ")).append(option());
        }
        return options.toString();
    }

    private String option() {
        return switch (dice.below(16)) {
            case 0, 1, 2, 3 -> charsets.ofTable();
            case 4 ->
                "engine="
                        + dice.oneOf(
                                "InnoDB",
                                "MyISAM",
                                "InnoDB",
                                "'innodb'",
                                scene.mariaDb() ? "Aria" : "MyISAM",
                                "MEMORY");
            case 5 ->
                "comment="
                        + texts.plainLiteral(
                                dice.oneOf("x';--", "charset=latin1", "primary key (a)", "表", "select 1", "as"));
            case 6 -> "row_format=" + dice.oneOf("dynamic", "compact", "redundant", "default", "compressed");
            case 7 -> "auto_increment=" + (1 + dice.below(100));
            case 8 ->
                dice.oneOf(
                        "stats_persistent=0",
                        "stats_auto_recalc=default",
                        "stats_sample_pages=5",
                        "checksum=1",
                        "delay_key_write=1",
                        "pack_keys=0",
                        "min_rows=1",
                        "max_rows = 1000",
                        "avg_row_length=9",
                        "insert_method=no",
                        "checksum 1");
            case 9 -> "connection='x'";
            case 10 ->
                scene.mariaDb()
                        ? dice.oneOf(
                                "page_checksum=1",
                                "transactional=0",
                                "`my opt`=1",
                                "with system versioning",
                                "x_y='select'")
                        : dice.oneOf(
                                "engine_attribute='{}'",
                                "tablespace=innodb_file_per_table",
                                "compression='zlib'",
                                "secondary_engine_attribute='{}'");
            case 11 -> "key_block_size=" + dice.oneOf("0", "8");
            default -> "engine=InnoDB";
        };
    }

    /** Creates a table with the columns of another one. */
    String createLike() {
        String ifNotExists = dice.oneOf("", "", "if not exists ");
        return dice.percent(60)
                ? "create table " + ifNotExists + scene.freeTableName() + dice.oneOf(" like ", " LIKE ")
                        + scene.someTableName()
                : "create table " + ifNotExists + scene.freeTableName() + dice.oneOf(" (like ", "( like ")
                        + scene.someTableName() + ")";
    }

    /** Creates a table from the rows of another one. */
    String createSelect() {
        TableId from = scene.someTable();
        StringBuilder selected = new StringBuilder("*");
        if (dice.percent(50)) {
            selected = new StringBuilder(scene.someColumn(from));
            selected.append(dice.percent(50) ? " as " + scene.anyColumn() : "");
            selected.append(dice.percent(50) ? ", 1 as " + scene.anyColumn() : "");
            selected.append(dice.percent(30) ? ", " + expression() + " `calc " + dice.below(9) + "`" : "");
        }
        String query = "select " + selected + " from " + scene.name(from);
        return "create table " + dice.oneOf("", "if not exists ") + scene.freeTableName()
                + dice.oneOf(
                        " ",
                        " (" + scene.anyColumn() + " int) ",
                        " (k int primary key auto_increment) ",
                        " charset=latin1 ",
                        " engine=InnoDB ",
                        " (" + scene.anyColumn() + " " + types.type() + ", key (" + scene.someColumn(from) + ")) ")
                + dice.oneOf("", "as ", "ignore ", "replace as ")
                + (dice.percent(85)
                        ? query
                        : dice.oneOf("(" + query + ")", "with w9 as (" + query + ") select * from w9"));
    }

    private String expression() {
        return dice.oneOf(
                "now(3)",
                "'x'",
                "cast(5 as decimal(9,2))",
                "_gbk'a'",
                "null",
                "1.5",
                "0x41",
                "uuid()",
                "cast('{}' as json)",
                "concat('a','b')",
                "1e0");
    }
}
