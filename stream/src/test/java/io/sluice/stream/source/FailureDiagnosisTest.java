package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.LastEvent;
import io.sluice.protocol.time.Time;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.table.TableName;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.source.FailureDiagnosis.Diagnosis;
import io.sluice.stream.source.FailureDiagnosis.Position;
import io.sluice.stream.source.schema.StreamSchemas;
import io.sluice.stream.source.search.DumpCheck;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.search.LostEndException;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceHosts;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FailureDiagnosisTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final SourceHost HOST = host(ADDRESS);

    private final ServerErrorException purged =
            ServerErrors.unreadable("Could not find first log file name in binary log index file");
    private final SyntheticBinlog binlog =
            new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 7, SERVER, 1_700_000_000, false);
    private final Queries queries = new Queries();
    private final SourceOptions options = Sources.options(Sources.byFile(), HOST);
    private final SourceStream stream = Sources.stream(StreamOptions.DEFAULT);
    private final StreamSchemas schemas =
            new StreamSchemas("shop", queries, stream.filter(), stream.schema(), SchemaHistory::open, Time.SYSTEM);
    private final StreamStages stages = new StreamStages(
            options, stream, new EntryRing(new RingConfig(64, 64, false)), null, queries, schemas, Time.SYSTEM);
    private boolean isDown;

    @AfterEach
    void close() {
        stages.close();
        schemas.close();
    }

    private static SourceHost host(ServerAddress address) {
        return new SourceHost(ConnectOptions.of(address, "sluice", ""), new ConfiguredStart.Newest());
    }

    /** A locator of a stream whose cursor is after an event of a server. */
    private Locator locator(long serverId) {
        Cursor cursor = new Cursor(
                ADDRESS.host(), ADDRESS.port(), new BinlogPosition("gone.000001", 4), "", serverId, 1_600_000_000_000L);
        return new Locator("shop", options, cursor, new Listener(), schemas, stages);
    }

    private Diagnosis diagnose(Locator locator, Throwable thrown, SourceHost... hosts) {
        return new FailureDiagnosis("shop", new Servers(), queries, new SourceHosts(List.of(hosts), 1), locator, 4714)
                .diagnose(HOST, thrown);
    }

    @Test
    void aPositionOfAnotherServerIsReadByTimeOnce() {
        Locator locator = locator(8);

        Diagnosis first = diagnose(locator, purged, HOST);
        assertThat(first.position()).isEqualTo(Position.OF_ANOTHER_SERVER);
        assertThat(((SourceException) first.cause()).failure()).isEqualTo(SourceFailure.REJECTED);
        assertThat(first.cause())
                .hasMessageEndingWith("; its server_id is not that of the position, continuing by time");
        assertThat(diagnose(locator, purged, HOST).position())
                .as("a diagnosis changes nothing")
                .isEqualTo(Position.OF_ANOTHER_SERVER);

        locator.relocateByTime();

        Diagnosis second = diagnose(locator, purged, HOST);
        assertThat(second.position()).isEqualTo(Position.OF_THE_SERVER);
        assertThat(((SourceException) second.cause()).failure()).isEqualTo(SourceFailure.PURGED);
    }

    /** Its file has the name by chance. */
    @Test
    void aPositionBeyondTheEndOfAFileMayBeOneOfAnotherServer() {
        BinlogPosition beyond = new BinlogPosition(binlog.newestFile(), binlog.end() + 1);
        binlog.crash();
        OneBinlog server = new OneBinlog(ADDRESS, binlog);
        LostEndException lost = catchThrowableOfType(
                LostEndException.class,
                () -> new DumpCheck("shop").require(DumpStart.at(beyond, new LastEvent(0, 8)), 0, server, server));

        assertThat(diagnose(locator(8), lost, HOST).position()).isEqualTo(Position.OF_ANOTHER_SERVER);
        assertThat(diagnose(locator(7), lost, HOST)).isEqualTo(new Diagnosis(lost, Position.OF_THE_SERVER));
    }

    @Test
    void aPurgedBinlogIsReportedWithWhatTheServerStillHas() {
        Diagnosis found = diagnose(locator(7), purged, HOST);

        assertThat(found.position()).isEqualTo(Position.OF_THE_SERVER);
        assertThat(found.cause())
                .hasMessageContaining("gone.000001:4")
                .hasMessageContaining(binlog.newestFile())
                .hasCause(purged);
    }

    /** As while gtid_mode is changed online. */
    @Test
    void aServerThatNoLongerSendsByGtidsIsReadByFile() {
        ServerErrorException error = ServerErrors.unreadable(
                "The replication sender thread cannot start in AUTO_POSITION mode: this server has GTID_MODE = ON_PERMISSIVE instead of ON.");

        Diagnosis found = diagnose(locator(7), error, HOST);

        assertThat(FailureClassifier.of(found.cause())).isEqualTo(SourceFailure.REJECTED);
        assertThat(FailureClassifier.remedy(found.cause()))
                .contains("reading continues by file and offset", "set gtid_mode=ON");
    }

    @Test
    void anotherHostIsTriedBeforeReadingByTime() {
        Diagnosis found = diagnose(locator(8), purged, HOST, host(new ServerAddress("other", 3306)));

        assertThat(found.position()).isEqualTo(Position.UNKNOWN);
        assertThat(((SourceException) found.cause()).failure()).isEqualTo(SourceFailure.PURGED);
    }

    @Test
    void aFailureStaysAsItIsIfTheServerCannotBeQueried() {
        isDown = true;

        assertThat(diagnose(locator(8), purged, HOST)).isEqualTo(new Diagnosis(purged, Position.UNKNOWN));
        IOException other = new IOException("lost");
        assertThat(diagnose(locator(8), other, HOST)).isEqualTo(new Diagnosis(other, Position.UNKNOWN));
    }

    @Test
    void aMissingPrivilegeIsReportedWithTheAccount() {
        Diagnosis found = diagnose(locator(7), ServerErrors.denied("REPLICATION SLAVE"), HOST);

        assertThat(((SourceException) found.cause()).remedy()).contains("'sluice'@'10.%'");
        assertThat(queries.closed).as("the connection of the query").isEqualTo(1);
    }

    @Test
    void anotherReplicaOfTheSameServerIdIsReportedWithTheId() {
        Diagnosis found = diagnose(
                locator(7),
                ServerErrors.unreadable("A slave with the same server_uuid/server_id as this slave has connected"),
                HOST);

        assertThat(found.cause()).hasMessageContaining("4714").hasMessageContaining("SHOW PROCESSLIST");
    }

    private final class Servers implements SourceServers {
        @Override
        public SourceConnection connect(SourceHost host) throws IOException {
            if (isDown) {
                throw new IOException("down");
            }
            return new OneBinlog(ADDRESS, binlog);
        }

        @Override
        public SourceQueries queries(SourceHost host) {
            return queries;
        }

        @Override
        public void killDump(SourceHost host, long connectionId) {}
    }

    private static final class Listener implements SourceListener {
        @Override
        public void onStart(Cursor first) {}

        @Override
        public void onState(SourceState state) {}
    }

    /** A server without tables, which shows the account. */
    private static final class Queries implements EmptySource {
        private int closed;

        @Override
        public void moveTo(SourceHost host) {}

        @Override
        public @Nullable String account() {
            return "'sluice'@'10.%'";
        }

        @Override
        public @Nullable String createStatement(TableName table) {
            return null;
        }

        @Override
        public void abort() {}

        @Override
        public void close() {
            closed++;
        }
    }
}
