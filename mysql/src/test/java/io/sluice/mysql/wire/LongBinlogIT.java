package io.sluice.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Reads from beyond 4 GiB of a file, by its name and an offset. The server sends all of the file for that. */
@Tag("thorough")
@Timeout(600)
class LongBinlogIT {
    private static final int FILLER_BYTES = 1 << 24;
    private static final int FILLERS = 257;
    private static final long FILLING = (long) FILLERS * FILLER_BYTES;
    private static final int NEXT_OFFSET = 13;

    private final ByteWriter out = new ByteWriter(64);

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MYSQL_9_7", "MARIADB_11_8"})
    void readsFromAnOffsetBeyond4GiB(ServerRelease release) throws IOException {
        MySqlOptions options = MySqlOptions.defaults().release(release).with("binlog-checksum", "NONE");
        try (MySqlServer server = MySqlServer.start(options)) {
            server.execute(
                    "create database shop",
                    "create table shop.orders (id int primary key)",
                    "insert into shop.orders values (1)");
            BinlogEnd before = server.binlogEnd();
            server.execute("insert into shop.orders values (2)");
            BinlogEnd between = server.binlogEnd();
            server.execute("insert into shop.orders values (3)");
            BinlogEnd end = server.binlogEnd();
            server.rotateBinlog();
            Path file = server.binlogDirectory().resolve(before.file());
            byte[] all = Files.readAllBytes(file);
            lengthen(file, (int) before.offset());

            byte[] expected = Arrays.copyOfRange(all, (int) between.offset(), (int) end.offset());
            move(expected, FILLING);
            assertThat(read(server, before.file(), between.offset() + FILLING)).isEqualTo(expected);
            assertThatThrownBy(() -> read(server, before.file(), between.offset() + FILLING + 1))
                    .isInstanceOfSatisfying(
                            SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED));
            failsBehindTheEnd(server);
        }
    }

    /** The server would wait there until it writes to the next file. */
    private void failsBehindTheEnd(MySqlServer server) throws IOException {
        BinlogEnd newest = server.binlogEnd();
        DumpRequest behind =
                DumpRequest.from(newest.file(), 5_000_000_000L, 4712).withHeartbeatPeriod(Duration.ofSeconds(1));
        try (BinlogStream stream = MySqlConnection.open(login(server)).dump(behind)) {
            assertThat(next(stream)).isEqualTo(EventCode.FORMAT_DESCRIPTION);
            assertThatThrownBy(() -> next(stream))
                    .isInstanceOfSatisfying(
                            SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.PURGED))
                    .hasMessageEndingWith("the binlog ends at " + newest.offset());
        }
        assertThatThrownBy(() -> read(server, newest.file(), 5_000_000_000L))
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("has ended it at " + newest.offset());
    }

    private static ConnectOptions login(MySqlServer server) {
        return ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", "");
    }

    /** What comes of the file after its format description, up to its end. */
    private byte[] read(MySqlServer server, String file, long offset) throws IOException {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        try (BinlogStream stream = MySqlConnection.open(login(server))
                .dump(DumpRequest.from(file, offset, 4711).upToTheEnd())) {
            int code = next(stream);
            assertThat(code).isEqualTo(EventCode.FORMAT_DESCRIPTION);
            for (code = next(stream); code != EventCode.ROTATE; code = next(stream)) {
                read.write(out.array(), 0, out.size());
            }
        }
        return read.toByteArray();
    }

    private int next(BinlogStream stream) throws IOException {
        out.clear();
        int length = stream.next(out);
        return EventHeader.read(out.array(), 0, length).code();
    }

    /** Puts events into a file that servers and replicas ignore; no more of them is written than their headers. */
    private static void lengthen(Path file, int at) throws IOException {
        byte[] rest;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            rest = new byte[(int) channel.size() - at];
            channel.read(ByteBuffer.wrap(rest), at);
            move(rest, FILLING);
            channel.truncate(at);
            for (int i = 0; i < FILLERS; i++) {
                long start = at + (long) i * FILLER_BYTES;
                ByteBuffer header = ByteBuffer.allocate(EventHeader.LENGTH).order(ByteOrder.LITTLE_ENDIAN);
                header.putInt(1_700_000_000)
                        .put((byte) EventCode.IGNORABLE)
                        .putInt(1)
                        .putInt(FILLER_BYTES)
                        .putInt((int) (start + FILLER_BYTES))
                        .putShort((short) EventHeader.FLAG_IGNORABLE);
                channel.write(header.flip(), start);
            }
            channel.write(ByteBuffer.wrap(rest), at + FILLING);
        }
    }

    /** Has the headers of events state other offsets. */
    private static void move(byte[] events, long more) {
        ByteBuffer bytes = ByteBuffer.wrap(events).order(ByteOrder.LITTLE_ENDIAN);
        int at = 0;
        while (at < events.length) {
            EventHeader header = EventHeader.read(events, at, events.length - at);
            if (header.nextOffset() != 0) {
                bytes.putInt(at + NEXT_OFFSET, (int) (header.nextOffset() + more));
            }
            at += header.length();
        }
    }
}
