package io.sluice.stream.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.LiveSource;
import io.sluice.stream.source.SourceOptions;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.time.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * All types, values at their limits and NULL, row images and compressions of each server, by all kinds of changes, in both
 * forms, compared with what the server itself shows.
 *
 * <p>All of it goes through two schemas. The tables of one are there when the source starts, so it reads their schemas
 * from the server; those of the other are created later, so it reads them from their statements.
 */
@ParameterizedClass
@EnumSource(ServerRelease.class)
@Timeout(600)
class MatrixIT {
    private static final RingConfig RING = new RingConfig(1 << 16, 1 << 14, false);
    private static final String NEXT = "matrix_next";
    private static final String MARKS = "matrix_marks.marks";
    private static final List<String> SCHEMAS = List.of("matrix_asked", "matrix_stated");

    private static MySqlServer server;
    private static List<MatrixRun> runs;
    private static List<String> mismatches;
    private static long asked;
    private static int tableCount;

    @Parameter
    private ServerRelease release;

    @BeforeParameterizedClassInvocation
    static void changeEverything(ServerRelease release) throws Exception {
        server = MySqlServer.start(MySqlOptions.defaults().release(release).with("max-allowed-packet", "64M"));
        runs = new ArrayList<>();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            List<MatrixTable> tables = tables(release, statement);
            tableCount = tables.size();
            prepare(statement, tables);
            BinlogEnd start = server.binlogEnd();
            try (LogLines log = LogLines.of("io.sluice.stream");
                    LiveSource live = LiveSource.reading(options(start), RING).start()) {
                Waiting.await().until(() -> !live.readings().isEmpty());
                create(statement, SCHEMAS.get(1), tables);
                for (MatrixCell cell : MatrixCell.of(release)) {
                    // An image does not change what a table schema says, so one is enough for the second schema.
                    for (String schema : cell.rowImage().equals("FULL") ? SCHEMAS : SCHEMAS.subList(0, 1)) {
                        boolean asStated = schema.equals(SCHEMAS.get(1));
                        runs.add(new MatrixRun(cell, schema, asStated, tables, connection, NEXT, release));
                        statement.execute("INSERT INTO " + MARKS + " VALUES (" + runs.size() + ")");
                    }
                }
                for (MatrixRun run : runs) {
                    run.deliver(live.readUntil(MatrixIT::isMark));
                }
                asked = live.schemaCounts().tablesAsked();
                mismatches = log.texts().stream()
                        .filter(message -> message.startsWith("row image"))
                        .toList();
            }
        }
    }

    @AfterParameterizedClassInvocation
    static void stopServer() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    static List<MatrixTable> tables(ServerRelease release, Statement statement) throws SQLException {
        List<String> charsets = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery("SHOW CHARACTER SET WHERE Charset <> 'binary'")) {
            while (rows.next()) {
                charsets.add(rows.getString(1));
            }
        }
        assertThat(charsets).hasSizeGreaterThan(35);
        List<MatrixTable> tables = new ArrayList<>(List.of(
                NumberColumns.integers(),
                NumberColumns.decimals(),
                NumberColumns.floats(),
                NumberColumns.bits(),
                TimeColumns.times(release),
                TextColumns.texts(),
                TextColumns.bytes(),
                TextColumns.members(),
                OtherColumns.json(release),
                OtherColumns.geometry(release),
                OtherColumns.computed(release)));
        tables.addAll(TextColumns.inCharsets(charsets));
        tables.addAll(OtherColumns.own(release));
        return tables;
    }

    private static void prepare(Statement statement, List<MatrixTable> tables) throws SQLException {
        statement.execute("SET SESSION sql_mode = 'NO_ENGINE_SUBSTITUTION'"); // takes zero dates and unknown members
        statement.execute("SET SESSION time_zone = '+00:00'");
        statement.execute("SET SESSION sql_log_bin = 0");
        create(statement, NEXT, tables);
        for (MatrixTable table : tables) {
            statement.execute(table.insert(NEXT));
        }
        statement.execute("SET SESSION sql_log_bin = 1");
        statement.execute("CREATE DATABASE matrix_marks");
        statement.execute("CREATE TABLE " + MARKS + " (run INT PRIMARY KEY)");
        create(statement, SCHEMAS.get(0), tables);
    }

    static void create(Statement statement, String schema, List<MatrixTable> tables) throws SQLException {
        statement.execute("CREATE DATABASE " + schema + " CHARACTER SET utf8mb4");
        for (MatrixTable table : tables) {
            statement.execute(table.create(schema));
        }
    }

    private static SourceOptions options(BinlogEnd start) {
        return new SourceOptions(
                ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""),
                4714,
                new BinlogPosition(start.file(), start.offset()),
                null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
    }

    private static boolean isMark(Entry entry) {
        return MARKS.equals(entry.schemaName() + "." + entry.tableName()) && entry.kind() == EntryKind.ROWS;
    }

    static List<MatrixRun> runs() {
        return runs;
    }

    /** Whatever a server makes of a definition, its table maps are not taken for those of another one. */
    @Test
    void noTableMapDiffersFromTheSchemaOfItsTable() {
        assertThat(mismatches).as("%s", release).isEmpty();
        assertThat(asked).as("%s", release).isLessThanOrEqualTo(2L * tableCount + 1);
    }

    @ParameterizedTest
    @MethodSource("runs")
    void deliversWhatTheServerShows(MatrixRun run) {
        assertThat(run.differences()).as("%s of %s", run, release).isEmpty();
    }
}
