package io.sluice.admin.config;

import io.sluice.admin.database.DatabaseKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * The versions of configurations. That the newest one equals canal's row is for {@link ConfigStore}, in whose transactions all is done here.
 * Thread-safe.
 */
@Component
class ConfigVersions {
    private final JdbcClient database;
    private final DatabaseKind kind;
    private final Clock clock;

    ConfigVersions(JdbcClient database, DatabaseKind kind, Clock clock) {
        this.database = database;
        this.kind = kind;
        this.clock = clock;
    }

    /** Returns all versions, newest first. */
    List<ConfigVersion> all(Owner owner) {
        return database.sql("""
                        SELECT version, saved_at, user_name, comment, md5, %s FROM sluice_config_version
                        WHERE owner_kind = ? AND owner_id = ? ORDER BY version DESC""".formatted(kind.byteLength("content")))
                .params(owner.kind().text(), owner.id())
                .query((row, number) -> new ConfigVersion(
                        row.getLong(1),
                        Instant.ofEpochMilli(row.getLong(2)),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getLong(6)))
                .list();
    }

    /** Returns a version; empty if it is not kept. */
    Optional<Config> find(Owner owner, long version) {
        return database.sql("""
                        SELECT content, md5, version, saved_at, user_name FROM sluice_config_version
                        WHERE owner_kind = ? AND owner_id = ? AND version = ?""")
                .params(owner.kind().text(), owner.id(), version)
                .query(ConfigVersions::config)
                .optional();
    }

    /** Returns the newest version; empty if there is none. */
    Optional<Config> newest(Owner owner) {
        return database.sql("""
                        SELECT content, md5, version, saved_at, user_name FROM sluice_config_version
                        WHERE owner_kind = ? AND owner_id = ? ORDER BY version DESC LIMIT 1""")
                .params(owner.kind().text(), owner.id())
                .query(ConfigVersions::config)
                .optional();
    }

    /**
     * Adds a version.
     *
     * @param user the user that the audit log records
     * @param comment why; null if not given
     */
    Config add(Owner owner, long version, String content, String md5, String user, @Nullable String comment) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        database.sql("""
                        INSERT INTO sluice_config_version
                            (owner_kind, owner_id, version, content, md5, user_name, comment, saved_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""")
                .params(Arrays.asList(
                        owner.kind().text(), owner.id(), version, content, md5, user, comment, now.toEpochMilli()))
                .update();
        return new Config(content, md5, version, now, user);
    }

    /** Forgets all versions. Rows that were deleted by other means leave versions, which are not those of a new row with the same id. */
    void forget(Owner owner) {
        database.sql("DELETE FROM sluice_config_version WHERE owner_kind = ? AND owner_id = ?")
                .params(owner.kind().text(), owner.id())
                .update();
    }

    private static Config config(ResultSet row, int number) throws SQLException {
        return new Config(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                Instant.ofEpochMilli(row.getLong(4)),
                row.getString(5));
    }
}
