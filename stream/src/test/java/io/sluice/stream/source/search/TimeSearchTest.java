package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.ScanOnly;
import io.sluice.stream.source.SyntheticScan;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TimeSearchTest {
    private static final long BEGUN = 1_700_000_000;
    private static final int SECONDS_OF_FILE = 100;
    private static final int FILES = 7;

    /** Each file begins so many seconds after the one before, and has one transaction, ten seconds later. */
    private static SyntheticBinlog binlog() {
        UUID server = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
        SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 1, server, BEGUN, false);
        for (int i = 0; i < FILES; i++) {
            if (i > 0) {
                binlog.rotate();
            }
            binlog.advance(10);
            binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
            binlog.query("shop", "create table t" + i + " (id int)");
            binlog.close();
            binlog.advance(SECONDS_OF_FILE - 10);
        }
        return binlog;
    }

    /** The time is in seconds: what was written in the second up to which transactions are passed may not have been read. */
    @Test
    void aTransactionOfTheSecondUpToWhichOthersArePassedIsFound() throws IOException {
        SyntheticBinlog binlog = binlog();
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);
        long second = BEGUN + 2 * SECONDS_OF_FILE + 10;

        TimeSearch.Found found = new TimeSearch(new UnsentFiles(binlog, 0), source.files(), BEGUN + 5)
                .find(BEGUN + FILES * SECONDS_OF_FILE, new TimeSearch.Passed(1, second));

        assertThat(found.point().file()).isEqualTo(source.files().get(2).name());
        assertThat(found.seconds()).isEqualTo(second);
    }

    @Test
    void aTransactionOfTheWantedSecondIsFound() throws IOException {
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog());

        TimeSearch.Found found = new TimeSearch(source, source.files(), BEGUN + SECONDS_OF_FILE + 10).find();

        assertThat(found.point().file()).isEqualTo(source.files().get(1).name());
        assertThat(found.reachesBack()).isTrue();
    }

    /** Of the numbers that end with 1, one is that of the first file. */
    @Test
    void aBinlogThatBeginsWithTheEleventhFileDoesNotReachBack() throws IOException {
        SyntheticBinlog binlog = binlog();
        for (int file = FILES; file < 11; file++) {
            binlog.rotate();
        }
        binlog.purge(10);
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);
        assertThat(source.files().get(0).name()).endsWith(".000011");

        assertThat(new TimeSearch(source, source.files(), BEGUN).find().reachesBack())
                .isFalse();
    }

    /** A replica writes transactions with the times of its source, whose clock may be ahead of its own. */
    @Test
    void aTransactionIsFoundThoughTheNextFileWasBegunBeforeByAnotherClock() throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(
                Flavour.MYSQL_GTID, 1, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), BEGUN, false);
        binlog.advance(50);
        transaction(binlog, 1);
        binlog.advance(-30);
        binlog.rotate();
        binlog.advance(35);
        transaction(binlog, 2);
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);

        TimeSearch.Found found = new TimeSearch(new UnsentFiles(binlog, 0), source.files(), BEGUN + 45).find();

        assertThat(found.point().file()).isEqualTo(source.files().get(0).name());
        assertThat(found.reachesBack()).isTrue();
    }

    private static void transaction(SyntheticBinlog binlog, int number) {
        binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
        binlog.query("shop", "create table t" + number + " (id int)");
        binlog.close();
    }

    /** It may have been made from a copy of the data after that event. */
    @Test
    void aBinlogThatWasNeverPurgedReachesBackOnlyToAnEventThatIsNotOlder() throws IOException {
        SyntheticBinlog binlog = binlog();
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);
        TimeSearch search = new TimeSearch(new UnsentFiles(binlog, 0), source.files(), BEGUN - 60);

        assertThat(search.find(BEGUN - 1, TimeSearch.Passed.NONE).reachesBack()).isFalse();
        assertThat(search.find(BEGUN, TimeSearch.Passed.NONE).reachesBack()).isTrue();
    }

    /** The transactions of the first files have no GTID, and gtid_mode is ON now: the server does not send them, whoever reads the files. */
    @Test
    void filesThatAreNotSentArePassedIfTheyAreOlder() throws IOException {
        SyntheticBinlog binlog = binlog();
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);
        UnsentFiles scan = new UnsentFiles(binlog, 4);

        for (int file = 4; file < FILES - 1; file++) {
            TimeSearch.Found found =
                    new TimeSearch(scan, source.files(), BEGUN + (long) file * SECONDS_OF_FILE + 15).find();

            assertThat(found.point().file())
                    .isEqualTo(source.files().get(file + 1).name());
            assertThat(found.reachesBack()).isTrue();
        }
        TimeSearch within = new TimeSearch(scan, source.files(), BEGUN + 3 * SECONDS_OF_FILE + 15);
        assertThatThrownBy(within::find)
                .isInstanceOf(ServerErrorException.class)
                .hasMessageContaining("anonymous transaction");
    }

    /** The oldest files are sent up to their first transaction. */
    private static final class UnsentFiles extends ScanOnly {
        private final SyntheticBinlog binlog;
        private final int unsent;

        UnsentFiles(SyntheticBinlog binlog, int unsent) {
            this.binlog = binlog;
            this.unsent = unsent;
        }

        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            boolean isUnsent = binlog.fileNames().indexOf(file) < unsent;
            SyntheticScan.scan(binlog, file, (header, start) -> isUnsent && header.code() == EventCode.GTID, visitor);
        }
    }
}
