package io.sluice.mysql.wire;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams the binlog of each server, and compares it with the file that the server wrote. */
@Timeout(600)
@ParameterizedClass
@EnumSource(ServerRelease.class)
class BinlogStreamIT {
    private static final int ROTATE = 4;
    private static final int FORMAT_DESCRIPTION = 15;
    private static final int HEARTBEAT = 27;
    private static final int HEARTBEAT_V2 = 41;
    private static final int MYSQL_GTID = 33;
    private static final int MARIADB_ANNOTATE_ROWS = 160;
    private static final int MARIADB_CHECKPOINT = 161;
    private static final int MARIADB_GTID = 162;
    private static final int MAGIC_BYTES = 4;
    private static final int HEADER_BYTES = 19;
    private static final int LENGTH_OFFSET = 9;
    private static final int REPLICA_ID = 4711;

    private static MySqlServer server;

    @Parameter
    private ServerRelease release;

    private final ByteWriter out = new ByteWriter(64);

    @BeforeParameterizedClassInvocation
    static void startServer(ServerRelease release) {
        server = MySqlServer.start(
                MySqlOptions.defaults().release(release).gtid().with("max-allowed-packet", "128M"));
        server.execute(
                "create user canal identified by 'secret'",
                "grant replication slave, replication client on *.* to canal",
                "create user reader identified by 'secret'",
                "create database shop",
                "create table shop.parts (id int primary key, content longblob)");
    }

    @AfterParameterizedClassInvocation
    static void stopServer() {
        if (server != null) {
            server.close();
            server = null;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DISABLED", "REQUIRED"})
    void returnsTheBytesOfTheFile(TlsMode mode) throws IOException {
        assumeThat(mode == TlsMode.DISABLED || release.hasTls()).isTrue();
        BinlogEnd start = server.rotateBinlog();
        server.execute(
                "replace into shop.parts values (1, 'small')",
                "replace into shop.parts values (2, repeat('x', 300000))");

        byte[] streamed = streamToTheEnd(start.file(), MAGIC_BYTES, mode);

        assertIsFile(streamed, start.file(), endOfFormatDescription(start.file()));
    }

    @Test
    void returnsTheBytesOfTheFileWithoutChecksums() throws IOException {
        server.execute("set global binlog_checksum = 'NONE'");
        try {
            BinlogEnd start = server.rotateBinlog();
            server.execute("replace into shop.parts values (1, 'small')");

            byte[] streamed = streamToTheEnd(start.file(), MAGIC_BYTES, TlsMode.DISABLED);

            assertIsFile(streamed, start.file(), endOfFormatDescription(start.file()));
        } finally {
            server.execute("set global binlog_checksum = 'CRC32'");
        }
    }

    @Test
    void startsAfterTheTransactionsThatAreKnown() throws IOException {
        server.execute("replace into shop.parts values (1, 'known')");
        String known = server.binlogEnd().gtidSet();
        server.execute("replace into shop.parts values (1, 'new')", "replace into shop.parts values (1, 'newer')");

        DumpRequest request = DumpRequest.after(GtidSet.parse(known), REPLICA_ID);
        try (BinlogStream stream = open(TlsMode.DISABLED).dump(request.upToTheEnd())) {
            int type = nextType(stream);
            while (type != MYSQL_GTID && type != MARIADB_GTID) {
                type = nextType(stream);
            }
            long sequence = ByteBuffer.wrap(out.array())
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getLong(HEADER_BYTES + (type == MYSQL_GTID ? 1 + 16 : 0));
            assertThat(sequence).isEqualTo(lastNumber(known) + 1);
        }
    }

    private static long lastNumber(String set) {
        return Long.parseLong(set.substring(set.lastIndexOf('-') + 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"MARIADB_10_11", "MARIADB_11_8"})
    void returnsTheStatementsOfRowChanges(ServerRelease mariaDb) throws IOException {
        assumeThat(release).isEqualTo(mariaDb);
        BinlogEnd start = server.binlogEnd();
        server.execute("replace into shop.parts values (1, 'annotated')");

        DumpRequest request = request(start.file(), start.offset()).upToTheEnd();
        try (BinlogStream stream = open(TlsMode.DISABLED).dump(request)) {
            while (nextType(stream) != MARIADB_ANNOTATE_ROWS) {
                // comes before the rows
            }
            assertThat(new String(out.array(), HEADER_BYTES, out.size() - HEADER_BYTES, StandardCharsets.UTF_8))
                    .startsWith("replace into shop.parts values (1, 'annotated')");
        }
    }

    @Test
    void startsAtAnOffset() throws IOException {
        server.execute("replace into shop.parts values (1, 'before')");
        BinlogEnd start = server.binlogEnd();
        server.execute("replace into shop.parts values (1, 'after')");

        byte[] streamed = streamToTheEnd(start.file(), start.offset(), TlsMode.DISABLED);

        assertIsFile(streamed, start.file(), start.offset());
    }

    /**
     * Lengths of a value: a rows event adds 44 bytes to it (header 19, body up to the value 21, checksum 4), and the
     * packet one more.
     */
    @ParameterizedTest
    @ValueSource(ints = {16_777_215 - 46, 16_777_215 - 45, 16_777_215 - 44, 20_000_000, 2 * 16_777_215 - 45})
    void joinsEventsBeyond16MiB(int length) throws IOException {
        assumeThat(release).isIn(ServerRelease.MYSQL_8_0_31, ServerRelease.MARIADB_11_8); // as they take their time
        server.execute("truncate shop.parts");
        BinlogEnd start = server.rotateBinlog();
        server.execute("insert into shop.parts values (3, repeat('z', %d))".formatted(length));

        byte[] streamed = streamToTheEnd(start.file(), MAGIC_BYTES, TlsMode.DISABLED);

        assertThat(streamed.length).isGreaterThan(length);
        assertIsFile(streamed, start.file(), endOfFormatDescription(start.file()));
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

    /** All that a file has from an offset on, but for the checkpoints that MariaDB may have added since it was streamed. */
    private void assertIsFile(byte[] streamed, String file, long offset) throws IOException {
        byte[] all = Files.readAllBytes(server.binlogDirectory().resolve(file));
        byte[] rest = Arrays.copyOfRange(all, (int) offset, all.length);
        int end = streamed.length;
        while (end + HEADER_BYTES <= rest.length && (rest[end + 4] & 0xFF) == MARIADB_CHECKPOINT) {
            end += ByteBuffer.wrap(rest).order(ByteOrder.LITTLE_ENDIAN).getInt(end + LENGTH_OFFSET);
        }
        assertThat(end).as("the end of the file").isEqualTo(rest.length);
        assertThat(Arrays.equals(streamed, Arrays.copyOf(rest, streamed.length)))
                .as("the bytes of the file")
                .isTrue(); // isEqualTo would print them
    }

    private static int endOfFormatDescription(String file) throws IOException {
        try (InputStream in = Files.newInputStream(server.binlogDirectory().resolve(file))) {
            in.skipNBytes(MAGIC_BYTES + 13); // up to the header's field that says where the next event starts
            return in.read() | in.read() << 8 | in.read() << 16 | in.read() << 24;
        }
    }

    @Test
    void returnsHeartbeatsWhileTheServerIsIdle() throws IOException {
        BinlogEnd end = server.rotateBinlog();
        DumpRequest request = request(end.file(), end.offset()).withHeartbeatPeriod(Duration.ofSeconds(1));
        try (BinlogStream stream = open(TlsMode.DISABLED).dump(request)) {
            assertThat(nextType(stream)).isEqualTo(ROTATE);
            assertThat(nextType(stream)).isEqualTo(FORMAT_DESCRIPTION);
            int heartbeat = release == ServerRelease.MYSQL_8_0_31 || release == ServerRelease.MYSQL_9_7
                    ? HEARTBEAT_V2
                    : HEARTBEAT;
            assertThat(nextButCheckpoints(stream)).isEqualTo(heartbeat);
            do { // until this thread is not behind
                assertThat(nextButCheckpoints(stream)).isEqualTo(heartbeat);
            } while (stream.hasBuffered());
        }
    }

    /** MariaDB writes a checkpoint some time after a binlog was begun. */
    private int nextButCheckpoints(BinlogStream stream) throws IOException {
        int type = nextType(stream);
        while (type == MARIADB_CHECKPOINT) {
            type = nextType(stream);
        }
        return type;
    }

    private int nextType(BinlogStream stream) throws IOException {
        out.clear();
        assertThat(stream.next(out)).isPositive();
        return type(out);
    }

    private static int type(ByteWriter event) {
        return event.array()[4] & 0xFF;
    }

    @ParameterizedTest
    @EnumSource(names = {"DISABLED", "REQUIRED"})
    void endsWhenAnotherThreadAborts(TlsMode mode) throws IOException {
        assumeThat(mode == TlsMode.DISABLED || release.hasTls()).isTrue();
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
    void reportsThatTheServerLacksTheFile() throws IOException {
        assertBinlogUnreadable("binlog.999999", 4);
    }

    @Test
    void reportsThatTheFileWasPurged() throws IOException {
        String first = server.binlogEnd().file();
        BinlogEnd second = server.rotateBinlog();
        await().until(() -> {
            // A server keeps, without a word, what a dump still reads that it has not yet noticed to be gone.
            server.execute("purge binary logs to '%s'".formatted(second.file()));
            return !Files.exists(server.binlogDirectory().resolve(first));
        });

        assertBinlogUnreadable(first, 4);
    }

    @Test
    void reportsThatTheOffsetIsAfterTheEnd() throws IOException {
        assertBinlogUnreadable(server.binlogEnd().file(), 4_000_000_000L);
    }

    private void assertBinlogUnreadable(String file, long position) throws IOException {
        try (BinlogStream stream =
                open(TlsMode.DISABLED).dump(request(file, position).upToTheEnd())) {
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
    void reportsWhichRightIsMissing() throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(options("reader", TlsMode.DISABLED))) {
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> connection.dump(request("", 4)))
                    .withMessageEndingWith(
                            "run 'grant replication slave, replication client on *.* to ...' for user reader")
                    .satisfies(e -> assertThat(e.isDumpDenied()).isTrue());
        }
    }

    @Test
    void endsTheDumpThatItLeftBehind() throws Exception {
        BinlogEnd end = server.binlogEnd();
        UUID replica = UUID.randomUUID();
        DumpRequest request =
                request(end.file(), end.offset()).withReplicaUuid(replica).withHeartbeatPeriod(Duration.ZERO);
        MySqlConnection connection = open(TlsMode.DISABLED);
        try (BinlogStream left = connection.dump(request)) {
            nextType(left); // else the server may begin with the other one, and end that for this one
            try (BinlogStream again = open(TlsMode.DISABLED).dump(request)) {
                nextType(again);
                String sessions =
                        "select count(*) from information_schema.processlist where id = " + connection.connectionId();
                await().until(() -> "0".equals(server.query(sessions)));
            }
        }
    }

    @Test
    void isListedAmongTheReplicas() throws IOException {
        BinlogEnd end = server.binlogEnd();
        UUID replica = UUID.randomUUID();
        try (BinlogStream stream = open(TlsMode.DISABLED)
                        .dump(request(end.file(), end.offset()).withReplicaUuid(replica));
                MySqlConnection other = MySqlConnection.open(
                        ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""))) {
            nextType(stream);
            boolean saysReplica = release == ServerRelease.MYSQL_8_0_31 || release == ServerRelease.MYSQL_9_7;
            assertThat(other.query(saysReplica ? "show replicas" : "show slave hosts")
                            .rows())
                    .anySatisfy(row -> {
                        assertThat(row.text(0)).isEqualTo(Integer.toString(REPLICA_ID));
                        if (!release.isMariaDb()) {
                            assertThat(row.text(saysReplica ? "Replica_UUID" : "Slave_UUID"))
                                    .isEqualTo(replica.toString());
                        }
                    });
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
