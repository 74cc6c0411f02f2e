package io.sluice.schema.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.history.database.HistoryDatabase;
import io.sluice.schema.history.database.HistoryException;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.SqliteDatabase;
import io.sluice.schema.history.restore.HistoryBeginning;
import io.sluice.schema.history.restore.HistoryEnd;
import io.sluice.schema.history.restore.HistorySkip;
import io.sluice.schema.history.restore.RecordedDdl;
import io.sluice.schema.history.restore.RestoredSchemas;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a cursor can refer to in a history, and what a history knows of its own extent. */
class HistoryReferenceTest {
    private static final TableName T = new TableName("shop", "t");
    private static final long TIME = 1_700_000_000_000L;
    private static final int LENGTH = 100;

    @TempDir
    private Path folder;

    private final Map<TableName, String> onSource = new HashMap<>();
    private final SimulatedHistory simulated = new SimulatedHistory();
    private SchemaHistory history;
    private SchemaTracker tracker;

    @BeforeEach
    void open() throws IOException {
        open("h2", Duration.ofHours(24));
    }

    private void open(String name, Duration interval) throws IOException {
        history = SchemaHistory.open(config(name, interval), Time.SYSTEM);
        history.setSource("uuid");
        tracker = new SchemaTracker(onSource::get, SourceTraits.DEFAULT, history);
    }

    private HistoryConfig config(String name, Duration interval) {
        return new HistoryConfig(
                "shop", HistoryLocation.parse("jdbc:h2:" + name, folder), "", "", interval, Duration.ofDays(15));
    }

    private void useSimulated() throws IOException {
        history.close();
        reopenSimulated();
    }

    private void reopenSimulated() throws IOException {
        history = simulated.open(config("unused", Duration.ofHours(24)), Time.SYSTEM);
        history.setSource("uuid");
        tracker = new SchemaTracker(onSource::get, SourceTraits.DEFAULT, history);
    }

    private List<String> columns() throws IOException {
        return tracker.catalog().table(T).columns().stream()
                .map(column -> column.name())
                .toList();
    }

    @AfterEach
    void close() {
        history.close();
        simulated.close();
    }

    private static EventPosition event(String file, long offset) {
        return new EventPosition(file, offset, LENGTH, 1, TIME + offset, null);
    }

    private static StreamStart start(long offset) {
        return StreamStart.at("uuid", "binlog.000001", offset, 1, TIME + offset);
    }

    private void apply(long offset, String sql) throws IOException {
        apply("binlog.000001", offset, sql);
    }

    private void apply(String file, long offset, String sql) throws IOException {
        tracker.catalog().moveTo(event(file, offset));
        tracker.statements().apply(sql, "shop");
    }

    @Test
    void ascendsWithEveryRowAndSnapshot() throws IOException {
        SchemaReference empty = history.reference();
        history.begin(tracker.catalog().state());
        SchemaReference begun = history.reference();
        apply(100, "create table t (a int)");
        SchemaReference row = history.reference();
        history.snapshot(start(300), tracker.catalog().state());
        SchemaReference snapshot = history.reference();

        assertThat(empty.rowId()).isZero();
        assertThat(begun.rowId()).isPositive();
        assertThat(row.rowId()).isGreaterThan(begun.rowId());
        assertThat(snapshot.rowId()).isGreaterThan(row.rowId());
        assertThat(snapshot.historyId()).isEqualTo(empty.historyId()).hasSize(36);
        assertThat(history.holds(empty)).isTrue();
        assertThat(history.holds(snapshot)).isTrue();
        assertThat(history.holds(
                        new SchemaReference(snapshot.historyId(), snapshot.rowId() + 1, BinlogPosition.UNKNOWN)))
                .isFalse();
        assertThat(history.holds(new SchemaReference("another", 1, BinlogPosition.UNKNOWN)))
                .isFalse();
    }

    @Test
    void theReferenceIsThatOfTheRestoredPosition() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        SchemaReference first = history.reference();
        apply(300, "alter table t add b int");
        SchemaReference second = history.reference();
        close();
        open();

        history.restore(tracker, start(200));
        assertThat(history.reference()).isEqualTo(first);
        apply(300, "alter table t add b int"); // is there
        assertThat(history.reference()).isEqualTo(second);
        history.restore(tracker, start(400));
        assertThat(history.reference()).isEqualTo(second);
    }

    @Test
    void anOlderCopyDoesNotHoldTheReference() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        SchemaReference before = history.reference();
        close();
        Files.copy(folder.resolve("h2.sqlite"), folder.resolve("copy.sqlite"));
        open();
        history.restore(tracker, start(200));
        apply(300, "alter table t add b int");
        SchemaReference after = history.reference();
        close();

        open("copy", Duration.ofHours(24));
        assertThat(history.holds(before)).isTrue();
        assertThat(history.holds(after)).isFalse();
    }

    @Test
    void rowsWithReusedIdsDoNotHoldTheReference() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        SchemaReference before = history.reference();
        close();
        Files.copy(folder.resolve("h2.sqlite"), folder.resolve("copy.sqlite"));
        open();
        history.restore(tracker, start(200));
        apply(300, "alter table t add b int");
        SchemaReference lost = history.reference();
        close();

        open("copy", Duration.ofHours(24));
        history.restore(tracker, start(200));
        history.disown(new SchemaReference("another", 1, BinlogPosition.UNKNOWN));
        assertThat(history.reference()).isEqualTo(before);
        history.disown(lost);
        apply(250, "alter table t add c int");

        assertThat(history.reference().rowId()).isEqualTo(lost.rowId());
        assertThat(history.holds(history.reference())).isTrue();
        assertThat(history.holds(lost)).isFalse();
        assertThat(history.holds(before)).isFalse();
    }

    /** As in a server that fails over to a replica that lags. */
    @Test
    void rowsThatAreLostWhileItIsOpenAreNotMissingAfterwards() throws IOException {
        useSimulated();
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int, b int)");
        SchemaReference kept = history.reference();
        apply(300, "alter table t change a c int, change b a int");
        SchemaReference lost = history.reference();
        simulated.loseTail(1);
        apply(500, "alter table t add d int");
        SchemaReference last = history.reference();

        assertThat(last.rowId()).as("no id is used twice").isGreaterThan(lost.rowId());
        reopenSimulated();
        assertThat(history.holds(last)).isTrue();
        assertThat(history.holds(lost)).isFalse();
        assertThat(history.holds(kept)).as("the identity is another one").isFalse();
        history.restore(tracker, start(600), last.rowId());
        assertThat(columns()).containsExactly("c", "a", "d");
        HistorySkip skip = history.beginnings().skipAfter("uuid", 0, new BinlogPosition("binlog.000001", 400));
        assertThat(skip).as("what is missing before the loss was noticed").isNotNull();
        assertThat(skip.until()).isEqualTo(new BinlogPosition("binlog.000001", 500));
        assertThat(skip.after()).isEqualTo(new HistoryEnd("uuid", "binlog.000001", 100, OptionalLong.of(200)));
    }

    /** Which DDL of this server was read from the other one is not known. */
    @Test
    void nothingIsKnownBeforeASkippedPartIfAnotherServerWasReadSince() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        history.beginAt(start(500), tracker.catalog().state());
        assertThat(history.beginnings()
                        .skipAfter("uuid", 0, new BinlogPosition("binlog.000001", 400))
                        .after())
                .isEqualTo(new HistoryEnd("uuid", "binlog.000001", 100, OptionalLong.of(200)));

        history.setSource("other");
        apply("binlog.000007", 300, "alter table t add b int");
        history.setSource("uuid");
        history.beginAt(start(900), tracker.catalog().state());

        HistorySkip skip = history.beginnings().skipAfter("uuid", 0, new BinlogPosition("binlog.000001", 800));
        assertThat(skip.until()).isEqualTo(new BinlogPosition("binlog.000001", 900));
        assertThat(skip.after()).isNull();
    }

    /** The former owner has written the row, or the answer to the COMMIT of this process was lost. */
    @Test
    void aRowThatWasFoundIsMissedIfItIsLost() throws IOException {
        String exchange = "alter table t change a c int, change b a int";
        useSimulated();
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int, b int)");
        int before = simulated.transactions();
        simulated.change("update meta_identity set last_id = last_id + 1");
        simulated.change(
                ("insert into meta_history (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                                + " binlog_timestamp, use_schema, sql_schema, sql_table, sql_type, extra, sql_text)"
                                + " select last_id, 0, 0, 'shop', 'binlog.000001', 300, '1', %d, 'shop', 'shop', 't', 'ALTER',"
                                + " '{\"source\":\"uuid\",\"end\":\"400\"}', '%s' from meta_identity")
                        .formatted(TIME + 300, exchange));
        apply(300, exchange);
        SchemaReference lost = history.reference();
        simulated.loseTail(simulated.transactions() - before);
        apply(500, "alter table t add d int");
        SchemaReference last = history.reference();

        assertThat(last.rowId()).as("no id is used twice").isGreaterThan(lost.rowId());
        reopenSimulated();
        assertThat(history.holds(lost)).isFalse();
        assertThat(history.holds(last)).isTrue();
        history.restore(tracker, start(600), last.rowId());
        assertThat(columns()).containsExactly("c", "a", "d");
    }

    /** Its row names no server, and has the time at which the statement began: before that of the snapshot, which precedes it in the binlog. */
    @Test
    void aLongStatementAfterTheSnapshotIsAppliedThoughCanalHasWrittenItsRow() throws IOException {
        String rename = "alter table t rename column a to x";
        useSimulated();
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int, b int)");
        history.snapshot(
                StreamStart.at("uuid", "binlog.000001", 250, 1, TIME + 60_000),
                tracker.catalog().state());
        simulated.change(
                ("insert into meta_history (gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                                + " binlog_timestamp, use_schema, sql_schema, sql_table, sql_text, sql_type)"
                                + " values (0, 0, 'shop', 'binlog.000001', 300, '1', %d, 'shop', 'shop', 't', '%s', 'ALTER')")
                        .formatted(TIME + 300, rename));
        reopenSimulated();
        history.restore(tracker, start(600));
        apply(300, rename);

        assertThat(columns()).containsExactly("x", "b");
    }

    @Test
    void aDefinitionThatIsWrittenAfterALossIsPrecededByWhatWasLost() throws IOException {
        useSimulated();
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        apply(300, "alter table t rename column a to b");
        simulated.loseTail(1);
        TableName other = new TableName("shop", "other");
        onSource.put(other, "CREATE TABLE `other` (`x` int)");
        tracker.catalog().moveTo(event("binlog.000001", 500));
        tracker.catalog().table(other);

        reopenSimulated();
        history.restore(tracker, start(600));
        assertThat(columns()).containsExactly("b");
        assertThat(tracker.catalog().table(other).columns()).hasSize(1);
    }

    @Test
    void aPeriodicSnapshotAfterALossIsABeginning() throws IOException {
        useSimulated();
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        apply(300, "alter table t rename column a to b");
        simulated.loseTail(1);
        history.snapshot(start(500), tracker.catalog().state());

        assertThat(history.beginnings().skipAfter("uuid", 0, new BinlogPosition("binlog.000001", 400)))
                .isNotNull();
        apply(500, "alter table t add c int");
        reopenSimulated();
        history.restore(tracker, start(600));
        assertThat(columns()).containsExactly("b", "c");
    }

    @Test
    void aLossThatIsNoticedAtAPeriodicSnapshotIsLogged() throws IOException {
        history.close();
        HandTime time = new HandTime();
        history = simulated.open(config("unused", Duration.ofHours(24)), time);
        history.setSource("uuid");
        tracker = new SchemaTracker(onSource::get, SourceTraits.DEFAULT, history);
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        apply(300, "alter table t add b int");
        simulated.loseTail(1);
        time.pass(Duration.ofHours(24));
        try (LogLines log = LogLines.of(HistoryWriter.class)) {
            apply(500, "alter table t add c int");

            assertThat(log.texts())
                    .filteredOn(message -> message.startsWith("the schema history has lost its newest rows"))
                    .singleElement()
                    .asString()
                    .endsWith("at=binlog.000001:500");
        }
    }

    /** An operator has dropped and restored a part of the schema. */
    @Test
    void aRowOfTheIdentityThatIsLostWhileItIsOpenIsWrittenAgain() throws IOException {
        useSimulated();
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        SchemaReference before = history.reference();
        simulated.change("delete from meta_identity");
        apply(300, "alter table t add b int");

        assertThat(history.reference().historyId()).isNotEqualTo(before.historyId());
        assertThat(history.holds(history.reference())).isTrue();
        reopenSimulated();
        history.restore(tracker, start(400));
        assertThat(columns()).containsExactly("a", "b");
    }

    /** As by a deployment that replaces the directory of the configuration. */
    @Test
    void aFileThatIsRemovedWhileItIsOpenIsWrittenAgainWithTheNextStatement() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int, b int)");
        SchemaReference lost = history.reference();
        removeFiles();
        assertThat(history.isGone()).isTrue();

        apply(300, "alter table t change a c int, change b a int");

        SchemaReference last = history.reference();
        assertThat(history.isGone()).isFalse();
        history.close();
        open("h2", Duration.ofHours(24));
        assertThat(history.holds(last)).isTrue();
        assertThat(history.holds(lost)).isFalse();
        assertThat(last.rowId()).as("no id is used twice").isGreaterThan(lost.rowId());
        history.restore(tracker, start(400), last.rowId());
        assertThat(columns()).containsExactly("c", "a");
    }

    @Test
    void aFileThatIsRemovedIsWrittenAgainAlthoughNoStatementFollows() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int, b int)");
        removeFiles();

        history.keepAfterLoss(start(500), tracker.catalog()::state);

        history.close();
        open("h2", Duration.ofHours(24));
        history.restore(tracker, start(500));
        assertThat(columns()).containsExactly("a", "b");
    }

    /** To make it again would keep an operator from moving it back. */
    @Test
    void aDirectoryThatIsRemovedIsNotMadeAgainAndHasTheStatementWhenItIsBack() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int, b int)");
        Path moved = folder.resolveSibling(folder.getFileName() + "-moved");
        Files.move(folder, moved);

        assertThat(history.isGone()).isFalse();
        assertThatThrownBy(() -> apply(300, "alter table t add c int"))
                .hasMessageContaining("the directory of the schema history " + folder.resolve("h2.sqlite"))
                .hasMessageContaining("put it back");
        assertThat(folder).doesNotExist();
        Files.move(moved, folder);
        apply(400, "alter table t add d int");

        history.close();
        open("h2", Duration.ofHours(24));
        history.restore(tracker, start(500));
        assertThat(columns()).contains("d");
    }

    @Test
    void aFileThatIsReplacedByAnotherIsRejectedAndStaysAsItIs() throws IOException {
        history.begin(tracker.catalog().state());
        history.close();
        Path file = folder.resolve("h2.sqlite");
        Path other = folder.resolve("other.sqlite");
        open("other", Duration.ofHours(24));
        history.begin(tracker.catalog().state());
        history.close();
        byte[] there = Files.readAllBytes(other);
        open("h2", Duration.ofHours(24));
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);

        assertThatThrownBy(() -> apply(100, "create table t (a int)"))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("was replaced by another file");

        history.close();
        assertThat(file).hasBinaryContent(there);
    }

    private void removeFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }

    /** What is restored for an earlier position of another server begins with what was lost. */
    @Test
    void whatWasLostIsWrittenBeforeAnEarlierPositionIsRestored() throws IOException {
        useSimulated();
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        history.keepAfterLoss(start(200), tracker.catalog()::state);
        assertThat(history.recorded().end("uuid", 0)).as("nothing was lost").isEqualTo(end(100));
        apply(300, "alter table t rename column a to b");
        simulated.loseTail(1);
        history.keepAfterLoss(start(450), tracker.catalog()::state);

        assertThat(history.reference().rowId()).isPositive();
        history.setSource("other");
        RestoredSchemas restored = history.restore(tracker, StreamStart.at("other", "binlog.000007", 4, 2, TIME + 250));
        assertThat(columns()).as("to be moved back by the binlog there").containsExactly("b");
        assertThat(restored.beginning()).isEqualTo(new HistoryBeginning(null, TIME + 450));
    }

    private static HistoryEnd end(long offset) {
        return new HistoryEnd("uuid", "binlog.000001", offset, OptionalLong.of(offset + LENGTH));
    }

    @Test
    void aNewHistoryHasAnotherReference() throws IOException {
        history.begin(tracker.catalog().state());
        SchemaReference before = history.reference();
        close();
        Files.delete(folder.resolve("h2.sqlite"));
        open();
        history.begin(tracker.catalog().state());

        assertThat(history.reference().historyId()).isNotEqualTo(before.historyId());
        assertThat(history.holds(before)).isFalse();
    }

    @Test
    void aReferenceIsHeldAfterItsRowWasPurged() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        SchemaReference old = history.reference();
        try (SchemaHistory closed = history) {
            closed.snapshot(start(200), tracker.catalog().state());
        }
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            database.update("delete from meta_history");
            database.update("delete from meta_snapshot where binlog_file = '0'");
        }
        open();
        assertThat(history.holds(old)).isTrue();
        history.restore(tracker, start(300));
        apply(400, "alter table t add b int");
        assertThat(history.reference().rowId()).as("no id is used twice").isGreaterThan(old.rowId() + 1);
    }

    @Test
    void theEndIsThatOfTheNewestEvent() throws IOException {
        history.begin(tracker.catalog().state());
        assertThat(history.recorded().end("uuid", 0)).isNull();

        apply("binlog.000002", 500, "create table t (a int)");
        apply("binlog.000002", 500, "alter table t add b int");
        HistoryEnd end = history.recorded().end("uuid", 0);
        assertThat(end).isNotNull();
        assertThat(end.file()).isEqualTo("binlog.000002");
        assertThat(end.offset()).isBetween(500L, 599L);
        assertThat(end.end()).isEqualTo(OptionalLong.of(600));

        apply("binlog.000001", 9000, "alter table t add c int");
        assertThat(history.recorded().end("uuid", 0)).as("an older position").isEqualTo(end);
        history.setSource("other");
        apply("binlog.000007", 4, "alter table t add d int");
        assertThat(history.recorded().end("uuid", 0)).as("another source").isEqualTo(end);
        assertThat(history.recorded().end("other", 0))
                .isEqualTo(new HistoryEnd("other", "binlog.000007", 4, OptionalLong.of(104)));
    }

    /** The stream has moved to a server with lower numbers: each file of the former one was read, at each start. */
    @Test
    void theEndIsFoundWithFewQueriesAfterManyFilesOfAnotherSource() throws Exception {
        history.begin(tracker.catalog().state());
        history.setSource("for\\mer");
        for (int file = 0; file < 40; file++) {
            apply("binlog.%06d".formatted(5000 + file), 4, "create table t%d (a int)".formatted(file));
        }
        history.setSource("uuid");
        apply("binlog.000002", 500, "create table t (a int)");
        close();
        AtomicInteger queries = new AtomicInteger();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            HistoryDatabase counting = (HistoryDatabase) Proxy.newProxyInstance(
                    HistoryDatabase.class.getClassLoader(),
                    new Class<?>[] {HistoryDatabase.class},
                    (self, method, arguments) -> {
                        queries.incrementAndGet();
                        return method.invoke(database, arguments);
                    });
            RecordedDdl recorded = new RecordedDdl(new HistoryTables(counting, "shop"), Time.SYSTEM);

            assertThat(recorded.end("uuid", 0))
                    .isEqualTo(new HistoryEnd("uuid", "binlog.000002", 500, OptionalLong.of(600)));
            assertThat(queries).hasValueLessThan(20);
            assertThat(recorded.end("for\\mer", 0).file()).isEqualTo("binlog.005039");
            assertThat(recorded.end("unknown", 0)).isNull();
        }
        open();
    }

    @Test
    void aSourceOfAnyNameIsFoundAmongOthers() throws IOException {
        history.begin(tracker.catalog().state());
        history.setSource("a\\\"%_é");
        apply("binlog.000001", 500, "create table t (a int)");
        history.setSource("other");
        for (int file = 2; file < 15; file++) {
            apply("binlog.%06d".formatted(file), 4, "create table t%d (a int)".formatted(file));
        }

        assertThat(history.recorded().end("a\\\"%_é", 0))
                .isEqualTo(new HistoryEnd("a\\\"%_é", "binlog.000001", 500, OptionalLong.of(600)));
    }

    @Test
    void theEndIsThatOfANewerSnapshot() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        history.snapshot(
                StreamStart.at("uuid", "binlog.1000000", 4, 1, TIME),
                tracker.catalog().state());
        apply("binlog.999999", 70_000, "alter table t add b int");

        assertThat(history.recorded().end("uuid", 0))
                .isEqualTo(new HistoryEnd("uuid", "binlog.1000000", 4, OptionalLong.of(4)));
    }

    @Test
    void rowsOfEarlierVersionsHaveAnUnknownEnd() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        close();
        try (SqliteDatabase database = SqliteDatabase.open(folder.resolve("h2.sqlite"))) {
            database.update("update meta_history set extra = '{\"source\":\"uuid\"}'");
        }
        open();
        assertThat(history.recorded().end("uuid", 0))
                .isEqualTo(new HistoryEnd("uuid", "binlog.000001", 100, OptionalLong.empty()));
    }

    /** The rows of a stream that was begun again at an older position have higher ids, and are applied where they belong. */
    @Test
    void rowsThatWereWrittenLateAreRestoredInTheOrderOfTheBinlog() throws IOException {
        history.begin(tracker.catalog().state());
        apply(100, "create table t (a int)");
        history.snapshot(start(5_000), tracker.catalog().state());
        apply(7_000, "alter table t add c int");
        close();
        open();
        history.restore(tracker, start(5_000));
        apply(6_000, "alter table t add b int"); // was not seen before
        apply(7_000, "alter table t add c int");
        history.restore(tracker, start(6_500));
        assertThat(tracker.catalog().table(T).columns()).hasSize(2);
        history.restore(tracker, start(8_000));
        assertThat(tracker.catalog().table(T).columns())
                .extracting(column -> column.name())
                .containsExactly("a", "b", "c");
    }
}
