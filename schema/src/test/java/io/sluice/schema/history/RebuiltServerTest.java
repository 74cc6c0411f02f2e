package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.rows.SimulatedOrder;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.history.rows.TransactionOrder;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Server B of MariaDB takes the place of A, with numbers that continue, and then A, made of a backup of B, or a further server C takes the place of B. Its binlog
 * has nothing of before the backup, but later transactions of both servers.
 */
class RebuiltServerTest {
    private static final String FILE = "bin.000001";
    private static final String A = "server-a";
    private static final String B = "server-b";
    private static final TableName T = new TableName("shop", "t");
    private static final long TIME = 1_700_000_000_000L;

    @TempDir
    private Path folder;

    private SchemaHistory history;
    private SchemaTracker tracker;

    private void open() throws IOException {
        HistoryLocation location = HistoryLocation.besideH2(folder.resolve("h2"), "");
        history = SchemaHistory.open(HistoryConfigs.of("shop", location), Time.SYSTEM);
        TableDefinitions unknown = name -> null;
        tracker = new SchemaTracker(unknown, SourceTraits.DEFAULT, history);
    }

    @AfterEach
    void close() {
        history.close();
    }

    private static StreamStart at(String source, long offset, long server, long millis, String executed) {
        return StreamStart.at(source, FILE, offset, server, TIME + millis).after(MariaDbGtidSet.parse(executed), true);
    }

    private void apply(long offset, long server, long millis, String gtid, String sql) throws IOException {
        tracker.catalog().moveTo(new EventPosition(FILE, offset, 50, server, TIME + millis, gtid));
        tracker.statements().apply(sql, "shop");
    }

    @ParameterizedTest
    @CsvSource({
        "C, false, 0-2-1550, ''",
        "C, false, 0-1-1650, ''",
        "C, true, 0-2-1550, ''",
        "C, true, 0-1-1650, ''",
        "A, false, 0-2-1550, ''",
        "A, false, 0-1-1650, ''",
        "A, true, 0-2-1550, ''",
        "A, true, 0-1-1650, ''",
        "C, false, 0-2-1550, ',5-1-7'",
        "C, false, 0-1-1650, ',5-1-7'",
        "C, true, 0-2-1550, ',5-1-7'",
        "C, true, 0-1-1650, ',5-1-7'",
        "A, false, 0-2-1550, ',5-1-7'",
        "A, false, 0-1-1650, ',5-1-7'",
        "A, true, 0-2-1550, ',5-1-7'",
        "A, true, 0-1-1650, ',5-1-7'"
    })
    void whatCameBeforeTheBackupIsAppliedByNumber(String read, boolean hasSnapshot, String executed, String others)
            throws IOException {
        open();
        history.setSource(A);
        tracker.catalog().define(T, "create table t (id int, a int, b int)");
        history.begin(tracker.catalog().state());
        history.beginAt(at(A, 100, 1, 0, "0-1-480" + others), tracker.catalog().state());
        apply(500, 1, 20_000, "0-1-500", "alter table t rename column a to b, rename column b to a");
        history.setSource(B);
        apply(300, 2, 100_000, "0-2-1400", "alter table t add column c int");
        if (hasSnapshot) {
            history.snapshot(
                    at(B, 400, 2, 110_000, "0-2-1410" + others),
                    tracker.catalog().state());
        }
        apply(600, 2, 120_000, "0-2-1450", "alter table t add column d int");
        history.close();

        open();
        boolean isReset = read.equals("A");
        TransactionOrder order = SimulatedOrder.of(Stream.concat(
                        IntStream.rangeClosed(1501, 1600).mapToObj(number -> "0-2-" + number),
                        IntStream.rangeClosed(1601, 1660).mapToObj(number -> "0-1-" + number))
                .toArray(String[]::new));
        StreamStart start = at(isReset ? A : "server-c", isReset ? 50 : 5000, 1, 500_000, executed + others)
                .inEpoch(isReset ? 1 : 0)
                .ordered(order);
        history.setSource(start.source(), start.epoch());
        history.restore(tracker, start);

        assertThat(tracker.catalog().table(T).columns().stream()
                        .map(ColumnSchema::name)
                        .collect(Collectors.joining(",")))
                .isEqualTo("id,b,a,c,d");
    }
}
