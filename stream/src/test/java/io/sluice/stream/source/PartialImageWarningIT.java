package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.value.ColumnTypes;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.PartialImagePolicy.Reported;
import io.sluice.stream.options.StreamOptions;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Row images that lack columns are reported where that matters: once at the start, or once for each table. */
@Timeout(600)
class PartialImageWarningIT {
    private static final String CONSEQUENCE = "rows cannot be told apart; set it to FULL";

    private static MySqlServer server;
    private static int runs;

    @AutoClose
    private final LogLines log = LogLines.of("io.sluice.stream");

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @AfterEach
    void resetRowImage() {
        server.execute("SET GLOBAL binlog_row_image = FULL");
    }

    @Test
    void theSettingOfTheSourceIsReportedOnceAndItsTablesAreNot() throws Exception {
        server.execute("SET GLOBAL binlog_row_image = MINIMAL");

        List<String> warnings = warnings(new PartialImagePolicy(false, Reported.ANY, true, CONSEQUENCE));

        assertThat(warnings).singleElement().asString().contains(CONSEQUENCE, "binlog_row_image=MINIMAL");
    }

    @Test
    void theImagesOfASessionAreReportedOncePerTable() throws Exception {
        List<String> warnings = warnings(new PartialImagePolicy(false, Reported.WITHOUT_KEY, true, CONSEQUENCE));

        assertThat(warnings).hasSize(3);
        assertThat(warnings.get(0)).contains(CONSEQUENCE, ".keyed at=");
        assertThat(warnings.get(1)).contains(CONSEQUENCE, ".keyless at=");
        assertThat(warnings.get(2)).contains(CONSEQUENCE, ".with_default at=");
    }

    /** Only the insert has no key then, and of a table without a key only the columns that identify its row. */
    @Test
    void completedImagesAreReportedOnlyWhereTheKeyIsMissing() throws Exception {
        List<String> warnings = warnings(new PartialImagePolicy(true, Reported.WITHOUT_KEY, false, CONSEQUENCE));

        assertThat(warnings).singleElement().asString().contains(".with_default at=");
    }

    @Test
    void allImagesThatLackColumnsAreReportedWhereAnyColumnMayMatter() throws Exception {
        List<String> warnings = warnings(new PartialImagePolicy(true, Reported.ANY, false, CONSEQUENCE));

        assertThat(warnings).hasSize(3);
    }

    @Test
    void nothingIsReportedWhereNothingFollows() throws Exception {
        server.execute("SET GLOBAL binlog_row_image = NOBLOB");

        assertThat(warnings(PartialImagePolicy.DEFAULT)).isEmpty();
    }

    private List<String> warnings(PartialImagePolicy images) throws Exception {
        runs++;
        String schema = "images_" + runs;
        BinlogEnd start = server.rotateBinlog();
        SourceOptions options = new SourceOptions(
                Sources.login(server.port()),
                4715,
                new BinlogPosition(start.file(), start.offset()),
                null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
        try (LiveSource live = LiveSource.reading(options, new RingConfig(1 << 10, 1 << 14, false)).stream(
                        StreamOptions.DEFAULT.with(images))
                .types(ColumnTypes.defaults(ZoneOffset.UTC))
                .start()) {
            change(schema);
            live.readUntil(entry -> entry.tableName().equals("last_one"));
        }
        return log.warnings();
    }

    private static void change(String schema) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + schema);
            statement.execute("USE " + schema);
            statement.execute("CREATE TABLE keyed (id INT PRIMARY KEY, v INT, w INT)");
            statement.execute("CREATE TABLE keyless (a INT, v INT)");
            statement.execute("CREATE TABLE with_default (id INT DEFAULT 7 PRIMARY KEY, v INT)");
            statement.execute("SET SESSION binlog_row_image = FULL");
            statement.execute("INSERT INTO keyed VALUES (1, 1, 1), (2, 2, 2)");
            statement.execute("UPDATE keyed SET v = 2");
            statement.execute("INSERT INTO keyless VALUES (1, 1)");
            statement.execute("SET SESSION binlog_row_image = MINIMAL");
            statement.execute("UPDATE keyed SET v = 3");
            statement.execute("UPDATE keyed SET w = 4");
            statement.execute("UPDATE keyless SET v = 5");
            statement.execute("DELETE FROM keyed WHERE id = 1");
            statement.execute("INSERT INTO with_default (v) VALUES (1)");
            statement.execute("UPDATE with_default SET v = 2");
            statement.execute("CREATE TABLE last_one (id INT)");
        }
    }
}
