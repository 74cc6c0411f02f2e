package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A source whose address leads to a server without a binlog, as to a reader of its cluster for some seconds after a fail-over. */
class HostWithoutBinlogTest {
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final SourceHost HOST =
            new SourceHost(Sources.login(1), new ConfiguredStart.At(new BinlogPosition("binlog.000001", 4), null));
    private static final int MOST_STEPS = 1_000;

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, false);
    private final HandTime time = new HandTime();

    /** How many of the next connections lead to a server without a binlog. */
    private int without;

    private int dumps;

    @Test
    void isReadOnWhenItHasOneAgain() throws Exception {
        insert();
        try (SourceSession session = session()) {
            stepUntilCut(session, 1);
            without = 8;

            stepUntilCut(session, 2);

            assertThat(without).isZero();
            assertThat(session.hasEnded()).isFalse();
        }
    }

    @Test
    void endsTheStreamIfItWasNeverRead() throws Exception {
        without = Integer.MAX_VALUE;
        try (SourceSession session = session()) {
            stepUntilCut(session, 1);

            assertThat(session.state()).isInstanceOfSatisfying(SourceState.Failed.class, failed -> {
                assertThat(failed.failure()).isEqualTo(SourceFailure.NO_BINLOG);
                assertThat(failed.failure().remedy()).contains("log_bin", "cluster endpoint");
            });
        }
    }

    /** Steps until so many dumps were begun and cut, or it has ended. */
    private void stepUntilCut(SourceSession session, int count) throws InterruptedException {
        for (int steps = 0; steps < MOST_STEPS && !session.hasEnded(); steps++) {
            if (dumps == count && session.state() instanceof SourceState.BackingOff) {
                return;
            }
            time.pass(session.step());
        }
    }

    private void insert() {
        binlog.open(0);
        binlog.query("shop", "BEGIN");
        binlog.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(1, "x")));
        binlog.xid();
        binlog.close();
    }

    private SourceSession session() {
        return Sources.session(StreamOptions.DEFAULT, new Servers(), time, HOST);
    }

    private final class Servers implements SourceServers {
        @Override
        public SourceConnection connect(SourceHost host) throws IOException {
            if (without > 0) {
                without--;
                throw new ServerErrorException(
                        "SHOW BINARY LOGS", 1381, "HY000", "You are not using binary logging", "");
            }
            dumps++;
            return new CutBinlog(new OneBinlog(new ServerAddress("db", 3306), binlog));
        }

        @Override
        public SourceQueries queries(SourceHost host) {
            return new OneTable(ORDERS, binlog);
        }

        @Override
        public void killDump(SourceHost host, long connectionId) {}
    }
}
