package io.sluice.stream.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.LiveSource;
import io.sluice.stream.source.SourceOptions;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tables that are known by their table maps alone, which name the columns: the tables are gone before the source starts. Rows have the values that the
 * server showed, and types its names, but for what a table map does not tell.
 */
@Timeout(600)
class NamedColumnsIT {
    private static final RingConfig RING = new RingConfig(1 << 16, 1 << 14, false);
    private static final String SCHEMA = "matrix_gone";
    private static final String NEXT = "matrix_next";

    /** What a table map does not tell of a type. */
    private static final Pattern UNTOLD = Pattern.compile("""
            .* is called (?:\
            (\\w*int|year)( unsigned)? and not \\1\\(\\d+\\)( unsigned)?( zerofill)?|\
            (float|double) and not \\5\\(\\d+,\\d+\\)|\
            geometrycollection and not geomcollection|\
            vector and not vector\\(\\d+\\))""");

    /** MariaDB has the values of these types in columns of bytes, and a table map does not tell which. */
    private static final Pattern BYTES = Pattern.compile("(addresses\\.(u|i4|i6)|vectors\\.v_\\d+) .*", Pattern.DOTALL);

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MYSQL_9_7", "MARIADB_11_8"})
    void rowsOfTablesThatAreGoneAreDeliveredAsTheServerShowedThem(ServerRelease release) throws Exception {
        MySqlOptions options =
                MySqlOptions.defaults().release(release).rowMetadata("FULL").with("max-allowed-packet", "64M");
        try (MySqlServer server = MySqlServer.start(options);
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            List<MatrixTable> tables = MatrixIT.tables(release, statement);
            statement.execute(
                    "SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION'"); // takes zero dates and unknown members
            statement.execute("SET SESSION time_zone = '+00:00'");
            statement.execute("SET SESSION sql_log_bin = 0");
            for (String schema : List.of(NEXT, SCHEMA)) {
                MatrixIT.create(statement, schema, tables);
            }
            for (MatrixTable table : tables) {
                statement.execute(table.insert(NEXT));
            }
            statement.execute("SET SESSION sql_log_bin = 1");
            BinlogEnd start = server.binlogEnd();
            MatrixCell cell = new MatrixCell("FULL", false, "FULL", false);
            MatrixRun run = new MatrixRun(cell, SCHEMA, false, tables, connection, NEXT, release);
            statement.execute("DROP DATABASE " + SCHEMA);
            statement.execute("CREATE TABLE %s.the_end (id INT)".formatted(NEXT));

            SourceOptions source = new SourceOptions(
                    ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""),
                    4714,
                    new BinlogPosition(start.file(), start.offset()),
                    null,
                    List.of(),
                    List.of(),
                    Duration.ofSeconds(5));
            try (LiveSource live = LiveSource.reading(source, RING).start()) {
                run.deliver(live.readUntil(entry -> entry.tableName().equals("the_end")));
            }
            assertThat(run.differences())
                    .as("%s of %s", run, release)
                    .allMatch(difference -> UNTOLD.matcher(difference).matches()
                            || release.isMariaDb() && BYTES.matcher(difference).matches());
        }
    }
}
