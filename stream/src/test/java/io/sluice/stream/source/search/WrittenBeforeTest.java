package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.OneBinlog;
import io.sluice.testkit.binlog.RandomTransactions;
import io.sluice.testkit.binlog.RandomTransactions.Form;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Event;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WrittenBeforeTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final long BEGUN = 1_700_000_000;

    @ParameterizedTest
    @EnumSource(Flavour.class)
    void returnsWhenTheEventBeforeEachPositionWasWritten(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, SERVER, BEGUN, false);
        RandomTransactions transactions = new RandomTransactions(binlog, new Random(1));
        for (int i = 0; i < 3; i++) {
            binlog.advance(10);
            transactions.write(Form.ROWS);
        }
        long seconds = BEGUN;
        for (Event event : binlog.events(binlog.newestFile())) {
            assertThat(before(binlog, event.start())).isEqualTo(new WrittenBefore(7, seconds, seconds, BEGUN));
            seconds = EventHeader.read(event.bytes(), 0, event.bytes().length).timestampSeconds();
        }
        assertThat(before(binlog, binlog.end()).seconds()).isGreaterThanOrEqualTo(BEGUN + 30);
    }

    /** Then it may be a position of another file of that name. */
    @Test
    void aFileThatEndsBeforeAPositionIsNotKnownToBeItsOwn() throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 7, SERVER, BEGUN, false);

        assertThat(before(binlog, binlog.end() + 1)).isEqualTo(new WrittenBefore(7, BEGUN, BEGUN, 0));
    }

    /** It began before the one before it, and has ended after that. */
    @Test
    void aStartIsNotLaterThanALongStatementAfterIt() throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 7, SERVER, BEGUN, false);
        long head = binlog.end();
        binlog.writeAs(8);
        binlog.advance(-20);
        writeTable(binlog);
        long between = binlog.end();
        binlog.writeAs(9);
        binlog.advance(50);
        writeTable(binlog);

        assertThat(before(binlog, head)).isEqualTo(new WrittenBefore(7, BEGUN, BEGUN - 20, BEGUN));
        assertThat(before(binlog, between)).isEqualTo(new WrittenBefore(8, BEGUN - 20, BEGUN - 20, BEGUN));
        assertThat(before(binlog, binlog.end())).isEqualTo(new WrittenBefore(9, BEGUN + 30, BEGUN + 30, BEGUN));
    }

    private static void writeTable(SyntheticBinlog binlog) {
        binlog.open(0);
        binlog.query("shop", "create table t (id int)");
        binlog.close();
    }

    private static WrittenBefore before(SyntheticBinlog binlog, long offset) throws IOException {
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);
        return WrittenBefore.of(new BinlogPosition(binlog.newestFile(), offset), source);
    }
}
