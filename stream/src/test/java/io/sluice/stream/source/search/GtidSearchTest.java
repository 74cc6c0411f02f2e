package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticBinlog.Transaction;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GtidSearchTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final int FILES = 300;

    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void fewOfManyFilesAreReadToFindATransaction(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 1, SERVER, 1_700_000_000, false);
        for (int i = 0; i < FILES; i++) {
            if (i > 0) {
                binlog.rotate();
            }
            binlog.open(SyntheticBinlog.MARIADB_STANDALONE);
            binlog.query("shop", "create table t" + i + " (id int)");
            binlog.close();
        }
        binlog.purge(3);
        OneBinlog source = new OneBinlog(new ServerAddress("db", 3306), binlog);

        for (int seen : new int[] {3, 4, 5, FILES / 2, FILES - 1}) {
            CountingScan scan = new CountingScan(source);
            Transaction next = binlog.transactions().get(seen);
            String set = binlog.transactions().get(seen - 1).gtidsAfter();

            assertThat(GtidSearch.of(set).find(source, scan))
                    .as(set)
                    .isEqualTo(new BinlogPosition(next.file(), next.start()));
            assertThat(scan.asked).as(set).isLessThan(25);
        }
        String purged = binlog.transactions().get(1).gtidsAfter();
        assertThat(GtidSearch.of(purged).find(source, source)).isNull();
    }

    private static final class CountingScan implements BinlogScan {
        private final BinlogScan scan;
        private int asked;

        CountingScan(BinlogScan scan) {
            this.scan = scan;
        }

        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            asked++;
            scan.scan(file, visitor);
        }

        @Override
        public EventSource read(BinlogPosition from) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void abort() {}
    }
}
