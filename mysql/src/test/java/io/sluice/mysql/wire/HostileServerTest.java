package io.sluice.mysql.wire;

import static io.sluice.mysql.wire.packet.Packets.concat;
import static io.sluice.mysql.wire.packet.Packets.packet;
import static io.sluice.mysql.wire.packet.Packets.recorded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is hostile takes neither the heap nor a thread for good. */
@Timeout(300)
class HostileServerTest {
    private static final int PREPARATION = 3;
    private static final int FULL_PART = 0xFF_FFFF;
    private static final byte[] OK = recorded("result/ok");

    /** Of a text result with one column. */
    private static final byte[] ONE_COLUMN =
            concat(packet(1, new byte[] {1}), packet(2, new byte[] {0, 0, 0, 0, 1, 'c'}), packet(3, new byte[] {
                (byte) 0xFE, 0, 0, 2, 0
            }));

    @Test
    void aPacketThatNeverEndsIsRejectedBeforeItIsReceived() throws Exception {
        try (HostileServer server = HostileServer.afterCommands(PREPARATION, HostileServerTest::endlessRow);
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(ResultTooLargeException.class)
                    .isThrownBy(() -> connection.query("SELECT 1"))
                    .withMessage(
                            "cannot run 'SELECT 1' at %s: packet of 16777215 bytes or more exceeds the limit of 524288 bytes: "
                                    + "see that a MySQL or MariaDB server answers at this address",
                            server.address());
            assertThatThrownBy(() -> connection.query("SELECT 1")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void alsoOneOfAListIs() throws Exception {
        ResultLimit limit = limit(40 << 20);
        try (HostileServer server = HostileServer.afterCommands(PREPARATION, HostileServerTest::endlessRow);
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> connection.query("SELECT 1", limit))
                    .withMessageContaining("exceeds the limit of 20971520 bytes");
        }
    }

    @Test
    void rowsThatNeverEndAreRejected() throws Exception {
        try (HostileServer server = HostileServer.afterCommands(PREPARATION, HostileServerTest::endlessRows);
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(ResultTooLargeException.class)
                    .isThrownBy(() -> connection.query("SELECT 1"))
                    .withMessageContaining("result exceeds the limit of 10000 rows: see that a MySQL")
                    .satisfies(e -> assertThat(e.remedy()).startsWith("see that a MySQL"));
        }
    }

    @Test
    void ofAStatementWhoseResultDoesNotMatterTheyAreReadAndNotKept() throws Exception {
        try (HostileServer server = HostileServer.afterCommands(PREPARATION, out -> {
                    sendRows(out, 20_000);
                    byte[] row = packet(4 + 20_000, new byte[FULL_PART]);
                    out.write(row); // of 16 MiB and more
                    out.write(packet(5 + 20_000, new byte[100_000]));
                    out.write(packet(6 + 20_000, new byte[] {(byte) 0xFE, 0, 0, 2, 0}));
                });
                MySqlConnection connection = connect(server)) {
            connection.execute("SELECT * FROM large");

            assertThatCode(() -> connection.changeReadTimeout(Duration.ofSeconds(1)))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void rowsThatAreHandedOnDoNotCountTogether() throws Exception {
        AtomicInteger taken = new AtomicInteger();
        try (HostileServer server = HostileServer.afterCommands(PREPARATION, out -> {
                    sendRows(out, 20_000);
                    out.write(packet(4 + 20_000, new byte[] {(byte) 0xFE, 0, 0, 2, 0}));
                });
                MySqlConnection connection = connect(server)) {
            connection.query("SELECT 1", limit(75_000), row -> taken.incrementAndGet());
        }

        assertThat(taken).hasValue(20_000);
    }

    @Test
    void aTakerThatFailsClosesTheConnection() throws Exception {
        try (HostileServer server = HostileServer.afterCommands(PREPARATION, HostileServerTest::endlessRows);
                MySqlConnection connection = connect(server)) {
            assertThatThrownBy(() -> connection.query("SELECT 1", limit(75_000), row -> {
                        throw new IllegalStateException("it has no room");
                    }))
                    .hasMessage("it has no room");
            assertThatIOException().isThrownBy(() -> connection.changeReadTimeout(Duration.ofSeconds(1)));
        }
    }

    /** 48 bytes for a row, 24 for a value, and what comes with it. */
    @Test
    void smallRowsCountByTheirHeap() throws Exception {
        try (HostileServer server = HostileServer.afterCommands(PREPARATION, HostileServerTest::endlessRows);
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> connection.query("SELECT 1", limit(75_000)))
                    .withMessageContaining(
                            "result exceeds the limit of 75000 bytes of heap, with 1000 rows so far: do this");
        }
    }

    @Test
    void columnsCountToo() throws Exception {
        byte[] name = new byte[1000];
        name[4] = (byte) 0xFC;
        name[5] = (byte) 0xE1; // 993
        name[6] = 3;
        try (HostileServer server = HostileServer.afterCommands(PREPARATION, out -> {
                    out.write(packet(1, new byte[] {(byte) 0xFC, (byte) 0xFF, (byte) 0xFF}));
                    for (int i = 0; i < 65_535; i++) {
                        out.write(packet(2 + i, name));
                    }
                });
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> connection.query("SELECT 1"))
                    .withMessageContaining("result exceeds the limit of 1048576 bytes of heap, with 0 rows so far");
        }
    }

    @Test
    void resultsThatNeverEndAreRejected() throws Exception {
        try (HostileServer server = HostileServer.afterCommands(PREPARATION + 1, out -> {
                    for (int i = 1; ; i++) {
                        out.write(packet(i, new byte[] {0, 0, 0, 8, 0, 0, 0}));
                    }
                });
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> connection.queryAll(List.of("DO 1", "DO 2"), ResultLimit.SMALL))
                    .withMessageContaining("server sends more than 2 results");
        }
    }

    @Test
    void anErrorThatNeverEndsIsNotReadFromABinlog() throws Exception {
        DumpRequest request = DumpRequest.from("binlog.000001", 4, 99).withHeartbeatPeriod(Duration.ZERO);
        try (HostileServer server = HostileServer.afterCommands(PREPARATION + 3, out -> endlessPacket(out, 1, 0xFF));
                BinlogStream stream = connect(server).dump(request)) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> stream.next(new ByteWriter(16)))
                    .withMessageContaining("packet that ends the binlog has 16777215 bytes");
        }
    }

    @Test
    void aGreetingThatTricklesEndsWithTheDeadlineOfTheLogin() throws Exception {
        byte[] begin = {(byte) 0xFF, (byte) 0xFF, 0, 0, 10, '8'};
        try (HostileServer server = HostileServer.trickling(0, begin)) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> connect(server))
                    .withMessage("cannot log in to %s: answer is not complete after 4000 ms", server.address());
        }
    }

    @Test
    void aTlsHandshakeThatTricklesDoesLikewise() throws Exception {
        byte[] login = recorded("login/caching-sha2-fast");
        byte[] greeting = Arrays.copyOf(login, 4 + (login[0] & 0xFF));
        byte[] record = {0x16, 3, 3, 0x3F, (byte) 0xFF};
        try (HostileServer server = HostileServer.trickling(1, greeting, record)) {
            ConnectOptions options = login(server).withTls(TlsOptions.of(TlsMode.REQUIRED));
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> MySqlConnection.open(options))
                    .withMessage("cannot log in to %s: answer is not complete after 4000 ms", server.address());
        }
    }

    @Test
    void anAnswerThatTricklesEndsWithTheDeadlineOfTheQuery() throws Exception {
        byte[] nothing = {};
        byte[] begin = {(byte) 0xFF, (byte) 0xFF, 0, 1, 0};
        try (HostileServer server =
                        HostileServer.trickling(5, recorded("login/caching-sha2-fast"), nothing, OK, OK, OK, begin);
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> connection.query("SELECT 1"))
                    .withMessage("cannot run 'SELECT 1' at %s: answer is not complete after 4000 ms", server.address());
        }
    }

    private static void endlessRow(OutputStream out) throws IOException {
        out.write(ONE_COLUMN);
        endlessPacket(out, 4, 0xFE);
    }

    private static void endlessPacket(OutputStream out, int sequence, int first) throws IOException {
        byte[] part = packet(sequence, new byte[FULL_PART]);
        part[4] = (byte) first;
        for (int i = sequence; ; i++) {
            part[3] = (byte) i;
            out.write(part);
        }
    }

    private static void endlessRows(OutputStream out) throws IOException {
        sendRows(out, Integer.MAX_VALUE);
    }

    private static void sendRows(OutputStream out, int count) throws IOException {
        out.write(ONE_COLUMN);
        for (int i = 0; i < count; i++) {
            out.write(packet(4 + i, new byte[] {1, '1'}));
        }
    }

    private static ResultLimit limit(long bytes) {
        return new ResultLimit(bytes, Long.MAX_VALUE, Duration.ZERO, "do this");
    }

    private static MySqlConnection connect(HostileServer server) throws IOException {
        return MySqlConnection.open(login(server));
    }

    private static ConnectOptions login(HostileServer server) {
        Duration second = Duration.ofSeconds(1);
        return ConnectOptions.of(server.address(), "canal", "secret").withTimeouts(second, second);
    }
}
