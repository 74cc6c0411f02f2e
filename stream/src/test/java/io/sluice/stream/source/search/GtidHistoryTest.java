package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.log.LogLines;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GtidHistoryTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final long BEGUN = 1_700_000_000;
    private static final int TRANSACTIONS = 5;
    private static final long NOT_READ = 0;

    /** The first transaction of a file that is begun at {@link #BEGUN} follows ten seconds later, each other one a second. */
    private static SyntheticBinlog binlog(Flavour flavour) {
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 1, SERVER, BEGUN, false);
        binlog.advance(10);
        write(binlog);
        return binlog;
    }

    private static void write(SyntheticBinlog binlog) {
        for (int i = 0; i < TRANSACTIONS; i++) {
            binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
            binlog.query("shop", "create table t" + i + " (id int)");
            binlog.close();
            binlog.advance(1);
        }
    }

    private static String upTo(Flavour flavour, int number) {
        return flavour.isMariaDb() ? "0-1-" + number : SERVER + ":1-" + number;
    }

    private static DumpStart elsewhere(String read) {
        return DumpStart.after(null, GtidSet.parse(read), new LastEvent(0, 1));
    }

    private static DumpStart at(String read, String file, long offset, long begunSeconds) {
        return DumpStart.after(new BinlogPosition(file, offset), GtidSet.parse(read), new LastEvent(0, 1))
                .inFileBegunAt(begunSeconds);
    }

    private static void assertPasses(SyntheticBinlog binlog, DumpStart start, long readSeconds) throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        assertThat(new DumpCheck("shop").require(start, readSeconds * 1000, source, source))
                .isEqualTo(start);
    }

    private static void assertDiverged(SyntheticBinlog binlog, DumpStart start, long readSeconds, String message) {
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        assertThatThrownBy(() -> new DumpCheck("shop").require(start, readSeconds * 1000, source, source))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.DIVERGED))
                .hasMessageContaining(message);
    }

    /** Its positions and GTIDs would be taken for those of the new binlog. */
    @Test
    void theSchemaHistoryIsToBeRemovedToo() {
        OneBinlog source = new OneBinlog(ADDRESS, binlog(Flavour.MYSQL_GTID));
        DumpStart start = elsewhere(upTo(Flavour.MYSQL_GTID, 3));

        assertThatThrownBy(() -> new DumpCheck("shop").require(start, (BEGUN - 1) * 1000, source, source))
                .isInstanceOfSatisfying(
                        SourceException.class,
                        e -> assertThat(FailureClassifier.remedy(e))
                                .contains("remove its schema history", "--to oldest"));
    }

    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void gtidsOfNewerTransactionsWereGivenAgain(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        String read = upTo(flavour, 3);
        String file = binlog.newestFile();

        assertDiverged(binlog, elsewhere(read), BEGUN - 1, "GTIDs were given again");
        assertDiverged(binlog, elsewhere(read), BEGUN + 9, file + ":");
        assertPasses(binlog, elsewhere(read), BEGUN + 10); // the first of them may be one that was read
        assertPasses(binlog, elsewhere(read), BEGUN + 12);
        assertPasses(binlog, elsewhere(read), NOT_READ);
        assertPasses(binlog, elsewhere(""), BEGUN - 1);

        assertDiverged(binlog, at(read, file, 200, BEGUN - 100), BEGUN - 1, "GTIDs were given again");
        assertDiverged(binlog, at(read, "binlog.000009", 200, BEGUN), BEGUN - 1, "GTIDs were given again");
        assertPasses(binlog, at(read, file, 200, BEGUN), BEGUN - 1); // the file that was read, by a clock that was set
        assertDiverged(binlog, at(read, file, 200, 0), BEGUN - 1, "GTIDs were given again");
    }

    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void onlyTransactionsThatWereReadCount(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        binlog.rotate();
        write(binlog);

        binlog.purge(1);

        assertPasses(binlog, elsewhere(upTo(flavour, TRANSACTIONS)), BEGUN - 1); // all of it is before the oldest file
        assertDiverged(binlog, elsewhere(upTo(flavour, TRANSACTIONS + 1)), BEGUN - 1, "GTIDs were given again");
        assertPasses(binlog, elsewhere(upTo(flavour, TRANSACTIONS + 1)), BEGUN + 15);
    }

    /** After a crash the next file begins with numbers that were in the lost end of the one before; a replica may get the same again. */
    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void aFileThatLostItsEndIsContinuedInTheNext(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        String file = binlog.newestFile();
        long end = binlog.end();
        String read = upTo(flavour, TRANSACTIONS + 2);
        assertPasses(binlog, at(upTo(flavour, TRANSACTIONS), file, end + 1, BEGUN), BEGUN + 14); // not shown yet
        binlog.crash();
        binlog.advance(60);
        write(binlog);

        assertDiverged(binlog, at(read, file, end + 1, BEGUN), BEGUN + 16, "GTIDs were given again");
        assertPasses(binlog, at(read, file, end + 1, BEGUN), BEGUN + 80);
        assertPasses(binlog, at(read, file, end, BEGUN), BEGUN + 16);
    }

    /** Its old files are those that were read, and the one that was read last is gone, or another one has its name. */
    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void aServerThatWasRestoredWithItsOldFilesHasGivenGtidsAgain(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        binlog.advance(60);
        binlog.rotate();
        write(binlog);
        binlog.rotate();
        write(binlog);
        String read = upTo(flavour, TRANSACTIONS + 3);
        long readSeconds = BEGUN + 30;

        assertDiverged(binlog, at(read, "binlog.000002", 200, BEGUN + 20), readSeconds, "GTIDs were given again");
        assertDiverged(binlog, at(read, "binlog.000009", 200, BEGUN + 20), readSeconds, "binlog.000002:");
        assertPasses(
                binlog, at(read, "binlog.000009", 200, BEGUN + 20), BEGUN + 77); // the time of the third of that file
        assertPasses(binlog, elsewhere(read), readSeconds); // the clocks of two servers may differ
    }

    /** On MariaDB that takes SLAVE MONITOR. */
    @Test
    void aServerThatMayNotBeAskedWhetherItIsAReplicaIsTakenForOne() throws IOException {
        SyntheticBinlog binlog = binlog(Flavour.MARIADB);
        binlog.advance(60);
        binlog.rotate();
        write(binlog);
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        ServerFacts withoutPrivilege = (ServerFacts) Proxy.newProxyInstance(
                ServerFacts.class.getClassLoader(), new Class<?>[] {ServerFacts.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isReplica")) {
                        throw ServerErrors.denied("SLAVE MONITOR");
                    }
                    return method.invoke(source, arguments);
                });
        DumpStart start = at(upTo(Flavour.MARIADB, TRANSACTIONS + 3), "binlog.000009", 200, BEGUN + 20);
        try (LogLines lines = LogLines.of(DumpCheck.class)) {
            assertThat(new DumpCheck("shop").require(start, (BEGUN + 30) * 1000, withoutPrivilege, source))
                    .isEqualTo(start);
            assertThat(lines.texts()).as("no other privilege is missing").isEmpty();
        }
    }

    @Test
    void aServerThatDoesNotShowItsFilesIsRead() throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, binlog(Flavour.MYSQL_GTID));
        DumpStart start = at(upTo(Flavour.MYSQL_GTID, 3), "binlog.000001", 200, BEGUN);
        for (String refusal : new String[] {"this proxy sends the binlog by GTIDs only", "first log file name"}) {
            RefusedScan refusing = (file, visitor) -> {
                throw ServerErrors.unreadable(refusal);
            };

            assertThat(new DumpCheck("shop").require(start, (BEGUN - 1) * 1000, source, refusing))
                    .isEqualTo(start);
        }
    }

    /** The scan of a server that sends no single file. */
    private interface RefusedScan extends BinlogScan {
        @Override
        default EventSource read(BinlogPosition from) {
            throw new UnsupportedOperationException();
        }

        @Override
        default void abort() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"0-1-3,7-1-9", "7-1-9,0-1-5,8-1-1"})
    void domainsThatTheServerHasDeletedAreLeftOut(String read) throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, binlog(Flavour.MARIADB));
        DumpStart start = at(read, "binlog.000001", 200, BEGUN);

        DumpStart continued = new DumpCheck("shop").require(start, (BEGUN + 12) * 1000, source, source);

        assertThat(String.valueOf(continued.executed())).matches("0-1-[35]");
        assertThat(continued.position()).isEqualTo(start.position());
        assertThat(continued.fileBegunSeconds()).isEqualTo(BEGUN);
    }

    /** It may have lost them, or may still get them. */
    @Test
    void domainsThatAnotherServerDoesNotHaveAreMissing() {
        SyntheticBinlog binlog = binlog(Flavour.MARIADB);
        String message = "does not have the transactions 7-1-9, which were read already";

        assertDiverged(binlog, elsewhere("0-1-3,7-1-9"), BEGUN + 12, message);
        assertDiverged(binlog, elsewhere("0-1-3,7-1-9"), BEGUN + 12, "DELETE_DOMAIN_ID");
        assertDiverged(binlog, at("0-1-3,7-1-9", "binlog.000001", 200, BEGUN - 1), BEGUN + 12, message);
        assertDiverged(binlog, at("7-1-9", "binlog.000001", 200, BEGUN), BEGUN + 12, message);
        assertDiverged(
                binlog,
                at("0-1-6,7-1-9", "binlog.000001", 200, BEGUN),
                BEGUN + 12,
                "does not have the transactions 0-1-6, which");
    }
}
