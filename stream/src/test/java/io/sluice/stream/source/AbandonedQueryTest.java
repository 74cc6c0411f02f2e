package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A host that is silent while it is asked for tables, which may take minutes, is left as soon as that is requested. */
@Timeout(300)
class AbandonedQueryTest {
    private static final int MOST_STEPS = 100;
    private static final ConfiguredStart START = new ConfiguredStart.At(new BinlogPosition("binlog.000001", 4), null);
    private static final SourceHost FIRST = new SourceHost(Sources.login(1), START);
    private static final SourceHost SECOND = new SourceHost(Sources.login(2), START);

    private final SyntheticBinlog binlog =
            new SyntheticBinlog(Flavour.MARIADB, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), 1, false);
    private final List<SourceHost> connected = new CopyOnWriteArrayList<>();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch aborted = new CountDownLatch(1);

    @Test
    void aSwitchOfHostsEndsIt() throws Exception {
        try (SourceSession session = session()) {
            CompletableFuture<Void> reading = read(session);
            asked.await();

            session.switchHost(FIRST, "it does not answer");

            reading.get(30, TimeUnit.SECONDS);
            assertThat(connected).containsExactly(FIRST, SECOND);
        }
    }

    private CompletableFuture<Void> read(SourceSession session) {
        return CompletableFuture.runAsync(() -> {
            try {
                for (int steps = 0; steps < MOST_STEPS && !connected.contains(SECOND); steps++) {
                    session.step();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private SourceSession session() {
        return Sources.session(StreamOptions.DEFAULT, new Servers(), new HandTime(), FIRST, SECOND);
    }

    private final class Servers implements SourceServers {
        @Override
        public SourceConnection connect(SourceHost host) {
            connected.add(host);
            return new OneBinlog(new ServerAddress("db", 3306), binlog);
        }

        @Override
        public SourceQueries queries(SourceHost host) {
            return new SilentServer();
        }

        @Override
        public void killDump(SourceHost host, long connectionId) {}
    }

    /** Answers nothing. */
    private final class SilentServer implements SourceQueries {
        private IOException silence() {
            asked.countDown();
            try {
                aborted.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return new IOException("aborted");
        }

        @Override
        public void moveTo(SourceHost host) {}

        @Override
        public @Nullable String createStatement(TableName table) throws IOException {
            throw silence();
        }

        @Override
        public Map<TableName, String> createStatements(List<TableName> tables) throws IOException {
            throw silence();
        }

        @Override
        public List<TableName> tables(TableFilter filter) throws IOException {
            throw silence();
        }

        @Override
        public Map<String, String> schemaCharsets() throws IOException {
            throw silence();
        }

        @Override
        public BinlogPosition binlogEnd() throws IOException {
            throw silence();
        }

        @Override
        public HiddenColumns hiddenColumns() throws IOException {
            throw silence();
        }

        @Override
        public SourceTraits traits() throws IOException {
            throw silence();
        }

        @Override
        public @Nullable String variable(String name) throws IOException {
            throw silence();
        }

        @Override
        public void abort() {
            aborted.countDown();
        }

        @Override
        public void close() {}
    }
}
