package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.watch.Lag;
import io.sluice.testkit.debian.ServerUnavailableException;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Positions by GTID, by file and by time, of servers other than the one that most tests use. */
@Timeout(600)
class PositionsOfReleasesIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);

    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_9_7", "MARIADB_10_11", "MARIADB_11_8"})
    void resumesFromEveryKindOfPosition(ServerRelease release) throws Exception {
        MySqlOptions options = MySqlOptions.defaults().release(release);
        try (MySqlServer server = start(release.isMariaDb() ? options : options.gtid())) {
            server.execute(
                    "create user reader identified by 'secret'",
                    "grant all on *.* to reader",
                    "create database shop",
                    "create table shop.item (id int primary key)");
            long future = Instant.now().getEpochSecond() + 1_000;
            List<Entry> first;
            Cursor cursor;
            try (LiveSource live = live(server, PositionOptions.DEFAULT, new ConfiguredStart.Newest(), null)) {
                await().until(() -> live.readings().size() >= 1);
                server.execute("set timestamp = " + future, "insert into shop.item values (1)");
                first = transaction(live);
                cursor = first.get(first.size() - 1).cursor();
                assertThat(cursor.gtidSet()).isNotEmpty();
                server.execute("insert into shop.item values (2)", "flush binary logs");
                transaction(live);
                await().until(() -> {
                    live.next();
                    return live.lag().equals(Lag.NONE);
                });
            }
            server.execute(
                    "set timestamp = " + (future + 20),
                    "insert into shop.item values (3)",
                    "create table shop.the_end (id int)");

            List<String> rest = rest(server, PositionOptions.DEFAULT, new ConfiguredStart.Newest(), cursor);
            assertThat(rest).hasSize(2 * first.size() + 1);
            assertThat(rest(server, PositionOptions.DEFAULT, new ConfiguredStart.Newest(), cursor.withGtidSet("")))
                    .as("a cursor without GTIDs")
                    .isEqualTo(rest);
            assertThat(rest(server, Sources.byFile(), new ConfiguredStart.Newest(), cursor))
                    .as("by file and offset")
                    .isEqualTo(rest);
            assertThat(rest(
                            server,
                            Sources.byFile(),
                            new ConfiguredStart.Newest(),
                            canalCursor(first.get(first.size() - 1), cursor)))
                    .as("by file and offset of canal, from the end of the transaction on")
                    .hasSize(rest.size() + 1)
                    .endsWith(rest.toArray(String[]::new));
            for (PositionOptions rules : List.of(PositionOptions.DEFAULT, Sources.byFile())) {
                List<String> since =
                        rest(server, rules, new ConfiguredStart.Since(null, Instant.ofEpochSecond(future + 15)), null);
                assertThat(since).isEqualTo(rest.subList(first.size(), rest.size()));
                assertThat(rest(server, rules, new ConfiguredStart.Earliest(), null))
                        .endsWith(rest.toArray(String[]::new));
            }
        }
    }

    private static Cursor canalCursor(Entry entry, Cursor of) {
        return EntryPositions.at(EntryPositions.canalCursor(entry), of.sourceHost(), of.sourcePort());
    }

    private static MySqlServer start(MySqlOptions options) {
        try {
            return MySqlServer.start(options);
        } catch (ServerUnavailableException e) {
            return abort(e.getMessage());
        }
    }

    private static LiveSource live(MySqlServer server, PositionOptions rules, ConfiguredStart start, Cursor cursor) {
        SourceHost host = Sources.host(server, start);
        SourceHost asReader =
                new SourceHost(ConnectOptions.of(host.login().address(), "reader", "secret"), host.start());
        return LiveSource.reading(Sources.options(rules, asReader), LARGE)
                .from(cursor)
                .encodeAhead(true)
                .start();
    }

    private static List<Entry> transaction(LiveSource live) throws InterruptedException {
        return live.readUntil(entry -> entry.kind() == EntryKind.END);
    }

    /** The entries up to the last statement, with their positions. */
    private static List<String> rest(MySqlServer server, PositionOptions rules, ConfiguredStart start, Cursor cursor)
            throws InterruptedException {
        try (LiveSource live = live(server, rules, start, cursor)) {
            List<Entry> entries = live.readUntil(entry -> entry.tableName().equals("the_end"));
            assertThat(live.retries()).isEmpty();
            return entries.stream()
                    .map(entry -> EntryPositions.start(entry) + " " + entry.kind())
                    .toList();
        }
    }
}
