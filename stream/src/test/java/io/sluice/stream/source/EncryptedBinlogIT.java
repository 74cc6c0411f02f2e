package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.DumpScan;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.BinlogEncryption;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A dump from within a file of MariaDB begins with the event from which on the file is encrypted, which is at its head. */
@Timeout(600)
class EncryptedBinlogIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"MARIADB_10_11,NONE", "MARIADB_10_11,CRC32", "MARIADB_11_8,NONE", "MARIADB_11_8,CRC32"})
    void positionsAreThoseOfTheServer(ServerRelease release, String checksum) throws Exception {
        try (MySqlServer server = start(release, checksum);
                BinlogBoundaries places = BinlogBoundaries.open(Sources.login(server.port()))) {
            Cursor begin = places.newest();
            assertThat(begin.position()).isEqualTo(position(server.binlogEnd()));
            long second = seconds(server);
            await().until(() -> seconds(server) > second);
            Instant since = Instant.ofEpochSecond(seconds(server));
            for (int id = 1; id <= 3; id++) {
                BinlogEnd before = server.binlogEnd();
                server.execute("insert into shop.item values (%d)".formatted(id));
                BinlogEnd end = server.binlogEnd();

                assertThat(places.newest().position()).isEqualTo(position(end));
                assertThat(places.newest().gtidSet()).isEqualTo(end.gtidSet());
                assertThat(places.at(end.file(), end.offset()).position()).isEqualTo(position(end));
                assertThat(places.after(before.gtidSet()).position()).isEqualTo(position(before));
                assertThat(places.between(begin, places.newest()).transactions())
                        .isEqualTo(id);
            }
            assertThat(places.since(since).position()).isEqualTo(begin.position());
            assertThat(offsetsFrom(server, begin.position()))
                    .startsWith(begin.position().offset())
                    .endsWith(server.binlogEnd().offset());
            server.rotateBinlog();
            server.execute("insert into shop.item values (4)");
            assertThat(places.between(places.oldest(), places.newest()).transactions())
                    .isEqualTo(2 + 4);
        }
    }

    /** Where the events start, and where the last one ends. */
    private static List<Long> offsetsFrom(MySqlServer server, BinlogPosition from) throws IOException {
        List<Long> offsets = new ArrayList<>();
        long[] last = {0};
        new DumpScan(Sources.login(server.port())).scan(from, (header, body, start, end) -> {
            offsets.add(start);
            last[0] = end;
            return true;
        });
        offsets.add(last[0]);
        return offsets;
    }

    @ParameterizedTest
    @CsvSource({
        "MARIADB_10_11,NONE,true",
        "MARIADB_10_11,CRC32,false",
        "MARIADB_11_8,NONE,false",
        "MARIADB_11_8,CRC32,true"
    })
    void aStreamBeginsAtAnOldPositionAndContinuesWhereItWas(ServerRelease release, String checksum, boolean byGtids)
            throws Exception {
        try (MySqlServer server = start(release, checksum)) {
            SourceOptions options = Sources.options(
                    byGtids ? PositionOptions.DEFAULT : Sources.byFile(),
                    new SourceHost(Sources.login(server.port()), Sources.at(server.binlogEnd())));
            server.execute(
                    "insert into shop.item values (1)",
                    "alter table shop.item add column note int",
                    "insert into shop.item values (2, 2)");
            Cursor cursor;
            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .schema(Sources.history(folder))
                    .start()) {
                assertThat(columnsOfRow(live)).contains("id").doesNotContain("note");
                assertThat(columnsOfRow(live)).contains("id", "note");
                cursor = live.cursor();
            }
            assertThat(cursor.position()).isEqualTo(position(server.binlogEnd()));
            server.execute("alter table shop.item drop column note", "insert into shop.item values (3)");

            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .schema(Sources.history(folder))
                    .from(cursor)
                    .start()) {
                assertThat(columnsOfRow(live)).contains("id").doesNotContain("note");
                cursor = live.cursor();
                assertThat(live.failure()).isNull();
            }
            assertThat(cursor.position()).isEqualTo(position(server.binlogEnd()));
            BinlogEnd next = server.rotateBinlog();
            server.execute("alter table shop.item add column other int", "insert into shop.item values (4, 4)");
            Cursor moved;
            try (BinlogBoundaries places = BinlogBoundaries.open(Sources.login(server.port()))) {
                moved = places.at(next.file(), next.offset()).withSchema(cursor.schema());
            }
            try (LiveSource live = LiveSource.reading(options, LARGE)
                    .schema(Sources.history(folder))
                    .from(moved)
                    .start()) {
                assertThat(columnsOfRow(live)).contains("id", "other");
            }
        }
    }

    private MySqlServer start(ServerRelease release, String checksum) {
        MySqlOptions options = MySqlOptions.defaults().release(release).with("binlog-checksum", checksum);
        MySqlServer server = MySqlServer.start(BinlogEncryption.encrypting(options, folder));
        server.execute("create database shop", "create table shop.item (id int primary key)");
        assertThat(server.query("select @@encrypt_binlog")).isEqualTo("1");
        return server;
    }

    private static BinlogPosition position(BinlogEnd end) {
        return new BinlogPosition(end.file(), end.offset());
    }

    private static long seconds(MySqlServer server) {
        return Long.parseLong(String.valueOf(server.query("select unix_timestamp()")));
    }

    private static String columnsOfRow(LiveSource live) throws Exception {
        List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);
        live.readUntil(entry -> entry.kind() == EntryKind.END);
        return EntryColumns.of(entries.get(entries.size() - 1));
    }
}
