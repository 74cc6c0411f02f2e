package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.StatementSession;
import io.sluice.schema.ddl.catalog.BinlogSession;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.restore.HistoryBeginning;
import io.sluice.schema.history.restore.HistoryEnd;
import io.sluice.schema.history.restore.RecordedStatements;
import io.sluice.schema.history.restore.RestoredSchemas;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.SchemaHeap;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaHistoryTest {
    private static final String SOURCE = "uuid-a";
    private static final String OTHER_SOURCE = "uuid-b";
    private static final String THIRD_SOURCE = "uuid-c";
    private static final String TRANSACTIONS = "323b686a-e4de-11f1-8f50-02fc00000001";
    private static final String FILE = "binlog.000001";
    private static final int LENGTH = 100;
    private static final long AFTER_RESET = 1_709_208_000;
    private static final TableName T = new TableName("shop", "t");
    private static final TableName U = new TableName("shop", "u");

    @TempDir
    private Path folder;

    private final Map<TableName, String> onSource = new HashMap<>();
    private final List<TableName> asked = new ArrayList<>();
    private @Nullable String presentDefault;
    private boolean isDefaultOfLater;
    private boolean isChangedLater;
    private final TableDefinitions source = new TableDefinitions() {
        @Override
        public @Nullable String createStatement(TableName name) {
            asked.add(name);
            return onSource.get(name);
        }

        @Override
        public @Nullable List<String> addedAfter(TableName name, EventPosition event) {
            return isChangedLater ? null : List.of();
        }

        @Override
        public @Nullable String schemaCharset(String schema) {
            return presentDefault;
        }

        @Override
        public boolean changesCharsetAfter(String schema, EventPosition event) {
            return isDefaultOfLater;
        }
    };

    private Instant now = Instant.parse("2024-02-29T12:00:00Z");
    private final Time time = new Time() {
        @Override
        public long nanos() {
            return millis() * 1_000_000;
        }

        @Override
        public long millis() {
            return now.toEpochMilli();
        }

        @Override
        public void sleep(Duration length) {
            now = now.plus(length);
        }
    };

    private SchemaHistory history;
    private SchemaTracker tracker;
    private RestoredSchemas restored;

    @BeforeEach
    void open() throws IOException {
        open(folder.resolve("h2"));
    }

    private void open(Path path) throws IOException {
        HistoryLocation location = HistoryLocation.besideH2(path, "");
        history = SchemaHistory.open(HistoryConfigs.of("shop", location), time);
        history.setSource(SOURCE);
        tracker = new SchemaTracker(source, SourceTraits.DEFAULT, history);
    }

    @AfterEach
    void close() {
        history.close();
    }

    private void restart(StreamStart start) throws IOException {
        history.close();
        open(folder.resolve("h2"));
        history.setSource(start.source(), start.epoch());
        restored = history.restore(tracker, start);
    }

    private EventPosition event(long offset) {
        return new EventPosition(FILE, offset, LENGTH, 1, now.toEpochMilli(), null);
    }

    private StreamStart start(long offset) {
        return StreamStart.at(SOURCE, FILE, offset, 1, now.toEpochMilli());
    }

    private void apply(long offset, String sql) throws IOException {
        tracker.catalog().moveTo(event(offset));
        tracker.statements().apply(sql, "shop");
    }

    private String columns(TableName table) throws IOException {
        TableSchema schema = tracker.catalog().table(table);
        return schema == null
                ? "none"
                : schema.columns().stream()
                        .map(column -> column.name() + " " + column.mysqlType())
                        .collect(Collectors.joining(", "));
    }

    @Test
    void restoresTheFilterOfTheSnapshotThatCounts() throws IOException {
        FilterRules narrow = FilterRules.ALL.withIncluded("shop\\.t");
        FilterRules wide = FilterRules.ALL.withIncluded("shop\\..*").withExcluded("shop\\.secret");
        history.begin(tracker.catalog().state());
        restart(start(100));
        assertThat(restored.filter()).as("none was set").isNull();

        history.setFilter(narrow);
        history.snapshot(start(100), tracker.catalog().state());
        history.setFilter(wide);
        history.snapshot(start(300), tracker.catalog().state());

        restart(start(200));
        assertThat(restored.filter()).isEqualTo(narrow);
        restart(start(300));
        assertThat(restored.filter()).isEqualTo(wide);
        restart(start(50));
        assertThat(restored.filter()).isNull();
    }

    /** A first start may end between the history's begin and the first cursor. */
    @Test
    void aStreamWasReadIfThereIsARowOrTheHistoryIsOld() throws IOException {
        assertThat(history.recorded().wasRead()).isFalse();
        history.begin(tracker.catalog().state());
        history.snapshot(start(100), tracker.catalog().state());
        now = now.plus(Duration.ofMinutes(59));
        restart(start(100));
        assertThat(history.recorded().wasRead()).isFalse();

        now = now.plus(Duration.ofMinutes(2));
        assertThat(history.recorded().wasRead()).isTrue();

        history.close();
        open(folder.resolve("other"));
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        assertThat(history.recorded().wasRead()).isTrue();
    }

    /** As of a machine that is started before its clock is set. */
    @Test
    void aHistoryThatWasBegunWhileTheClockWasAheadIsOld() throws IOException {
        history.begin(tracker.catalog().state());
        history.snapshot(start(100), tracker.catalog().state());
        now = now.minus(Duration.ofMinutes(59));
        assertThat(history.recorded().wasRead()).isFalse();

        now = now.minus(Duration.ofMinutes(2));
        assertThat(history.recorded().wasRead()).isTrue();
    }

    /** The position has a time of the source, whose clock may be another one. */
    @ParameterizedTest
    @ValueSource(longs = {-3, 3})
    void howOldAHistoryIsDoesNotDependOnTheSourcesClock(long ahead) throws IOException {
        StreamStart begin = StreamStart.at(
                SOURCE, FILE, 100, 1, now.plus(Duration.ofHours(ahead)).toEpochMilli());
        history.begin(tracker.catalog().state());
        history.beginAt(begin, tracker.catalog().state());
        now = now.plus(Duration.ofMinutes(59));
        history.snapshot(begin, tracker.catalog().state());
        restart(begin);
        assertThat(history.recorded().wasRead()).isFalse();

        now = now.plus(Duration.ofMinutes(2));
        assertThat(history.recorded().wasRead()).isTrue();
    }

    /** As after a return to an earlier version. */
    @Test
    void aHistoryOfALaterFormatIsNotRead() throws IOException {
        history.begin(tracker.catalog().state());
        change("update meta_identity set format_version = format_version + 1");

        assertThatThrownBy(() -> open(folder.resolve("h2")))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("was written by a later version, in format 2")
                .hasMessageContaining("start that version");
        change("update meta_identity set format_version = 1");
        open(folder.resolve("h2"));
        assertThat(history.recorded().isEmpty()).isFalse();
    }

    /** They may have another form then, which that version needs. */
    @Test
    void tablesOfALaterFormatAreNotChanged() throws IOException {
        history.begin(tracker.catalog().state());
        change("drop index meta_history_sequence");
        change("update meta_identity set format_version = format_version + 1");

        assertThatThrownBy(() -> open(folder.resolve("h2"))).isInstanceOf(HistoryException.class);
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            assertThat(database.query("select name from sqlite_master where name = 'meta_history_sequence'"))
                    .isEmpty();
        }
    }

    @Test
    void aWordOfALaterVersionInASnapshotIsReportedWithTheRemedy() throws IOException {
        apply(100, "create table t (a int)");
        history.snapshot(start(300), tracker.catalog().state());
        change("update meta_snapshot set extra = '{\"doubt shop.t\":\"LATER\"}'");
        open(folder.resolve("h2"));

        assertThatThrownBy(() -> history.restore(tracker, start(400)))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("LATER")
                .hasMessageContaining("start the version that wrote it, or delete the row");
    }

    /** A table of an earlier build, which canal's H2 file was imported into, too. */
    @Test
    void aHistoryWithoutTheTimeOfTheImportGetsTheColumn() throws IOException {
        history.begin(tracker.catalog().state());
        change("alter table meta_identity drop column imported_closed_millis");

        open(folder.resolve("h2"));

        assertThat(history.recorded().closedByCanalMillis()).isEmpty();
        history.close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            assertThat(database.hasColumn("meta_identity", "imported_closed_millis"))
                    .isTrue();
        }
    }

    private void change(String sql) {
        history.close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            database.update(sql);
        }
    }

    /** The source tells of the table now, and may have changed it since. */
    @Test
    void aStatementOfAnUnknownModeIsReplayedAsItWasReadWhenItWasRecorded() throws IOException {
        SourceTraits mariaDb = new SourceTraits(true, 110800, false);
        tracker = new SchemaTracker(source, mariaDb, history);
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        apply(200, "SET STATEMENT sql_mode='' FOR ALTER TABLE t ADD d INT COMMENT 'x\\', ADD z INT FIRST -- '");
        apply(300, "ALTER TABLE t ADD e INT");
        assertThat(asked).containsOnly(T);

        restartWith(mariaDb, start(400));
        assertThat(columns(T)).as("it was forgotten").isEqualTo("none");

        change("update meta_history set extra = json_remove(extra, '$.ambiguous')"); // as of a version that took the
        // mode of the event
        asked.clear();
        restartWith(mariaDb, start(400));
        assertThat(columns(T)).isEqualTo("a int, d INT, e INT");
        assertThat(asked).isEmpty();
    }

    private void restartWith(SourceTraits traits, StreamStart start) throws IOException {
        history.close();
        open(folder.resolve("h2"));
        tracker = new SchemaTracker(source, traits, history);
        history.setSource(start.source(), start.epoch());
        history.restore(tracker, start);
    }

    /** Two deployments, or a former owner that does not know it yet. */
    @Test
    void itIsNoticedThatAnotherProcessWritesToo() throws IOException {
        history.close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            HistoryTables one = new HistoryTables(database, "shop");
            HistoryTables two = new HistoryTables(database, "shop");
            HistoryTables ofAnotherInstance = new HistoryTables(database, "other");
            one.create();
            two.create();
            ofAnotherInstance.create();
            one.snapshots()
                    .add(
                            HistoryPosition.first(SOURCE),
                            null,
                            false,
                            tracker.catalog().state());
            ofAnotherInstance
                    .snapshots()
                    .add(
                            HistoryPosition.first(SOURCE),
                            null,
                            false,
                            tracker.catalog().state());
            one.snapshots()
                    .add(
                            HistoryPosition.first(SOURCE),
                            null,
                            false,
                            tracker.catalog().state());
            assertThat(one.identity().takeWrittenByOthers()).isFalse();

            two.snapshots()
                    .add(
                            HistoryPosition.first(SOURCE),
                            null,
                            false,
                            tracker.catalog().state());

            assertThat(two.identity().takeWrittenByOthers()).isTrue();
            assertThat(two.identity().takeWrittenByOthers()).isFalse();
            assertThat(ofAnotherInstance.identity().takeWrittenByOthers()).isFalse();
        }
    }

    @Test
    void restoresTheSchemasOfEveryPosition() throws IOException {
        onSource.put(T, "create table t (a int)");
        tracker.catalog().define(T, onSource.get(T));
        history.begin(tracker.catalog().state());
        apply(100, "alter table t add b INTEGER");
        apply(300, "alter table t rename column b to c, add d BOOL first");
        apply(500, "rename table t to u");

        restart(start(100));
        assertThat(columns(T)).isEqualTo("a int");
        restart(start(200));
        assertThat(columns(T)).isEqualTo("a int, b INTEGER");
        restart(start(300));
        assertThat(columns(T)).isEqualTo("a int, b INTEGER");
        restart(start(301));
        assertThat(columns(T)).isEqualTo("d BOOL, a int, c INTEGER");
        restart(start(600));
        assertThat(columns(U)).isEqualTo("d BOOL, a int, c INTEGER");
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "uuid-a, 99, 0, false, true, true",
        "uuid-a, 100, 0, false, false, false",
        "uuid-a, 101, -1, false, false, false",
        "uuid-a, 99, 0, true, true, true",
        "uuid-b, 500, -1, false, true, false",
        "uuid-b, 500, 1, false, false, false",
        "uuid-b, 500, -1, true, false, false",
    })
    void tellsOfAStartBeforeItsBeginning(
            String server, long offset, long millis, boolean byTransactions, boolean isTold, boolean isSameBinlog)
            throws IOException {
        history.begin(tracker.catalog().state());
        history.snapshot(start(100), tracker.catalog().state());

        restart(StreamStart.at(server, FILE, offset, 1, now.toEpochMilli() + millis)
                .after(MySqlGtidSet.EMPTY, byTransactions));

        assertThat(restored.beginning())
                .isEqualTo(
                        isTold
                                ? new HistoryBeginning(
                                        isSameBinlog ? new BinlogPosition(FILE, 100) : null, now.toEpochMilli())
                                : null);
        assertThat(history.beginnings().millis()).isEqualTo(now.toEpochMilli());
    }

    /** Rows of that second may be before it, and it comes again. */
    @Test
    void aDdlOfTheSecondOfAStartByTimeOnAnotherServerIsNotAppliedYet() throws IOException {
        tracker.catalog().define(T, "create table t (a int)");
        history.begin(tracker.catalog().state());
        apply(100, "alter table t change a b int");

        restart(StreamStart.at(OTHER_SOURCE, FILE, 900, 1, now.toEpochMilli()));

        assertThat(columns(T)).isEqualTo("a int");
        apply(950, "alter table t change a b int");
        assertThat(columns(T)).isEqualTo("b int");
        restart(StreamStart.at(OTHER_SOURCE, FILE, 1_050, 1, now.toEpochMilli()));
        assertThat(columns(T)).as("after it").isEqualTo("b int");
    }

    /** It was read from both servers, and is before a snapshot of the same second that was made while the first one was read. */
    @Test
    void aDdlThatASnapshotOfAnotherServerHasIsNotAppliedAgain() throws IOException {
        tracker.catalog().define(T, "create table t (a int)");
        history.begin(tracker.catalog().state());
        apply(100, "alter table t add b int");
        history.snapshot(start(200), tracker.catalog().state());
        history.setSource(OTHER_SOURCE);
        tracker.catalog().define(T, "create table t (a int)");
        apply(900, "alter table t add b int");
        asked.clear();

        restart(StreamStart.at(OTHER_SOURCE, FILE, 1_100, 1, now.toEpochMilli() + 1));

        assertThat(columns(T)).isEqualTo("a int, b int");
        assertThat(asked).isEmpty();
    }

    @Test
    void recognizesTheStatementsWithWhichItBegins() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        long recorded = now.toEpochMilli();
        now = now.plusSeconds(10);
        apply(300, "create table u (a int)");

        restart(start(4));
        RecordedStatements statements = restored.recordedUpTo(recorded);

        assertThat(statements.has(at(recorded), ddl("create table t (a int)"))).isTrue();
        assertThat(statements.has(at(recorded + 1_000), ddl("create table t (a int)")))
                .isFalse();
        assertThat(statements.has(at(now.toEpochMilli()), ddl("create table u (a int)")))
                .isFalse();
    }

    /** Another server's clock was ahead when the stream read there before. */
    @Test
    void aStartByTimeOnAnotherServerHasNothingFromBeforeTheGap() throws IOException {
        beginWithAGap();
        apply(5_100, "alter table t add d int");

        restart(StreamStart.at(THIRD_SOURCE, FILE, 900, 1, now.toEpochMilli()));
        assertThat(restored.beginning()).isNull();
        assertThat(columns(T)).as("after the gap").isEqualTo("c int");

        now = now.plusSeconds(1);
        restart(StreamStart.at(THIRD_SOURCE, FILE, 950, 1, now.toEpochMilli()));
        assertThat(columns(T)).as("after a DDL after the gap").isEqualTo("c int, d int");
        restart(start(200));
        assertThat(columns(T)).as("before the gap in its binlog").isEqualTo("b int");
    }

    @Test
    void aStartByTimeOnAnotherServerBeforeTheEndOfTheGapIsBeforeTheBeginning() throws IOException {
        beginWithAGap();
        long end = history.beginnings().millis();
        long recorded = end - 50_000;

        restart(StreamStart.at(THIRD_SOURCE, FILE, 900, 1, end));

        assertThat(restored.beginning()).isEqualTo(new HistoryBeginning(null, end));
        assertThat(columns(T)).isEqualTo("c int");
        assertThat(restored.recordedUpTo(end).has(at(recorded), ddl("alter table t change a b int")))
                .isFalse();
    }

    /** As at a restart there with another filter, when rows were written already that are read again. */
    @Test
    void aSnapshotInThePlaceOfABeginningIsOne() throws IOException {
        beginWithAGap();
        StreamStart gap = start(5_000);
        apply(5_100, "alter table t add d int");
        restart(gap);
        history.snapshot(gap, tracker.catalog().state());
        apply(5_100, "alter table t add d int");
        now = now.plusSeconds(1);

        restart(StreamStart.at(THIRD_SOURCE, FILE, 950, 1, now.toEpochMilli()));

        assertThat(columns(T)).isEqualTo("c int, d int");
        assertThat(history.beginnings().skipAfter(SOURCE, 0, new BinlogPosition(FILE, 4_999)))
                .as("DDL before it may be missing")
                .isNotNull();
    }

    /** The rows that are read again there keep the ids that they have from before the gap. */
    @Test
    void aStreamThatReturnsToBeforeAGapOfAnotherServerHasWhatFollowsThere() throws IOException {
        Instant began = now;
        skipOnAnotherServer();
        StreamStart back =
                StreamStart.at(SOURCE, FILE, 60, 1, began.plusSeconds(10).toEpochMilli());
        restart(back);
        assertThat(restored.beginning()).isNull();
        assertThat(restored.hasReturned()).isTrue();
        assertThat(columns(T)).isEqualTo("a int");

        history.beginAt(back, tracker.catalog().state());
        now = began.plusSeconds(20);
        apply(100, "alter table t add b int");
        assertThat(history.rowsWritten()).isZero();
        now = began.plusSeconds(25);

        restart(start(200));
        assertThat(restored.hasReturned()).isFalse();
        assertThat(columns(T)).isEqualTo("a int, b int");
        restart(StreamStart.at(THIRD_SOURCE, FILE, 900, 1, now.toEpochMilli()));
        assertThat(restored.beginning()).isNull();
        assertThat(columns(T)).as("at another server").isEqualTo("a int, b int");
        assertThat(restored.recordedUpTo(now.toEpochMilli())
                        .has(at(began.plusSeconds(20).toEpochMilli()), ddl("alter table t add b int")))
                .isTrue();
    }

    /** After the last DDL no row tells that it was read up to there. */
    @Test
    void aCursorThatRefersToARowFromBeforeAGapIsContinuedFromBeforeIt() throws IOException {
        Instant began = now;
        long referred = skipOnAnotherServer();
        now = began.plusSeconds(25);

        restart(start(300));
        assertThat(restored.beginning()).as("a start by time").isNotNull();
        assertThat(restored.hasReturned()).isFalse();

        restored = history.restore(tracker, start(300), referred);
        assertThat(restored.beginning()).isNull();
        assertThat(restored.hasReturned()).isTrue();
        assertThat(columns(T)).isEqualTo("a int, b int");

        restored = history.restore(tracker, start(300), referred + 1);
        assertThat(restored.beginning()).as("a cursor from after the gap").isNotNull();
    }

    /** It reads that {@code b} is added, and skips that {@code c} is on another server; returns the row of {@code b}. */
    private long skipOnAnotherServer() throws IOException {
        Instant began = now;
        tracker.catalog().define(T, "create table t (a int)");
        history.begin(tracker.catalog().state());
        history.beginAt(start(50), tracker.catalog().state());
        now = began.plusSeconds(20);
        apply(100, "alter table t add b int");
        long row = history.reference().rowId();
        now = began.plusSeconds(30);
        history.setSource(OTHER_SOURCE);
        tracker.catalog().define(T, "create table t (a int, b int, c int)");
        history.beginAt(
                StreamStart.at(OTHER_SOURCE, FILE, 5_000, 1, now.toEpochMilli()),
                tracker.catalog().state());
        return row;
    }

    /** It reads {@code a}, then {@code b} a long time later, and skips what made {@code c} of it. */
    private void beginWithAGap() throws IOException {
        tracker.catalog().define(T, "create table t (a int)");
        history.begin(tracker.catalog().state());
        history.beginAt(start(50), tracker.catalog().state());
        apply(100, "alter table t change a b int");
        now = now.plusSeconds(200);
        history.setSource(OTHER_SOURCE);
        history.snapshot(
                StreamStart.at(OTHER_SOURCE, FILE, 300, 1, now.toEpochMilli()),
                tracker.catalog().state());
        history.setSource(SOURCE);
        now = now.minusSeconds(150);
        tracker.catalog().define(T, "create table t (c int)");
        history.beginAt(start(5_000), tracker.catalog().state());
        now = now.plusSeconds(1);
    }

    private static EventPosition at(long millis) {
        return new EventPosition("other.000009", 4, LENGTH, 1, millis, null);
    }

    private static SchemaRecorder.Ddl ddl(String sql) {
        return new SchemaRecorder.Ddl(sql, "shop", SqlMode.DEFAULT, List.of());
    }

    @Test
    void writesNothingTwiceThatIsReadAgain() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        apply(300, "alter table t add b int");

        restart(start(200));
        apply(300, "alter table t add b int");
        apply(500, "alter table t add c int");
        assertThat(history.rowsWritten()).isEqualTo(1);

        restart(start(600));
        assertThat(columns(T)).isEqualTo("a int, b int, c int");
    }

    @Test
    void losesNoneOfSeveralStatementsAtOneOffset() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        apply(100, "alter table t add b int");
        apply(100, "alter table t add c int");
        apply(200, "alter table t add d int");

        restart(start(200));
        assertThat(columns(T)).isEqualTo("a int, b int, c int");
        restart(start(300));
        assertThat(columns(T)).isEqualTo("a int, b int, c int, d int");
        restart(start(100));
        assertThat(columns(T)).isEqualTo("none");
        apply(100, "create table t (a int)");
        apply(100, "alter table t add b int");
        apply(100, "alter table t add c int");
        assertThat(history.rowsWritten()).isZero();
    }

    @Test
    void returnsTheDefinitionThatWasRecordedAtThatPosition() throws IOException {
        history.begin(tracker.catalog().state());
        onSource.put(T, "create table t (a int)");
        tracker.catalog().moveTo(event(300));
        assertThat(columns(T)).isEqualTo("a int");
        onSource.put(T, "create table t (a int, later int)");

        restart(start(400));
        assertThat(columns(T)).as("after it").isEqualTo("a int");
        restart(start(200));
        tracker.catalog().moveTo(event(200));
        assertThat(columns(T)).as("in front of it").isEqualTo("a int");
        assertThat(asked).containsExactly(T);
    }

    @Test
    void determinesWhetherATableIsChangedAfterAPosition() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "CREATE TABLE shop.t (a int)");
        apply(900, "ALTER TABLE shop.t ADD b int");
        restart(start(400));

        tracker.catalog().moveTo(event(400));
        assertThat(tracker.rows().changesLater(T)).isTrue();
        assertThat(tracker.rows().changesLater(U)).isFalse();

        apply(900, "ALTER TABLE shop.t ADD b int");
        tracker.catalog().moveTo(event(1200));
        assertThat(tracker.rows().changesLater(T)).isFalse();
    }

    @Test
    void asksTheSourceWhereADefinitionWasRecordedAfterAStatement() throws IOException {
        history.begin(tracker.catalog().state());
        apply(300, "alter table t add b int");
        onSource.put(T, "create table t (a int, b int)");
        tracker.catalog().moveTo(event(500));
        assertThat(columns(T)).isEqualTo("a int, b int");

        restart(start(200));
        tracker.catalog().moveTo(event(200));
        onSource.put(T, "create table t (a int)");
        assertThat(columns(T)).isEqualTo("a int");
    }

    @Test
    void storesTheDefinitionsThatStatementsNeeded() throws IOException {
        history.begin(tracker.catalog().state());
        onSource.put(U, "create table u (x int)");
        apply(100, "create table t like u");
        onSource.clear();

        restart(start(100));
        apply(100, "create table t like u");
        assertThat(columns(T)).isEqualTo("x int");
        restart(start(200));
        assertThat(columns(T)).isEqualTo("x int");
    }

    @Test
    void aDefinitionThatAStatementNeededIsFoundAfterAStartOnAnotherServer() throws IOException {
        history.begin(tracker.catalog().state());
        onSource.put(U, "create table u (x int)");
        apply(100, "create table t like u");
        onSource.put(U, "create table u (x int, later int)");
        asked.clear();

        restart(StreamStart.at(OTHER_SOURCE, FILE, 50, 1, now.toEpochMilli() + 1));

        assertThat(columns(T)).isEqualTo("x int");
        assertThat(asked).isEmpty();
    }

    /** The source has changed the columns of the original since the statement, and the stream has not read that yet. */
    @Test
    void aRestoredCopyHasTheColumnsThatItHadInTheStream() throws IOException {
        history.begin(tracker.catalog().state());
        onSource.put(U, "create table u (id int primary key, c int, b int)");
        isChangedLater = true;
        apply(100, "create table if not exists u (id int primary key, b int, c int)");
        apply(300, "create table t like u");
        String read = columns(T);

        restart(start(500));

        assertThat(columns(T)).isEqualTo(read).isEqualTo("id int, b int, c int");
        assertThat(columns(U)).isEqualTo("id int, b int, c int");
        assertThat(history.rowsWritten()).isZero();
    }

    @Test
    void aRestoredCopyHasTheColumnsThatTheSourceToldInTheStream() throws IOException {
        history.begin(tracker.catalog().state());
        onSource.put(U, "create table u (x int)");
        apply(100, "create table if not exists u (id int primary key)");
        apply(300, "create table t like u");
        onSource.put(U, "create table u (y int)");
        isChangedLater = true;

        restart(start(500));

        assertThat(columns(T)).isEqualTo("x int");
        assertThat(columns(U)).isEqualTo("x int");
    }

    @Test
    void asksTheSourceForNothingWhileItRestores() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t like u");
        onSource.put(U, "create table u (later int)");
        asked.clear();

        restart(start(300));

        assertThat(asked).isEmpty();
        assertThat(history.rowsWritten()).isZero();
        tracker.catalog().moveTo(event(300));
        onSource.put(T, "create table t (x int)");
        assertThat(columns(T)).as("from the source, at its rows").isEqualTo("x int");
    }

    @Test
    void anEqualStatementOfAnotherServerAtTheSameOffsetIsARowToo() throws IOException {
        tracker.catalog().define(T, "create table t (a int)");
        history.begin(tracker.catalog().state());
        apply(100, "alter table t add b int");
        apply(300, "alter table t drop b");
        now = now.plusSeconds(60);
        history.setSource(OTHER_SOURCE);
        apply(60, "alter table t add b int");

        restart(StreamStart.at(OTHER_SOURCE, FILE, 160, 1, now.toEpochMilli()));

        assertThat(columns(T)).isEqualTo("a int, b int");
    }

    /** The files have the names again that they had before. */
    @Test
    void whatWasWrittenBeforeAResetOfTheBinlogComesFirst() throws IOException {
        history.begin(tracker.catalog().state());
        applyTransaction("binlog.000010", 1, "create table t (a int)");
        history.setSource(SOURCE, AFTER_RESET);
        applyTransaction("binlog.000002", 2, "alter table t change a z int");

        GtidSet executed = GtidSet.parse(TRANSACTIONS + ":1-2");
        restart(StreamStart.at(SOURCE, "binlog.000002", 9_000, 1, now.toEpochMilli())
                .after(executed, true)
                .inEpoch(AFTER_RESET));

        assertThat(columns(T)).isEqualTo("z int");
        assertThat(history.recorded().newestEpoch(SOURCE)).isEqualTo(AFTER_RESET);
        assertThat(history.recorded().newestEpoch(OTHER_SOURCE)).isZero();
        assertThat(history.recorded().end(SOURCE, AFTER_RESET))
                .isEqualTo(new HistoryEnd(SOURCE, "binlog.000002", 2_000, OptionalLong.of(2_100)));
    }

    @Test
    void anOlderSnapshotIsNotUsedWhenTheBinlogAfterAResetReachesItsFile() throws IOException {
        tracker.catalog().define(T, "create table t (a int)");
        history.begin(tracker.catalog().state());
        history.snapshot(
                StreamStart.at(SOURCE, "binlog.000050", 4, 1, now.toEpochMilli()),
                tracker.catalog().state());
        now = now.plusSeconds(60);
        history.setSource(SOURCE, AFTER_RESET);
        StreamStart reset = StreamStart.at(SOURCE, "binlog.000001", 157, 1, now.toEpochMilli())
                .inEpoch(AFTER_RESET);
        history.snapshot(reset, tracker.catalog().state());
        apply(300, "alter table t add b int");

        restart(StreamStart.at(SOURCE, "binlog.000060", 4, 1, now.toEpochMilli())
                .inEpoch(AFTER_RESET));

        assertThat(columns(T)).isEqualTo("a int, b int");
    }

    @Test
    void anEqualStatementAtTheSameOffsetAfterAResetIsARowToo() throws IOException {
        tracker.catalog().define(T, "create table t (a int)");
        history.begin(tracker.catalog().state());
        apply(100, "alter table t add b int");
        apply(300, "alter table t drop b");
        now = now.plusSeconds(60);
        history.setSource(SOURCE, AFTER_RESET);
        apply(100, "alter table t add b int");

        restart(StreamStart.at(SOURCE, "binlog.000002", 4, 1, now.toEpochMilli())
                .inEpoch(AFTER_RESET));

        assertThat(columns(T)).isEqualTo("a int, b int");
    }

    /** As of a replica that was reset and replicates the same transactions again. */
    @Test
    void aTransactionThatComesAgainAfterAResetIsAppliedOnce() throws IOException {
        history.begin(tracker.catalog().state());
        applyTransaction(FILE, 1, "create table t (a int, b int)");
        applyTransaction(FILE, 2, "alter table t change a c int, change b a int");
        history.setSource(SOURCE, AFTER_RESET);
        applyTransaction("binlog.000002", 2, "alter table t change a c int, change b a int");

        GtidSet executed = GtidSet.parse(TRANSACTIONS + ":1-2");
        restart(StreamStart.at(SOURCE, "binlog.000002", 9_000, 1, now.toEpochMilli())
                .after(executed, true)
                .inEpoch(AFTER_RESET));

        assertThat(columns(T)).isEqualTo("c int, a int");
    }

    private void applyTransaction(String file, int number, String sql) throws IOException {
        tracker.catalog()
                .moveTo(new EventPosition(
                        file, number * 1_000L, LENGTH, 1, now.toEpochMilli(), TRANSACTIONS + ":" + number));
        tracker.statements().apply(sql, "shop");
    }

    @Test
    void aDdlIsNotTakenForAnEqualOneOfAPassedTransaction() throws IOException {
        history.begin(tracker.catalog().state());
        applyTransaction(1, "create table t (a int)");
        applyTransaction(2, "drop table t");

        GtidSet executed = GtidSet.parse(TRANSACTIONS + ":1-2");
        restart(StreamStart.at(OTHER_SOURCE, FILE, 900, 1, now.toEpochMilli()).after(executed, true));
        applyTransaction(3, "create table t (a int)");

        assertThat(columns(T)).isEqualTo("a int");
        assertThat(history.rowsWritten()).isEqualTo(1);
    }

    @Test
    void aDdlIsNotTakenForAnEqualOneOfAnotherTransaction() throws IOException {
        history.begin(tracker.catalog().state());
        applyTransaction(1, "create table t (a int)");
        applyTransaction(2, "drop table t");

        restart(StreamStart.at(OTHER_SOURCE, FILE, 900, 1, now.toEpochMilli() + 1));
        applyTransaction(2, "drop table t");
        applyTransaction(3, "create table t (a int)");

        assertThat(columns(T)).isEqualTo("a int");
        assertThat(history.rowsWritten()).isEqualTo(1);
    }

    @Test
    void eachOfSeveralEqualDdlIsPassedOverWhenItComesFromAnotherServer() throws IOException {
        tracker.catalog().define(T, "create table t (a int)");
        history.begin(tracker.catalog().state());
        List<String> statements = List.of("alter table t add b int", "alter table t drop b", "alter table t add b int");
        for (int i = 0; i < statements.size(); i++) {
            apply(100 + LENGTH * i, statements.get(i));
        }

        restart(StreamStart.at(OTHER_SOURCE, FILE, 900, 1, now.toEpochMilli() + 1));
        for (int reading = 0; reading < 2; reading++) {
            for (int i = 0; i < statements.size(); i++) {
                apply(900 + LENGTH * i, statements.get(i));
            }
        }

        assertThat(columns(T)).isEqualTo("a int, b int");
        assertThat(history.rowsWritten()).isZero();
    }

    private void applyTransaction(int number, String sql) throws IOException {
        applyTransaction(FILE, number, sql);
    }

    private void applyFlagged(long offset, long session, String sql) throws IOException {
        tracker.catalog().moveTo(event(offset));
        tracker.statements().apply(sql, "shop", SqlMode.DEFAULT, new StatementSession(session, true, false));
    }

    /** The columns that rows get which can be of a schema with so many; {@code none} if they are not known. */
    private String columnsOfRows(TableName table, long offset, int... counts) throws IOException {
        tracker.catalog().moveTo(event(offset));
        TableSchema schema = tracker.catalog().table(table) == null
                ? null
                : tracker.rows()
                        .resolveDoubts(
                                table,
                                fitting -> Arrays.stream(counts)
                                        .anyMatch(count -> fitting.columns().size() == count));
        return schema == null ? "none" : columns(table);
    }

    private String charsets() throws IOException {
        TableSchema schema = tracker.catalog().table(T);
        return schema == null
                ? "none"
                : schema.columns().stream()
                        .map(column -> column.name() + " " + column.charset())
                        .collect(Collectors.joining(", "));
    }

    private void applyAs(long offset, String sql, String serverCharset) throws IOException {
        tracker.catalog().moveTo(event(offset));
        tracker.statements()
                .apply(
                        sql,
                        "shop",
                        SqlMode.DEFAULT,
                        new StatementSession(BinlogSession.NO_ID, false, false, serverCharset, null));
    }

    @Test
    void restoresTheCharacterSetsThatStatementsTookFromSchemaAndSession() throws IOException {
        history.begin(tracker.catalog().state());
        presentDefault = "cp1251";
        apply(100, "create table t (a text)");
        presentDefault = "hebrew"; // by a statement that is not read yet
        applyAs(200, "alter database shop character set default", "latin1");
        apply(300, "alter table t character set default, add b text");
        applyAs(400, "create database other", "greek");
        apply(500, "create table other.u (c text)");
        apply(600, "alter table t convert to character set default");
        presentDefault = "koi8r";

        restart(start(600));
        assertThat(charsets()).isEqualTo("a cp1251, b latin1");
        restart(start(700));
        assertThat(charsets()).isEqualTo("a latin1, b latin1");
        assertThat(tracker.catalog()
                        .table(new TableName("other", "u"))
                        .columns()
                        .get(0)
                        .charset())
                .isEqualTo("greek");
        apply(800, "create table other.v (c text)");
        assertThat(tracker.catalog()
                        .table(new TableName("other", "v"))
                        .columns()
                        .get(0)
                        .charset())
                .isEqualTo("greek");
    }

    @Test
    void aCharacterSetThatWasNotKnownIsNotTakenFromTheSourceAfterARestart() throws IOException {
        history.begin(tracker.catalog().state());
        tracker = new SchemaTracker(source, new SourceTraits(false, 50744, false), history);
        presentDefault = "latin1";
        isDefaultOfLater = true;
        apply(100, "create table t (a int)");
        apply(200, "alter table t add b text");

        isDefaultOfLater = false;
        restart(start(200));
        assertThat(charsets()).isEqualTo("a null");
        restart(start(300));
        assertThat(charsets()).isEqualTo("a null, b unknown");
    }

    /** The source may not tell it any more, if the default was changed meanwhile. */
    @Test
    void aStatementThatIsReadAgainTakesTheCharacterSetThatItTookBefore() throws IOException {
        history.begin(tracker.catalog().state());
        tracker = new SchemaTracker(source, new SourceTraits(false, 50744, false), history);
        presentDefault = "cp1251";
        apply(100, "create table t (a text)");

        presentDefault = "latin1";
        isDefaultOfLater = true;
        restart(start(100));
        tracker = new SchemaTracker(source, new SourceTraits(false, 50744, false), history);
        history.restore(tracker, start(100));
        apply(100, "create table t (a text)");
        assertThat(charsets()).isEqualTo("a cp1251");
        apply(200, "create table other.t (a text)");
        assertThat(tracker.catalog()
                        .table(new TableName("other", "t"))
                        .columns()
                        .get(0)
                        .charset())
                .isEqualTo("unknown");
    }

    @Test
    void restoresTheDoubtWhetherADdlWasOfATemporaryTable() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        applyFlagged(200, 7, "alter table t change a b int");
        applyFlagged(500, 7, "alter table t add c int");

        restart(start(600));
        assertThat(tracker.catalog().doubts().has(T)).isTrue();
        assertThat(columnsOfRows(T, 600, 1)).isEqualTo("a int");
        restart(start(300));
        assertThat(columnsOfRows(T, 300, 1)).as("of either").isEqualTo("none");
        restart(start(300));
        tracker.rows().setSession(7);
        assertThat(columnsOfRows(T, 300, 1)).isEqualTo("b int");
    }

    @Test
    void aSnapshotHasTheDoubt() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        applyFlagged(200, 7, "alter table t add b int");
        history.snapshot(start(300), tracker.catalog().state());

        restart(start(300));
        assertThat(columnsOfRows(T, 300, 1)).isEqualTo("a int");
    }

    /** What rows have told once holds for those that follow, of whichever session they are. */
    @Test
    void aDoubtThatRowsHaveEndedDoesNotComeBack() throws IOException {
        for (int columns = 1; columns <= 2; columns++) {
            history.close();
            open(folder.resolve("ended" + columns));
            history.begin(tracker.catalog().state());
            apply(100, "create table t (a int)");
            applyFlagged(200, 7, "alter table t add b int");
            String told = columnsOfRows(T, 300, columns);
            history.restore(tracker, start(400));
            assertThat(tracker.catalog().doubts().has(T)).isFalse();
            assertThat(columns(T)).isEqualTo(told).isEqualTo(columns == 1 ? "a int" : "a int, b int");
        }
    }

    @Test
    void aTableLikeATemporaryOneHasNoColumnsOfAnother() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        applyFlagged(200, 7, "create temporary table t (q int)");
        applyFlagged(300, 7, "create table u like t");

        restart(start(400));
        assertThat(columns(T)).isEqualTo("a int");
        assertThat(columns(U)).isEqualTo("none");
    }

    /** A version that did not record the doubt has read the event before. */
    @Test
    void recordsTheDoubtOfAStatementThatIsReadAgain() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        apply(200, "alter table t change a b int");
        restart(start(300));
        assertThat(tracker.catalog().doubts().has(T)).isFalse();

        restart(start(200));
        applyFlagged(200, 7, "alter table t change a b int");
        restart(start(300));
        assertThat(tracker.catalog().doubts().has(T)).isTrue();
    }

    @Test
    void readsTheTextsOfASessionInItsMode() throws IOException {
        history.begin(tracker.catalog().state());
        tracker.catalog().moveTo(event(100));
        tracker.statements().apply("create table \"t\" (\"a b\" enum('x\\') )", "shop", new SqlMode(true, true));

        restart(start(200));
        assertThat(columns(T)).isEqualTo("a b enum('x\\')");
    }

    @Test
    void readsNoBreakSpacesAsTheClientOfTheStatementDid() throws IOException {
        String sql = "create table t (a int\u00a0unsigned)";
        history.begin(tracker.catalog().state());
        tracker.catalog().moveTo(event(100));
        tracker.statements().apply(sql, "shop", SqlMode.DEFAULT.ofClient(sql, "latin1", "utf8mb4"));

        restart(start(200));
        assertThat(columns(T)).isEqualTo("a int unsigned");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void restoresTheSchemasOfAnyPositionAmongRandomChanges(long seed) throws IOException {
        Random random = new Random(seed);
        history.begin(tracker.catalog().state());
        List<SchemaState> states = new ArrayList<>();
        for (String line : recordedAlters()) {
            states.add(tracker.catalog().state());
            if (random.nextInt(60) == 0) {
                now = now.plus(Duration.ofHours(25));
            }
            apply(1000L * states.size(), line);
        }
        for (int i = 0; i < 25; i++) {
            int position = random.nextInt(states.size());
            restart(start(1000L * (position + 1)));
            assertThat(tracker.catalog().state())
                    .as("seed %d, position %d", seed, position)
                    .isEqualTo(states.get(position));
        }
        assertThat(asked).isEmpty();
    }

    private static List<String> recordedAlters() throws IOException {
        try (InputStream in = SchemaHistoryTest.class.getResourceAsStream("/io/sluice/schema/ddl/alters.sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("--"))
                    .toList();
        }
    }

    @Test
    void comparesByTimeInTheBinlogOfAnotherServer() throws IOException {
        history.begin(tracker.catalog().state());
        apply(1000, "create table t (a int)");
        now = now.plusSeconds(100);
        apply(2000, "alter table t add b int");
        Instant second = now;
        now = now.plusSeconds(100);
        apply(3000, "alter table t add c int");

        restart(StreamStart.at(
                OTHER_SOURCE, "other.000009", 4, 2, second.plusSeconds(50).toEpochMilli()));
        assertThat(columns(T)).isEqualTo("a int, b int");
        // The statements of the last minute come again there, at other offsets.
        now = second;
        tracker.catalog().moveTo(new EventPosition("other.000009", 400, LENGTH, 1, second.toEpochMilli(), null));
        tracker.statements().apply("alter table t add b int", "shop");
        assertThat(columns(T)).isEqualTo("a int, b int");
        now = second.plusSeconds(100);
        tracker.catalog().moveTo(new EventPosition("other.000009", 600, LENGTH, 1, now.toEpochMilli(), null));
        tracker.statements().apply("alter table t add c int", "shop");
        assertThat(columns(T)).isEqualTo("a int, b int, c int");

        restart(StreamStart.at(OTHER_SOURCE, "other.000009", 1000, 1, now.toEpochMilli()));
        assertThat(columns(T)).isEqualTo("a int, b int, c int");
        assertThat(asked).isEmpty();
    }

    @Test
    void startsFromSnapshotsAndForgetsWhatExpired() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (c0 INT)");
        for (int day = 1; day <= 40; day++) {
            now = now.plus(Duration.ofHours(25));
            apply(1000L * day, "alter table t add c%d INT".formatted(day));
        }

        restart(start(41_000));
        assertThat(tracker.catalog().table(T).columns()).hasSize(41);
        restart(start(30_500));
        assertThat(tracker.catalog().table(T).columns()).hasSize(31);
        history.close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            HistoryTables tables = new HistoryTables(database, "shop");
            assertThat(tables.snapshots().all()).hasSizeBetween(14, 18);
            assertThat(tables.rows().read(0, Long.MAX_VALUE, 1000)).hasSizeBetween(15, 20);
        }
    }

    /** Its stream is read on: the snapshot that is due only has the next start apply fewer rows. */
    @Test
    void aSnapshotThatIsDueIsLeftOutIfOtherInstancesHaveTakenTheHeap() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        SchemaHeap others = new SchemaHeap();
        takeAll(others);
        try {
            now = now.plus(Duration.ofHours(25));
            apply(200, "create table u (a int)");
            apply(300, "create table v (a int)");

            SourceException failure = catchThrowableOfType(
                    SourceException.class, () -> history.snapshot(start(400), tracker.catalog()::state));
            assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
            assertThat(failure)
                    .hasMessageStartingWith(
                            "a snapshot of all table schemas cannot be written: the schemas of 3 tables need about 1 MiB of heap, and there are ")
                    .hasMessageContaining(" MiB for them, of which other instances take ");
            assertThat(failure.remedy())
                    .startsWith("start fewer instances in this process, or raise -Xmx to more than ")
                    .endsWith("m, or let fewer tables pass canal.instance.filter.regex");
        } finally {
            others.release();
        }
        apply(400, "create table w (a int)");
        now = now.plus(Duration.ofMinutes(5));
        apply(500, "create table x (a int)");

        history.close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            assertThat(new HistoryTables(database, "shop").snapshots().all())
                    .extracting(snapshot -> snapshot.position().offset())
                    .containsExactly(HistoryPosition.first(SOURCE).offset(), 500L);
        }
    }

    /** What follows a snapshot may be far more than that, and the next one has to have room. */
    @Test
    void tablesThatHaveNoRoomWithTheRowsAfterTheSnapshotAreNotRestored() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        SchemaHeap others = new SchemaHeap();
        takeAll(others);
        try {
            SourceException failure = catchThrowableOfType(SourceException.class, () -> restart(start(200)));

            assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
            assertThat(failure).hasMessageContaining(" cannot be restored: its tables need about 1 MiB of heap");
            assertThat(failure.remedy()).contains("raise -Xmx to more than ");
        } finally {
            others.release();
        }

        restart(start(200));
        assertThat(columns(T)).isEqualTo("a int");
    }

    private static void takeAll(SchemaHeap heap) {
        ColumnSchema column = new ColumnSchema("c", "\u4e2d".repeat(100_000), false, false, null);
        TableSchema large = new TableSchema(T, List.of(column), null);
        assertThatExceptionOfType(ResultTooLargeException.class).isThrownBy(() -> {
            try (SchemaHeap.Step step = heap.step("large schemas", "", false)) {
                while (true) {
                    step.add(large, 1);
                }
            }
        });
    }

    /** The clock of the source was wrong for a moment, or a session has set {@code TIMESTAMP}. */
    @Test
    void aStatementWithATimeInTheFutureLetsNothingExpire() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (c0 INT)");
        for (int day = 1; day <= 5; day++) {
            now = now.plus(Duration.ofHours(25));
            apply(1000L * day, "alter table t add c%d INT".formatted(day));
        }

        now = now.plus(Duration.ofHours(25));
        tracker.catalog()
                .moveTo(new EventPosition(
                        FILE, 6000, LENGTH, 1, now.plus(Duration.ofDays(30)).toEpochMilli(), null));
        tracker.statements().apply("alter table t add c6 INT", "shop");

        history.close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            HistoryTables tables = new HistoryTables(database, "shop");
            assertThat(tables.snapshots().all()).hasSize(7);
            assertThat(tables.rows().read(0, Long.MAX_VALUE, 1000)).hasSize(7);
        }
    }

    /** An archived binlog was replayed with {@code mysqlbinlog}, which sets {@code TIMESTAMP}. */
    @Test
    void aStatementWithATimeInThePastExpiresWithThoseBesideIt() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (c0 INT)");
        for (int day = 1; day <= 19; day++) {
            now = now.plus(Duration.ofHours(25));
            apply(1000L * day, "create table day%d (a INT)".formatted(day));
        }
        tracker.catalog()
                .moveTo(new EventPosition(
                        FILE, 19_500, LENGTH, 1, now.minus(Duration.ofDays(19)).toEpochMilli(), null));
        tracker.statements().apply("alter table t rename column c0 to renamed", "shop");

        now = now.plus(Duration.ofHours(25));
        apply(20_000, "create table later (a INT)");

        restart(start(19_700));
        assertThat(columns(T)).isEqualTo("renamed INT");
        history.close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            HistoryTables tables = new HistoryTables(database, "shop");
            assertThat(tables.snapshots().all()).hasSizeLessThan(20);
            assertThat(tables.rows().read(0, Long.MAX_VALUE, 1000)).hasSizeLessThan(20);
        }
    }

    /** Else it would be without the rows after it, which were written before it. */
    @Test
    void aSnapshotThatWasWrittenAfterARewindExpiresLikeOthersOfItsTime() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (c0 INT)");
        Instant begun = now;
        for (int day = 1; day <= 30; day++) {
            now = begun.plus(Duration.ofHours(25L * day));
            applyOfDay(day, begun);
        }
        StreamStart tenth = startOfDay(10, begun);
        restart(tenth);
        history.snapshot(tenth, tracker.catalog().state());
        for (int day = 10; day <= 35; day++) {
            Instant of = begun.plus(Duration.ofHours(25L * day));
            now = of.isAfter(now) ? of : now;
            applyOfDay(day, begun);
        }

        restart(startOfDay(18, begun));

        assertThat(restored.beginning() != null || columns(T).equals("renamed INT"))
                .as("the columns are those of that day, or known not to be")
                .isTrue();
    }

    private void applyOfDay(int day, Instant begun) throws IOException {
        tracker.catalog()
                .moveTo(new EventPosition(
                        FILE,
                        1_000L * day,
                        LENGTH,
                        1,
                        begun.plus(Duration.ofHours(25L * day)).toEpochMilli(),
                        null));
        tracker.statements()
                .apply(
                        day == 16
                                ? "alter table t rename column c0 to renamed"
                                : "create table day%d (a INT)".formatted(day),
                        "shop");
    }

    private static StreamStart startOfDay(int day, Instant begun) {
        return StreamStart.at(
                SOURCE,
                FILE,
                1_000L * day - 500,
                1,
                begun.plus(Duration.ofHours(25L * day)).toEpochMilli());
    }

    /** As of one that is restarted each night. */
    @Test
    void aHistoryThatIsOpenedAgainOftenHasSnapshots() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (c0 INT)");
        for (int hour = 1; hour <= 8; hour++) {
            now = now.plus(Duration.ofHours(7));
            restart(start(1000L * hour - 500));
            apply(1000L * hour, "alter table t add c%d INT".formatted(hour));
        }

        history.close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            assertThat(new HistoryTables(database, "shop").snapshots().all()).hasSize(3);
        }
    }

    @Test
    void takesOverWhatCanalWrote() throws IOException {
        history.close();
        HistoryDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"));
        String insertSnapshot = "insert into meta_snapshot (gmt_create, gmt_modified, destination, binlog_file,"
                + " binlog_offest, binlog_master_id, binlog_timestamp, data, extra)"
                + " values (current_timestamp, current_timestamp, 'shop', ?, ?, ?, ?, ?, null)";
        database.update(
                insertSnapshot,
                "0",
                0,
                "-1",
                -2,
                "{\"shop\":\"CREATE TABLE `t` (\\n\\t`a` int NOT NULL,\\n\\tPRIMARY KEY (`a`)\\n) ENGINE = InnoDB;"
                        + " \\n\\nCREATE TABLE `gone` (`x` int); \\n\",\"other\":\"\"}");
        String insertRow =
                "insert into meta_history (gmt_create, gmt_modified, destination, binlog_file, binlog_offest,"
                        + " binlog_master_id, binlog_timestamp, use_schema, sql_schema, sql_table, sql_text, sql_type, extra)"
                        + " values (current_timestamp, current_timestamp, 'shop', ?, ?, '1', ?, 'shop', 'shop', ?, ?, ?, ?)";
        long then = now.toEpochMilli();
        database.update(insertRow, FILE, 100, then, "t", "alter table t add b INTEGER", "ALTER", "");
        database.update(insertRow, FILE, 300, then, "u", "CREATE TABLE `u` (`z` int)", "CREATE", "first");
        database.update(insertRow, FILE, 500, then, "t", "alter table t add c INTEGER", "ALTER", "");
        database.close();

        restart(start(400));
        assertThat(columns(T)).isEqualTo("a int, b INTEGER");
        assertThat(columns(U)).isEqualTo("z int");
        apply(500, "alter table t add c INTEGER");
        assertThat(columns(T)).isEqualTo("a int, b INTEGER, c INTEGER");
        assertThat(history.rowsWritten()).isZero();
        // At a statement of canal's own cursor it comes again, and is applied once.
        restart(start(500));
        apply(500, "alter table t add c INTEGER");
        assertThat(columns(T)).isEqualTo("a int, b INTEGER, c INTEGER");
        assertThat(asked).isEmpty();
    }

    @Test
    void knowsWhetherItReachesAPosition() throws IOException {
        history.begin(tracker.catalog().state());
        assertThat(history.recorded().reaches(start(4))).isFalse();
        apply(500, "create table t (a int)");

        assertThat(history.recorded().reaches(start(4))).isTrue();
        assertThat(history.recorded().reaches(start(500))).isTrue();
        assertThat(history.recorded().reaches(start(700))).isFalse();
        assertThat(history.recorded().reaches(StreamStart.at(OTHER_SOURCE, FILE, 4, 1, 1)))
                .isFalse();
    }

    @Test
    void hasWrittenARowToItsFileWhenAStatementWasTaken() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        Files.copy(folder.resolve("h2.sqlite"), folder.resolve("copy.sqlite")); // as after a crash
        Files.copy(folder.resolve("h2.sqlite-wal"), folder.resolve("copy.sqlite-wal"));

        close();
        open(folder.resolve("copy"));
        history.restore(tracker, start(200));
        assertThat(columns(T)).isEqualTo("a int");
    }

    @Test
    void doesItsWorkOnAnInterruptedThread() throws IOException {
        history.begin(tracker.catalog().state());
        Thread.currentThread().interrupt();
        apply(100, "create table t (a int)");
        assertThat(Thread.interrupted()).isTrue();

        restart(start(200));
        assertThat(columns(T)).isEqualTo("a int");
    }
}
