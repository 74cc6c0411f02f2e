package io.sluice.server.probe;

import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerVersion;
import io.sluice.mysql.wire.query.QueryResult;
import io.sluice.stream.source.server.BinlogStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The version and some global variables of a server.
 *
 * @param values by the name in lower case; one that the server does not have is not there
 */
record SourceVariables(ServerVersion version, Map<String, String> values) {
    private static final String NAMES = Stream.of(
                    "log_bin",
                    "server_id",
                    "binlog_format",
                    "binlog_row_image",
                    "binlog_row_value_options",
                    "gtid_mode",
                    "enforce_gtid_consistency",
                    "log_slave_updates",
                    "log_replica_updates",
                    "binlog_expire_logs_seconds",
                    "binlog_expire_logs_auto_purge",
                    "expire_logs_days",
                    "aurora_version",
                    "basedir",
                    BinlogStorage.VARIABLE)
            .map(name -> "'" + name + "'")
            .collect(Collectors.joining(","));

    /** Asks a server. */
    static SourceVariables read(MySqlConnection connection) throws IOException {
        Map<String, String> values = new TreeMap<>();
        for (QueryResult.Row row : connection
                .query("SHOW GLOBAL VARIABLES WHERE Variable_name IN (" + NAMES + ")")
                .rows()) {
            values.put(
                    String.valueOf(row.text(0)).toLowerCase(Locale.ROOT),
                    Optional.ofNullable(row.text(1)).orElse(""));
        }
        return new SourceVariables(connection.serverVersion(), values);
    }

    /** A variable; empty if the server does not have it. */
    String get(String name) {
        return values.getOrDefault(name, "");
    }

    boolean has(String name, String value) {
        return get(name).equalsIgnoreCase(value);
    }

    boolean writesBinlog() {
        return !has("log_bin", "OFF");
    }

    /** Whether the binlog is in files, and not in pages of a storage engine. */
    boolean hasBinlogFiles() {
        return get(BinlogStorage.VARIABLE).isEmpty();
    }

    /** Whether the server is one of Amazon RDS or Aurora. */
    boolean isAmazon() {
        return values.containsKey("aurora_version") || get("basedir").startsWith("/rdsdbbin/");
    }

    /** Whether every transaction has a GTID. */
    boolean hasGtids() {
        return version.mariaDb() || has("gtid_mode", "ON");
    }

    /** Whether a replica writes what it replicates into its binlog. */
    boolean writesReplicated() {
        return !has("log_replica_updates", "OFF") && !has("log_slave_updates", "OFF");
    }

    /** After which time a file of the binlog is purged by these variables; zero if that does not happen by age. */
    Duration retention() {
        if (has("binlog_expire_logs_auto_purge", "OFF")) {
            return Duration.ZERO;
        }
        Duration seconds = Duration.ofMillis(Math.round(1000 * number("binlog_expire_logs_seconds")));
        return seconds.isZero() ? Duration.ofMillis(Math.round(86_400_000 * number("expire_logs_days"))) : seconds;
    }

    /** The variable that the retention comes from, with its value. */
    String retentionSetting() {
        String name = number("binlog_expire_logs_seconds") > 0 || !values.containsKey("expire_logs_days")
                ? "binlog_expire_logs_seconds"
                : "expire_logs_days";
        return name + "=" + get(name);
    }

    private double number(String name) {
        String value = get(name);
        return value.matches("\\d+(\\.\\d+)?") ? Double.parseDouble(value) : 0;
    }
}
