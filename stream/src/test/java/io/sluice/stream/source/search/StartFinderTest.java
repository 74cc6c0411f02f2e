package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.LastEvent;
import io.sluice.protocol.position.SourceServer;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.ScanOnly;
import io.sluice.stream.source.SyntheticScan;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.GaleraNode;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.ServerFacts.Replication;
import io.sluice.testkit.binlog.RandomTransactions;
import io.sluice.testkit.binlog.RandomTransactions.Form;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class StartFinderTest {
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final long BEGUN = 1_700_000_000;
    private static final PositionOptions SHOWN = new PositionOptions(true, true, false, Duration.ZERO);

    private static final OneBinlog.Role NOT_LOGGING_REPLICA = notLogging(Replication.RUNNING, true);

    private final SyntheticBinlog withoutGtids = binlog(Flavour.MYSQL_ANONYMOUS);

    @Test
    void aCursorWithoutGtidsIsContinuedByFileIfTheSourceHasNone() throws IOException {
        BinlogPosition position = new BinlogPosition(withoutGtids.newestFile(), withoutGtids.end());

        DumpStart start = finder(withoutGtids, new ConfiguredStart.Newest()).from(cursor(position));

        requireByFile(start, position);
    }

    @Test
    void everyStartIsByFileIfTheSourceHasNoGtids() throws IOException {
        BinlogPosition first = new BinlogPosition(withoutGtids.fileNames().get(0), 4);
        BinlogPosition end = new BinlogPosition(withoutGtids.newestFile(), withoutGtids.end());

        requireByFile(configured(new ConfiguredStart.At(first, null)), first);
        requireByFile(configured(new ConfiguredStart.Earliest()), first);
        requireByFile(configured(new ConfiguredStart.Newest()), end);
        assertThat(configured(new ConfiguredStart.Since(null, Instant.ofEpochSecond(BEGUN + 5)))
                        .byGtids())
                .isFalse();
        assertThat(configured(new ConfiguredStart.Since(first.file(), Instant.ofEpochSecond(BEGUN + 5)))
                        .byGtids())
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void aCursorWithoutGtidsIsContinuedByThoseBeforeIt(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        BinlogPosition position = new BinlogPosition(binlog.newestFile(), binlog.end());

        DumpStart start = finder(binlog, new ConfiguredStart.Newest()).from(cursor(position));

        assertThat(start.byGtids()).isTrue();
        assertThat(start.executed()).hasToString(binlog.executed());
    }

    /** Before the first transaction its GTID set is empty, so only that tells whether the binlog was reset since. */
    @ParameterizedTest
    @EnumSource(Flavour.class)
    void aStartAtTheOldestTransactionStatesWhenItsFileWasBegun(Flavour flavour) throws IOException {
        DumpStart start =
                finder(binlog(flavour), new ConfiguredStart.Earliest()).fromConfiguration();

        assertThat(start.fileBegunSeconds()).isEqualTo(BEGUN);
    }

    @Test
    void aPositionWhoseGtidsCannotBeDeterminedIsContinuedByFile() throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, binlog(Flavour.MYSQL_GTID));
        BinlogPosition end = source.end().position();
        BinlogScan unsent = new ScanOnly() {
            @Override
            public void scan(String file, Visitor visitor) throws IOException {
                SyntheticScan.scan(source.binlog(), file, (header, start) -> true, visitor);
            }
        };

        DumpStart start = new StartFinder(
                        "shop",
                        SHOWN,
                        new ConfiguredStart.Newest(),
                        false,
                        source,
                        unsent,
                        source.hasGtids(),
                        () -> 0,
                        new OffsetCheck())
                .from(cursor(end));

        requireByFile(start, end);
    }

    /** A server takes other bytes for an event there, or sends them as one. */
    @ParameterizedTest
    @EnumSource(Flavour.class)
    void aCursorWithinAnEventIsNotContinued(Flavour flavour) {
        SyntheticBinlog binlog = binlog(flavour);
        StartFinder finder = finder(binlog, new ConfiguredStart.Newest());

        requireWrongOffset(() -> finder.from(cursor(withinLast(binlog))));
    }

    @ParameterizedTest
    @EnumSource(Flavour.class)
    void nothingBeginsAtAConfiguredPositionWithinAnEvent(Flavour flavour) {
        SyntheticBinlog binlog = binlog(flavour);
        StartFinder finder = finder(binlog, new ConfiguredStart.At(withinLast(binlog), null));

        requireWrongOffset(finder::fromConfiguration);
    }

    /** The file may be a large one, and need not be read again to there. */
    @Test
    void aPositionThatWasReadIsNotLookedUp() throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, withoutGtids);
        BinlogPosition end = source.end().position();
        BinlogScan headOnly = new ScanOnly() {
            @Override
            public void scan(String file, Visitor visitor) {
                source.scan(file, (header, body, start, to) -> {
                    assertThat(start).isEqualTo(BinlogPosition.FIRST_OFFSET);
                    return visitor.visit(header, body, start, to);
                });
            }
        };
        Cursor read =
                new Cursor(new SourceServer(ADDRESS.host(), ADDRESS.port(), ""), end, "", 7, BEGUN * 1000, null, BEGUN);

        DumpStart start =
                finder(new ConfiguredStart.Newest(), true, source, headOnly).from(read);

        requireByFile(start, end);
    }

    /** The address has led there, as far as the {@code server_id} tells. */
    @Test
    void anOffsetWithinAnEventThatMayBeOfAnotherServerIsReadByTime() throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, withoutGtids);
        BinlogPosition within = withinLast(withoutGtids);
        SourceServer unknown = new SourceServer(ADDRESS.host(), ADDRESS.port(), "");
        SourceServer known = new SourceServer(ADDRESS.host(), ADDRESS.port(), source.identity());
        StartFinder only = finder(source, new ConfiguredStart.Newest(), true);
        StartFinder oneOfTwo = finder(source, new ConfiguredStart.Newest(), false);
        long read = (BEGUN + 20) * 1000;

        assertThat(only.from(new Cursor(unknown, within, "", 8, read, null)).position())
                .isEqualTo(endOf(withoutGtids, 1));
        requireWrongOffset(() -> only.from(new Cursor(unknown, within, "", 7, read, null)));
        requireWrongOffset(() -> only.from(new Cursor(known, within, "", 8, read, null)));
        requireWrongOffset(() -> oneOfTwo.from(new Cursor(unknown, within, "", 8, read, null)));
    }

    /** As a cursor that canal wrote, after a fail-over behind one address: an offset of this server may be none of what was read. */
    @Test
    void theRemedyOfAnOffsetThatMayBeOfAnotherServerNamesTheTime() {
        OneBinlog source = new OneBinlog(ADDRESS, withoutGtids);
        BinlogPosition within = withinLast(withoutGtids);
        SourceServer unknown = new SourceServer(ADDRESS.host(), ADDRESS.port(), "");
        SourceServer known = new SourceServer(ADDRESS.host(), ADDRESS.port(), source.identity());
        StartFinder only = finder(source, new ConfiguredStart.Newest(), true);
        StartFinder oneOfTwo = finder(source, new ConfiguredStart.Newest(), false);
        long read = (BEGUN + 20) * 1000;
        String byTime = "cursor set DESTINATION --time 2023-11-14T22:13:40Z --restart";

        assertThat(remedy(() -> oneOfTwo.from(new Cursor(unknown, within, "", 8, read, null))))
                .as("another server_id")
                .contains(byTime, "--to " + within.file());
        assertThat(remedy(() -> only.from(new Cursor(unknown, within, "", 0, read, null))))
                .as("no server_id")
                .contains(byTime);
        assertThat(remedy(() -> only.from(new Cursor(unknown, within, "", 0, 0, null))))
                .as("no time")
                .contains("cursor set DESTINATION --time T --restart", "T is before");
        assertThat(remedy(() -> only.from(new Cursor(unknown, within, "", 7, read, null))))
                .as("the same server_id")
                .doesNotContain("--time");
        assertThat(remedy(() -> oneOfTwo.from(new Cursor(known, within, "", 8, read, null))))
                .as("the same server")
                .doesNotContain("--time");
        assertThat(remedy(finder(source, new ConfiguredStart.At(within, null), true)::fromConfiguration))
                .as("a configured position")
                .contains("canal.instance.master.timestamp");
    }

    private static String remedy(ThrowableAssert.ThrowingCallable start) {
        return catchThrowableOfType(SourceException.class, start).remedy();
    }

    /** The events of a replica have the {@code server_id} of its source, which a position of the replica has, too. */
    @Test
    void anOffsetWithinAnEventOfAReplicaIsNotTakenForOneOfAnotherServer() {
        SyntheticBinlog replica = new SyntheticBinlog(
                Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), BEGUN, false);
        replica.writeAs(8);
        replica.advance(10);
        writeTables(replica, 2);
        replica.writeAs(9); // as after a change of its source
        writeTables(replica, 1);
        SourceServer unknown = new SourceServer(ADDRESS.host(), ADDRESS.port(), "");
        StartFinder only = finder(new OneBinlog(ADDRESS, replica), new ConfiguredStart.Newest(), true);
        long read = (BEGUN + 20) * 1000;

        requireWrongOffset(() -> only.from(new Cursor(unknown, withinLast(replica), "", 8, read, null)));
    }

    /** What a purged binlog leads to may lose changes. */
    @Test
    void anOffsetWithinAnEventIsNoPurgedBinlogIfTheBinlogDoesNotGoBackToItsTime() {
        PositionOptions early = new PositionOptions(false, true, true, Duration.ofDays(1));
        withoutGtids.rotate();
        withoutGtids.purge(withoutGtids.fileNames().size() - 1);
        writeTables(withoutGtids, 1);
        OneBinlog source = new OneBinlog(ADDRESS, withoutGtids);
        StartFinder only = new StartFinder(
                "shop",
                early,
                new ConfiguredStart.Newest(),
                true,
                source,
                source,
                source.hasGtids(),
                () -> 0,
                new OffsetCheck());
        SourceServer unknown = new SourceServer(ADDRESS.host(), ADDRESS.port(), "");
        long read = withoutGtids.seconds() * 1000;

        requireWrongOffset(() -> only.from(new Cursor(unknown, withinLast(withoutGtids), "", 8, read, null)));
        assertThat(remedy(() -> only.from(new Cursor(unknown, withinLast(withoutGtids), "", 8, read, null))))
                .contains("--to oldest");
    }

    /** It became the source, and began another file, whose time is before the begin of the history: its clock is behind. */
    @Test
    void whatAnotherServerHasWrittenIsNotTakenToBeFromBeforeTheHistory() throws IOException {
        SyntheticBinlog binlog = writtenByTwo(-25);
        BinlogPosition unread = endOf(binlog, 3);

        DumpStart start =
                byTime(binlog, BEGUN + 11).since(new LastEvent((BEGUN + 30) * 1000, 7), "the server is another one");

        assertThat(start.position().isBefore(unread)).isTrue();
        assertThat(start.position()).isEqualTo(endOf(binlog, 1));
        assertThat(start.timeMillis()).isEqualTo((BEGUN + 12) * 1000);
    }

    @ParameterizedTest
    @CsvSource({"7, 10, 0", "0, 30, 0", "8, 30, 0", "7, 30, 1"})
    void whatWasWrittenBeforeTheHistoryIsPassedIfALaterTransactionOfThatServerWasRead(
            long writer, long read, int passed) throws IOException {
        SyntheticBinlog binlog = writtenByTwo(0);

        DumpStart start = byTime(binlog, BEGUN + 11)
                .since(new LastEvent((BEGUN + read) * 1000, writer), "the server is another one");

        assertThat(start.position())
                .isEqualTo(
                        passed == 0
                                ? new BinlogPosition(
                                        binlog.fileNames().get(0),
                                        binlog.transactions().get(0).start())
                                : endOf(binlog, passed));
        assertThat(start.lastEvent().serverId())
                .as("all that it wrote before the time was read; what the server that is read wrote may not have been")
                .isEqualTo(writer);
    }

    /** Otherwise the next server would be read from the begin of the file on. */
    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_ANONYMOUS", "MYSQL_GTID"})
    void aConfiguredPositionHasTheTimeOfTheEventBeforeIt(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        binlog.writeAs(8);
        binlog.advance(10);
        writeTables(binlog, 1);
        long seconds = binlog.seconds();
        binlog.writeAs(9);
        binlog.advance(-5); // a statement that began before the one before it, and has ended after that
        writeTables(binlog, 1);

        DumpStart start =
                finder(binlog, new ConfiguredStart.At(endOf(binlog, 4), null)).fromConfiguration();

        assertThat(start.position()).isEqualTo(endOf(binlog, 4));
        assertThat(start.timeMillis())
                .as("by GTIDs, of what was read")
                .isEqualTo((flavour.hasGtids() ? seconds : seconds - 5) * 1000);
        assertThat(start.lastEvent().serverId()).isEqualTo(8);
        assertThat(start.fileBegunSeconds()).isEqualTo(BEGUN);
    }

    /** Otherwise a server that is read from the time on, since there are no GTIDs, would be read from after a long statement. */
    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_ANONYMOUS", "MYSQL_GTID"})
    void aConfiguredPositionWithGtidsHasThatTimeToo(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        long seconds = binlog.seconds();
        binlog.advance(-5);
        writeTables(binlog, 1);

        DumpStart start = finder(
                        binlog, new ConfiguredStart.At(endOf(binlog, 3), "323b686a-e4de-11f1-8f50-02fc00000001:1-3"))
                .fromConfiguration();

        assertThat(start.byGtids()).isEqualTo(flavour.hasGtids());
        assertThat(start.timeMillis()).isEqualTo((flavour.hasGtids() ? seconds : seconds - 5) * 1000);
    }

    /** What is before the position is not to be read. */
    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_ANONYMOUS", "MYSQL_GTID"})
    void anEventBeforeAConfiguredPositionThatCannotBeReadKeepsNoStartThere(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        BinlogPosition position = endOf(binlog, 3);
        BinlogScan damaged = new ScanOnly() {
            @Override
            public void scan(String file, Visitor visitor) throws IOException {
                boolean[] isReached = {false};
                SyntheticScan.scan(binlog, file, (header, body, start, end) -> {
                    isReached[0] = start >= startOf(binlog, 2);
                    return !isReached[0] && visitor.visit(header, body, start, end);
                });
                if (isReached[0]) {
                    throw new IOException("an event cannot be read", new MalformedEventException("damaged"));
                }
            }
        };
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        ConfiguredStart configured = new ConfiguredStart.At(position, null);

        DumpStart start = new StartFinder(
                        "shop",
                        SHOWN,
                        configured,
                        false,
                        source,
                        damaged,
                        source.hasGtids(),
                        () -> 0,
                        new OffsetCheck())
                .fromConfiguration();

        requireByFile(start, position);
        assertThat(start.timeMillis()).isEqualTo(BEGUN * 1000);
        assertThat(start.fileBegunSeconds()).isEqualTo(BEGUN);
    }

    @Test
    void aConfiguredPositionAtTheBeginOfAFileHasTheTimeOfThat() throws IOException {
        DumpStart start = configured(new ConfiguredStart.Earliest());

        assertThat(start.timeMillis()).isEqualTo(BEGUN * 1000);
        assertThat(start.lastEvent().serverId()).isEqualTo(7);
    }

    /** Of the server that was read it has nothing after the begin of the history. */
    @Test
    void whatAnotherServerHasWrittenAfterAllThatIsPassedIsReadFromThere() throws IOException {
        SyntheticBinlog binlog = writtenByTwo(-25);

        DumpStart start =
                byTime(binlog, BEGUN + 41).since(new LastEvent((BEGUN + 50) * 1000, 7), "the server is another one");

        assertThat(start.position()).isEqualTo(new BinlogPosition(binlog.newestFile(), startOf(binlog, 4)));
        assertThat(start.timeMillis()).isEqualTo((BEGUN - 10) * 1000);
    }

    /** Its oldest file was begun after the time that is searched, and before the begin of the history. */
    @ParameterizedTest
    @CsvSource({"7, 11", "7, 10"})
    void aBinlogThatBeginsBeforeTheHistoryHasAllThatIsNeeded(long writer, long history) throws IOException {
        SyntheticBinlog binlog = purgedBefore();

        DumpStart start = byTime(binlog, BEGUN + history)
                .since(new LastEvent((BEGUN + 30) * 1000, writer), "the server is another one");

        assertThat(start.position()).isEqualTo(endOf(binlog, 2));
    }

    @ParameterizedTest
    @CsvSource({"7, 9", "8, 11", "0, 11", "7, 31"})
    void aBinlogOfWhichMoreMayBePurgedIsNotRead(long writer, long history) {
        SyntheticBinlog binlog = purgedBefore();
        StartFinder finder = byTime(binlog, BEGUN + history);

        assertThatThrownBy(() -> finder.since(new LastEvent((BEGUN + 30) * 1000, writer), "the server is another one"))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("but its binlog begins later");
    }

    /** With log_slave_updates=OFF, the default of MySQL 5.7, nothing of what the former source wrote is in its binlog. */
    @Test
    void aReplicaThatDoesNotLogWhatItReplicatesIsNotReadInPlaceOfAnotherServer() {
        StartFinder finder = finder(NOT_LOGGING_REPLICA, new ConfiguredStart.Newest());
        Cursor elsewhere =
                new Cursor("other", ADDRESS.port(), new BinlogPosition("binlog.000001", 4), "", 7, (BEGUN + 20) * 1000);
        Cursor timeOnly = new Cursor("other", ADDRESS.port(), BinlogPosition.UNKNOWN, "", 7, (BEGUN + 20) * 1000);
        StartFinder configured = finder(NOT_LOGGING_REPLICA, new ConfiguredStart.Earliest());

        requireNotLogging(() -> finder.since(new LastEvent((BEGUN + 20) * 1000, 7), "the server is another one"));
        requireNotLogging(() -> finder.from(elsewhere));
        requireNotLogging(() -> finder.from(timeOnly));
        requireNotLogging(() -> finder.fromConfigurationOrSince((BEGUN + 20) * 1000));
        requireNotLogging(() -> configured.fromConfigurationOrSince((BEGUN + 20) * 1000));
    }

    /** A promoted server has what clients change on it from then on. */
    @Test
    void aServerThatReplicatesNoMoreIsReadInPlaceOfAnotherOne() throws IOException {
        StartFinder finder = finder(notLogging(Replication.NONE, false), new ConfiguredStart.Newest());

        assertThat(finder.since(new LastEvent((BEGUN + 20) * 1000, 7), "the server is another one")
                        .position())
                .isNotNull();
    }

    /** A server that clients write to, as one of two that replicate from each other, or one that was promoted and keeps its configuration as a replica. */
    @ParameterizedTest
    @CsvSource({"HALTED, false, false", "HALTED, false, true", "RUNNING, false, true"})
    void aWriterThatIsConfiguredAsAReplicaIsReadInPlaceOfAnotherServer(
            Replication replication, boolean isReadOnly, boolean isOnlyHost) throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, withoutGtids, notLogging(replication, isReadOnly));
        StartFinder finder = finder(source, new ConfiguredStart.Newest(), isOnlyHost);

        assertThat(finder.since(new LastEvent((BEGUN + 20) * 1000, 7), "the server is another one")
                        .position())
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({"HALTED, true, true", "RUNNING, true, true", "RUNNING, false, false"})
    void aReplicaThatIsNoWriterIsNot(Replication replication, boolean isReadOnly, boolean isOnlyHost) {
        OneBinlog source = new OneBinlog(ADDRESS, withoutGtids, notLogging(replication, isReadOnly));
        StartFinder finder = finder(source, new ConfiguredStart.Newest(), isOnlyHost);

        requireNotLogging(() -> finder.since(new LastEvent((BEGUN + 20) * 1000, 7), "the server is another one"));
    }

    /** What clients write to the other nodes would never come. */
    @Test
    void aNodeOfAClusterThatDoesNotLogWhatTheOthersWriteIsNot() {
        OneBinlog source = new OneBinlog(ADDRESS, withoutGtids, notLogging(Replication.MEMBER, false));
        StartFinder finder = finder(source, new ConfiguredStart.Newest(), true);

        assertThatThrownBy(() -> finder.since(new LastEvent((BEGUN + 20) * 1000, 7), "the server is another one"))
                .isInstanceOfSatisfying(SourceException.class, e -> {
                    assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
                    assertThat(e.remedy()).contains("on all nodes").doesNotContain("RESET");
                });
    }

    /** MariaDB shows that to accounts with SLAVE MONITOR only. */
    @Test
    void aServerThatDoesNotTellWhetherItReplicatesIsReadIfItTakesWritesAndThereIsNoOther() throws IOException {
        ConfiguredStart newest = new ConfiguredStart.Newest();
        OneBinlog writer = new OneBinlog(ADDRESS, withoutGtids, notLogging(Replication.NONE, false));
        OneBinlog reader = new OneBinlog(ADDRESS, withoutGtids, notLogging(Replication.RUNNING, true));

        assertThat(finder(newest, true, untold(writer), writer)
                        .since(new LastEvent((BEGUN + 20) * 1000, 7), "the server is another one")
                        .position())
                .isNotNull();
        for (StartFinder refusing :
                List.of(finder(newest, false, untold(writer), writer), finder(newest, true, untold(reader), reader))) {
            assertThatThrownBy(() -> refusing.since(new LastEvent((BEGUN + 20) * 1000, 7), "the server is another one"))
                    .isInstanceOfSatisfying(SourceException.class, e -> {
                        assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
                        assertThat(e.remedy()).contains("grant the account");
                    });
        }
    }

    /** The facts of a server, but for how it replicates. */
    private static ServerFacts untold(OneBinlog server) {
        return (ServerFacts) Proxy.newProxyInstance(
                ServerFacts.class.getClassLoader(), new Class<?>[] {ServerFacts.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("replication")
                            || method.getName().equals("isReplica")) {
                        throw new ServerErrorException("SHOW ALL SLAVES STATUS", 1227, "42000", "Access denied", "");
                    }
                    return method.invoke(server, arguments);
                });
    }

    /** It may be that only what is changed on it directly is wanted. */
    @Test
    void readingBeginsAtAReplicaThatDoesNotLogWhatItReplicates() throws IOException {
        StartFinder finder = finder(NOT_LOGGING_REPLICA, new ConfiguredStart.Earliest());
        BinlogPosition end = new BinlogPosition(withoutGtids.newestFile(), withoutGtids.end());
        Cursor timeOnly =
                new Cursor(ADDRESS.host(), ADDRESS.port(), BinlogPosition.UNKNOWN, "", 7, (BEGUN + 20) * 1000);

        assertThat(finder.fromConfiguration().position()).isNotNull();
        assertThat(finder.from(cursor(end)).position()).isEqualTo(end);
        assertThat(finder.from(timeOnly).position()).isNotNull();
    }

    /** The nodes number transactions by themselves: the same GTID may be another transaction on the next one. */
    @Test
    void gtidsOfANodeOfAGaleraClusterAreContinuedThereOnly() throws IOException {
        String node = GaleraNode.identity("server 1 at db:3306", "n1", true);
        String next = GaleraNode.identity("server 1 at db:3306", "n2", true);
        SyntheticBinlog binlog = binlog(Flavour.MARIADB);
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        Cursor cursor = new Cursor(
                new SourceServer(ADDRESS.host(), ADDRESS.port(), node),
                end,
                binlog.executed(),
                7,
                (BEGUN + 20) * 1000,
                null,
                0);

        DumpStart there = galera(binlog, node).from(cursor);
        DumpStart elsewhere = galera(binlog, next).from(cursor);

        assertThat(there.position()).isEqualTo(end);
        assertThat(there.executed()).hasToString(binlog.executed());
        assertThat(elsewhere.position()).as("by time").isEqualTo(endOf(binlog, 1));
        assertThat(elsewhere.executed()).as("those before it on this node").isNotEqualTo(there.executed());
    }

    private static StartFinder galera(SyntheticBinlog binlog, String identity) {
        OneBinlog source = new OneBinlog(ADDRESS, binlog, OneBinlog.Role.of(identity));
        return new StartFinder(
                "shop", SHOWN, new ConfiguredStart.Newest(), false, source, source, true, () -> 0, new OffsetCheck());
    }

    private static void requireNotLogging(ThrowableAssert.ThrowingCallable start) {
        assertThatThrownBy(start).isInstanceOfSatisfying(SourceException.class, e -> {
            assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
            assertThat(e.remedy()).contains("log_replica_updates=ON", "RESET REPLICA ALL");
        });
    }

    private static BinlogPosition withinLast(SyntheticBinlog binlog) {
        return new BinlogPosition(binlog.newestFile(), binlog.end() - 1);
    }

    private static void requireWrongOffset(ThrowableAssert.ThrowingCallable start) {
        assertThatThrownBy(start).isInstanceOfSatisfying(SourceException.class, e -> {
            assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED);
            assertThat(e).hasMessageContaining("no event of").hasMessageContaining("begins at");
        });
    }

    private StartFinder finder(OneBinlog.Role role, ConfiguredStart start) {
        return finder(new OneBinlog(ADDRESS, withoutGtids, role), start, false);
    }

    private static StartFinder finder(OneBinlog source, ConfiguredStart start, boolean isOnlyHost) {
        return finder(start, isOnlyHost, source, source);
    }

    private static StartFinder finder(ConfiguredStart start, boolean isOnlyHost, ServerFacts facts, BinlogScan scan) {
        return new StartFinder("shop", SHOWN, start, isOnlyHost, facts, scan, false, () -> 0, new OffsetCheck());
    }

    private static OneBinlog.Role notLogging(Replication replication, boolean isReadOnly) {
        return new OneBinlog.Role(true, replication, isReadOnly, false, "");
    }

    /** A transaction of a file that is gone, and three, ten seconds apart, in the next one. */
    private static SyntheticBinlog purgedBefore() {
        SyntheticBinlog binlog = new SyntheticBinlog(
                Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), BEGUN, false);
        writeTables(binlog, 1);
        binlog.rotate();
        binlog.purge(1);
        for (int i = 0; i < 3; i++) {
            binlog.advance(10);
            writeTables(binlog, 1);
        }
        return binlog;
    }

    /** Three transactions of the one, ten seconds apart, and two in another file. */
    private static SyntheticBinlog writtenByTwo(long clock) {
        SyntheticBinlog binlog = binlog(Flavour.MYSQL_ANONYMOUS);
        binlog.writeAs(8);
        binlog.advance(clock);
        binlog.rotate();
        writeTables(binlog, 2);
        return binlog;
    }

    private static void writeTables(SyntheticBinlog binlog, int count) {
        for (int i = 0; i < count; i++) {
            binlog.open(0);
            binlog.query("shop", "CREATE TABLE d_%d (id int)".formatted(i));
            binlog.close();
        }
    }

    private static BinlogPosition endOf(SyntheticBinlog binlog, int transaction) {
        SyntheticBinlog.Transaction of = binlog.transactions().get(transaction - 1);
        return new BinlogPosition(of.file(), of.end());
    }

    private static long startOf(SyntheticBinlog binlog, int transaction) {
        return binlog.transactions().get(transaction - 1).start();
    }

    private static StartFinder byTime(SyntheticBinlog binlog, long historySeconds) {
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        PositionOptions rules = new PositionOptions(false, false, false, Duration.ofSeconds(60));
        return new StartFinder(
                "shop",
                rules,
                new ConfiguredStart.Newest(),
                false,
                source,
                source,
                false,
                () -> historySeconds * 1000,
                new OffsetCheck());
    }

    private DumpStart configured(ConfiguredStart start) throws IOException {
        return finder(withoutGtids, start).fromConfiguration();
    }

    private static void requireByFile(DumpStart start, BinlogPosition position) {
        assertThat(start.position()).isEqualTo(position);
        assertThat(start.executed()).isNull();
        assertThat(start.byGtids()).isFalse();
    }

    private static StartFinder finder(SyntheticBinlog binlog, ConfiguredStart start) {
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        return new StartFinder(
                "shop", SHOWN, start, false, source, source, source.hasGtids(), () -> 0, new OffsetCheck());
    }

    private static Cursor cursor(BinlogPosition position) {
        return new Cursor(ADDRESS.host(), ADDRESS.port(), position, "", 7, BEGUN * 1000);
    }

    private static SyntheticBinlog binlog(Flavour flavour) {
        UUID server = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, server, BEGUN, false);
        RandomTransactions transactions = new RandomTransactions(binlog, new Random(1));
        for (int i = 0; i < 3; i++) {
            binlog.advance(10);
            transactions.write(Form.ROWS);
        }
        return binlog;
    }
}
