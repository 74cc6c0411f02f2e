package io.sluice.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.Converters;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.source.SimulatedReader;
import io.sluice.stream.source.SourceListener;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.SourceState;
import io.sluice.stream.source.SourceStream;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.GaleraNode;
import io.sluice.testkit.binlog.EventBytes;
import io.sluice.testkit.binlog.RandomTransactions.Form;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120) // an instance that finds no host which it can read must fail the build, not stop it
class FailoverTest {
    private static final UUID SOURCE = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");

    private static final PositionOptions BY_TIME = new PositionOptions(false, false, false, Duration.ofSeconds(20));

    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final SimulatedClock time = new SimulatedClock();
    private final SimulatedHost source = host("db1", SOURCE.toString(), false);
    private final SimulatedHost replica = host("db2", "00000000-e4de-11f1-8f50-02fc00000002", true);
    private final SimulatedHost node = node("n1");
    private final SimulatedHost nextNode = node("n2");
    private final EntryRing ring = new EntryRing(new RingConfig(1 << 10, 1024, false));

    private SimulatedServers servers = serversOf(List.of(source, replica, node, nextNode));
    private List<SimulatedHost> hosts = List.of(source, replica);
    private SourceStream stream = SimulatedStream.ofAllTables();
    private @Nullable Cursor first;
    private @Nullable Cursor goneBack;
    private boolean failsToGoBack;

    private SimulatedServers serversOf(List<SimulatedHost> all) {
        return new SimulatedServers(all, time, () -> false, () -> false, false);
    }

    private SimulatedHost host(String name, String identity, boolean isReplica) {
        return new SimulatedHost(
                new ServerAddress(name, 3306),
                identity,
                isReplica,
                new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SOURCE, time.sourceSeconds(), false),
                1);
    }

    /** Of a Galera cluster of MariaDB in which each numbers transactions by itself. */
    private SimulatedHost node(String name) {
        return new SimulatedHost(
                new ServerAddress(name, 3306),
                GaleraNode.identity("server 7 at db:3306", name, true),
                true,
                new SyntheticBinlog(Flavour.MARIADB, 7, SOURCE, time.sourceSeconds(), false),
                1);
    }

    /** The first node has logged more, so its GTIDs are later transactions on the other one. */
    @Test
    void aNodeThatNumbersByItselfIsNotContinuedByTheGtidsOfAnotherOne() throws Exception {
        hosts = List.of(node, nextNode);
        for (int i = 0; i < 5; i++) {
            node.binlog().open(0);
            node.binlog().query("shop", "BEGIN");
            node.binlog().xid();
            node.binlog().close();
        }
        for (int i = 0; i < 3; i++) {
            node.write(Form.ROWS, time.sourceSeconds());
            nextNode.write(Form.ROWS, time.sourceSeconds());
        }
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            List<Integer> images = images(reader);
            node.setDown(true);
            for (int i = 0; i < 12; i++) {
                nextNode.write(Form.ROWS, time.sourceSeconds());
            }

            images.addAll(images(reader));

            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(nextNode.address());
            assertThat(images)
                    .contains(IntStream.rangeClosed(1, nextNode.transactions().images())
                            .boxed()
                            .toArray(Integer[]::new));
            reader.close();
        }
    }

    /** The former server is still up, and is not written to any more. */
    @Test
    void theServerToWhichTheAddressLeadsNowIsRead() throws Exception {
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            images(reader);
            servers.redirect(source, replica);
            replica.write(Form.ROWS, time.sourceSeconds());

            reader.followAddress();
            time.pass(HEARTBEAT.toNanos());

            assertThat(images(reader)).contains(replica.transactions().images());
            reader.close();
        }
    }

    @Test
    void aServerThatSendsSomethingIsReadOnWhereverItsAddressLeads() throws Exception {
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            images(reader);
            long connections = servers.connections();
            servers.redirect(source, replica);

            reader.followAddress();
            source.write(Form.ROWS, time.sourceSeconds());
            time.pass(HEARTBEAT.toNanos());

            assertThat(images(reader)).contains(source.transactions().images());
            time.pass(HEARTBEAT.toNanos());
            assertThat(images(reader)).isEmpty();
            assertThat(servers.connections()).isEqualTo(connections);
            reader.close();
        }
    }

    /** Otherwise it would connect again with each heartbeat. What is not certain may be of another server; by GTIDs nothing is lost then. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatTheWatchHasSeenOfTheServerEndsAConnectionOnce(boolean byGtids) throws Exception {
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader =
                    reader(history, null, new ConfiguredStart.Earliest(), byGtids ? PositionOptions.DEFAULT : BY_TIME);
            images(reader);
            long before = servers.connections();

            reader.noticeReset(false);
            long afterDoubt = connectionsAfterHeartbeats(reader);
            reader.noticeReset(true);
            long afterReset = connectionsAfterHeartbeats(reader);
            reader.noticeReset(true);
            long afterTheSame = connectionsAfterHeartbeats(reader);
            source.write(Form.ROWS, time.sourceSeconds());
            assertThat(images(reader)).isNotEmpty();
            reader.noticeReset(true);
            long afterAnother = connectionsAfterHeartbeats(reader);
            reader.followAddress();
            long afterMove = connectionsAfterHeartbeats(reader);

            assertThat(List.of(
                            afterDoubt - before,
                            afterReset - before,
                            afterTheSame - before,
                            afterAnother - before,
                            afterMove - before))
                    .containsExactly(byGtids ? 1L : 0L, 1L, 1L, 2L, 3L);
            reader.close();
        }
    }

    private long connectionsAfterHeartbeats(SimulatedReader reader) throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            time.pass(HEARTBEAT.toNanos());
            readAll(reader);
        }
        return servers.connections();
    }

    /** Its {@code gtid_mode} was changed while it was read, or before a start. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSourceThatRejectsGtidsIsReadOnByPosition(boolean atStart) throws Exception {
        hosts = List.of(source);
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            List<Integer> images = images(reader);
            if (atStart) {
                reader.close();
                reader = reader(history, ring.cursor());
            }
            source.refuseGtids();
            writeRows();
            for (int steps = 0; steps < 100 && !isWaiting(reader); steps++) {
                time.pass(reader.step().toNanos());
            }
            assertThat(isWaiting(reader)).isTrue();

            images.addAll(images(reader));

            assertThat(images)
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, source.transactions().images())
                                    .boxed()
                                    .toList());
            reader.close();
        }
    }

    @Test
    void aStreamEndsWhereItsBinlogWasPurgedUnlessAResetIsAllowed() throws Exception {
        hosts = List.of(source);
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            images(reader);
            source.rotate();
            writeRows();
            source.rotate();
            source.setDown(true);
            source.purge(source.newest(), "");
            source.setDown(false);

            while (!reader.hasEnded()) {
                time.pass(reader.step().toNanos());
            }

            assertThat(((SourceState.Failed) reader.state()).failure()).isEqualTo(SourceFailure.PURGED);
            assertThat(reader.resets()).isZero();
            reader.close();
        }
    }

    /** The source has a transaction without a GTID, so its position is by file; the replica is found by time, and read by GTIDs. */
    @Test
    void rowsThatComeAgainHaveTheColumnNamesOfTheirTime() throws Exception {
        source.binlog().append(SyntheticBinlog.ANONYMOUS_GTID, new byte[42]);
        source.binlog().query("shop", "CREATE TABLE x (id int primary key)");
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            readAll(reader);
            writeRowsAndRename();
            List<Integer> images = images(reader);
            source.setDown(true);

            List<Integer> again = images(reader);
            assertThat(again).contains(images.get(images.size() / 2));
            assertThat(images).endsWith(again.toArray(Integer[]::new));
            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(replica.address());
            reader.close();
        }
    }

    /** The cursor with which a stream begins has a reference to the schema history, as all others do. */
    @Test
    void aStreamThatHasJustBegunContinuesAtAnotherHostWithTheColumnNamesOfItsBegin() throws Exception {
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            readAll(reader);
            reader.close();
            writeRowsAndRename();
            source.setDown(true);

            SimulatedReader next = reader(history, first);

            assertThat(images(next)).isNotEmpty();
            next.close();
        }
    }

    /** Without GTIDs, and before anything was read, only the time of the begin tells where the other host is to be read. */
    @Test
    void aStreamThatHasReadNothingContinuesAtAnotherHostFromItsBegin() throws Exception {
        writeRows();
        time.pass(Duration.ofMinutes(2).toNanos());
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader =
                    reader(history, null, new ConfiguredStart.Newest(), PositionOptions.DEFAULT.withKeptGtids(false));
            assertThat(images(reader)).isEmpty();
            source.setDown(true);
            time.pass(Duration.ofSeconds(1).toNanos());
            writeRows();

            List<Integer> images = images(reader);

            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(replica.address());
            assertThat(images).contains(replica.transactions().imagesUpTo(replica.newest()));
            reader.close();
        }
    }

    /** A file that ends states no time of a transaction, and those of two days before the begin were not asked for. */
    @Test
    void aStreamThatHasReadTheEndOfAFileOnlyContinuesAtAnotherHostFromItsBegin() throws Exception {
        pass(Duration.ofDays(3).toSeconds());
        writeRows();
        Integer older = replica.transactions().imagesUpTo(replica.newest());
        pass(120);
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), BY_TIME);
            assertThat(images(reader)).isEmpty();
            pass(300);
            source.rotate();
            assertThat(images(reader)).isEmpty();
            writeRows();
            source.setDown(true);

            List<Integer> images = images(reader);

            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(replica.address());
            assertThat(images)
                    .contains(replica.transactions().imagesUpTo(replica.newest()))
                    .doesNotContain(older);
            reader.close();
        }
    }

    /** The start by time is in the second of the DDL, before rows of that second that are before it. */
    @Test
    void rowsBeforeADdlOfTheSecondWhereItGoesBackHaveTheColumnNamesOfTheirTime() throws Exception {
        writeRows();
        pass(30);
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), BY_TIME);
            assertThat(images(reader)).isEmpty();
            pass(30);
            writeRowsAndRenameInOneSecond();
            List<Integer> images = images(reader);
            source.setDown(true);

            assertThat(images(reader)).hasSizeGreaterThan(1).isSubsetOf(images);
            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(replica.address());
            reader.close();
        }
    }

    /** Otherwise the newest changes would not come again after the older ones. */
    @Test
    void aProcessThatEndsWhileChangesComeAgainBeginsWithThemAgain() throws Exception {
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), BY_TIME);
            readAll(reader);
            for (int i = 0; i < 3; i++) {
                pass(1);
                writeRowsAndRename();
            }
            images(reader);
            Cursor before = ring.takeCursor();
            pass(1);
            writeRows();
            readAll(reader); // and nothing of it is acknowledged
            source.setDown(true);
            readAll(reader);

            Cursor back = goneBack;
            assertThat(back).isNotNull();
            assertThat(back.sourceHost()).isEqualTo(replica.address().host());
            assertThat(back.timestampMillis()).isLessThan(before.timestampMillis());
            assertThat(ring.takeCursor())
                    .as("also before all is acknowledged that was read")
                    .isEqualTo(back);
            List<Integer> again = images(reader);
            reader.close();
            source.setDown(false);
            SimulatedReader next = reader(history, back, new ConfiguredStart.Newest(), BY_TIME);
            assertThat(again).endsWith(images(next).toArray(Integer[]::new));
            assertThat(((SourceState.Streaming) next.state()).host()).isEqualTo(replica.address());
            next.close();
        }
    }

    /** Its cursor is of where reading began again, though nothing of there has ended yet, and DDL after that is not before it. */
    @Test
    void aProcessThatEndsBeforeAnythingCameAgainBeginsWithTheColumnNamesOfThere() throws Exception {
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), BY_TIME);
            readAll(reader);
            for (int i = 0; i < 3; i++) {
                pass(1);
                writeRowsAndRename();
            }
            List<Integer> images = images(reader);
            source.setDown(true);
            Cursor read;
            do {
                time.pass(reader.step().toNanos());
                read = ring.takeCursor();
            } while (read == null || !replica.is(read) || read.fileBegunSeconds() == 0);
            reader.close();

            assertThat(goneBack).isNotNull();
            assertThat(read.position()).isEqualTo(goneBack.position());
            assertThat(read.timestampMillis()).isEqualTo(goneBack.timestampMillis());
            SimulatedReader next = reader(history, read, new ConfiguredStart.Newest(), BY_TIME);
            assertThat(images(next)).hasSizeGreaterThan(1).isSubsetOf(images);
            next.close();
        }
    }

    /** Else it would be where the stream is not until the source has another change. */
    @Test
    void aCursorThatWentBackInVainIsWhereTheStreamContinues() throws Exception {
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), BY_TIME);
            readAll(reader);
            pass(1);
            writeRows();
            images(reader);
            Cursor read = ring.cursor();
            failsToGoBack = true;
            source.setDown(true);
            while (!replica.is(ring.cursor())) {
                time.pass(reader.step().toNanos());
            }
            replica.setDown(true);
            source.setDown(false);
            readFrom(source, reader);
            readAll(reader);

            assertThat(ring.cursor().source()).isEqualTo(read.source());
            assertThat(ring.cursor().position()).isEqualTo(read.position());
            reader.close();
        }
    }

    /** Of the DDL before that begin nothing is known, and the rows before it were not asked for. */
    @Test
    void itDoesNotGoBackBeforeTheBeginOfTheHistory() throws Exception {
        writeRowsAndRename();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), BY_TIME);
            readAll(reader);
            pass(1);
            writeRowsAndRename();
            pass(1);
            writeRows();
            List<Integer> images = images(reader);
            source.setDown(true);

            assertThat(images(reader)).isNotEmpty().isSubsetOf(images);
            reader.close();
        }
    }

    /** The second time the schemas are those of where it went back to. */
    @Test
    void aStreamThatHasReadNothingFailsOverTwiceToBeforeAColumnWasAdded() throws Exception {
        writeRows();
        pass(1);
        write(Form.ADDED_COLUMN);
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), BY_TIME);
            assertThat(images(reader)).isEmpty();
            source.setDown(true);
            readFrom(replica, reader);
            replica.setDown(true);
            source.setDown(false);
            readFrom(source, reader);
            source.setDown(true);
            replica.setDown(false);

            assertThat(images(reader)).hasSize(replica.transactions().imagesUpTo(replica.newest()));
            reader.close();
        }
    }

    /** The tables were changed in what was skipped, of which the schema history knows nothing; and the clock of the instance is wrong. */
    @ParameterizedTest
    @ValueSource(longs = {0, -3_600_000, 3_600_000})
    void rowsHaveTheColumnNamesOfTheirTimeAfterAResetOfTheCursor(long wallMillis) throws Exception {
        time.setWall(wallMillis);
        PositionOptions resets = new PositionOptions(false, false, true, BY_TIME.fallback());
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), resets);
            readAll(reader);
            write(Form.RENAMED_COLUMN);
            readAll(reader);
            pass(5);
            write(Form.REPLACED_COLUMN);
            pass(30);
            replica.rotate();
            replica.purge(replica.newest(), "");
            writeRows();
            pass(8);
            writeRows();
            source.rotate();
            source.purge(source.newest(), "");
            assertThat(images(reader)).isEmpty();
            assertThat(reader.resets()).isEqualTo(1);
            pass(15);
            writeRowsAndRename();
            List<Integer> images = images(reader);
            pass(1);
            writeRows();
            source.setDown(true);

            assertThat(images(reader))
                    .containsAll(images)
                    .contains(replica.transactions().imagesUpTo(replica.newest()));
            reader.close();
        }
    }

    /** The other host sends what was prepared again, since the rows that are held back are dropped. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsOfXaTransactionsThatAreUndecidedAtAFailOverComeWithTheirCommit(boolean byGtids, @TempDir Path directory)
            throws Exception {
        PositionOptions positions = byGtids ? PositionOptions.DEFAULT : BY_TIME;
        stream = SimulatedStream.ofAllTables(StreamOptions.DEFAULT.with(new XaHolding(directory, 1 << 20)));
        for (Form form : List.of(Form.ROWS, Form.XA_PREPARED, Form.XA_PREPARED, Form.XA_PREPARED)) {
            write(form);
        }
        pass(2 * BY_TIME.fallback().toSeconds());
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory();
                SimulatedHistory other = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Earliest(), positions);
            List<Integer> images = images(reader);
            source.setDown(true);
            for (Form form : List.of(Form.XA_DECISION, Form.XA_DECISION, Form.XA_DECISION)) {
                replica.write(form, time.sourceSeconds());
            }
            List<Integer> ofXa = images(reader);
            reader.close();
            hosts = List.of(replica);
            reader = reader(other, null, new ConfiguredStart.Earliest(), positions);

            List<Integer> expected = images(reader);

            images.addAll(ofXa);
            assertThat(ofXa).isNotEmpty();
            assertThat(images).containsAll(expected);
            reader.close();
        }
    }

    /** What was prepared comes again, and with it all that was read since, also what was before a change of the table. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatComesAgainFromAnUndecidedXaTransactionOnHasTheColumnNamesOfItsTime(
            boolean byGtids, @TempDir Path directory) throws Exception {
        PositionOptions positions = byGtids ? PositionOptions.DEFAULT : BY_TIME;
        stream = SimulatedStream.ofAllTables(StreamOptions.DEFAULT.with(new XaHolding(directory, 1 << 20)));
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Earliest(), positions);
            readAll(reader);
            write(Form.XA_PREPARED);
            writeRowsAndRename();
            pass(2 * BY_TIME.fallback().toSeconds());
            writeRows();
            List<Integer> images = images(reader);
            source.setDown(true);

            List<Integer> again = images(reader);

            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(replica.address());
            assertThat(images).endsWith(again.toArray(Integer[]::new));
            assertThat(again)
                    .as("also before the column was renamed")
                    .contains(replica.transactions().imagesUpTo(2) + 1);
            reader.close();
        }
    }

    /** The source accepts the set without it, and does not send again what was prepared. */
    @Test
    void rowsOfAnUndecidedXaTransactionComeThoughTheSourceHasDeletedADomainOfGtids(@TempDir Path directory)
            throws Exception {
        hosts = List.of(node);
        stream = SimulatedStream.ofAllTables(StreamOptions.DEFAULT.with(new XaHolding(directory, 1 << 20)));
        node.write(Form.ROWS, time.sourceSeconds());
        writeInADomainThatIsDeleted();
        for (Form form : List.of(Form.ROWS, Form.XA_PREPARED, Form.XA_PREPARED, Form.XA_PREPARED)) {
            node.write(form, time.sourceSeconds());
        }
        try (SimulatedHistory history = new SimulatedHistory();
                SimulatedHistory other = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            List<Integer> images = images(reader);
            assertThat(ring.cursor().gtidSet()).contains("1-7-5");
            node.breakDumps();
            for (Form form : List.of(Form.XA_DECISION, Form.XA_DECISION, Form.XA_DECISION, Form.ROWS)) {
                node.write(form, time.sourceSeconds());
            }

            images.addAll(images(reader));

            reader.close();
            reader = reader(other, null);
            assertThat(node.transactions().commits()).isNotEmpty();
            assertThat(images).containsExactlyElementsOf(images(reader));
            reader.close();
        }
    }

    /** A host that has nothing of it either is not told from one that lags. */
    @Test
    void aDomainOfGtidsThatTheSourceHasDeletedLeavesTheCursor() throws Exception {
        hosts = List.of(node);
        node.write(Form.ROWS, time.sourceSeconds());
        writeInADomainThatIsDeleted();
        node.write(Form.ROWS, time.sourceSeconds());
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            images(reader);
            assertThat(ring.cursor().gtidSet()).contains("1-7-5");
            node.breakDumps();
            node.write(Form.ROWS, time.sourceSeconds());

            assertThat(images(reader)).isNotEmpty();

            assertThat(ring.cursor().gtidSet()).startsWith("0-7-").doesNotContain("1-7-5");
            reader.close();
        }
    }

    /** What the source has executed does not have the domain, as after {@code FLUSH BINARY LOGS DELETE_DOMAIN_ID}. */
    private void writeInADomainThatIsDeleted() {
        byte[] gtid = new EventBytes()
                .number(5, 8)
                .number(1, 4)
                .number(SyntheticBinlog.MARIADB_STANDALONE | SyntheticBinlog.MARIADB_DDL, 1)
                .raw(new byte[6])
                .toByteArray();
        node.binlog().append(SyntheticBinlog.MARIADB_GTID, gtid);
        node.binlog().query("shop", "CREATE TABLE x (id int primary key)");
        node.rotate();
    }

    /** The server was set back to a copy of its disk, and has written something else since, into the same file. */
    @Test
    void rowsOfUndecidedXaTransactionsComeThoughThePositionIsWithinATransactionNow(@TempDir Path directory)
            throws Exception {
        SimulatedHost copy = host("copy", SOURCE.toString(), false);
        servers = serversOf(List.of(source, copy));
        hosts = List.of(source);
        stream = SimulatedStream.ofAllTables(StreamOptions.DEFAULT.with(new XaHolding(directory, 1 << 20)));
        for (SimulatedHost host : List.of(source, copy)) {
            for (Form form : List.of(Form.ROWS, Form.XA_PREPARED, Form.XA_PREPARED, Form.XA_PREPARED)) {
                host.write(form, time.sourceSeconds());
            }
            host.binlog().open(0);
            host.binlog().query("shop", "BEGIN");
        }
        source.binlog().xid();
        source.binlog().close();
        copy.binlog().rowsQuery("7 bytes".getBytes(StandardCharsets.US_ASCII));
        assertThat(copy.binlog().end()).isEqualTo(source.binlog().end());
        copy.binlog().rows(copy.transactions().tables().get(0), Change.INSERT, List.of(List.of(1, "v:1/2")));
        copy.binlog().xid();
        copy.binlog().close();
        try (SimulatedHistory history = new SimulatedHistory();
                SimulatedHistory other = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Earliest(), BY_TIME);
            List<Integer> images = images(reader);
            servers.redirect(source, copy);
            source.breakDumps();
            for (Form form : List.of(Form.XA_DECISION, Form.XA_DECISION, Form.XA_DECISION)) {
                copy.write(form, time.sourceSeconds());
            }

            images.addAll(images(reader));

            reader.close();
            assertThat(copy.transactions().commits()).isNotEmpty();
            reader = reader(other, null, new ConfiguredStart.Earliest(), BY_TIME);
            assertThat(images).containsAll(images(reader));
            reader.close();
        }
    }

    /** A host without GTIDs is tried before, for which the schemas go back, and the cursor cannot. */
    @Test
    void aHostThatIsContinuedByGtidsAfterAnotherOneWasTriedByTimeHasTheColumnNamesOfThere() throws Exception {
        SimulatedHost byTime = new SimulatedHost(
                new ServerAddress("db3", 3306),
                "00000000-e4de-11f1-8f50-02fc00000003",
                true,
                new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 7, SOURCE, time.sourceSeconds(), false),
                1);
        servers = serversOf(List.of(source, byTime, replica));
        hosts = List.of(source, byTime, replica);
        writeRows();
        byTime.write(Form.ROWS, time.sourceSeconds());
        failsToGoBack = true;
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null);
            readAll(reader);
            for (Form form : List.of(Form.ROWS, Form.RENAMED_COLUMN, Form.ROWS)) {
                write(form);
                byTime.write(form, time.sourceSeconds());
            }
            List<Integer> images = images(reader);
            source.setDown(true);
            writeRows();

            images.addAll(images(reader));

            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(replica.address());
            assertThat(images)
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, replica.transactions().images())
                                    .boxed()
                                    .toList());
            reader.close();
        }
    }

    /** The cursor is of a position that was purged, and the tables were changed in what is skipped. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void rowsHaveTheColumnNamesOfTheirTimeAfterAResetAtTheStart(boolean byGtids) throws Exception {
        PositionOptions resets = new PositionOptions(false, byGtids, true, BY_TIME.fallback());
        hosts = List.of(source);
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), resets);
            readAll(reader);
            writeRows();
            assertThat(images(reader)).isNotEmpty();
            Cursor stored = ring.cursor();
            reader.close();
            pass(60);
            writeRowsAndRename();
            pass(60);
            source.rotate();
            source.purge(source.newest(), "");
            writeRows();

            reader = reader(history, stored, new ConfiguredStart.Newest(), resets);
            assertThat(images(reader)).isEmpty();
            assertThat(reader.resets()).isEqualTo(1);
            pass(1);
            writeRowsAndRename();

            assertThat(images(reader)).isNotEmpty();
            assertThat(reader.resets()).isEqualTo(1);
            reader.close();
        }
    }

    /** What is newer than the newest position then is not older than what was read, and what was skipped does not come. */
    @Test
    void aStreamThatHasReadNothingSinceAResetContinuesAtAnotherHostFromThere() throws Exception {
        PositionOptions resets = new PositionOptions(false, false, true, BY_TIME.fallback());
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), resets);
            readAll(reader);
            writeRows();
            images(reader);
            pass(60);
            write(Form.REPLACED_COLUMN);
            pass(60);
            replica.rotate();
            replica.purge(replica.newest(), "");
            pass(60);
            write(Form.ROWS);
            pass(60);
            source.rotate();
            source.purge(source.newest(), "");
            assertThat(images(reader)).isEmpty();
            assertThat(reader.resets()).isEqualTo(1);
            assertThat(((SourceState.Streaming) reader.state()).host()).isEqualTo(source.address());
            source.setDown(true);
            pass(5);
            writeRows();

            assertThat(images(reader)).contains(replica.transactions().imagesUpTo(replica.newest()));
            assertThat(reader.resets()).isEqualTo(1);
            reader.close();
        }
    }

    /** An address led to another server, where the cursor was reset; then it leads to the former one, and the former cursor is restored. */
    @Test
    void whatWasSkippedOnAnotherServerIsReadFromTheFormerOne() throws Exception {
        PositionOptions resets = new PositionOptions(false, false, true, BY_TIME.fallback());
        writeRows();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), resets);
            readAll(reader);
            pass(5);
            write(Form.RENAMED_COLUMN);
            writeRows();
            images(reader);
            Cursor former = ring.cursor();
            reader.close();
            hosts = List.of(replica);
            pass(5);
            writeRows();
            write(Form.RENAMED_COLUMN);
            writeRows();
            pass(60);
            replica.rotate();
            replica.purge(replica.newest(), "");
            pass(1);
            reader = reader(history, former, new ConfiguredStart.Newest(), resets);
            readAll(reader);
            assertThat(reader.resets()).isEqualTo(1);
            writeRows();
            images(reader);
            reader.close();
            hosts = List.of(source);

            assertThat(imagesFrom(former, history))
                    .contains(source.transactions().imagesUpTo(source.newest()));
            source.binlog().advance(-60);
            for (int i = 0; i < 3; i++) {
                Cursor next = ring.cursor();
                writeRowsAndRename();
                assertThat(imagesFrom(next, history))
                        .as("still from before what was skipped")
                        .contains(source.transactions().imagesUpTo(source.newest()));
            }
        }
    }

    private List<Integer> imagesFrom(Cursor cursor, SimulatedHistory history) throws InterruptedException {
        SimulatedReader reader = reader(history, cursor, new ConfiguredStart.Newest(), BY_TIME);
        List<Integer> images = images(reader);
        reader.close();
        return images;
    }

    private void readFrom(SimulatedHost host, SimulatedReader reader) throws InterruptedException {
        while (!(reader.state() instanceof SourceState.Streaming streaming)
                || !streaming.host().equals(host.address())) {
            time.pass(reader.step().toNanos());
        }
    }

    /** Then it is not known where the begin is in the other binlog. */
    @Test
    void theOtherHostIsNotReadIfNothingWasReadAndTablesWereChangedShortlyBeforeTheBegin() throws Exception {
        writeRowsAndRename();
        try (SimulatedHistory history = new SimulatedHistory()) {
            SimulatedReader reader = reader(history, null, new ConfiguredStart.Newest(), BY_TIME);
            readAll(reader);
            source.setDown(true);
            SourceState.SwitchingHost refused = null;
            while (refused == null) {
                time.pass(reader.step().toNanos());
                refused = reader.state() instanceof SourceState.SwitchingHost leaves
                                && leaves.from().equals(replica.address())
                        ? leaves
                        : null;
            }

            assertThat(refused.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
            assertThat(refused.cause()).hasMessageContaining("shop.orders (by the DDL at ");
            reader.close();
        }
    }

    /** The clocks of both hosts advance. */
    private void pass(long seconds) {
        source.binlog().advance(seconds);
        replica.binlog().advance(seconds);
    }

    private void writeRowsAndRenameInOneSecond() {
        long rows;
        do {
            writeRows();
            rows = source.binlog().seconds();
            source.write(Form.RENAMED_COLUMN, rows);
            replica.write(Form.RENAMED_COLUMN, rows);
        } while (source.binlog().seconds() > rows);
        pass(BY_TIME.fallback().toSeconds());
        for (SimulatedHost host : List.of(source, replica)) {
            host.binlog().open(0);
            host.binlog().query("shop", "BEGIN");
            host.binlog().xid();
            host.binlog().close();
        }
    }

    private void writeRows() {
        write(Form.ROWS);
    }

    private void write(Form form) {
        source.write(form, time.sourceSeconds());
        replica.write(form, time.sourceSeconds());
    }

    private void writeRowsAndRename() {
        for (Form form : List.of(Form.ROWS, Form.RENAMED_COLUMN, Form.ROWS)) {
            write(form);
        }
    }

    private SimulatedReader reader(SimulatedHistory history, @Nullable Cursor cursor) {
        return reader(history, cursor, new ConfiguredStart.Earliest(), PositionOptions.DEFAULT);
    }

    private SimulatedReader reader(
            SimulatedHistory history, @Nullable Cursor cursor, ConfiguredStart start, PositionOptions positions) {
        return new SimulatedReader(
                "shop",
                new SourceOptions(
                        hosts.stream().map(host -> host.asSource(start)).toList(),
                        99,
                        positions,
                        List.of(),
                        List.of(),
                        HEARTBEAT,
                        0,
                        null),
                stream,
                ring,
                cursor,
                null,
                new SourceListener() {
                    @Override
                    public void onStart(Cursor begin) {
                        first = begin;
                    }

                    @Override
                    public void onGoBack(Cursor to) throws IOException {
                        ring.goBack(to);
                        if (failsToGoBack) {
                            throw new IOException("the disk is full");
                        }
                        goneBack = to;
                    }

                    @Override
                    public void onState(SourceState state) {}
                },
                servers,
                history::open,
                time,
                new SplittableRandom(1));
    }

    private void readAll(SimulatedReader reader) throws InterruptedException {
        while (!isWaiting(reader)) {
            assertThat(reader.hasEnded()).as(() -> reader.state().toString()).isFalse();
            time.pass(reader.step().toNanos());
        }
    }

    /** Whether all was read that there is. */
    private boolean isWaiting(SimulatedReader reader) {
        return reader.state() instanceof SourceState.Streaming
                && !servers.dump().isReady();
    }

    private List<Integer> images(SimulatedReader reader) throws InterruptedException {
        readAll(reader);
        List<Integer> images = new ArrayList<>();
        BatchConverter converter = Converters.OF_BINLOG.flat(new FixedRouter("shop", 0), time);
        for (var batch = ring.getIfReady(BatchLimit.entries(100), Readiness.ANY);
                batch != null;
                batch = ring.getIfReady(BatchLimit.entries(100), Readiness.ANY)) {
            for (OutgoingMessage record : converter.convert(batch.id(), batch.entries())) {
                images.addAll(DeliveredRows.imagesOf(record.message()));
            }
            ring.ack(batch);
        }
        return images;
    }
}
