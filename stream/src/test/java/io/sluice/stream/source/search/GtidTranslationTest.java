package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.OneBinlog;
import io.sluice.testkit.binlog.RandomTransactions;
import io.sluice.testkit.binlog.RandomTransactions.Form;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GtidTranslationTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");

    /** Where a stream begins at the oldest transaction, its first cursor is at the head of a file. */
    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void returnsTheTransactionsBeforeTheHeadOfAFile(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);

        assertHead(binlog, binlog.fileNames().get(0), "");
        assertHead(
                binlog,
                binlog.fileNames().get(1),
                lastOf(binlog.transactions(), binlog.fileNames().get(0)));
    }

    private static void assertHead(SyntheticBinlog binlog, String file, String executed) throws IOException {
        for (Event event : binlog.events(file)) {
            if (event.transaction() > 0) {
                return;
            }
            assertThat(translated(binlog, file, event.start()))
                    .as("at %d", event.start())
                    .hasToString(executed);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void returnsTheTransactionsBeforeEachTransaction(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);

        for (Transaction transaction : binlog.transactions()) {
            assertThat(translated(binlog, transaction.file(), transaction.end()))
                    .hasToString(transaction.gtidsAfter());
        }
    }

    /** Positions of canal are those of events: whether the one that is there was read, the client tells. */
    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void aStatementAtThePositionWasReadIfItWasAcked(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, 1_700_000_000, false);
        for (int number = 1; number <= 2; number++) {
            binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
            binlog.query("shop", "create table t" + number + " (id int)");
            binlog.close();
        }
        Event statement = binlog.events().get(binlog.events().size() - 1);
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);
        BinlogPosition position = new BinlogPosition(statement.file(), statement.start());

        assertThat(GtidTranslation.executedBefore(position, true, source))
                .hasToString(binlog.transactions().get(1).gtidsAfter());
        assertThat(GtidTranslation.executedBefore(position, false, source))
                .hasToString(binlog.transactions().get(0).gtidsAfter());
    }

    /** What is read after it would be taken for executed, or come again. */
    @Test
    void beforeATransactionWithoutAGtidNoSetIsAPosition() throws IOException {
        SyntheticBinlog binlog = binlog(Flavour.MYSQL_ANONYMOUS);
        Transaction first = binlog.transactions().get(0);

        assertThat(translated(binlog, first.file(), first.start())).isNull();
        assertThat(translated(binlog, first.file(), first.end())).isNull();
    }

    private static SyntheticBinlog binlog(Flavour flavour) {
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, 1_700_000_000, false);
        RandomTransactions transactions = new RandomTransactions(binlog, new Random(1));
        transactions.write(Form.ROWS);
        transactions.write(Form.DDL);
        transactions.write(Form.ROTATION);
        transactions.write(Form.ROWS);
        return binlog;
    }

    private static String lastOf(List<Transaction> transactions, String file) {
        String last = "";
        for (Transaction transaction : transactions) {
            last = transaction.file().equals(file) ? transaction.gtidsAfter() : last;
        }
        return last;
    }

    private static GtidSet translated(SyntheticBinlog binlog, String file, long offset) throws IOException {
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);
        return GtidTranslation.executedBefore(new BinlogPosition(file, offset), true, source);
    }
}
