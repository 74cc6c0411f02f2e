package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.DumpScan;
import io.sluice.testkit.debian.ServerUnavailableException;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Without GTIDs, while nothing reads the source: its binlog is reset, so that another file has the name that the cursor has. */
@Timeout(600)
class StoppedResetIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    private static final int FEW = 5;
    private static final int SMALL = 10;
    private static final int LARGER = 777;

    /** MariaDB adds checkpoints to the head of a file at any time, so there the offsets are not the same. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MYSQL_9_7", "MARIADB_10_11", "MARIADB_11_8"})
    void anotherFileOfTheSameNameIsNotRead(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd begin = server.rotateBinlog();
            Cursor cursor = readSome(server, begin);
            assertThat(cursor.position().file()).isEqualTo(begin.file());
            long offset = cursor.position().offset();

            reset(server, begin);
            assertThat(server.binlogEnd().offset()).isLessThan(offset);
            assertIsRefused(server, cursor); // beyond the end of the file

            insert(server, 1, FEW, SMALL);
            assertThat(release.isMariaDb() || server.binlogEnd().offset() == offset)
                    .isTrue();
            assertIsRefused(server, cursor); // at its end

            insert(server, 101, FEW, SMALL);
            assertIsRefused(server, cursor); // where one of its events begins

            reset(server, begin);
            insert(server, 1, FEW, LARGER);
            assertThat(server.binlogEnd().offset()).isGreaterThan(offset);
            assertIsRefused(server, cursor); // within one of its events
        }
    }

    private static void assertIsRefused(MySqlServer server, Cursor cursor) {
        for (PositionOptions rules : List.of(Sources.byFile(), PositionOptions.DEFAULT)) {
            Cursor withoutGtids = cursor.withGtidSet("");
            try (LiveSource live = LiveSource.reading(
                            Sources.options(rules, Sources.host(server, new ConfiguredStart.Newest())), LARGE)
                    .from(withoutGtids)
                    .start()) {
                await().until(() -> live.failure() != null || !live.readings().isEmpty());

                assertThat(live.readings()).isEmpty();
                assertThat(live.kind()).isEqualTo(SourceFailure.PURGED);
                assertThat(live.failure())
                        .hasMessageContaining(cursor.position().file() + " is another file than the one that was read");
                assertThat(live.retries()).isEmpty();
            }
        }
    }

    /** What an operator has allowed for a purged binlog is done here, too. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void readingContinuesAtTheNewestPositionIfThatIsConfigured(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd begin = server.rotateBinlog();
            Cursor cursor = readSome(server, begin);
            reset(server, begin);
            PositionOptions rules =
                    new PositionOptions(false, false, true, Sources.byFile().fallback());
            try (LiveSource live = LiveSource.reading(
                            Sources.options(rules, Sources.host(server, new ConfiguredStart.Newest())), LARGE)
                    .from(cursor)
                    .start()) {
                await().until(() -> live.readings().size() >= 1);
                insert(server, 101, FEW, SMALL);
                assertThat(live.readRows(FEW)).isEqualTo(FEW);
                assertThat(live.resets()).isOne();
            }
        }
    }

    /** Nothing of this begins a file again that was there. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void theSameFileIsRecognized(ServerRelease release) throws Exception {
        requireRecognized(release);
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_9_7", "MARIADB_10_11"})
    void theSameFileIsRecognizedWithOtherReleases(ServerRelease release) throws Exception {
        requireRecognized(release);
    }

    private static void requireRecognized(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            Run run = new Run(server, readSome(server, server.rotateBinlog()));

            awaitNextSecond(server);
            run.reads("a file that has grown");

            server.kill();
            server.restart();
            run.reads("after a crash");

            server.stop();
            server.restart();
            run.reads("after a clean restart");

            insert(server, run.nextId(2), 2, SMALL);
            server.rotateBinlog();
            server.rotateBinlog();
            run.reads("after other files were begun", 2);

            String current = server.binlogEnd().file();
            server.execute("purge binary logs to '%s'".formatted(current));
            run.reads("after older files were purged");

            server.execute("set timestamp = 1600000000", "flush binary logs");
            run.reads("before a file with another clock");
            run.reads("in a file with another clock");

            server.execute("set global binlog_checksum = none");
            run.reads("before a file without checksums");
            run.reads("in a file without checksums");
        }
    }

    /** That of a dump which begins within the file is made for it, with other contents, but has the time of the one in the file. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MYSQL_9_7", "MARIADB_10_11", "MARIADB_11_8"})
    void everyFormatDescriptionOfAFileHasItsTime(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd begin = server.rotateBinlog();
            awaitNextSecond(server);
            insert(server, 1, FEW, SMALL);
            BinlogEnd end = server.binlogEnd();
            BinlogScan scan = new DumpScan(Sources.login(server.port()));

            EventHeader atBegin = formatDescription(scan, new BinlogPosition(begin.file(), 4));
            EventHeader within = formatDescription(scan, new BinlogPosition(begin.file(), end.offset()));

            assertThat(atBegin.timestampSeconds()).isPositive().isLessThan(seconds(server));
            assertThat(within.timestampSeconds()).isEqualTo(atBegin.timestampSeconds());
            assertThat(within.nextOffset()).isZero();
        }
    }

    /** A dump from within a file begins with its format description, which is not there. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void aScanFromWithinAFileShowsEventsWhereTheyAre(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            String file = server.rotateBinlog().file();
            insert(server, 1, FEW, SMALL);
            BinlogScan scan = new DumpScan(Sources.login(server.port()));
            List<Long> whole = startsOf(scan, new BinlogPosition(file, BinlogPosition.FIRST_OFFSET));

            int middle = whole.size() / 2;

            assertThat(startsOf(scan, new BinlogPosition(file, whole.get(middle))))
                    .isEqualTo(whole.subList(middle, whole.size()))
                    .hasSizeGreaterThan(2);
        }
    }

    private static List<Long> startsOf(BinlogScan scan, BinlogPosition from) throws Exception {
        List<Long> starts = new ArrayList<>();
        scan.scan(from, (header, body, start, end) -> starts.add(start));
        return starts;
    }

    private static EventHeader formatDescription(BinlogScan scan, BinlogPosition from) throws Exception {
        try (EventSource dump = scan.read(from)) {
            while (true) {
                ByteWriter event = new ByteWriter(256);
                int length = dump.next(event);
                assertThat(length).isPositive();
                EventHeader header = EventHeader.read(event.array(), 0, length);
                if (header.code() == EventCode.FORMAT_DESCRIPTION) {
                    return header;
                }
            }
        }
    }

    /** Several runs of one source, each from the cursor of the one before. */
    private static final class Run {
        private final MySqlServer server;
        private Cursor cursor;
        private int id = 1_000;

        Run(MySqlServer server, Cursor cursor) {
            this.server = server;
            this.cursor = cursor;
        }

        int nextId(int rows) {
            int from = id;
            id += rows;
            return from;
        }

        void reads(String when) throws InterruptedException {
            reads(when, 0);
        }

        /** @param before how many rows are there already that were not read */
        void reads(String when, int before) throws InterruptedException {
            insert(server, nextId(FEW), FEW, SMALL);
            try (LiveSource live = LiveSource.reading(
                            Sources.options(Sources.byFile(), Sources.host(server, new ConfiguredStart.Newest())),
                            LARGE)
                    .from(cursor)
                    .start()) {
                await().until(() -> live.failure() != null || !live.readings().isEmpty());
                assertThat(live.failure()).as(when).isNull();
                assertThat(live.readings()).as(when).containsExactly(cursor.position());
                assertThat(live.readRows(before + FEW)).as(when).isEqualTo(before + FEW);
                cursor = cursorAt(live, server.binlogEnd());
            }
        }
    }

    private static MySqlServer start(ServerRelease release) {
        MySqlServer server;
        try {
            server = MySqlServer.start(release);
        } catch (ServerUnavailableException e) {
            return abort(e.getMessage());
        }
        server.execute("create database shop", "create table shop.item (id int primary key, note text)");
        return server;
    }

    /** Reads the first rows of a file; returns the cursor after them, once the server's clock shows another second. */
    private static Cursor readSome(MySqlServer server, BinlogEnd begin) throws InterruptedException {
        Cursor cursor;
        try (LiveSource live = LiveSource.reading(
                        Sources.options(Sources.byFile(), Sources.host(server, Sources.at(begin))), LARGE)
                .start()) {
            insert(server, 1, FEW, SMALL);
            assertThat(live.readRows(FEW)).isEqualTo(FEW);
            cursor = cursorAt(live, server.binlogEnd());
        }
        awaitNextSecond(server);
        return cursor;
    }

    private static Cursor cursorAt(LiveSource live, BinlogEnd end) throws InterruptedException {
        await().until(() -> {
            live.next();
            return live.cursor().position().file().equals(end.file())
                    && live.cursor().position().offset() >= end.offset();
        });
        return live.cursor();
    }

    /** Begins the file again, with an empty table; its head has the length of the old one, since it states a transaction before it, too. */
    private static void reset(MySqlServer server, BinlogEnd begin) {
        server.execute(
                server.release() == ServerRelease.MYSQL_9_7 ? "reset binary logs and gtids" : "reset master",
                "insert into shop.item values (0, '')",
                "delete from shop.item");
        BinlogEnd again = server.rotateBinlog();
        assertThat(again.file()).isEqualTo(begin.file());
        assertThat(server.release().isMariaDb() || again.offset() == begin.offset())
                .isTrue();
    }

    private static void awaitNextSecond(MySqlServer server) {
        long now = seconds(server);
        await().until(() -> seconds(server) > now);
    }

    private static long seconds(MySqlServer server) {
        return Long.parseLong(String.valueOf(server.query("select unix_timestamp()")));
    }

    private static void insert(MySqlServer server, int from, int rows, int bytes) {
        for (int id = from; id < from + rows; id++) {
            server.execute("insert into shop.item values (%d, repeat('x', %d))".formatted(id, bytes));
        }
    }
}
