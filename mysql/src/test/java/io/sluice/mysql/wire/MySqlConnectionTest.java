package io.sluice.mysql.wire;

import static io.sluice.mysql.wire.packet.Packets.concat;
import static io.sluice.mysql.wire.packet.Packets.packet;
import static io.sluice.mysql.wire.packet.Packets.recorded;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class MySqlConnectionTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final byte[] OK = recorded("result/ok");
    private static final DumpRequest REQUEST =
            DumpRequest.from("binlog.000001", 4, 99).withHeartbeatPeriod(Duration.ZERO);

    private static final byte[] UNKNOWN_VARIABLE = refusal(1193);

    private final ByteWriter out = new ByteWriter(16);

    @Test
    void handsOnEventsUntilTheStreamEnds() throws Exception {
        byte[] events =
                concat(packet(1, new byte[] {0, 'a', 'b'}), packet(2, new byte[] {0, 'c'}), packet(3, new byte[] {
                    (byte) 0xFE, 0, 0, 2, 0
                }));
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK, events);
                BinlogStream stream = connect(server).dump(REQUEST)) {
            assertThat(stream.next(out)).isEqualTo(2);
            assertThat(stream.next(out)).isEqualTo(1);
            assertThat(stream.next(out)).isEqualTo(-1);
            assertThat(stream.next(out)).isEqualTo(-1);
            assertThat(new String(out.toByteArray(), StandardCharsets.US_ASCII)).isEqualTo("abc");
        }
    }

    /** One large transaction may make a file longer than the 32 bits of the command can state. */
    @Test
    void passesOverWhatIsBeforeAPositionThatTheCommandCannotState() throws Exception {
        int large = Integer.MAX_VALUE;
        byte[] format = event(1, EventCode.FORMAT_DESCRIPTION, 100);
        byte[] first = event(5, EventCode.XID, 31);
        byte[] events = concat(
                format,
                event(2, EventCode.QUERY, large),
                event(3, EventCode.QUERY, large),
                event(4, EventCode.QUERY, large),
                first);
        DumpRequest beyond =
                DumpRequest.from("binlog.000001", 4 + 100 + 3L * large, 99).withHeartbeatPeriod(Duration.ZERO);
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK, events);
                BinlogStream stream = connect(server).dump(beyond)) {
            stream.next(out);
            stream.next(out);
            assertThat(out.toByteArray()).isEqualTo(concat(withoutFrame(format), withoutFrame(first)));
        }
    }

    @Test
    void endsAtOnceIfTheServerHasNothingMoreBeforeSuchAPosition() throws Exception {
        byte[] format = event(1, EventCode.FORMAT_DESCRIPTION, 100);
        DumpRequest beyond = DumpRequest.from("binlog.000001", 1L << 32, 99);
        byte[] waits = concat(format, event(2, EventCode.HEARTBEAT, 40));
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK, waits);
                BinlogStream stream = connect(server).dump(beyond)) {
            stream.next(out);
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> stream.next(out))
                    .withMessageContaining("the binlog ends at 104")
                    .satisfies(e -> assertThat(e.failure()).isEqualTo(SourceFailure.PURGED));
        }
    }

    /** It also ends a dump when it shuts down, so that says nothing of the position. */
    @Test
    void theEndOfADumpBeforeSuchAPositionIsABrokenConnection() throws Exception {
        byte[] events =
                concat(event(1, EventCode.FORMAT_DESCRIPTION, 100), packet(2, new byte[] {(byte) 0xFE, 0, 0, 2, 0}));
        DumpRequest beyond = DumpRequest.from("binlog.000001", 1L << 32, 99).withHeartbeatPeriod(Duration.ZERO);
        for (DumpRequest request : new DumpRequest[] {beyond, beyond.upToTheEnd()}) {
            try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK, events);
                    BinlogStream stream = connect(server).dump(request)) {
                stream.next(out);
                assertThatExceptionOfType(EOFException.class)
                        .isThrownBy(() -> stream.next(out))
                        .withMessageEndingWith(
                                "which was asked for from binlog.000001:4294967296: the server has ended it at 104, before that");
            }
        }
    }

    @Test
    void whatIsPassedOverCountsWhileNothingIsThereThatWasAskedFor() throws Exception {
        int large = Integer.MAX_VALUE;
        byte[] events = concat(
                event(1, EventCode.FORMAT_DESCRIPTION, 100),
                event(2, EventCode.QUERY, large),
                event(3, EventCode.QUERY, large),
                event(4, EventCode.QUERY, 30),
                event(5, EventCode.XID, 31));
        DumpRequest beyond =
                DumpRequest.from("binlog.000001", 4 + 100 + 30 + 2L * large, 99).withHeartbeatPeriod(Duration.ZERO);
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK, events);
                BinlogStream stream = connect(server).dump(beyond)) {
            stream.next(out);
            assertThat(stream.hasBuffered())
                    .as("the next call may wait for as long as all before the position takes")
                    .isFalse();
            assertThat(stream.passed()).isEqualTo(EventSource.Passed.NOTHING);

            stream.next(out);

            assertThat(stream.passed()).isEqualTo(new EventSource.Passed(3, 2L * large + 30));
        }
    }

    @Test
    void aDamagedEventBeforeSuchAPositionIsReportedWhereItIs() throws Exception {
        byte[] events = concat(
                event(1, EventCode.FORMAT_DESCRIPTION, 100),
                event(2, EventCode.QUERY, Integer.MAX_VALUE),
                event(3, EventCode.QUERY, 7));
        assertThatTheNextFails(
                events,
                SourceFailure.CORRUPT,
                "the event at binlog.000001:%d cannot be read, on the way to 4294967296: an event of type 2 states a length of 7 bytes"
                        .formatted(4 + 100L + Integer.MAX_VALUE));
    }

    @Test
    void anAbortEndsTheWayToSuchAPosition() throws Exception {
        byte[] events =
                concat(event(1, EventCode.FORMAT_DESCRIPTION, 100), event(2, EventCode.QUERY, Integer.MAX_VALUE));
        DumpRequest beyond = DumpRequest.from("binlog.000001", 1L << 32, 99).withHeartbeatPeriod(Duration.ZERO);
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK, events)) {
            MySqlConnection connection = connect(server);
            BinlogStream stream = connection.dump(beyond);
            stream.next(out);
            CompletableFuture<Integer> next = CompletableFuture.supplyAsync(() -> {
                try {
                    return stream.next(out);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            while (stream.passed().events() == 0) {
                Thread.onSpinWait();
            }

            connection.abort();

            assertThat(next)
                    .failsWithin(Duration.ofMinutes(1))
                    .withThrowableThat()
                    .withMessageContaining("was aborted");
        }
    }

    @Test
    void endsAtOnceIfNoEventIsAtSuchAPosition() throws Exception {
        byte[] events = concat(
                event(1, EventCode.FORMAT_DESCRIPTION, 100),
                event(2, EventCode.QUERY, Integer.MAX_VALUE),
                event(3, EventCode.ROTATE, 40));
        assertThatTheNextFails(
                events,
                SourceFailure.PURGED,
                "no event of binlog.000001 begins at 4294967296, from which it was to be read: the file ends at %d"
                        .formatted(4 + 100 + 40L + Integer.MAX_VALUE));
    }

    /** On the way to a position beyond 4 GiB, after the format description; nothing of an event is left then. */
    private void assertThatTheNextFails(byte[] events, SourceFailure failure, String message) throws Exception {
        DumpRequest beyond = DumpRequest.from("binlog.000001", 1L << 32, 99).withHeartbeatPeriod(Duration.ZERO);
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK, events);
                BinlogStream stream = connect(server).dump(beyond)) {
            stream.next(out);
            int length = out.size();
            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> stream.next(out))
                    .withMessage(message)
                    .satisfies(e -> assertThat(e.failure()).isEqualTo(failure));
            assertThat(out.size()).isEqualTo(length);
        }
    }

    /** The packet of an event of which there is no more than the header. */
    private static byte[] event(int sequence, int code, int length) {
        ByteBuffer header = ByteBuffer.allocate(1 + EventHeader.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        header.put((byte) 0).putInt(1_700_000_000).put((byte) code).putInt(1).putInt(length);
        return packet(sequence, header.array());
    }

    private static byte[] withoutFrame(byte[] packet) {
        return Arrays.copyOfRange(packet, 5, packet.length);
    }

    @Test
    void worksWithAServerWithoutChecksums() throws Exception {
        byte[] end = packet(1, new byte[] {(byte) 0xFE, 0, 0, 2, 0});
        try (ScriptedServer server = ScriptedServer.silentAfter(UNKNOWN_VARIABLE, OK, OK, end);
                BinlogStream stream = connect(server).dump(REQUEST)) {
            assertThat(stream.next(out)).isEqualTo(-1);
        }
    }

    @Test
    void worksWithAServerThatDoesNotLimitTheDurationOfQueries() throws Exception {
        try (ScriptedServer server = ScriptedServer.answeringPreparationBy(
                        OK, OK, UNKNOWN_VARIABLE, UNKNOWN_VARIABLE, recorded("result/two-rows"));
                MySqlConnection connection = connect(server)) {
            assertThat(connection.query("select").rows()).hasSize(2);
        }
    }

    @Test
    void aServerBehindAProxyMayNameTheLimitOtherwise() throws Exception {
        try (ScriptedServer server = ScriptedServer.answeringPreparationBy(
                        OK, OK, UNKNOWN_VARIABLE, OK, recorded("result/two-rows"));
                MySqlConnection connection = connect(server)) {
            assertThat(connection.query("select").rows()).hasSize(2);
        }
    }

    @Test
    void worksWithAProxyThatDoesNotSetAutocommit() throws Exception {
        try (ScriptedServer server =
                        ScriptedServer.answeringPreparationBy(OK, UNKNOWN_VARIABLE, OK, recorded("result/two-rows"));
                MySqlConnection connection = connect(server)) {
            assertThat(connection.query("select").rows()).hasSize(2);
        }
    }

    /** Proxies that do not know the variable bind the session to one of their servers when it is set. */
    @Test
    void theLimitCanBeLeft() throws Exception {
        try (ScriptedServer server = ScriptedServer.answeringPreparationBy(OK, recorded("result/two-rows"));
                MySqlConnection connection = MySqlConnection.openWithLimits(login(server))) {
            assertThat(connection.query("select").rows()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1064, 1115, 1235, 1273})
    void worksWithAServerThatCannotSetTheCharacterSetAsAsked(int error) throws Exception {
        byte[] refusal = refusal(error);
        try (ScriptedServer server =
                        ScriptedServer.answeringPreparationBy(refusal, OK, OK, OK, recorded("result/two-rows"));
                MySqlConnection connection = connect(server)) {
            assertThat(connection.query("select").rows()).hasSize(2);
        }
        try (ScriptedServer server =
                        ScriptedServer.answeringPreparationBy(refusal, refusal, OK, OK, recorded("result/two-rows"));
                MySqlConnection connection = connect(server)) {
            assertThat(connection.query("select").rows()).hasSize(2);
        }
    }

    @Test
    void rejectsAServerThatRefusesToPrepareTheSession() throws Exception {
        try (ScriptedServer server = ScriptedServer.answeringPreparationBy(recorded("result/error"))) {
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> connect(server))
                    .withMessageStartingWith("cannot run 'SET NAMES utf8mb4");
        }
    }

    @Test
    void anErrorOfTheSecondTryHasTheFirst() throws Exception {
        try (ScriptedServer server = ScriptedServer.answeringPreparationBy(refusal(1064), recorded("result/error"))) {
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> connect(server))
                    .satisfies(e ->
                            assertThat(e.getSuppressed()).singleElement().isInstanceOf(ServerErrorException.class));
        }
    }

    @Test
    void reportsThatThePreparationWasNotAnsweredInTheTimeToConnect() throws Exception {
        try (ScriptedServer server = ScriptedServer.answeringPreparationBy()) {
            ConnectOptions waiting = login(server).withTimeouts(Duration.ofSeconds(1), Duration.ZERO);

            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> MySqlConnection.open(waiting))
                    .withMessageEndingWith("no answer for 1000 ms");
        }
    }

    private static byte[] refusal(int error) {
        return packet(1, new byte[] {(byte) 0xFF, (byte) error, (byte) (error >>> 8), '#', 'H', 'Y', '0', '0', '0'});
    }

    @Test
    void leavesNoHalfEventBehind() throws Exception {
        byte[] event = packet(1, new byte[] {0, 'a', 'b', 'c', 'd'});
        byte[] cutShort = java.util.Arrays.copyOf(event, event.length - 1);
        try (ScriptedServer server = ScriptedServer.hangingUpAfter(OK, OK, OK, cutShort);
                BinlogStream stream = connect(server).dump(REQUEST)) {
            out.writeAscii("before");

            assertThatExceptionOfType(EOFException.class)
                    .isThrownBy(() -> stream.next(out))
                    .withMessageEndingWith("binlog.000001:4: server closed the connection within a packet");
            assertThat(new String(out.toByteArray(), StandardCharsets.US_ASCII)).isEqualTo("before");
            assertThatThrownBy(() -> stream.next(out)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void rejectsAPacketThatIsNoEvent() throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK, packet(1, new byte[] {7}));
                BinlogStream stream = connect(server).dump(REQUEST)) {
            assertThatExceptionOfType(MalformedPacketException.class)
                    .isThrownBy(() -> stream.next(out))
                    .withMessageEndingWith("packet starts with 0x07, which is no event");
        }
    }

    @Test
    void reportsThatNothingCameForTheReadTimeout() throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK);
                MySqlConnection connection = connect(server)) {
            BinlogStream stream = connection.dump(REQUEST);
            connection.changeReadTimeout(SHORT);

            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> stream.next(out))
                    .withMessage(
                            "cannot read binlog of %s, which was asked for from binlog.000001:4: no answer for 1000 ms"
                                    .formatted(server.address()));
        }
    }

    @Test
    void reportsThatNothingCameDuringLogin() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerAddress address = new ServerAddress("127.0.0.1", silent.getLocalPort());

            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> MySqlConnection.open(
                            ConnectOptions.of(address, "canal", "").withTimeouts(SHORT, Duration.ofSeconds(60))))
                    .withMessage("cannot log in to %s: no answer for 1000 ms".formatted(address));
        }
    }

    @Test
    void reportsWhatAnswersInPlaceOfAServer() throws Exception {
        assertThat(failedLogin(packet(0, new byte[] {11, 8, 5}))).satisfies(e -> {
            assertThat(e).hasMessageContaining("server greets with protocol version 11");
            assertThat(e.failure()).isEqualTo(SourceFailure.UNREACHABLE);
            assertThat(e.remedy()).contains("classic protocol (3306 by default)");
        });
    }

    @Test
    void reportsALoginThatAServerBreaksAsOne() throws Exception {
        byte[] login = recorded("login/caching-sha2-fast");
        byte[] greeting = Arrays.copyOf(login, 4 + (login[0] & 0xFF));

        assertThat(failedLogin(greeting, packet(2, new byte[] {5}))).satisfies(e -> {
            assertThat(e).hasMessageContaining("server sent neither OK nor an error during login");
            assertThat(e.failure()).isEqualTo(SourceFailure.AUTHENTICATION);
            assertThat(e.remedy()).contains("such as a proxy");
        });
    }

    /** Why a login fails at something that sends these packets. */
    private static SourceException failedLogin(byte[]... packets) throws Exception {
        try (ServerSocket another = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ServerAddress address = new ServerAddress("127.0.0.1", another.getLocalPort());
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try (Socket client = another.accept()) {
                    for (byte[] packet : packets) {
                        client.getOutputStream().write(packet);
                    }
                    client.getInputStream().readAllBytes();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });

            SourceException failure = catchThrowableOfType(
                    SourceException.class, () -> MySqlConnection.open(ConnectOptions.of(address, "canal", "")));

            assertThat(failure).hasMessageStartingWith("cannot log in to %s: ", address);
            assertThat(sent).succeedsWithin(Duration.ofSeconds(30));
            return failure;
        }
    }

    @ParameterizedTest
    @CsvSource({"1227, grant replication slave", "1047, may be a proxy"})
    void advisesByTheErrorThatRejectsAReplica(int error, String advice) throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, refusal(error));
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> connection.dump(REQUEST))
                    .withMessageContaining(advice);
        }
    }

    @Test
    void givesNoAdviceOnAServerThatIsShuttingDown() throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, refusal(1053));
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> connection.dump(REQUEST))
                    .withMessageEndingWith("server error 1053 (HY000): ");
        }
    }

    @Test
    void endsAWaitWhenAnotherThreadAborts() throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK);
                MySqlConnection connection = connect(server)) {
            BinlogStream stream = connection.dump(REQUEST);
            CompletableFuture<Integer> next = CompletableFuture.supplyAsync(() -> {
                try {
                    return stream.next(out);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });

            connection.abort();

            assertThatThrownBy(next::get).rootCause().isInstanceOf(IOException.class);
            assertThatThrownBy(next::get)
                    .hasStackTraceContaining("connection to %s was aborted".formatted(server.address()));
        }
    }

    @Test
    void canBeUsedAfterAnErrorOfTheServer() throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter(recorded("result/error"), recorded("result/two-rows"));
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(ServerErrorException.class)
                    .isThrownBy(() -> connection.query("select * from nowhere.nothing"))
                    .withMessageStartingWith("cannot run 'select * from nowhere.nothing' at " + server.address());
            assertThat(connection.query("select").rows()).hasSize(2);
        }
    }

    @Test
    void isClosedAfterMalformedBytes() throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter(packet(1, new byte[] {(byte) 0xFB}), OK);
                MySqlConnection connection = connect(server)) {
            assertThatExceptionOfType(MalformedPacketException.class).isThrownBy(() -> connection.query("select 1"));
            assertThatThrownBy(() -> connection.query("select 1")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void doesNothingElseOnceItStreams() throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter(OK, OK, OK);
                MySqlConnection connection = connect(server);
                BinlogStream stream = connection.dump(REQUEST)) {
            assertThat(stream.hasBuffered()).isFalse();
            assertThatIllegalStateException().isThrownBy(() -> connection.query("select 1"));
            assertThatIllegalStateException().isThrownBy(() -> connection.dump(REQUEST));
        }
    }

    @Test
    void rejectsHeartbeatsThatComeTooLate() throws Exception {
        try (ScriptedServer server = ScriptedServer.silentAfter();
                MySqlConnection connection = connect(server)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> connection.dump(REQUEST.withHeartbeatPeriod(Duration.ofSeconds(25))))
                    .withMessage("heartbeat period PT25S is not shorter than the read timeout PT25S");
        }
    }

    @Test
    void reportsAnUnknownHost() {
        ServerAddress address = new ServerAddress("nowhere.invalid", 3306);

        assertThatExceptionOfType(UnknownHostException.class)
                .isThrownBy(() -> MySqlConnection.open(ConnectOptions.of(address, "canal", "")))
                .withMessage("host of server nowhere.invalid:3306 is not known");
    }

    private static MySqlConnection connect(ScriptedServer server) throws IOException {
        return MySqlConnection.open(login(server));
    }

    private static ConnectOptions login(ScriptedServer server) {
        return ConnectOptions.of(server.address(), "canal", "secret");
    }
}
