package io.sluice.admin.database;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.admin.problem.StartProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NestedExceptionUtils;

/**
 * Opens the database and brings its tables to the version of this server.
 *
 * <p>SQLite is used with one connection, as the schema history uses it: WAL, an fsync for each commit, and a lock that lasts until the
 * file is closed, so a second admin server on the same file does not start. A method with a transaction must not ask for a second
 * connection.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(DatabaseConfiguration.class);
    private static final long CONNECT_MILLIS = 5000;
    /** Longer than it takes to change a table at an upgrade. */
    private static final long ANSWER_MILLIS = 300_000;

    private static final String MIGRATIONS = "classpath:io/sluice/admin/database/";

    @Bean
    DatabaseKind databaseKind(DatabaseProperties properties) {
        return properties.kind();
    }

    @Bean
    DataSource dataSource(DatabaseProperties properties) {
        HikariDataSource pool = new HikariDataSource();
        pool.setPoolName("admin");
        String url = properties.url();
        if (url == null || properties.kind() == DatabaseKind.SQLITE) {
            SqliteLibrary library = openFile(pool, Path.of(properties.file()));
            checkConnection(pool, properties);
            library.deleteLeftovers();
        } else {
            pool.setJdbcUrl(new DatabaseUrl(url).ofDriver());
            pool.setUsername(properties.user());
            pool.setPassword(properties.password());
            pool.setMaximumPoolSize(10);
            // A database that is unreachable must not hold up the threads that could report it.
            pool.setConnectionTimeout(CONNECT_MILLIS);
            addUnlessGiven(pool, url, "connectTimeout", CONNECT_MILLIS);
            addUnlessGiven(pool, url, "socketTimeout", ANSWER_MILLIS);
            // Times of canal's tables are read as UTC.
            pool.addDataSourceProperty("connectionTimeZone", "UTC");
            pool.addDataSourceProperty("forceConnectionTimeZoneToSession", "true");
            checkConnection(pool, properties);
        }
        return pool;
    }

    private static void addUnlessGiven(HikariDataSource pool, String url, String name, long value) {
        if (!url.contains(name + "=")) {
            pool.addDataSourceProperty(name, Long.toString(value));
        }
    }

    /** Connects once, for an error with a remedy. */
    private static void checkConnection(HikariDataSource pool, DatabaseProperties properties) {
        try (Connection connection = pool.getConnection()) {
            LOG.info(
                    "connected to the database: product={}",
                    connection.getMetaData().getDatabaseProductName());
        } catch (SQLException | RuntimeException e) {
            pool.close();
            String url = properties.url();
            throw url == null || properties.kind() == DatabaseKind.SQLITE
                    ? new StartProblem(
                            "The database file " + properties.file() + " cannot be opened: "
                                    + NestedExceptionUtils.getMostSpecificCause(e),
                            "If another admin server uses it, stop that one: a file is for one server. Else see who may read and write it.")
                    : new StartProblem(
                            "The database " + properties.shownName() + " cannot be used: "
                                    + new DatabaseUrl(url).shownIn(e),
                            "See that MySQL runs, and set sluice.database.url, .user and .password.");
        }
    }

    private static SqliteLibrary openFile(HikariDataSource pool, Path file) {
        Path absolute = file.toAbsolutePath().normalize();
        try {
            Path directory = absolute.getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            if (Files.notExists(absolute)) {
                Files.createFile(
                        absolute, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The database file " + absolute
                            + " cannot be created. Set sluice.database.file to one that can be.",
                    e);
        }
        SqliteLibrary library = SqliteLibrary.load(absolute.resolveSibling("."));
        pool.setJdbcUrl("jdbc:sqlite:file:" + absolute.toUri().getRawPath() + "?psow=0");
        pool.addDataSourceProperty("journal_mode", "WAL");
        pool.addDataSourceProperty("synchronous", "FULL");
        pool.addDataSourceProperty("locking_mode", "EXCLUSIVE");
        pool.addDataSourceProperty("foreign_keys", "true");
        pool.setMaximumPoolSize(1);
        pool.setMaxLifetime(0);
        return library;
    }

    @Bean
    FlywayConfigurationCustomizer migrations(DatabaseProperties properties) {
        String directory = properties.kind() == DatabaseKind.SQLITE ? "sqlite" : "mysql";
        return flyway -> flyway.locations(MIGRATIONS + directory)
                .table("sluice_schema_version")
                .baselineOnMigrate(true)
                .baselineVersion("0");
    }

    @Bean
    FlywayMigrationStrategy tableMigration(DatabaseProperties properties) {
        return new TableMigration(properties);
    }
}
