package io.sluice.mysql.wire.query;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@EnumSource(ServerRelease.class)
class QueryIT {
    private static final ResultLimit UNLIMITED = new ResultLimit(Long.MAX_VALUE, Long.MAX_VALUE, Duration.ZERO, "");

    private static final int NO_SUCH_THREAD = 1094;

    private static MySqlServer server;

    @Parameter
    private ServerRelease release;

    private MySqlConnection connection;

    @BeforeParameterizedClassInvocation
    static void startServer(ServerRelease release) {
        server = MySqlServer.start(MySqlOptions.defaults().release(release).with("max-allowed-packet", "128M"));
    }

    @AfterParameterizedClassInvocation
    static void stopServer() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @BeforeEach
    void connect() throws IOException {
        connection = MySqlConnection.open(options(TlsMode.DISABLED));
    }

    @AfterEach
    void disconnect() {
        connection.close();
    }

    @Test
    void distinguishesNullFromEmpty() throws IOException {
        QueryResult.Row row =
                connection.query("select null as a, '' as b, 'null' as c").firstRow();

        assertThat(row.text("a")).isNull();
        assertThat(row.text("b")).isEmpty();
        assertThat(row.text("c")).isEqualTo("null");
    }

    @Test
    void runsManyStatementsAtOnceUpToTheFirstThatFails() throws IOException {
        QueryBatch batch = connection.queryAll(
                List.of(
                        "select 1",
                        "set @a = 2",
                        "select @a, ';' union select 3, 'x'",
                        "select * from no.where",
                        "select 4"),
                ResultLimit.LARGE);

        assertThat(batch.results()).hasSize(3);
        assertThat(batch.results().get(2).rows()).extracting(row -> row.text(0)).containsExactly("2", "3");
        assertThat(batch.failure()).isNotNull();
        assertThat(batch.failure().errno()).isIn(1049, 1146);
        assertThat(connection.query("select 5").firstRow().text(0)).isEqualTo("5");
        assertThat(connection
                        .queryAll(List.of("select 6", "select 7"), ResultLimit.LARGE)
                        .failure())
                .isNull();
    }

    @Test
    void severalStatementsInOneTextAreRejectedOutsideOfABatch() throws IOException {
        assertThat(connection.queryAll(List.of("select 1"), ResultLimit.LARGE).results())
                .hasSize(1);

        assertThatThrownBy(() -> connection.query("select 1; select 2")).hasMessageContaining("1064");
    }

    @Test
    void takesTextAsUtf8OfAnyColumn() throws IOException {
        connection.execute("create database words");
        connection.execute("create table words.gbk (word varchar(9) character set gbk)");
        connection.execute("insert into words.gbk values ('\u4e2d\u6587'), (null)");

        assertThat(connection.query("select word from words.gbk").rows())
                .extracting(row -> row.text(0))
                .containsExactly("\u4e2d\u6587", null);
        assertThat(connection.query("select '\ud83d\ude00'").firstRow().text(0)).isEqualTo("\ud83d\ude00");
    }

    @Test
    void takesManyRows() throws IOException {
        String digits = "(select 0 i union select 1 union select 2 union select 3 union select 4 union select 5"
                + " union select 6 union select 7 union select 8 union select 9)";
        QueryResult result = connection.query(
                "select a.i, e.i from %1$s a join %1$s b join %1$s c join %1$s d join %1$s e".formatted(digits),
                UNLIMITED);

        assertThat(result.rows()).hasSize(100_000);
    }

    /** As an operator may set it to find out whether a source is alive. */
    @Test
    void aResultThatDoesNotMatterMayHaveAnySize() throws IOException {
        connection.execute("select a.table_name, repeat('x', 20000000) from information_schema.tables a limit 3");
        connection.execute("select 1 from information_schema.columns a join information_schema.columns b limit 20000");

        assertThat(connection.query("select 5").firstRow().text(0)).isEqualTo("5");
    }

    /** Lengths of a value; with its length prefix of 4 or 9 bytes, the row ends before, at and after 16 MiB - 1. */
    @ParameterizedTest
    @ValueSource(ints = {16_777_210, 16_777_211, 16_777_212, 33_554_420, 33_554_421, 33_554_422, 50_000_000})
    void takesRowsOfAnyLength(int length) throws IOException {
        byte[] value = connection
                .query("select repeat('x', %d)".formatted(length), UNLIMITED)
                .firstRow()
                .bytes(0);

        byte[] expected = new byte[length];
        Arrays.fill(expected, (byte) 'x');
        assertThat(Arrays.equals(value, expected)).isTrue(); // isEqualTo would print them
    }

    /** Lengths of a statement; with the command's byte it fills packets to 16 MiB - 1 exactly, or nearly. */
    @ParameterizedTest
    @ValueSource(ints = {16_777_213, 16_777_214, 16_777_215, 33_554_429})
    void sendsStatementsOfAnyLength(int length) throws IOException {
        String head = "select length('";
        String tail = "')";
        int filler = length - head.length() - tail.length();

        QueryResult result = connection.query(head + "y".repeat(filler) + tail);

        assertThat(result.firstRow().text(0)).isEqualTo(Integer.toString(filler));
    }

    @Test
    void rejectsResultsBeyondTheLimit() throws IOException {
        try (MySqlConnection small =
                MySqlConnection.open(options(TlsMode.DISABLED).withMaximumPacketBytes(1000))) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> small.query("select repeat('x', 2000)"));
        }
    }

    @Test
    void canBeUsedAfterAnErrorPacket() throws IOException {
        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> connection.query("select * from mysql.nothing"))
                .satisfies(e -> assertThat(e.errno()).isEqualTo(1146))
                .satisfies(e -> assertThat(e.sqlState()).isEqualTo("42S02"));

        assertThat(connection.query("select 1").firstRow().text(0)).isEqualTo("1");
    }

    /** Some servers send an error before they close the connection, others only close it. */
    @Test
    void reportsThatTheServerHasEndedAnIdleSession() throws IOException {
        try (MySqlConnection idle = MySqlConnection.open(options(TlsMode.DISABLED))) {
            idle.execute("set session wait_timeout = 1");
            String session = "select id from information_schema.processlist where id = " + idle.connectionId();
            await().until(() -> connection.query(session).rows().isEmpty());

            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> idle.query("select 1"))
                    .isNotInstanceOf(MalformedPacketException.class)
                    .isNotInstanceOf(ServerErrorException.class)
                    .withMessageStartingWith("cannot run 'select 1' at ");
        }
    }

    @Test
    void givesUpAfterTheReadTimeout() throws IOException {
        long aborted = abortedClients(connection);
        connection.changeReadTimeout(Duration.ofMillis(100));

        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> connection.query("select sleep(60)"))
                .withMessageEndingWith("no answer for 100 ms");
        assertThatThrownBy(() -> connection.query("select 1")).isInstanceOf(IOException.class);
        connection.close();
        awaitAborted(connection.connectionId(), aborted);
    }

    /** Or the server would count it while another test compares that number. */
    private static void awaitAborted(long session, long before) throws IOException {
        try (MySqlConnection other = MySqlConnection.open(options(TlsMode.DISABLED))) {
            QueryBatch killed = other.queryAll(List.of("kill query " + session), ResultLimit.LARGE);
            assertThat(killed.failure() == null || killed.failure().errno() == NO_SUCH_THREAD)
                    .isTrue();
            await().until(() -> abortedClients(other) > before);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DISABLED", "REQUIRED"})
    void closesTheSessionWithQuit(TlsMode mode) throws IOException {
        assumeThat(mode == TlsMode.DISABLED || release.hasTls()).isTrue();
        MySqlConnection other = MySqlConnection.open(options(mode));
        long before = abortedClients(connection);

        other.close();
        other.close();

        String sessions = "select id from information_schema.processlist where id = " + other.connectionId();
        await().until(() -> connection.query(sessions).rows().isEmpty());
        assertThat(abortedClients(connection)).isEqualTo(before);
    }

    private static long abortedClients(MySqlConnection connection) throws IOException {
        return Long.parseLong(connection
                .query("show global status like 'Aborted_clients'")
                .firstRow()
                .text("value"));
    }

    private static ConnectOptions options(TlsMode mode) {
        return ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", "")
                .withTls(TlsOptions.of(mode));
    }
}
