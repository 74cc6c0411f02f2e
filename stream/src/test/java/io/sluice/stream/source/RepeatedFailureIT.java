package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A failure that repeats at the same event counts as one more each time, also when the transaction before it is large.
 *
 * <p>MySQL sends a heartbeat when it has omitted executed transactions and comes to the first one that it sends.
 */
@Timeout(600)
class RepeatedFailureIT {
    private static final RingConfig LARGE = new RingConfig(1 << 16, 1 << 12, false);
    private static final String DAMAGED = "Damaged on the way";
    private static final int ROWS = 60;

    private static MySqlServer server;
    private static BinlogEnd start;

    @BeforeAll
    static void startServer() throws SQLException {
        server = MySqlServer.start(MySqlOptions.defaults().gtid());
        server.execute("create database shop", "create table shop.item (id int primary key, note text)");
        start = server.binlogEnd();
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("begin");
            for (int i = 1; i <= ROWS; i++) {
                statement.execute("insert into shop.item values (%d, repeat('w', 8000))".formatted(i));
            }
            statement.execute("insert into shop.item values (%d, '%s')".formatted(ROWS + 1, DAMAGED));
            statement.execute("commit");
        }
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void stopsAfterTooManyOfThem() {
        try (DamagingProxy proxy = new DamagingProxy(server.port(), DAMAGED);
                LiveSource live = LiveSource.reading(Sources.options(PositionOptions.DEFAULT, through(proxy)), LARGE)
                        .start()) {
            await().until(() -> live.failure() != null);

            assertThat(live.kind()).isEqualTo(SourceFailure.CORRUPT);
            assertThat(live.retries()).hasSizeLessThan(10).allMatch(cause -> cause.contains("cannot be read"));
        }
    }

    @Test
    void readsAnotherHostAfterTooManyOfThem() throws Exception {
        try (DamagingProxy proxy = new DamagingProxy(server.port(), DAMAGED)) {
            SourceOptions options = Sources.options(
                    PositionOptions.DEFAULT, through(proxy), Sources.host(server, new ConfiguredStart.Newest()));
            try (LiveSource live = LiveSource.reading(options, LARGE).start()) {
                List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.END);

                assertThat(entries)
                        .filteredOn(entry -> entry.kind() == EntryKind.ROWS)
                        .hasSizeGreaterThan(ROWS);
                assertThat(live.states()).anyMatch(state -> state instanceof SourceState.SwitchingHost);
            }
        }
    }

    private static SourceHost through(DamagingProxy proxy) {
        return new SourceHost(Sources.login(proxy.port()), Sources.at(start));
    }
}
