package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
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
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A position that is configured for the first host is not exchanged for the newest one of another host. */
@Timeout(300)
class ConfiguredPositionTest {
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final int MASTER = 1;
    private static final int STANDBY = 2;
    private static final int MOST_STEPS = 1_000;

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, false);
    private final SyntheticBinlog other = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 8, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000002"), 1_700_000_000, false);
    private final HandTime time = new HandTime();
    private final List<Integer> dumped = new ArrayList<>();
    private final List<DumpRequest> requests = new ArrayList<>();
    /** How many of the next connections to the first host fail. */
    private int refusals;

    @BeforeEach
    void insert() {
        for (SyntheticBinlog of : List.of(binlog, other)) {
            of.open(0);
            of.query("shop", "BEGIN");
            of.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(1, "x")));
            of.xid();
            of.close();
        }
    }

    @Test
    void anOffsetWithinAnEventEndsTheStream() throws Exception {
        BinlogPosition within = new BinlogPosition(binlog.newestFile(), binlog.end() - 1);

        requireEnd(within, SourceFailure.MISCONFIGURED, "no event of");
    }

    @Test
    void aFileThatIsGoneEndsTheStream() throws Exception {
        requireEnd(new BinlogPosition("binlog.000000", 4), SourceFailure.PURGED, "has purged the binlog");
    }

    private void requireEnd(BinlogPosition position, SourceFailure failure, String cause) throws InterruptedException {
        try (SourceSession session = session(position, new ConfiguredStart.Default())) {
            step(session);

            assertThat(dumped).isEmpty();
            assertThat(session.state()).isInstanceOfSatisfying(SourceState.Failed.class, failed -> {
                assertThat(failed.failure()).isEqualTo(failure);
                assertThat(failed.cause()).isInstanceOfSatisfying(SourceException.class, thrown -> {
                    assertThat(thrown)
                            .hasMessageContaining(cause)
                            .hasMessageContaining("would skip what came since")
                            .hasMessageContaining(position.toString());
                    assertThat(thrown.remedy()).contains("canal.instance.standby.journal.name");
                });
            });
        }
    }

    @Test
    void aHostThatIsDownAtTheFirstStartIsWaitedFor() throws Exception {
        BinlogPosition first = new BinlogPosition(binlog.newestFile(), 4);
        refusals = 40;
        try (SourceSession session = session(first, new ConfiguredStart.Default())) {
            step(session);

            assertThat(refusals).isZero();
            assertThat(dumped).containsExactly(MASTER);
            assertThat(requests.get(0).file()).isEqualTo(first.file());
            assertThat(requests.get(0).position()).isEqualTo(first.offset());
        }
    }

    @Test
    void aHostWithAStartOfItsOwnIsRead() throws Exception {
        refusals = Integer.MAX_VALUE;
        BinlogPosition own = new BinlogPosition(other.newestFile(), 4);
        try (SourceSession session =
                session(new BinlogPosition(binlog.newestFile(), 4), new ConfiguredStart.At(own, null))) {
            step(session);

            assertThat(dumped).containsExactly(STANDBY);
        }
    }

    @Test
    void aHostWhoseNewestPositionIsConfiguredIsReadThere() throws Exception {
        refusals = Integer.MAX_VALUE;
        try (SourceSession session =
                session(new BinlogPosition(binlog.newestFile(), 4), new ConfiguredStart.Newest())) {
            step(session);

            assertThat(dumped).containsExactly(STANDBY);
            assertThat(requests.get(0).position()).isEqualTo(other.end());
        }
    }

    private SourceSession session(BinlogPosition position, ConfiguredStart ofStandby) {
        return Sources.session(
                StreamOptions.DEFAULT,
                new Servers(),
                time,
                new SourceHost(Sources.login(MASTER), new ConfiguredStart.At(position, null)),
                new SourceHost(Sources.login(STANDBY), ofStandby));
    }

    /** Steps until a dump was begun, or the stream has ended. */
    private void step(SourceSession session) throws InterruptedException {
        for (int steps = 0; steps < MOST_STEPS && !session.hasEnded() && dumped.isEmpty(); steps++) {
            time.pass(session.step());
        }
    }

    private final class Servers implements SourceServers {
        @Override
        public SourceConnection connect(SourceHost host) throws IOException {
            int port = host.login().address().port();
            if (port == MASTER && refusals > 0) {
                refusals--;
                throw new ConnectException("refused");
            }
            return new Dumped(port, port == MASTER ? binlog : other);
        }

        @Override
        public SourceQueries queries(SourceHost host) {
            return new OneTable(ORDERS, binlog);
        }

        @Override
        public void killDump(SourceHost host, long connectionId) {}
    }

    private final class Dumped extends CutBinlog {
        private final int port;
        private final SyntheticBinlog of;

        Dumped(int port, SyntheticBinlog of) {
            super(new OneBinlog(new ServerAddress("db" + port, 3306), of));
            this.port = port;
            this.of = of;
        }

        @Override
        List<byte[]> events(DumpRequest request) {
            dumped.add(port);
            requests.add(request);
            return super.events(request);
        }

        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            if (!of.fileNames().contains(file)) {
                throw new ServerErrorException(
                        "COM_BINLOG_DUMP",
                        1236,
                        "HY000",
                        "Could not find first log file name in binary log index file",
                        "");
            }
            super.scan(file, visitor);
        }
    }
}
