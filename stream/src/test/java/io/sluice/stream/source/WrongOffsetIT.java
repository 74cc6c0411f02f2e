package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.DumpScan;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cursor at an offset that was edited by hand, so that it is within an event. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WrongOffsetIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);

    private static final int HEADER = 24;
    private static final int STEP = 17;

    /** Numbers and strings that look like headers of events, of which some have a next offset far beyond the end. */
    private static final String LIKE_HEADERS = IntStream.range(0, 100)
            .mapToObj(i -> "%02x000000%s".formatted(i % 50, i % 4 == 0 ? "10" : "0f"))
            .collect(Collectors.joining());

    /** Without checksums, the server may even send the bytes of a row as an event. */
    @ParameterizedTest
    @CsvSource({
        "MYSQL_5_7_22, CRC32", "MYSQL_8_0_31, CRC32", "MYSQL_9_7, CRC32", "MARIADB_10_11, CRC32", "MARIADB_11_8, CRC32",
        "MYSQL_5_7_22, NONE", "MYSQL_8_0_31, NONE", "MYSQL_9_7, NONE", "MARIADB_10_11, NONE", "MARIADB_11_8, NONE"
    })
    void anOffsetWithinAnEventFailsAndIsNotSkipped(ServerRelease release, String checksum) throws Exception {
        MySqlOptions settings = MySqlOptions.defaults().release(release).with("binlog-checksum", checksum);
        try (MySqlServer server = MySqlServer.start(settings)) {
            server.execute("create database shop", "create table shop.t (id int primary key, bytes blob)");
            long begin = server.binlogEnd().offset();
            server.execute("insert into shop.t values (1, x'%s')".formatted(LIKE_HEADERS));
            BinlogEnd end = server.binlogEnd();
            server.execute("insert into shop.t values (2, x'%s')".formatted(LIKE_HEADERS));
            NavigableSet<Long> starts = starts(server, end.file());
            SourceOptions options = Sources.options(
                    Sources.byFile().withResetToNewest(true), Sources.host(server, new ConfiguredStart.Newest()));
            for (long offset = begin + 1; offset < end.offset(); offset += offset < begin + HEADER ? 1 : STEP) {
                if (starts.contains(offset)) {
                    continue;
                }
                BinlogPosition wrong = new BinlogPosition(end.file(), offset);
                Cursor cursor = new Cursor(new SourceServer(server.host(), server.port(), ""), wrong, "", 0, 0, null);

                try (LiveSource live =
                        LiveSource.reading(options, RING).from(cursor).start()) {
                    await().until(() -> live.failure() != null || live.resets() > 0);

                    assertThat(live.resets()).as(wrong.toString()).isZero();
                    assertThat(live.kind()).as(wrong.toString()).isEqualTo(SourceFailure.MISCONFIGURED);
                    assertThat(live.failure())
                            .hasMessageContaining("no event of %s begins at %d", wrong.file(), wrong.offset());
                    assertThat(((SourceException) live.failure()).remedy())
                            .contains(
                                    "cursor set DESTINATION --to %s:%d ".formatted(wrong.file(), starts.floor(offset)),
                                    "cursor set DESTINATION --time T ");
                }
            }
        }
    }

    /** Where events begin in a file. */
    private static NavigableSet<Long> starts(MySqlServer server, String file) throws IOException {
        NavigableSet<Long> starts = new TreeSet<>();
        new DumpScan(Sources.login(server.port())).scan(file, (header, body, start, end) -> starts.add(start));
        return starts;
    }
}
