package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Rows that are held back cannot be kept while the watch of the source has the connection left for another host. That host would be asked for
 * what follows them, so the stream must stop.
 */
class RowsNotHeldTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final SyntheticTable ORDERS = new SyntheticTable("shop", "orders", List.of("id", "note"));
    private static final ConfiguredStart START = new ConfiguredStart.At(new BinlogPosition("binlog.000001", 4), null);
    private static final SourceHost FIRST = new SourceHost(Sources.login(1), START);
    private static final SourceHost SECOND = new SourceHost(Sources.login(2), START);

    private static final int MOST_STEPS = 100;

    @TempDir
    private Path directory;

    private final SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MARIADB, 7, SERVER, 1_700_000_000, false);
    private final List<SourceHost> connected = new ArrayList<>();
    private @Nullable SourceSession session;

    /** A directory where none can be. */
    private Path unusable;

    @BeforeEach
    void fillDisk() throws IOException {
        unusable = Files.createFile(directory.resolve("file")).resolve("held");
    }

    @Test
    void rowsOfAnXaTransactionStopTheStream() throws Exception {
        binlog.open(0x4C); // prepares an XA transaction
        insert();

        read(StreamOptions.DEFAULT.with(new XaHolding(unusable, 0)));

        assertStopped(SourceFailure.XA_NOT_HELD);
    }

    @Test
    void rowsOfATransactionThatMayBeRolledBackStopTheStream() throws Exception {
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        insert();

        read(StreamOptions.DEFAULT.with(new TransactionSpill(unusable, 1 << 10, 2_000)));

        assertStopped(SourceFailure.TRANSACTION_NOT_HELD);
    }

    @Test
    void aBrokenConnectionDoesNot() throws Exception {
        binlog.open(SyntheticBinlog.MARIADB_TRANSACTIONAL);
        insert();

        read(StreamOptions.DEFAULT);

        assertThat(connected).containsExactly(FIRST, SECOND);
    }

    private void assertStopped(SourceFailure failure) {
        assertThat(session.state())
                .isInstanceOfSatisfying(
                        SourceState.Failed.class,
                        failed -> assertThat(failed.failure()).isEqualTo(failure));
        assertThat(connected).containsExactly(FIRST);
    }

    private void insert() {
        for (int i = 0; i < 5; i++) {
            binlog.rows(ORDERS, SyntheticBinlog.Change.INSERT, List.of(List.of(i, "x".repeat(1_000))));
        }
    }

    /** Reads until it has ended, or the second host was asked. */
    private void read(StreamOptions options) throws Exception {
        try (SourceSession reading = Sources.session(options, new Servers(), new HandTime(), FIRST, SECOND)) {
            session = reading;
            for (int steps = 0; steps < MOST_STEPS && !reading.hasEnded() && !connected.contains(SECOND); steps++) {
                reading.step();
            }
        }
    }

    private final class Servers implements SourceServers {
        @Override
        public SourceConnection connect(SourceHost host) {
            connected.add(host);
            return new CutBinlog(new OneBinlog(new ServerAddress("db", 3306), binlog)) {
                @Override
                void onRead() {
                    session.switchHost(FIRST, "it does not answer");
                }
            };
        }

        @Override
        public SourceQueries queries(SourceHost host) {
            return new OneTable(ORDERS, binlog);
        }

        @Override
        public void killDump(SourceHost host, long connectionId) {}
    }
}
