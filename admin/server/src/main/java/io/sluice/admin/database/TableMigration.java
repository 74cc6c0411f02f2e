package io.sluice.admin.database;

import io.sluice.admin.web.StartProblem;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.exception.FlywayValidateException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.core.NestedExceptionUtils;

/**
 * Brings the tables to the version of this program. Tables of a newer version are rejected.
 *
 * <p>MySQL commits each DDL statement by itself, so a migration that fails leaves the tables with part of it. Every migration can be run
 * again on such tables, and is: the next start completes it. SQLite rolls back.
 */
final class TableMigration implements FlywayMigrationStrategy {
    private static final Logger LOG = LoggerFactory.getLogger(TableMigration.class);

    private final DatabaseProperties properties;

    TableMigration(DatabaseProperties properties) {
        this.properties = properties;
    }

    /** @throws StartProblem if the tables are of a newer version, or cannot be changed */
    @Override
    public void migrate(Flyway flyway) {
        try {
            requireKnownVersions(flyway);
            migrateAgain(flyway);
        } catch (FlywayException e) {
            throw new StartProblem(
                    "The tables of the database %s cannot be brought to the version of this program: %s"
                            .formatted(name(), NestedExceptionUtils.getMostSpecificCause(e)),
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
                                .formatted(name(), migration.getVersion()),
                        "Start the program that has changed them, or a newer one; or restore the backup that was made before the upgrade.");
            }
        }
    }

    private static void migrateAgain(Flyway flyway) {
        try {
            flyway.migrate();
        } catch (FlywayValidateException e) {
            LOG.info(
                    "a migration of the tables has failed at an earlier start, or its text is another one now, repairing: {}",
                    e.getMessage());
            flyway.repair();
            flyway.migrate();
        }
    }

    private String name() {
        return properties.kind() == DatabaseKind.SQLITE ? properties.file() : String.valueOf(properties.url());
    }

    private String remedy() {
        return properties.kind() == DatabaseKind.SQLITE
                ? "Remove the cause, and start again. The tables are as they were."
                : "Remove the cause, and start again: the rest of the tables is changed then. The account needs SELECT, INSERT, UPDATE, DELETE,"
                        + " CREATE, ALTER, INDEX and REFERENCES on the schema; grant what it does not have.";
    }
}
