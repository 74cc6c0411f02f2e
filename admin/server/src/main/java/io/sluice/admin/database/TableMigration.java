package io.sluice.admin.database;

import io.sluice.admin.problem.StartProblem;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.CoreErrorCode;
import org.flywaydb.core.api.ErrorCode;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.flywaydb.core.api.output.ValidateOutput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Brings the tables to the version of this program. Tables of a newer version are rejected.
 *
 * <p>MySQL commits each DDL statement by itself, so a migration that fails leaves the tables with part of it. Every migration can be run
 * again on such tables, and is: the next start completes it. SQLite rolls back.
 */
final class TableMigration implements FlywayMigrationStrategy {
    private static final Logger LOG = LoggerFactory.getLogger(TableMigration.class);

    /** The version that creates the tables of Spring Session. */
    private static final String SESSIONS = "2";

    private static final String SESSION_COLUMNS = """
            SELECT upper(table_name), concat(lower(column_name), ' ', data_type,
                CASE WHEN data_type IN ('char', 'varchar') THEN concat('(', character_maximum_length, ')') ELSE '' END)
            FROM information_schema.columns
            WHERE table_schema = database() AND table_name IN ('SPRING_SESSION', 'SPRING_SESSION_ATTRIBUTES')""";

    private static final Map<String, Set<String>> OWN_SESSIONS = Map.of(
            "SPRING_SESSION",
            Set.of(
                    "primary_id char(36)",
                    "session_id char(36)",
                    "creation_time bigint",
                    "last_access_time bigint",
                    "max_inactive_interval int",
                    "expiry_time bigint",
                    "principal_name varchar(255)"),
            "SPRING_SESSION_ATTRIBUTES",
            Set.of("session_primary_id char(36)", "attribute_name varchar(200)", "attribute_bytes mediumblob"));

    private final DatabaseProperties properties;

    TableMigration(DatabaseProperties properties) {
        this.properties = properties;
    }

    /** @throws StartProblem if the tables are of a newer version, or cannot be changed */
    @Override
    public void migrate(Flyway flyway) {
        try {
            requireKnownVersions(flyway);
            requireOwnSessions(flyway);
            migrateAgain(flyway);
        } catch (FlywayException e) {
            throw new StartProblem(
                    "The tables of the database %s cannot be brought to the version of this program: %s"
                            .formatted(properties.shownName(), NestedExceptionUtils.getMostSpecificCause(e)),
                    remedy());
        }
    }

    /** Flyway ignores newer versions, and would let this program write rows in a form that is not valid any more. */
    private void requireKnownVersions(Flyway flyway) {
        for (MigrationInfo migration : flyway.info().applied()) {
            MigrationState state = migration.getState();
            if (state == MigrationState.FUTURE_SUCCESS || state == MigrationState.FUTURE_FAILED) {
                throw new StartProblem(
                        "The tables of the database %s have version %s, which is newer than this program."
                                .formatted(properties.shownName(), migration.getVersion()),
                        "Start the program that has changed them, or a newer one; or restore the backup that was made before the upgrade.");
            }
        }
    }

    /** The migration creates tables that are missing. Those of another application of Spring, which have the same names, would be shared. */
    private void requireOwnSessions(Flyway flyway) {
        boolean isMySql = properties.kind() != DatabaseKind.SQLITE;
        if (!isMySql || Stream.of(flyway.info().applied()).anyMatch(TableMigration::hasMadeSessions)) {
            return;
        }
        Map<String, Set<String>> found = new HashMap<>();
        JdbcClient.create(flyway.getConfiguration().getDataSource())
                .sql(SESSION_COLUMNS)
                .query((RowCallbackHandler) row -> found.computeIfAbsent(row.getString(1), table -> new HashSet<>())
                        .add(row.getString(2)));
        if (!OWN_SESSIONS.entrySet().containsAll(found.entrySet())) {
            throw new StartProblem(
                    "The database %s has a table SPRING_SESSION or SPRING_SESSION_ATTRIBUTES of another application, whose sessions would be mixed with those of this program."
                            .formatted(properties.shownName()),
                    "Give this program a schema of its own; or, if no application uses these two tables any more, drop them. Then start again.");
        }
    }

    private static boolean hasMadeSessions(MigrationInfo migration) {
        return SESSIONS.equals(String.valueOf(migration.getVersion()))
                && migration.getState() == MigrationState.SUCCESS;
    }

    private static void migrateAgain(Flyway flyway) {
        try {
            flyway.migrate();
        } catch (FlywayValidateException e) {
            if (!flyway.validateWithResult().invalidMigrations.stream().allMatch(TableMigration::isRepairable)) {
                throw e;
            }
            LOG.warn(
                    "a migration of the tables has failed at an earlier start, or its text is another one now, repairing: {}",
                    e.getMessage());
            flyway.repair();
            flyway.migrate();
        }
    }

    /** Whether it is run again by a repair, or was not run yet, or has a text that was corrected before there was a release. */
    private static boolean isRepairable(ValidateOutput invalid) {
        ErrorCode code = invalid.errorDetails.errorCode;
        return code == CoreErrorCode.FAILED_VERSIONED_MIGRATION
                || code == CoreErrorCode.RESOLVED_VERSIONED_MIGRATION_NOT_APPLIED
                || code == CoreErrorCode.CHECKSUM_MISMATCH && SESSIONS.equals(invalid.version);
    }

    private String remedy() {
        return properties.kind() == DatabaseKind.SQLITE
                ? "Remove the cause, and start again. The tables are as they were."
                : "Remove the cause, and start again: the rest of the tables is changed then. The account needs SELECT, INSERT, UPDATE, DELETE,"
                        + " CREATE, ALTER, INDEX and REFERENCES on the schema; grant what it does not have.";
    }
}
