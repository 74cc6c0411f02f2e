package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.schema.table.TableName;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.process.Commands;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SourceCatalogIT {
    private static final int TABLES = 60;
    private static final int COLUMNS = 1_000;

    private static MySqlServer server;

    @BeforeAll
    static void makeTables() throws Exception {
        server = MySqlServer.start();
        String columns = IntStream.range(0, COLUMNS)
                .mapToObj(i -> "column_" + i + " int")
                .collect(Collectors.joining(", "));
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create database wide");
            for (int i = 0; i < TABLES; i++) {
                statement.execute("create table wide.t%02d (%s)".formatted(i, columns));
            }
        }
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** The rows of all columns take 12 MiB, more than a quarter of this heap. */
    @Test
    void readsMoreColumnsThanTheHeapHasRoomForAtOnce() throws Exception {
        Process process = new ProcessBuilder(
                        Commands.java(),
                        "-Xmx40m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CatalogProgram.class.getName(),
                        server.host(),
                        Integer.toString(server.port()),
                        "root")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("tables=60 columns=60000 last=Column[name=column_999, key=false, collation=]");
    }

    /** The tables of {@code information_schema} take these for the same. */
    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_8_0_15", "MYSQL_9_7", "MARIADB_10_11"})
    void namesThatDifferInCaseOrAccentOnlyAreThoseOfSeveralTables(ServerRelease release) throws Exception {
        try (MySqlServer source = MySqlServer.start(release)) {
            source.execute(
                    "create database d",
                    "create database D",
                    "create table d.parent (id int primary key)",
                    "create table d.T1 (a int, b int, constraint one foreign key (a) references d.parent (id) on delete cascade)",
                    "create table d.t1 (c int, x int, e int, constraint two foreign key (c) references d.parent (id) on delete cascade)",
                    "create table d.e (f int, g int)",
                    "create table d.\u00e9 (h int, i int)",
                    "create table D.t1 (j int, k int)");

            SourceCatalog catalog = SourceCatalog.read(
                    ConnectOptions.of(new ServerAddress(source.host(), source.port()), "root", ""), table -> true);

            assertThat(catalog.tables())
                    .extracting(table -> table.schema() + "." + table.table() + names(table))
                    .containsExactlyInAnyOrder(
                            "D.t1[j, k]", "d.e[f, g]", "d.\u00e9[h, i]", "d.parent[id]", "d.T1[a, b]", "d.t1[c, x, e]");
            assertThat(catalog.cascades())
                    .isEqualTo(new SourceCatalog.Cascades(
                            release == ServerRelease.MYSQL_9_7
                                    ? List.of()
                                    : List.of(new TableName("d", "T1"), new TableName("d", "t1")),
                            ""));
        }
    }

    private static List<String> names(SourceCatalog.Table table) {
        return table.columns().stream().map(SourceCatalog.Column::name).toList();
    }

    @Test
    void oneWithMoreDifferentColumnsThanTheHeapHasRoomForIsTooLarge() throws Exception {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", "");
        SourceCatalog.CatalogTables tables = new SourceCatalog.CatalogTables(
                new ResultLimit(20_000, Long.MAX_VALUE, Duration.ZERO, "raise SLUICE_TOOL_HEAP"));
        try (MySqlConnection connection = MySqlConnection.open(login)) {
            assertThatExceptionOfType(ResultTooLargeException.class)
                    .isThrownBy(() -> connection.query(
                            "select table_schema, table_name, column_name, column_key, collation_name"
                                    + " from information_schema.columns where table_schema = 'wide' order by 1, 2, 3",
                            ResultLimit.LARGE,
                            tables))
                    .withMessageContaining("the list of all columns exceeds the limit of 20000 bytes of heap")
                    .withMessageEndingWith(": raise SLUICE_TOOL_HEAP");
        }
    }
}
