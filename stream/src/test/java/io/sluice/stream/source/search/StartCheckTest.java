package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartCheckTest {
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final PositionOptions BY_FILE = PositionOptions.DEFAULT.withKeptGtids(false);

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, false);
    private final OneBinlog server = new OneBinlog(ADDRESS, binlog);
    private final HandTime time = new HandTime();

    @BeforeEach
    void write() {
        for (int i = 0; i < 3; i++) {
            binlog.open(0);
            binlog.query("shop", "CREATE TABLE t_%d (id int)".formatted(i));
            binlog.close();
        }
    }

    @Test
    void aCursorWhereAnEventBeginsCanBeRead() {
        assertThatCode(() -> check(Long.MAX_VALUE, Duration.ofDays(1)).require(cursor(binlog.end())))
                .doesNotThrowAnyException();
    }

    @Test
    void aCursorWithinAnEventIsRefusedAsByAStart() {
        assertThatThrownBy(() -> check(Long.MAX_VALUE, Duration.ofDays(1)).require(cursor(binlog.end() - 1)))
                .isInstanceOfSatisfying(
                        SourceException.class,
                        failure -> assertThat(failure.failure()).isEqualTo(SourceFailure.MISCONFIGURED));
    }

    @Test
    void noMoreIsLookedThroughThanIsAllowed() {
        assertThatThrownBy(() -> check(10, Duration.ofDays(1)).require(cursor(binlog.end())))
                .isInstanceOf(ScanLimitException.class)
                .hasMessageContaining("looking through " + binlog.newestFile());
    }

    @Test
    void noMoreTimeIsTakenThanIsAllowed() {
        StartCheck check = check(Long.MAX_VALUE, Duration.ofSeconds(10));
        time.pass(Duration.ofSeconds(11));

        assertThatThrownBy(() -> check.require(cursor(binlog.end())))
                .isInstanceOf(ScanLimitException.class)
                .hasMessageContaining("more than 10 s");
    }

    private StartCheck check(long mostBytes, Duration longest) {
        SourceHost host = new SourceHost(ConnectOptions.of(ADDRESS, "sluice", ""), new ConfiguredStart.Default());
        return new StartCheck("shop", BY_FILE, host, true, server, new LimitedScan(server, mostBytes, longest, time));
    }

    private Cursor cursor(long offset) {
        return new Cursor(
                ADDRESS.host(),
                ADDRESS.port(),
                new BinlogPosition(binlog.newestFile(), offset),
                "",
                7,
                1_700_000_000_000L);
    }
}
