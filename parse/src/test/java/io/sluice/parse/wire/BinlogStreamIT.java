package io.sluice.parse.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams the binlog of a real MySQL 8.0.31, and compares it with the file that the server wrote. */
@Timeout(120)
class BinlogStreamIT {
    private static final int ROTATE = 4;
    private static final int FORMAT_DESCRIPTION = 15;
    private static final int HEARTBEAT = 27;
    private static final int MAGIC_BYTES = 4;
    private static final int REPLICA_ID = 4711;

    private static MySqlServer server;

    private final ByteWriter out = new ByteWriter(64);

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start(MySqlOptions.defaults().with("max-allowed-packet", "128M"));
        server.execute(
                "create user canal identified by 'secret'",
                "grant replication slave, replication client on *.* to canal",
                "create user reader identified by 'secret'",
                "create database shop",
                "create table shop.parts (id int primary key, content longblob)");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"DISABLED", "REQUIRED"})
    void bringsTheBytesOfTheFile(TlsMode mode) throws IOException {
        BinlogEnd start = server.rotateBinlog();
        server.execute(
                "replace into shop.parts values (1, 'small')",
                "replace into shop.parts values (2, repeat('x', 300000))");

        byte[] streamed = streamToTheEnd(start.file(), MAGIC_BYTES, mode);

        assertThat(streamed).isEqualTo(fileFrom(start.file(), endOfFormatDescription(start.file())));
    }

    @Test
    void startsAtAnOffset() throws IOException {
        server.execute("replace into shop.parts values (1, 'before')");
        BinlogEnd start = server.binlogEnd();
        server.execute("replace into shop.parts values (1, 'after')");

        byte[] streamed = streamToTheEnd(start.file(), start.offset(), TlsMode.DISABLED);

        assertThat(streamed).isEqualTo(fileFrom(start.file(), start.offset()));
    }

    /**
     * Lengths of a value: a rows event adds 44 bytes to it (header 19, body up to the value 21, checksum 4), and the
     * packet one more.
     */
    @ParameterizedTest
    @ValueSource(ints = {16_777_215 - 46, 16_777_215 - 45, 16_777_215 - 44, 20_000_000, 2 * 16_777_215 - 45})
    void joinsEventsBeyond16MiB(int length) throws IOException {
        server.execute("truncate shop.parts");
        BinlogEnd start = server.rotateBinlog();
        server.execute("insert into shop.parts values (3, repeat('z', %d))".formatted(length));

        byte[] streamed = streamToTheEnd(start.file(), MAGIC_BYTES, TlsMode.DISABLED);

        assertThat(streamed.length).isGreaterThan(length);
        assertThat(Arrays.equals(streamed, fileFrom(start.file(), endOfFormatDescription(start.file()))))
                .isTrue(); // isEqualTo would print them
    }

    /**
     * All events from a position to the end, but those that the server makes up for the stream, or changes: rotate events
     * and the format description.
     */
    private byte[] streamToTheEnd(String file, long position, TlsMode mode) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try (BinlogStream stream = open(mode).dump(request(file, position).upToTheEnd())) {
            while (true) {
                out.clear();
                int length = stream.next(out);
                if (length < 0) {
                    return all.toByteArray();
                }
                assertThat(length).isEqualTo(out.size());
                if (out.array()[4] != ROTATE && out.array()[4] != FORMAT_DESCRIPTION) {
                    all.write(out.array(), 0, length);
                }
            }
        }
    }

    private static byte[] fileFrom(String file, long offset) throws IOException {
        byte[] all = Files.readAllBytes(server.binlogDirectory().resolve(file));
        return Arrays.copyOfRange(all, (int) offset, all.length);
    }

    private static int endOfFormatDescription(String file) throws IOException {
        try (InputStream in = Files.newInputStream(server.binlogDirectory().resolve(file))) {
            in.skipNBytes(MAGIC_BYTES + 13); // up to the header's field that says where the next event starts
            return in.read() | in.read() << 8 | in.read() << 16 | in.read() << 24;
        }
    }

    @Test
    void bringsHeartbeatsWhileNothingHappens() throws IOException {
        BinlogEnd end = server.rotateBinlog();
        DumpRequest request = request(end.file(), end.offset()).withHeartbeatPeriod(Duration.ofSeconds(1));
        try (BinlogStream stream = open(TlsMode.DISABLED).dump(request)) {
            assertThat(nextType(stream)).isEqualTo(ROTATE);
            assertThat(nextType(stream)).isEqualTo(FORMAT_DESCRIPTION);
            assertThat(nextType(stream)).isEqualTo(HEARTBEAT);
            assertThat(nextType(stream)).isEqualTo(HEARTBEAT);
            assertThat(stream.hasBuffered()).isFalse();
        }
    }

    private int nextType(BinlogStream stream) throws IOException {
        out.clear();
        stream.next(out);
        return out.array()[4];
    }

    @ParameterizedTest
    @EnumSource(names = {"DISABLED", "REQUIRED"})
    void endsWhenAnotherThreadAborts(TlsMode mode) throws IOException {
        BinlogEnd end = server.binlogEnd();
        MySqlConnection connection = open(mode);
        try (BinlogStream stream = connection.dump(request(end.file(), end.offset()))) {
            nextType(stream);
            nextType(stream);
            CompletableFuture<Integer> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return stream.next(out);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            connection.abort();

            assertThatThrownBy(waiting::join)
                    .hasStackTraceContaining("connection to 127.0.0.1:%d was aborted".formatted(server.port()));
        }
    }

    @Test
    void saysThatTheServerLacksTheFile() throws IOException {
        assertBinlogUnreadable("binlog.999999", 4);
    }

    @Test
    void saysThatTheFileWasPurged() throws IOException {
        String first = server.binlogEnd().file();
        BinlogEnd second = server.rotateBinlog();
        server.execute("purge binary logs to '%s'".formatted(second.file()));

        assertBinlogUnreadable(first, 4);
    }

    @Test
    void saysThatTheOffsetIsBehindTheEnd() throws IOException {
        assertBinlogUnreadable(server.binlogEnd().file(), 4_000_000_000L);
    }

    private void assertBinlogUnreadable(String file, long position) throws IOException {
        try (BinlogStream stream = open(TlsMode.DISABLED).dump(request(file, position))) {
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> {
                        while (stream.next(out) >= 0) {
                            // a rotate event may come first
                        }
                    })
                    .satisfies(e -> assertThat(e.isBinlogUnreadable()).isTrue())
                    .withMessageStartingWith("cannot read binlog of 127.0.0.1:%d, which was asked for from %s:%d:"
                            .formatted(server.port(), file, position));
        }
    }

    @Test
    void saysWhichRightIsMissing() throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(options("reader", TlsMode.DISABLED))) {
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> connection.dump(request("", 4)))
                    .withMessageEndingWith(
                            "run 'grant replication slave, replication client on *.* to ...' for user reader");
        }
    }

    @Test
    void endsTheDumpThatItLeftBehind() throws Exception {
        BinlogEnd end = server.binlogEnd();
        UUID replica = UUID.randomUUID();
        DumpRequest request =
                request(end.file(), end.offset()).withReplicaUuid(replica).withHeartbeatPeriod(Duration.ZERO);
        MySqlConnection connection = open(TlsMode.DISABLED);
        try (BinlogStream left = connection.dump(request);
                BinlogStream again = open(TlsMode.DISABLED).dump(request)) {
            nextType(again);
            String sessions =
                    "select count(*) from information_schema.processlist where id = " + connection.connectionId();
            await().until(() -> "0".equals(server.query(sessions)));
            assertThat(left.hasBuffered()).isFalse();
        }
    }

    @Test
    void isListedAmongTheReplicas() throws IOException {
        BinlogEnd end = server.binlogEnd();
        UUID replica = UUID.randomUUID();
        try (BinlogStream stream = open(TlsMode.DISABLED)
                        .dump(request(end.file(), end.offset()).withReplicaUuid(replica));
                MySqlConnection other = open(TlsMode.DISABLED)) {
            nextType(stream);
            assertThat(other.query("show replicas").rows())
                    .anySatisfy(row -> assertThat(row.text("Replica_UUID")).isEqualTo(replica.toString()));
        }
    }

    private static DumpRequest request(String file, long position) {
        return DumpRequest.from(file, position, REPLICA_ID);
    }

    private static MySqlConnection open(TlsMode mode) throws IOException {
        return MySqlConnection.open(options("canal", mode));
    }

    private static ConnectOptions options(String user, TlsMode mode) {
        return ConnectOptions.of(new ServerAddress(server.host(), server.port()), user, "secret")
                .withTls(TlsOptions.of(mode));
    }
}
