package io.sluice.stream.differential;

import java.util.ArrayList;
import java.util.List;

/** Settings of a session, and of the binlog, by which other statements have another meaning or other events. */
final class RandomSessions {
    private final Scene scene;
    private final Dice dice;

    RandomSessions(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
    }

    String use() {
        return "use " + scene.schemaName(dice.oneOf(Identifiers.SCHEMAS));
    }

    String setting() {
        return switch (dice.below(13)) {
            case 11, 12 -> ofAlter();
            case 10 -> "set foreign_key_checks = " + dice.below(2);
            case 0, 1 -> sqlMode();
            case 2 ->
                "set "
                        + dice.oneOf(
                                "character_set_server",
                                "character_set_database",
                                "collation_server=latin1_bin, character_set_server")
                        + " = " + dice.oneOf("latin1", "utf8mb4", "gbk");
            case 3 -> "set default_storage_engine = " + dice.oneOf("InnoDB", "InnoDB", "MyISAM");
            case 4 -> "set explicit_defaults_for_timestamp = " + dice.below(2);
            case 5 ->
                scene.dialect().isMySqlFrom(80_030)
                        ? "set sql_generate_invisible_primary_key = " + dice.oneOf(0, 0, 1)
                        : "set time_zone = '+08:00'";
            case 6 -> "set time_zone = '" + dice.oneOf("+00:00", "+08:00", "-11:30") + "'";
            case 7 ->
                scene.mariaDb()
                        ? "set old_mode = '"
                                + dice.oneOf("UTF8_IS_UTF8MB3", "", "UTF8_IS_UTF8MB3,NO_DUP_KEY_WARNINGS_WITH_IGNORE")
                                + "'"
                        : "set sql_quote_show_create = " + dice.below(2);
            case 8 -> defaultCollations();
            default -> "set collation_connection = " + dice.oneOf("utf8mb4_bin", "latin1_bin", "utf8mb4_general_ci");
        };
    }

    /** By which a change of a table is made, or logged, in another way. */
    private String ofAlter() {
        if (scene.mariaDb()) {
            return "set "
                    + dice.oneOf(
                            "binlog_alter_two_phase = on",
                            "binlog_alter_two_phase = off",
                            "system_versioning_alter_history = keep",
                            "alter_algorithm = " + dice.oneOf("copy", "inplace", "instant", "default"),
                            "binlog_annotate_row_events = off");
        }
        return "set "
                + dice.oneOf(
                        "old_alter_table = " + dice.below(2),
                        "binlog_rows_query_log_events = " + dice.below(2),
                        "sql_mode = 'NO_DIR_IN_CREATE'");
    }

    private String sqlMode() {
        List<String> modes = new ArrayList<>();
        add(modes, 25, "ANSI_QUOTES");
        add(modes, 15, "NO_BACKSLASH_ESCAPES");
        add(modes, 10, "PIPES_AS_CONCAT");
        add(modes, 10, "REAL_AS_FLOAT");
        add(modes, 5, "IGNORE_SPACE");
        add(modes, 5, "NO_AUTO_VALUE_ON_ZERO");
        add(modes, 5, "HIGH_NOT_PRECEDENCE");
        add(modes, scene.mariaDb() ? 5 : 0, "ORACLE");
        return "set sql_mode = '" + String.join(",", modes) + "'";
    }

    private void add(List<String> modes, int percent, String mode) {
        if (dice.percent(percent)) {
            modes.add(mode);
        }
    }

    private String defaultCollations() {
        if (scene.dialect().isMariaDbFrom(110_200)) {
            return "set character_set_collations = '" + dice.oneOf("", "utf8mb4=utf8mb4_bin", "latin1=latin1_bin")
                    + "'";
        }
        return scene.dialect().isMySqlFrom(80_000)
                ? "set default_collation_for_utf8mb4 = " + dice.oneOf("utf8mb4_0900_ai_ci", "utf8mb4_general_ci")
                : "set sql_notes = 1";
    }

    /** What the binlog states of rows; partial JSON can be read of full row images only. */
    List<String> binlog() {
        if (dice.percent(20)) {
            return compression();
        }
        boolean hasPartialJson = scene.dialect().isMySqlFrom(80_003);
        if (dice.percent(50)) {
            String image = dice.oneOf("FULL", "FULL", "MINIMAL", "NOBLOB");
            if (scene.dialect().isMariaDbFrom(110_400) && dice.percent(20)) {
                image = "FULL_NODUP";
            }
            String setting = "set binlog_row_image = '" + image + "'";
            return hasPartialJson ? List.of("set binlog_row_value_options = ''", setting) : List.of(setting);
        }
        if (hasPartialJson && dice.percent(50)) {
            return List.of(
                    "set binlog_row_image = 'FULL'",
                    "set binlog_row_value_options = '" + dice.oneOf("PARTIAL_JSON", "") + "'");
        }
        if (!scene.mariaDb()) {
            return scene.dialect().isMySqlFrom(80_001)
                    ? List.of("set global binlog_row_metadata = '" + dice.oneOf("MINIMAL", "FULL") + "'")
                    : List.of("set binlog_row_image = 'FULL'");
        }
        return List.of(
                "set global binlog_row_metadata = '" + dice.oneOf("MINIMAL", "FULL", "NO_LOG") + "'",
                "set binlog_row_metadata = @@global.binlog_row_metadata");
    }

    /** Of transactions, or of single events, among them those of DDL. */
    private List<String> compression() {
        if (scene.mariaDb()) {
            return List.of(
                    "set global log_bin_compress_min_len = 10",
                    "set global log_bin_compress = " + dice.oneOf("on", "off"));
        }
        return scene.dialect().isMySqlFrom(80_020)
                ? List.of("set binlog_transaction_compression = " + dice.oneOf("on", "off"))
                : List.of("set binlog_row_image = 'FULL'");
    }
}
