package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.DdlReader;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.restore.LostPart;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A source has lost the end of a binlog file, from offset {@value #END} on, and continues in the next one. */
class LostPartTest {
    private static final String FILE = "bin.000001";
    private static final String NEXT = "bin.000002";
    private static final String SOURCE = "server-a";
    private static final long TIME = 1_700_000_000_000L;
    private static final int END = 1000;
    private static final TableName T = new TableName("shop", "t");
    private static final TableName OTHER = new TableName("shop", "other");

    @TempDir
    private Path folder;

    /** What the source has now. */
    private final Map<TableName, String> present = new HashMap<>();

    private SchemaHistory history;
    private SchemaTracker tracker;

    @BeforeEach
    void begin() throws IOException {
        open();
        history.setSource(SOURCE);
        tracker.catalog().define(T, "create table t (id int, old int)");
        tracker.catalog().define(OTHER, "create table other (id int)");
        history.begin(tracker.catalog().state());
        history.beginAt(at(FILE, 100), tracker.catalog().state());
        present.put(T, "create table t (id int, present int)");
        present.put(OTHER, "create table other (id int, present int)");
    }

    private void open() throws IOException {
        HistoryLocation location = HistoryLocation.besideH2(folder.resolve("h2"), "");
        history = SchemaHistory.open(HistoryConfigs.of("shop", location), Time.SYSTEM);
        tracker = new SchemaTracker(present::get, SourceTraits.DEFAULT, history);
    }

    @AfterEach
    void close() {
        history.close();
    }

    private static StreamStart at(String file, long offset) {
        return StreamStart.at(SOURCE, file, offset, 1, TIME);
    }

    private void apply(String file, long offset, String sql) throws IOException {
        tracker.catalog().moveTo(new EventPosition(file, offset, 50, 1, TIME, null));
        tracker.statements().apply(sql, "shop");
    }

    /** A replica gets the transaction again, after the crash, into its next file. */
    @Test
    void aStatementThatTheSourceHasGotAgainIsAppliedOnce() throws IOException {
        for (String file : new String[] {FILE, NEXT}) {
            tracker.catalog().moveTo(new EventPosition(file, END + 100, 50, 1, TIME, "0-7-100"));
            tracker.statements().apply("alter table t change id old int, change old id int", "shop");
        }

        restart(NEXT, 5000);

        assertThat(columnsAt(T, NEXT, 6000)).isEqualTo("old,id");
    }

    private LostPart lose() throws IOException {
        LostPart lost = history.lostPart(SOURCE, 0, FILE, END);
        history.markLost(lost);
        return lost;
    }

    private void restart(String file, long offset) throws IOException {
        history.close();
        open();
        history.setSource(SOURCE);
        history.restore(tracker, at(file, offset));
    }

    private String columnsAt(TableName table, String file, long offset) throws IOException {
        tracker.catalog().moveTo(new EventPosition(file, offset, 50, 1, TIME, null));
        TableSchema schema = tracker.catalog().table(table);
        return schema == null
                ? "none"
                : schema.columns().stream().map(ColumnSchema::name).collect(Collectors.joining(","));
    }

    @Test
    void tablesOfLostStatementsAreReadFromTheSource() throws IOException {
        apply(FILE, 900, "alter table other add kept int");
        apply(FILE, 1000, "alter table t rename column old to renamed");

        LostPart lost = lose();

        assertThat(lost.tables(new DdlReader(SourceTraits.DEFAULT))).containsExactly(T);
        restart(NEXT, 4);
        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,present");
        assertThat(columnsAt(OTHER, NEXT, 200)).isEqualTo("id,kept");
    }

    /** An event that was cut in the middle. */
    @Test
    void aStatementThatIsCutOffIsLost() throws IOException {
        apply(FILE, END - 49, "alter table t rename column old to renamed");

        assertThat(lose().rows()).hasSize(1);
        restart(NEXT, 4);
        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,present");
    }

    @Test
    void aStatementBeforeTheEndIsNot() throws IOException {
        apply(FILE, END - 50, "alter table t rename column old to renamed");

        assertThat(lose().isEmpty()).isTrue();
        restart(NEXT, 4);
        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,renamed");
    }

    @Test
    void whatIsReadInTheNextFileIsAppliedToWhatTheSourceHad() throws IOException {
        apply(FILE, 1000, "alter table t rename column old to renamed");
        lose();
        restart(NEXT, 4);
        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,present");
        apply(NEXT, 300, "alter table t add more int");

        restart(NEXT, 400);

        assertThat(columnsAt(T, NEXT, 400)).isEqualTo("id,present,more");
    }

    @Test
    void aSnapshotThatWasMadeInTheLostEndIsNotUsed() throws IOException {
        apply(FILE, 1000, "alter table t rename column old to renamed");
        history.snapshot(at(FILE, 1100), tracker.catalog().state());

        assertThat(lose().snapshots()).hasSize(1);
        restart(NEXT, 4);
        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,present");
        assertThat(columnsAt(OTHER, NEXT, 200)).isEqualTo("id");
    }

    @Test
    void aHistoryThatBeginsInTheLostEndSaysNothing() throws IOException {
        history.beginAt(at(FILE, 1100), tracker.catalog().state());

        assertThat(history.lostPart(SOURCE, 0, FILE, END).hasBeginning()).isTrue();
    }

    @Test
    void tablesAreAsBeforeUpToTheLostEnd() throws IOException {
        apply(FILE, 1000, "alter table t rename column old to renamed");
        lose();

        restart(FILE, 500);

        assertThat(columnsAt(T, FILE, 600)).isEqualTo("id,old");
        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,present");
        assertThat(columnsAt(OTHER, NEXT, 200)).isEqualTo("id");
    }

    @Test
    void allTablesOfASchemaThatWasDroppedAreReadFromTheSource() throws IOException {
        apply(FILE, 1000, "drop database shop");
        lose();

        restart(NEXT, 4);

        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,present");
        assertThat(columnsAt(OTHER, NEXT, 200)).isEqualTo("id,present");
    }

    /** So a statement that makes one of its tables if it is not there has not made it for certain. */
    @Test
    void aSchemaThatWasMadeInTheStreamMayHaveTablesThatAreNotKnown() throws IOException {
        apply(FILE, 800, "create database made");
        apply(FILE, 900, "create table made.x (id int)");
        apply(FILE, 1000, "drop table made.x");
        lose();
        TableName x = new TableName("made", "x");
        present.put(x, "create table x (id int, present int)");

        restart(NEXT, 4);
        apply(NEXT, 300, "create table if not exists made.x (id int)");

        assertThat(columnsAt(x, NEXT, 400)).isEqualTo("id,present");
    }

    @Test
    void theDefinitionOfATableThatWasReadThereIsReadAgain() throws IOException {
        TableName read = new TableName("shop", "late");
        present.put(read, "create table late (id int, before_loss int)");
        assertThat(columnsAt(read, FILE, 1000)).isEqualTo("id,before_loss");
        present.put(read, "create table late (id int, after_loss int)");

        assertThat(lose().tables(new DdlReader(SourceTraits.DEFAULT))).containsExactly(read);
        restart(NEXT, 4);
        assertThat(columnsAt(read, NEXT, 200)).isEqualTo("id,after_loss");
    }

    /** By GTIDs, a replica has got transactions again. */
    @Test
    void onlyWhatWasMadeAfterALostStatementIsLostOfWhatTheSourceHas() throws IOException {
        apply(FILE, 1000, "alter table other add kept int");
        history.snapshot(at(FILE, 1100), tracker.catalog().state());
        apply(FILE, 1200, "alter table t rename column old to renamed");
        history.snapshot(at(FILE, 1300), tracker.catalog().state());
        LostPart beyond = history.lostPart(SOURCE, 0, FILE, END);

        assertThat(beyond.without(row -> true, snapshot -> true).isEmpty()).isTrue();
        LostPart lost = beyond.without(row -> row.position().offset() == 1000, snapshot -> true);

        assertThat(lost.rows())
                .singleElement()
                .satisfies(row -> assertThat(row.position().offset()).isEqualTo(1200));
        assertThat(lost.snapshots())
                .singleElement()
                .satisfies(snapshot -> assertThat(snapshot.position().offset()).isEqualTo(1300));
        history.markLost(lost);
        restart(NEXT, 4);
        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,present");
        assertThat(columnsAt(OTHER, NEXT, 200)).isEqualTo("id,kept");
    }

    /** Another source may have files of the same names, with other events. */
    @Test
    void aShortStatementOfAnotherSourceHidesNone() throws IOException {
        apply(FILE, END - 40, "alter table t rename column old to renamed");
        history.setSource("server-b");
        tracker.catalog().moveTo(new EventPosition(FILE, END - 30, 10, 1, TIME, null));
        tracker.statements().apply("alter table other add b int", "shop");

        assertThat(lose().tables(new DdlReader(SourceTraits.DEFAULT))).containsExactly(T);
    }

    @Test
    void tablesAreAsBeforeUpToTheLostEndThatConcernsThem() throws IOException {
        apply(FILE, 1000, "alter table t rename column old to renamed");
        lose();
        restart(NEXT, 4);
        apply(NEXT, 1000, "alter table other rename column id to other_id");
        history.markLost(history.lostPart(SOURCE, 0, NEXT, END));

        restart(FILE, 500);

        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,present");
        assertThat(columnsAt(OTHER, NEXT, 200)).isEqualTo("id");
        assertThat(columnsAt(OTHER, "bin.000003", 200)).isEqualTo("id,present");
    }

    @Test
    void whatIsMarkedIsNotFoundAgain() throws IOException {
        apply(FILE, 1000, "alter table t rename column old to renamed");

        assertThat(lose().rows()).hasSize(1);
        assertThat(lose().isEmpty()).isTrue();
    }

    @Test
    void whatIsReadThereAfterAllIsNotLost() throws IOException {
        apply(FILE, 1000, "alter table t rename column old to renamed");
        lose();
        restart(FILE, 500);
        apply(FILE, 1000, "alter table t rename column old to renamed");

        restart(NEXT, 4);

        assertThat(columnsAt(T, NEXT, 200)).isEqualTo("id,renamed");
    }
}
