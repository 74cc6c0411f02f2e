package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An offset that was not read by the stream is looked up before the source is asked for it. */
@Timeout(300)
class WrongOffsetTest {
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final int MOST_STEPS = 100;

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, false);
    private final CountDownLatch scanned = new CountDownLatch(1);
    private final CountDownLatch aborted = new CountDownLatch(1);
    private boolean isSilent;
    private int dumps;

    @BeforeEach
    void insert() {
        binlog.open(0);
        binlog.query("shop", "BEGIN");
        binlog.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(1, "x")));
        binlog.xid();
        binlog.close();
    }

    @Test
    void anOffsetWithinAnEventEndsTheStream() throws Exception {
        try (SourceSession session = session()) {
            stepUntilFailed(session);

            assertThat(session.state())
                    .isInstanceOfSatisfying(
                            SourceState.Failed.class,
                            failed -> assertThat(failed.failure()).isEqualTo(SourceFailure.MISCONFIGURED));
            assertThat(dumps).isZero();
        }
    }

    @Test
    void aStopEndsTheScan() throws Exception {
        isSilent = true;
        try (SourceSession session = session()) {
            CompletableFuture<Void> reading = CompletableFuture.runAsync(() -> {
                try {
                    stepUntilFailed(session);
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            scanned.await();

            session.abort();

            reading.get(30, TimeUnit.SECONDS);
            assertThat(session.state()).isInstanceOf(SourceState.Stopped.class);
        } finally {
            aborted.countDown();
        }
    }

    /** A large file is looked through for minutes. */
    @Test
    void whatIsLookedThroughIsProgress() throws Exception {
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        try (SourceSession session = session(end)) {
            stepUntilFailed(session);

            assertThat(dumps).isEqualTo(1);
            assertThat(session.searchedBytes()).isGreaterThanOrEqualTo(end.offset() - BinlogPosition.FIRST_OFFSET);
        }
    }

    private SourceSession session() {
        return session(new BinlogPosition(binlog.newestFile(), binlog.end() - 1));
    }

    private SourceSession session(BinlogPosition start) {
        SourceHost host = new SourceHost(Sources.login(1), new ConfiguredStart.At(start, null));
        return Sources.session(StreamOptions.DEFAULT, new Servers(), new HandTime(), host);
    }

    private static void stepUntilFailed(SourceSession session) throws InterruptedException {
        for (int steps = 0;
                steps < MOST_STEPS && !session.hasEnded() && !(session.state() instanceof SourceState.BackingOff);
                steps++) {
            session.step();
        }
    }

    private final class Servers implements SourceServers {
        @Override
        public SourceConnection connect(SourceHost host) {
            return new Scanned(new OneBinlog(new ServerAddress("db", 3306), binlog));
        }

        @Override
        public SourceQueries queries(SourceHost host) {
            return new OneTable(ORDERS, binlog);
        }

        @Override
        public void killDump(SourceHost host, long connectionId) {}
    }

    private final class Scanned extends CutBinlog {
        Scanned(OneBinlog server) {
            super(server);
        }

        @Override
        List<byte[]> events(DumpRequest request) {
            dumps++;
            return super.events(request);
        }

        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            if (isSilent) {
                scanned.countDown();
                try {
                    aborted.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
                throw new IOException("aborted");
            }
            super.scan(file, visitor);
        }

        @Override
        public void abort() {
            aborted.countDown();
        }
    }
}
