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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Servers 1 and 2 write domain 0 of MariaDB with numbers of their own: a statement that exchanges two columns has to be applied exactly once, wherever a
 * stream continues.
 */
class SeveralWritersTest {
    private static final String FILE = "bin.000001";
    private static final String A = "server-a";
    private static final String B = "server-b";
    private static final TableName T = new TableName("shop", "t");
    private static final String EXCHANGE = "alter table t rename column a to b, rename column b to a";
    private static final int LENGTH = 50;
    private static final long TIME = 1_700_000_000_000L;

    @TempDir
    private Path folder;

    private SchemaHistory history;
    private SchemaTracker tracker;
    private String source = A;

    @BeforeEach
    void begin() throws IOException {
        open();
        history.setSource(A);
        tracker.catalog().define(T, "create table t (a int, b int)");
        history.begin(tracker.catalog().state());
        history.beginAt(at(100, "0-1-90,5-1-7"), tracker.catalog().state());
    }

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

    private StreamStart at(long offset, String executed) {
        return StreamStart.at(source, FILE, offset, 1, TIME + offset).after(MariaDbGtidSet.parse(executed), true);
    }

    private void restart(StreamStart start) throws IOException {
        history.close();
        open();
        history.setSource(start.source());
        history.restore(tracker, start);
    }

    private void exchange(long offset, String gtid) throws IOException {
        tracker.catalog().moveTo(new EventPosition(FILE, offset, LENGTH, 1, TIME + offset, gtid));
        tracker.statements().apply(EXCHANGE, "shop");
    }

    private void readOn(String server) {
        source = server;
        history.setSource(server);
    }

    private String columns() throws IOException {
        return tracker.catalog().table(T).columns().stream()
                .map(ColumnSchema::name)
                .collect(Collectors.joining(","));
    }

    @ParameterizedTest
    @CsvSource({"'0-1-100', false", "'0-1-100,5-1-7', false", "'0-1-100,5-1-7', true", "'0-2-52,5-1-7', true"})
    void aStatementAfterTheCursorIsAppliedWhenItIsReadAgain(String executed, boolean isOrderKnown) throws IOException {
        exchange(600, "0-2-53");
        TransactionOrder order = isOrderKnown
                ? SimulatedOrder.of("0-1-90", "0-2-52", "0-1-100", "0-2-53", "5-1-7")
                : TransactionOrder.UNKNOWN;

        restart(at(500, executed).ordered(order));

        assertThat(columns()).isEqualTo("a,b");
        exchange(600, "0-2-53");
        assertThat(columns()).isEqualTo("b,a");
    }

    /** It continues where domain 5 does, and has ended before it got to the place of 0-1-100. */
    @Test
    void aStatementThatAStartedDomainHasPassedIsAppliedThoughItIsAfterThePosition() throws IOException {
        exchange(600, "0-2-99");
        TransactionOrder order = SimulatedOrder.of("0-1-90", "5-1-8", "0-2-99", "0-1-100");

        restart(at(500, "0-1-100,5-1-8").ordered(order));

        assertThat(columns()).isEqualTo("b,a");
    }

    @Test
    void statementsThatWereReadFromAnotherServerAreAppliedInTheOrderOfTheBinlog() throws IOException {
        exchange(600, "0-1-100");
        readOn(B);
        tracker.catalog().moveTo(new EventPosition(FILE, 300, LENGTH, 2, TIME + 700, "0-2-53"));
        tracker.statements().apply("alter table t change a x int", "shop");
        TransactionOrder order = SimulatedOrder.of("0-1-90", "0-1-100", "0-2-53", "0-2-70", "0-1-150");

        restart(at(900, "0-2-70,5-1-7").ordered(order));
        assertThat(columns()).isEqualTo("b,x");

        restart(at(950, "0-1-150,5-1-7").ordered(order));
        assertThat(columns()).isEqualTo("b,x");
    }

    @Test
    void aSnapshotOfAnotherServerHasNothingThatFollowsIt() throws IOException {
        exchange(600, "0-1-100");
        history.snapshot(at(650, "0-1-100,5-1-7"), tracker.catalog().state());
        readOn(B);
        exchange(300, "0-2-52");
        TransactionOrder order = SimulatedOrder.of("0-1-90", "0-1-100", "0-2-52", "0-1-150");

        restart(at(900, "0-1-150,5-1-7").ordered(order));

        assertThat(columns()).isEqualTo("a,b");
    }

    @Test
    void theNewestSnapshotIsTheOneThatIsLastInTheBinlog() throws IOException {
        exchange(600, "0-1-100");
        history.snapshot(at(650, "0-1-100,5-1-7"), tracker.catalog().state());
        readOn(B);
        exchange(300, "0-2-52");
        history.snapshot(at(350, "0-2-60,5-1-7"), tracker.catalog().state());
        TransactionOrder order = SimulatedOrder.of("0-1-90", "0-1-100", "0-2-52", "0-2-60", "0-2-70");

        restart(at(900, "0-2-70,5-1-7").ordered(order));

        assertThat(columns()).isEqualTo("a,b");
    }
}
