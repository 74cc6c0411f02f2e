package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.error.ServerErrors;
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

/** When a file is scanned for whether the offset is within an event that was asked for, and of which server. */
@Timeout(300)
class WrongOffsetTest {
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final ServerErrorException BOGUS = ServerErrors.unreadable("bogus data in log event");
    private static final int MOST_STEPS = 100;

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1_700_000_000, false);
    private final CountDownLatch scanned = new CountDownLatch(1);
    private final CountDownLatch aborted = new CountDownLatch(1);
    private String identityOfNext = "";
    private boolean isDamagedWhileLocating;
    private boolean isSilentWhileScanned;
    private int connections;

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
        try (SourceSession session = session(binlog.end() - 1)) {
            stepUntilFailed(session);

            assertThat(failureOf(session)).isEqualTo(SourceFailure.MISCONFIGURED);
        }
    }

    @Test
    void anotherServerAtTheAddressTellsNothingOfTheOffset() throws Exception {
        identityOfNext = "another";
        try (SourceSession session = session(binlog.end() - 1)) {
            stepUntilFailed(session);

            assertThat(failureOf(session)).isEqualTo(SourceFailure.CORRUPT);
        }
    }

    @Test
    void anOffsetFromWhichEventsHaveComeIsNotLookedUp() throws Exception {
        try (SourceSession session = session(BinlogPosition.FIRST_OFFSET)) {
            stepUntilFailed(session);

            assertThat(failureOf(session)).isEqualTo(SourceFailure.CORRUPT);
            assertThat(connections).isOne();
        }
    }

    @Test
    void aFailureBeforeTheDumpTellsNothingOfTheOffset() throws Exception {
        isDamagedWhileLocating = true;
        try (SourceSession session = session(binlog.end() - 1)) {
            stepUntilFailed(session);

            assertThat(failureOf(session)).isEqualTo(SourceFailure.CORRUPT);
            assertThat(connections).isOne();
        }
    }

    @Test
    void aStopEndsTheScan() throws Exception {
        isSilentWhileScanned = true;
        try (SourceSession session = session(binlog.end() - 1)) {
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

    private SourceSession session(long offset) {
        SourceHost host = new SourceHost(
                Sources.login(1), new ConfiguredStart.At(new BinlogPosition(binlog.newestFile(), offset), null));
        return Sources.session(StreamOptions.DEFAULT, new Servers(), new HandTime(), host);
    }

    private static void stepUntilFailed(SourceSession session) throws InterruptedException {
        for (int steps = 0;
                steps < MOST_STEPS && !session.hasEnded() && !(session.state() instanceof SourceState.BackingOff);
                steps++) {
            session.step();
        }
    }

    private static SourceFailure failureOf(SourceSession session) {
        if (session.state() instanceof SourceState.BackingOff off) {
            return off.failure();
        }
        return ((SourceState.Failed) session.state()).failure();
    }

    private final class Servers implements SourceServers {
        @Override
        public SourceConnection connect(SourceHost host) {
            String identity = connections++ == 0 ? "" : identityOfNext;
            return new Damaged(new OneBinlog(new ServerAddress("db", 3306), binlog, OneBinlog.Role.of(identity)));
        }

        @Override
        public SourceQueries queries(SourceHost host) {
            return new OneTable(ORDERS, binlog);
        }

        @Override
        public void killDump(SourceHost host, long connectionId) {}
    }

    /** Its dumps end with an error, and send an event only of a whole file. */
    private final class Damaged extends CutBinlog {
        private volatile boolean isScanned;

        Damaged(OneBinlog server) {
            super(server);
        }

        @Override
        List<byte[]> events(DumpRequest request) throws IOException {
            if (isDamagedWhileLocating) {
                throw BOGUS;
            }
            return request.position() == BinlogPosition.FIRST_OFFSET ? super.events(request) : List.of();
        }

        @Override
        IOException end() {
            return BOGUS;
        }

        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            if (isSilentWhileScanned && connections > 1) {
                isScanned = true;
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
            if (isScanned) {
                aborted.countDown();
            }
        }
    }
}
