package io.sluice.admin.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.admin.problem.StartProblem;
import java.nio.file.Path;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** {@link TakeOverIT} has the same for MySQL, where a migration that fails leaves a part of it. */
class TableMigrationTest {
    private final DatabaseConfiguration configuration = new DatabaseConfiguration();

    @TempDir
    Path data;

    private DatabaseProperties properties;

    @BeforeEach
    void nameTheFile() {
        properties = new DatabaseProperties(
                null, null, null, data.resolve("admin.db").toString());
    }

    private void migrate() {
        try (HikariDataSource database = (HikariDataSource) configuration.dataSource(properties)) {
            FluentConfiguration flyway = Flyway.configure().dataSource(database);
            configuration.migrations(properties).customize(flyway);
            configuration.tableMigration(properties).migrate(flyway.load());
        }
    }

    private void execute(String sql) {
        try (HikariDataSource database = (HikariDataSource) configuration.dataSource(properties)) {
            JdbcClient.create(database).sql(sql).update();
        }
    }

    private List<String> versions() {
        try (HikariDataSource database = (HikariDataSource) configuration.dataSource(properties)) {
            return JdbcClient.create(database)
                    .sql("SELECT version FROM sluice_schema_version ORDER BY installed_rank")
                    .query(String.class)
                    .list();
        }
    }

    @Test
    void tablesOfANewerVersionAreRejectedAndStayAsTheyAre() {
        migrate();
        execute("""
                INSERT INTO sluice_schema_version
                    (installed_rank, version, description, type, script, checksum, installed_by, execution_time, success)
                VALUES (99, '99', 'later', 'SQL', 'V99__later.sql', 1, '', 1, 1)""");
        List<String> before = versions();

        for (int start = 1; start <= 2; start++) {
            assertThatThrownBy(this::migrate)
                    .as("start %d", start)
                    .isInstanceOf(StartProblem.class)
                    .hasMessageContaining("admin.db have version 99, which is newer than this program");
        }
        assertThat(versions()).isEqualTo(before).endsWith("99");
    }

    @Test
    void aMigrationThatFailsIsReportedAndRunAgain() {
        execute("CREATE TABLE sluice_user (other TEXT)");

        assertThatThrownBy(this::migrate)
                .isInstanceOf(StartProblem.class)
                .hasMessageContaining("cannot be brought to the version of this program")
                .hasMessageContaining("sluice_user");

        execute("DROP TABLE sluice_user");
        migrate();
        assertThat(versions()).endsWith("1", "2");
    }

    /** The text has comments, which may be corrected. */
    @Test
    void aMigrationWhoseTextHasChangedIsNoFailure() {
        migrate();
        List<String> before = versions();
        execute("UPDATE sluice_schema_version SET checksum = 1 WHERE version = '2'");

        migrate();

        assertThat(versions()).isEqualTo(before);
    }

    /** A released text must not be edited: what it has created would not be what it says. */
    @Test
    void aFirstMigrationWhoseTextHasChangedIsRejected() {
        migrate();
        execute("UPDATE sluice_schema_version SET checksum = 1 WHERE version = '1'");

        assertThatThrownBy(this::migrate).isInstanceOf(StartProblem.class).hasMessageContaining("version 1");
    }
}
