package io.sluice.testkit.mysql;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a server is to be started.
 *
 * @param settings options of {@code mysqld} by their names without dashes in front; they win over the defaults
 * @param program a copy of the server's program, which finds beside it what it loads first, or null for that of the release
 * @param dataDirectory where the data live and stay after the server is closed, or null for a temporary folder
 */
public record MySqlOptions(
        ServerRelease release,
        Map<String, String> settings,
        @Nullable Path program,
        @Nullable Path dataDirectory) {
    public MySqlOptions {
        settings = Map.copyOf(settings);
    }

    /** MySQL 8.0.31 with server id 1, row format, full row images and no GTIDs. */
    public static MySqlOptions defaults() {
        return new MySqlOptions(ServerRelease.MYSQL_8_0_31, Map.of(), null, null);
    }

    /** Returns a copy with one more option of {@code mysqld}, such as {@code max-binlog-size}. */
    public MySqlOptions with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(name.replace('_', '-'), value);
        return new MySqlOptions(release, more, program, dataDirectory);
    }

    /** Returns a copy of the given release. */
    public MySqlOptions release(ServerRelease other) {
        return new MySqlOptions(other, settings, program, dataDirectory);
    }

    /** Returns a copy with the given server id. */
    public MySqlOptions serverId(long serverId) {
        return with("server-id", Long.toString(serverId));
    }

    /** Returns a copy with GTIDs, which MariaDB always has. */
    public MySqlOptions gtid() {
        return with("gtid-mode", "ON").with("enforce-gtid-consistency", "ON");
    }

    /** Returns a copy with the given {@code binlog_format}: {@code ROW}, {@code STATEMENT} or {@code MIXED}. */
    public MySqlOptions binlogFormat(String format) {
        return with("binlog-format", format);
    }

    /** Returns a copy with the given {@code binlog_row_image}: {@code FULL}, {@code MINIMAL} or {@code NOBLOB}. */
    public MySqlOptions rowImage(String image) {
        return with("binlog-row-image", image);
    }

    /** Returns a copy with the given {@code binlog_row_metadata}: {@code MINIMAL} or {@code FULL}. */
    public MySqlOptions rowMetadata(String metadata) {
        return with("binlog-row-metadata", metadata);
    }

    /** Returns a copy with compressed transactions in the binlog, or compressed rows and queries in that of MariaDB. */
    public MySqlOptions compressedTransactions() {
        return with("binlog-transaction-compression", "ON");
    }

    /** Returns a copy with the data in a folder that outlives the server; a folder that is not there is made. */
    public MySqlOptions dataDirectory(Path directory) {
        return new MySqlOptions(release, settings, program, directory.toAbsolutePath());
    }

    /** Returns a copy with another copy of the server's program. */
    MySqlOptions program(Path copy) {
        return new MySqlOptions(release, settings, copy.toAbsolutePath(), dataDirectory);
    }
}
