package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two sources with the same server id end each other's dumps; the searches of a source do not end its stream. */
@Timeout(600)
class ReplicaIdentityIT {
    private static final RingConfig RING = new RingConfig(1 << 10, 1 << 16, false);

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void oneOfTwoWithTheSameIdStopsAndTheOtherContinues(ServerRelease release) throws Exception {
        requireOneOfTwo(release);
    }

    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"MYSQL_8_0_31", "MARIADB_11_8"})
    void oneOfTwoWithTheSameIdStopsWithOtherReleases(ServerRelease release) throws Exception {
        requireOneOfTwo(release);
    }

    private static void requireOneOfTwo(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release);
                LiveSource first = live(server);
                LiveSource second = live(server)) {
            server.execute("insert into shop.item values (1)");

            await().until(() -> first.failure() != null || second.failure() != null);

            LiveSource stopped = first.failure() != null ? first : second;
            LiveSource other = stopped == first ? second : first;
            assertThat(stopped.kind()).isEqualTo(SourceFailure.DUPLICATE_SERVER_ID);
            assertThat(stopped.failure()).hasMessageContaining("another replica has the same server id 4714");
            server.execute("insert into shop.item values (2)");
            assertThat(other.readUntil(rowsSince(2))).isNotEmpty();
            assertThat(other.failure()).isNull();
            assertThat(other.isServerIdInDoubleUse()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSearchDoesNotEndTheStream(ServerRelease release) throws Exception {
        try (MySqlServer server = start(release)) {
            BinlogEnd start = server.binlogEnd();
            try (LiveSource live = LiveSource.reading(
                            Sources.options(Sources.byFile(), Sources.host(server, Sources.at(start))), RING)
                    .start()) {
                server.execute("insert into shop.item values (1)");
                live.readUntil(rowsSince(1));

                try (BinlogBoundaries binlog = BinlogBoundaries.open(Sources.login(server.port()))) {
                    assertThat(binlog.begunMillis(start.file())).isPositive();
                    assertThat(binlog.at(start.file(), start.offset()).position())
                            .isEqualTo(new BinlogPosition(start.file(), start.offset()));
                }

                server.execute("insert into shop.item values (2)");
                live.readUntil(rowsSince(1));
                assertThat(live.readings()).hasSize(1);
                assertThat(live.retries()).isEmpty();
            }
        }
    }

    private static MySqlServer start(ServerRelease release) {
        MySqlServer server = MySqlServer.start(MySqlOptions.defaults().release(release));
        server.execute("create database shop", "create table shop.item (id int primary key)");
        return server;
    }

    private static LiveSource live(MySqlServer server) {
        BinlogEnd start = server.binlogEnd();
        return LiveSource.reading(Sources.options(Sources.byFile(), Sources.host(server, Sources.at(start))), RING)
                .start();
    }

    /** Matches the n-th rows entry of those that it is asked about. */
    private static Predicate<Entry> rowsSince(int n) {
        int[] left = {n};
        return entry -> entry.kind() == EntryKind.ROWS && --left[0] == 0;
    }
}
