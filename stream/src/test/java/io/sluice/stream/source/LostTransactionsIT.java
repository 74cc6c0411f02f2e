package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.SourceServer;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A fail-over that has lost transactions which were read, after which the new server has given higher numbers. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostTransactionsIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);

    /** Its binlog is all there, so what the new server has written must not be skipped. */
    @ParameterizedTest
    @EnumSource(names = {"MARIADB_10_11", "MARIADB_11_8"})
    void areNoPurgedBinlog(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(MySqlOptions.defaults().release(release))) {
            server.execute("create database shop", "create table shop.t (id int primary key)");
            String read = "0-%s-500".formatted(server.query("select @@server_id"));
            server.execute("set session server_id = 77, gtid_seq_no = 501", "insert into shop.t values (1)");
            SourceOptions options = Sources.options(
                    PositionOptions.DEFAULT.withResetToNewest(true),
                    Sources.host(server, new ConfiguredStart.Newest()));
            Cursor cursor = new Cursor(
                    new SourceServer(server.host(), server.port(), ""), BinlogPosition.UNKNOWN, read, 0, 0, null);

            try (LiveSource live =
                    LiveSource.reading(options, RING).from(cursor).start()) {
                await().until(() -> live.failure() != null || live.resets() > 0);

                assertThat(live.resets()).isZero();
                assertThat(live.kind()).isEqualTo(SourceFailure.DIVERGED);
                assertThat(live.failure()).hasMessageContaining(read);
            }
        }
    }
}
