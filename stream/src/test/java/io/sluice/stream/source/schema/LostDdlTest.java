package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.log.LogLines;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LostDdlTest {
    private static final long BEGUN = 1_700_000_000;
    private static final int LENGTH = 50;
    private static final SchemaState NO_TABLES = new SchemaState(Map.of(), Map.of());

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), BEGUN, false);
    private final OneBinlog server = new OneBinlog(new ServerAddress("db", 3306), binlog);
    private final SimulatedHistory database = new SimulatedHistory();
    private final LostDdl lost = new LostDdl("shop", (SourceQueries) Proxy.newProxyInstance(
            SourceQueries.class.getClassLoader(),
            new Class<?>[] {SourceQueries.class},
            (proxy, method, arguments) -> SourceTraits.DEFAULT));
    private SchemaHistory history;

    @BeforeEach
    void begin() throws IOException {
        history = database.open(
                new HistoryConfig(
                        "shop",
                        new HistoryLocation.LocalFile(Path.of("unused"), Path.of("unused"), ""),
                        "",
                        "",
                        Duration.ZERO,
                        Duration.ofDays(1)),
                Time.SYSTEM);
        history.setSource(server.identity());
        history.begin(NO_TABLES);
        history.beginAt(StreamStart.at(server.identity(), binlog.newestFile(), 4, 7, BEGUN * 1000), NO_TABLES);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** The facts and the files of two servers. */
    private record Led(ServerFacts facts, BinlogScan scan) implements SourceConnection {
        @Override
        public EventSource dump(DumpRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public long connectionId() {
            return 1;
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }

    private SourceConnection listing(long bytes) {
        ServerFacts facts = (ServerFacts) Proxy.newProxyInstance(
                ServerFacts.class.getClassLoader(),
                new Class<?>[] {ServerFacts.class},
                (proxy, method, arguments) -> method.getName().equals("files")
                        ? List.of(
                                new ServerFacts.File("binlog.000001", bytes),
                                server.files().get(1))
                        : method.invoke(server, arguments));
        return new Led(facts, server);
    }

    private void record(long offset, long fileBegunSeconds) throws IOException {
        history.recordStatement(
                new EventPosition(binlog.newestFile(), offset, LENGTH, 7, BEGUN * 1000, null, fileBegunSeconds),
                new SchemaRecorder.Ddl("alter table t add c int", "shop", SqlMode.DEFAULT, List.of()),
                () -> NO_TABLES);
    }

    @Test
    void ddlBeyondTheEndOfAFileIsMarkedOnce() throws IOException {
        record(binlog.end(), BEGUN);
        binlog.crash();

        try (LogLines lines = LogLines.of(LostDdl.class)) {
            assertThat(lost.mark(history, 0, false, server)).isTrue();
            assertThat(lost.mark(history, 0, false, server)).isFalse();
            assertThat(lines.warnings()).singleElement().asString().contains("names=[shop.t]");
        }
        assertThat(lost.doubt()).isNull();
    }

    @Test
    void ddlOfTheNewestFileMayCome() throws IOException {
        record(binlog.end(), BEGUN);

        assertThat(lost.mark(history, 0, false, server)).isFalse();
    }

    @Test
    void ddlOfAnotherFileOfThatNameIsNotLost() throws IOException {
        record(binlog.end(), BEGUN - 1);
        binlog.crash();

        assertThat(lost.mark(history, 0, false, server)).isFalse();
    }

    /** A proxy may lead the query for the list to another server than the dump. */
    @Test
    void ddlThatADumpHasIsNotLost() throws IOException {
        long end = binlog.end();
        record(end - LENGTH, BEGUN);
        binlog.crash();

        assertThat(lost.mark(history, 0, false, listing(end - 1))).isFalse();
    }

    @Test
    void aHistoryThatBeginsBeyondTheEndIsInDoubt() throws IOException {
        history.beginAt(
                StreamStart.at(server.identity(), binlog.newestFile(), binlog.end() + 1, 7, BEGUN * 1000), NO_TABLES);
        binlog.crash();

        assertThat(lost.mark(history, 0, false, server)).isTrue();
        assertThat(lost.doubt()).contains("it begins beyond binlog.000001");
    }
}
