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
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cursor at an offset that was edited by hand, so that it is within an event. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WrongOffsetIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);

    /** The server takes other bytes for a header, so its error depends on the offset; nothing is purged. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MYSQL_9_7", "MARIADB_10_11", "MARIADB_11_8"})
    void anOffsetWithinAnEventFailsAndIsNotSkipped(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(MySqlOptions.defaults().release(release))) {
            server.execute("create database shop", "create table shop.t (id int primary key, text text)");
            BinlogEnd before = server.binlogEnd();
            server.execute("insert into shop.t values (1, '%s')".formatted("x".repeat(500)));
            SourceOptions options = Sources.options(
                    Sources.byFile().withResetToNewest(true), Sources.host(server, new ConfiguredStart.Newest()));
            for (int offset = 1; offset < 24; offset++) {
                BinlogPosition wrong = new BinlogPosition(before.file(), before.offset() + offset);
                Cursor cursor = new Cursor(new SourceServer(server.host(), server.port(), ""), wrong, "", 0, 0, null);

                try (LiveSource live =
                        LiveSource.reading(options, RING).from(cursor).start()) {
                    await().until(() -> live.failure() != null || live.resets() > 0);

                    assertThat(live.resets()).as(wrong.toString()).isZero();
                    assertThat(live.kind()).as(wrong.toString()).isEqualTo(SourceFailure.MISCONFIGURED);
                    assertThat(live.failure())
                            .hasMessageContaining("no event of %s begins at %d", wrong.file(), wrong.offset());
                    assertThat(((SourceException) live.failure()).remedy())
                            .contains("cursor set DESTINATION --to %s:%d".formatted(before.file(), before.offset()));
                }
            }
        }
    }
}
