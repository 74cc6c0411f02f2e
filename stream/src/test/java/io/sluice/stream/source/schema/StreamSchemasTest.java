package io.sluice.stream.source.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.binlog.ListedEvents;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.LastEvent;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.filter.FilterRules;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.schema.history.SimulatedHistory;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.restore.HistoryEnd;
import io.sluice.schema.history.restore.RestoredSchemas;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.SchemaHeap;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.store.cursor.Subscription;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.event.ChunkBuffers;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReaderOptions;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Change;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import io.sluice.testkit.binlog.SyntheticTable;
import io.sluice.testkit.log.LogLines;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts with a filter that accepts other tables than that of the last run. */
class StreamSchemasTest {
    private static final UUID SERVER = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
    private static final String OTHER_SERVER = "323b686a-e4de-11f1-8f50-02fc00000002";
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final TableName ORDERS = new TableName("shop", "orders");
    private static final TableName OTHER = new TableName("shop", "other");
    private static final TableName MADE = new TableName("shop", "made");
    private static final String MAKE = "CREATE TABLE made (a text)";
    private static final SourceTraits MYSQL_5_7 = new SourceTraits(false, 50744, false);
    private static final String NARROW = "shop\\.orders";
    private static final String WIDE = "shop\\..*";

    private SyntheticBinlog binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_000, false);
    private final SimulatedHistory database = new SimulatedHistory();
    private final Map<TableName, String> present = new HashMap<>();
    private final Map<String, String> defaults = new HashMap<>();
    private SourceTraits traits = SourceTraits.DEFAULT;
    private @Nullable SchemaReference reference;
    private Duration snapshotInterval = Duration.ZERO;

    /** Of how many tables the source was asked for the definitions at once. */
    private int mostAtOnce;

    /** So many pages of definitions are read before the source fails. */
    private int pages = Integer.MAX_VALUE;

    @BeforeEach
    void makeTables() {
        present.put(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, `a` int, PRIMARY KEY (`id`))");
        present.put(OTHER, "CREATE TABLE `other` (`id` int NOT NULL, `a` int, `b` int, PRIMARY KEY (`id`))");
        statement("CREATE DATABASE shop");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void statement(String sql) {
        binlog.open(0);
        binlog.query("shop", sql);
        binlog.close();
    }

    private BinlogPosition end() {
        return new BinlogPosition(binlog.newestFile(), binlog.end());
    }

    private HistoryConfig config() {
        return config(Path.of("unused"));
    }

    private HistoryConfig config(Path file) {
        return new HistoryConfig(
                "shop",
                new HistoryLocation.LocalFile(file, Path.of("unused"), ""),
                "",
                "",
                snapshotInterval,
                Duration.ofDays(1));
    }

    /** A start of the process at a position, which everything before is acknowledged up to. */
    private SchemaTracker start(String includes, BinlogPosition at, BinlogPosition completeTo, Time time)
            throws IOException {
        return start(schemas(includes, time), at, completeTo);
    }

    private StreamSchemas schemas(String includes, Time time) {
        return new StreamSchemas(
                "shop", new Tables(), new TableFilter(includes, ""), new SchemaOptions(config()), database::open, time);
    }

    private SchemaTracker start(StreamSchemas schemas, BinlogPosition at, BinlogPosition completeTo)
            throws IOException {
        return start(schemas, DumpStart.at(at, new LastEvent(1_700_000_000_000L, 7)), at, completeTo);
    }

    private SchemaTracker start(StreamSchemas schemas, DumpStart wanted, BinlogPosition at, BinlogPosition completeTo)
            throws IOException {
        SchemaReference known = reference;
        Cursor cursor = new Cursor(
                new SourceServer(ADDRESS.host(), ADDRESS.port(), SERVER.toString()),
                at,
                "",
                7,
                1_700_000_000_000L,
                known == null ? null : new SchemaReference(known.historyId(), known.rowId(), completeTo));
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        DumpStart point = schemas.enter(wanted, null, cursor, source);
        SchemaTracker tracker = schemas.trackerAt(point, cursor, source);
        schemas.setSource(point, source);
        reference = schemas.reference();
        return tracker;
    }

    private SchemaTracker start(String includes, BinlogPosition at) throws IOException {
        return start(includes, at, at, Time.SYSTEM);
    }

    @Test
    void aNewTableThatWasNotChangedHasTheColumnsThatItHas() throws IOException {
        BinlogPosition cursor = end();
        start(NARROW, cursor);
        statement("CREATE TABLE IF NOT EXISTS other (id int)");
        statement("ALTER TABLE other ENGINE = InnoDB");

        assertThat(start(WIDE, cursor).catalog().tables().knows(OTHER)).isTrue();
    }

    /** A heap has room for their schemas, and not for all these texts besides. */
    @Test
    void ofManyNewTablesFewTextsAreInMemoryAtOnce() throws IOException {
        BinlogPosition cursor = end();
        start(NARROW, cursor);
        presentMany();
        statement("ALTER TABLE other ENGINE = InnoDB");

        SchemaTracker tracker = start(WIDE, cursor);

        assertThat(present.keySet()).allMatch(tracker.catalog().tables()::knows);
        assertThat(mostAtOnce).isEqualTo(200);
    }

    @Test
    void soAreThoseOfTablesThatAnOperatorReloads() throws IOException {
        presentMany();
        start(WIDE, end());
        present.replaceAll((table, create) -> create.replace("`a` int", "`c` int"));
        mostAtOnce = 0;
        SchemaOptions options = new SchemaOptions(config(), new TableFilter("shop\\.many.*", ""));

        try (LogLines lines = LogLines.of(SourceSchemas.class);
                StreamSchemas schemas = new StreamSchemas(
                        "shop", new Tables(), new TableFilter(WIDE, ""), options, database::open, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, end(), end());

            assertThat(columns(tracker.catalog().table(new TableName("shop", "many_0"))))
                    .containsExactly("id", "c");
            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "a");
            assertThat(mostAtOnce).isEqualTo(200);
            assertThat(lines.texts())
                    .last()
                    .asString()
                    .contains("as canal.instance.schema.reload requests", "tables=1001 names=[")
                    .hasSizeLessThan(2_000);
        }
    }

    /** Until the next attempt the others may write snapshots. */
    @Test
    void aStartThatFailsLeavesTheHeapToOtherInstances() throws IOException {
        presentMany();
        StreamSchemas schemas = schemas(WIDE, Time.SYSTEM);
        int before = tablesWithRoom(); // more as soon as schemas of other tests are collected
        pages = 4;

        assertThatIOException().isThrownBy(() -> start(schemas, end(), end())).withMessage("the connection broke");

        assertThat(tablesWithRoom()).isGreaterThanOrEqualTo(before);
        pages = Integer.MAX_VALUE;
        assertThat(start(schemas, end(), end()).catalog().tables().count()).isEqualTo(1003);
        int beside = tablesWithRoom();
        schemas.close();
        assertThat(tablesWithRoom()).isGreaterThan(beside);
    }

    private static int tablesWithRoom() {
        ColumnSchema column = new ColumnSchema("c", "\u4e2d".repeat(100_000), false, false, null);
        TableSchema table = new TableSchema(ORDERS, List.of(column), null);
        SchemaHeap heap = new SchemaHeap();
        int count = 0;
        try (SchemaHeap.Step step = heap.step("large schemas", "", false)) {
            while (true) {
                step.add(table, 1);
                count++;
            }
        } catch (ResultTooLargeException e) {
            return count;
        } finally {
            heap.release();
        }
    }

    private void presentMany() {
        for (int i = 0; i < 1001; i++) {
            present.put(
                    new TableName("shop", "many_" + i),
                    "CREATE TABLE `many_%d` (`id` int NOT NULL, `a` int, PRIMARY KEY (`id`))".formatted(i));
        }
    }

    /** It would get the columns that it has now. */
    @Test
    void aNewTableThatWasMadeAfterTheStartIsNotKnownThere() throws IOException {
        BinlogPosition cursor = end();
        start(NARROW, cursor);
        statement("CREATE TABLE other (id int)");
        statement("ALTER TABLE other ADD COLUMN a int, ADD COLUMN b int");

        assertThat(start(WIDE, cursor).catalog().tables().knows(OTHER)).isFalse();
    }

    /** The statement is in the binlog also if the table was there before. */
    @Test
    void aNewTableThatMayHaveBeenThereWithOtherColumnsIsRejected() throws IOException {
        BinlogPosition cursor = end();
        start(NARROW, cursor);
        statement("CREATE TABLE IF NOT EXISTS other (id int)");
        statement("ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a");

        assertThat(rejection(cursor)).hasMessageContaining("shop.other (by the DDL at ");
    }

    /** The operator wanted to add a table, and no other line of the log says that none was. */
    @Test
    void aFilterThatChangesAndAcceptsTheSameTablesIsCalledOne() throws IOException {
        BinlogPosition cursor = end();
        start(NARROW, cursor);
        try (LogLines lines = LogLines.of(GrownFilter.class)) {
            start(NARROW + ", shop\\.other", cursor);

            assertThat(lines.texts())
                    .singleElement()
                    .asString()
                    .contains(
                            "accepts the same of the existing tables",
                            "included=[shop\\.orders, shop\\.other] before=[shop\\.orders]")
                    .doesNotContain("new tables");
        }
    }

    /** As after a fail-over, which goes back by a minute. */
    @Test
    void aNewTableIsCheckedAgainWhenTheStreamMovesToBeforeItWasNew() throws IOException {
        BinlogPosition earlier = end();
        start(NARROW, earlier);
        statement("ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        BinlogPosition cursor = end();
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, cursor, cursor);

            assertThat(catchThrowableOfType(SourceException.class, () -> move(schemas, earlier)))
                    .hasMessageContaining("shop.other (by the DDL at ");

            assertThat(schemas.areTorn()).isTrue();
            move(schemas, cursor);
            assertThat(schemas.areTorn()).isFalse();
            assertThat(tracker.catalog().tables().knows(OTHER)).isTrue();
        }
    }

    @Test
    void aNewTableThatWasNotChangedIsKnownWhenTheStreamMovesToBeforeItWasNew() throws IOException {
        BinlogPosition earlier = end();
        start(NARROW, earlier);
        statement("ALTER TABLE other ENGINE = InnoDB");
        BinlogPosition cursor = end();
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, cursor, cursor);

            move(schemas, earlier);

            assertThat(tracker.catalog().tables().knows(OTHER)).isTrue();
            assertThat(schemas.filterChange().from()).isEqualTo(earlier.toString());
        }
    }

    private void move(StreamSchemas schemas, BinlogPosition to) throws IOException {
        schemas.restoreEarlier(DumpStart.at(to, new LastEvent(1_700_000_000_000L, 7)), new OneBinlog(ADDRESS, binlog));
    }

    /** The source is asked for its tables after it was asked for the newest position. */
    @Test
    void afterAMoveToTheNewestPositionDdlThatCameMeanwhileIsNotTakenForOlder() throws IOException {
        BinlogPosition cursor = end();
        BinlogPosition newest;
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, cursor, cursor);
            statement("CREATE TABLE skipped (id int)");
            newest = end();
            statement("ALTER TABLE orders ADD COLUMN b int AFTER id");
            present.put(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, `b` int, `a` int, PRIMARY KEY (`id`))");

            schemas.alignWithSource(
                    DumpStart.at(newest, new LastEvent(1_700_000_000_000L, 7)), new OneBinlog(ADDRESS, binlog));

            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "a");
            assertThat(schemas.areTorn()).isFalse();
            reference = schemas.reference();
        }
        assertThat(columns(start(WIDE, end(), newest, Time.SYSTEM).catalog().table(ORDERS)))
                .as("the DDL is read from the binlog")
                .containsExactly("id", "b", "a");
    }

    @Test
    void aFilterIsTakenForThatOfTheLastRunOnlyAfterItsNewTablesAreKnown() throws IOException {
        BinlogPosition lost = end();
        start(NARROW, lost);
        statement("ALTER TABLE orders ADD x int");
        statement("ALTER TABLE orders ADD y int");
        BinlogPosition cursor = end();
        statement("ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        snapshotInterval = Duration.ofMillis(1);

        assertThat(catchThrowableOfType(SourceException.class, () -> start(WIDE, cursor, lost, new HastyTime())))
                .hasMessageContaining("shop.other");
        assertThat(rejection(cursor)).as("the same at the next attempt").hasMessageContaining("shop.other");
    }

    @Test
    void aHistoryOfAVersionThatKeptNoFilterGetsOne() throws IOException {
        BinlogPosition cursor = end();
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = new SchemaTracker(table -> null, SourceTraits.DEFAULT, history);
            history.setSource(SERVER.toString());
            tracker.catalog().define(ORDERS, present.get(ORDERS));
            history.begin(tracker.catalog().state());
            history.snapshot(
                    StreamStart.at(SERVER.toString(), cursor.file(), cursor.offset(), 7, 1_700_000_000_000L),
                    tracker.catalog().state());
            reference = history.reference();
        }

        start(NARROW, cursor);

        statement("ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        assertThat(rejection(cursor)).hasMessageContaining("shop.other");
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            RestoredSchemas restored = history.restore(
                    new SchemaTracker(table -> null, SourceTraits.DEFAULT, history),
                    StreamStart.at(SERVER.toString(), cursor.file(), cursor.offset(), 7, 1_700_000_000_000L));
            assertThat(restored.filter()).isEqualTo(FilterRules.ALL.withIncluded(NARROW));
        }
    }

    /** Which was changed while it did not pass, in a part of the binlog that could not be read. */
    @Test
    void nothingIsKeptOfATableThatDoesNotPassWhenTheSchemasAreTakenFromTheSource() throws IOException {
        SchemaTracker tracker = new SchemaTracker(new Tables(), SourceTraits.DEFAULT);
        tracker.catalog().define(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, PRIMARY KEY (`id`))");
        tracker.catalog().define(OTHER, "CREATE TABLE `other` (`id` int NOT NULL, PRIMARY KEY (`id`))");
        tracker.catalog().charsets().setAll(Map.of("shop", "latin1"));

        new SourceSchemas("shop", new Tables(), new TableFilter(NARROW, ""), true, Time.SYSTEM)
                .align(tracker.catalog());

        assertThat(tracker.catalog().tables().knows(OTHER)).isFalse();
        assertThat(tracker.catalog().table(ORDERS).columns()).hasSize(2);
        assertThat(tracker.catalog().charsets().schemas()).isEmpty();
    }

    /** As after a fail-over to a server with other files. */
    @Test
    void afterAStartByGtidsWithAnotherFilterTheDdlThatFollowsIsKeptForTheNextStart() throws IOException {
        BinlogPosition cursor = end();
        start(NARROW, cursor);
        DumpStart byGtids =
                DumpStart.after(null, MySqlGtidSet.parse(binlog.executed()), new LastEvent(1_700_000_000_000L, 7));
        long offset = binlog.end();
        statement("ALTER TABLE orders ADD x int");
        int length = (int) (binlog.end() - offset);
        statement("ALTER TABLE orders ENGINE = InnoDB");
        Cursor elsewhere = new Cursor(
                SourceServer.at("other", 3306),
                new BinlogPosition("other.000009", 4),
                binlog.executed(),
                7,
                1_700_000_000_000L,
                reference);
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = schemas.trackerAt(byGtids, elsewhere, new OneBinlog(ADDRESS, binlog));

            tracker.catalog()
                    .moveTo(new EventPosition(
                            binlog.newestFile(), offset, length, 7, 1_700_000_000_000L, SERVER + ":2"));
            tracker.statements().apply("ALTER TABLE orders ADD x int", "shop");
            reference = schemas.reference();
        }

        assertThat(start(WIDE, end()).catalog().table(ORDERS).columns())
                .extracting(ColumnSchema::name)
                .containsExactly("id", "a", "x");
    }

    @Test
    void aFirstStartThatIsKnownByGtidsOnlyIsSearchedForDdl() throws IOException {
        DumpStart byGtids =
                DumpStart.after(null, MySqlGtidSet.parse(binlog.executed()), new LastEvent(1_700_000_000_000L, 7));
        statement("ALTER TABLE orders ADD x int");
        present.put(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, `a` int, `x` int, PRIMARY KEY (`id`))");
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = schemas.trackerAt(byGtids, null, new OneBinlog(ADDRESS, binlog));

            assertThat(tracker.catalog().table(ORDERS).columns())
                    .extracting(ColumnSchema::name)
                    .containsExactly("id", "a");
        }
    }

    @Test
    void columnsThatWereAddedBeforeTheHistoryBeganAreTakenOutAtAnEarlierStart() throws IOException {
        BinlogPosition earlier = end();
        EventPosition added = event("ALTER TABLE orders ADD x int FIRST");
        present.put(ORDERS, "CREATE TABLE `orders` (`x` int, `id` int NOT NULL, `a` int, PRIMARY KEY (`id`))");
        start(WIDE, end());

        assertThat(columns(start(WIDE, earlier).catalog().table(ORDERS))).containsExactly("id", "a");
        SchemaTracker again = start(WIDE, earlier);
        assertThat(columns(again.catalog().table(ORDERS)))
                .as("at another start there")
                .containsExactly("id", "a");
        again.catalog().moveTo(added);
        again.statements().apply("ALTER TABLE orders ADD x int FIRST", "shop");
        assertThat(columns(start(WIDE, end()).catalog().table(ORDERS))).containsExactly("x", "id", "a");
    }

    /** The new files have lower numbers, so that the start is not before the history. */
    @Test
    void afterAResetOfTheBinlogTheSchemasAreTheNewestOfTheHistory() throws IOException {
        binlog.rotate();
        binlog.rotate();
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, end(), end());
            tracker.catalog().moveTo(event("ALTER TABLE orders RENAME COLUMN a TO b"));
            tracker.statements().apply("ALTER TABLE orders RENAME COLUMN a TO b", "shop");
            reference = schemas.reference();
        }
        binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_100, false);
        statement("CREATE DATABASE other");

        EventPosition changed;
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            DumpStart byGtids =
                    DumpStart.after(end(), MySqlGtidSet.parse(binlog.executed()), new LastEvent(1_700_000_000_000L, 7));
            SchemaTracker tracker = start(schemas, byGtids, end(), end());
            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "b");
            changed = event("ALTER TABLE orders RENAME COLUMN b TO c");
            tracker.catalog().moveTo(changed);
            tracker.statements().apply("ALTER TABLE orders RENAME COLUMN b TO c", "shop");
            reference = schemas.reference();
        }
        BinlogPosition before = new BinlogPosition(changed.file(), changed.offset());
        assertThat(columns(start(WIDE, before).catalog().table(ORDERS))).containsExactly("id", "b");
        assertThat(columns(start(WIDE, end()).catalog().table(ORDERS))).containsExactly("id", "c");
    }

    @Test
    void byGtidsTheStartIsInTheBinlogAfterItsReset() throws IOException {
        BinlogPosition old = end();
        start(WIDE, old);
        String executed = binlog.executed();
        binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_100, false);
        statement("CREATE DATABASE shop"); // replicated again
        BinlogPosition next = end();
        statement("CREATE DATABASE other");
        DumpStart start = DumpStart.after(old, MySqlGtidSet.parse(executed), new LastEvent(1_700_000_000_000L, 7))
                .inFileBegunAt(1_700_000_000);
        OneBinlog source = new OneBinlog(ADDRESS, binlog);

        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            DumpStart entered = schemas.enter(start, start, null, source);
            schemas.trackerAt(entered, null, source);
            schemas.setSource(entered, source);

            assertThat(entered.position()).isEqualTo(next);
            assertThat(schemas.enter(start, start, null, source))
                    .as("noticed again")
                    .isEqualTo(entered);
        }
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            assertThat(history.recorded().newestEpoch(SERVER.toString())).isEqualTo(1_700_000_100);
        }
    }

    /** As from a backup of the cursor: the history has been of the binlog after the reset since. */
    @Test
    void aCursorOfBeforeAResetDoesNotMakeTheHistoryThatOfAnOlderBinlog() throws IOException {
        for (int file = 0; file < 3; file++) {
            binlog.rotate();
        }
        BinlogPosition old = end();
        start(WIDE, old);
        DumpStart start = DumpStart.after(
                        old, MySqlGtidSet.parse(binlog.executed()), new LastEvent(1_700_000_000_000L, 7))
                .inFileBegunAt(1_700_000_000);
        binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_100, false);
        statement("CREATE DATABASE shop"); // replicated again
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = startByGtids(schemas, start);
            binlog.advance(100);
            binlog.rotate();
            applied(tracker, "ALTER TABLE orders RENAME COLUMN a TO b");
        }
        binlog.purge(1);

        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker unused = startByGtids(schemas, start);
        }
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            assertThat(history.recorded().newestEpoch(SERVER.toString())).isEqualTo(1_700_000_100);
        }
    }

    private SchemaTracker startByGtids(StreamSchemas schemas, DumpStart start) throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        DumpStart entered = schemas.enter(start, start, null, source);
        SchemaTracker tracker = schemas.trackerAt(entered, null, source);
        schemas.setSource(entered, source);
        return tracker;
    }

    /** The first file of both is begun in the same second: the source has old files, too. */
    @Test
    void aBinlogThatEndsInAnOlderFileThanTheHistoryIsAnother() throws IOException {
        start(WIDE, end());
        binlog = longerThan(binlog, 1_700_000_100);
        assertThat(epochAfterStart(binlog)).isEqualTo(1_700_000_100);
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, end(), end());
            binlog.rotate();
            applied(tracker, "ALTER TABLE orders RENAME COLUMN a TO b");
        }

        assertThat(epochAfterStart(
                        longerThan(new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 0, false), 1_700_000_100)))
                .isEqualTo(1_700_000_101);
    }

    /** The cursor was set to the binlog after that, and says nothing of the one before. */
    @Test
    void aBinlogWithOtherEventsThanTheHistoryIsAnother() throws IOException {
        start(WIDE, end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, end(), end()), "ALTER TABLE orders RENAME COLUMN a TO b");
        }
        SyntheticBinlog shorter = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_050, false);
        shorter.rotate();
        shorter.open(0);
        shorter.query("shop", "CREATE DATABASE other");
        shorter.close();
        assertThat(epochAfterStart(shorter)).isEqualTo(1_700_000_050);

        assertThat(epochAfterStart(longerThan(shorter, 1_700_000_100)))
                .as("after the snapshot of that start")
                .isEqualTo(1_700_000_100);
    }

    @Test
    void aLaterBinlogThatIsLongerThanTheHistoryKnowsIsAnother() throws IOException {
        start(WIDE, end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, end(), end()), "ALTER TABLE orders RENAME COLUMN a TO b");
        }

        assertThat(epochAfterStart(longerThan(binlog, 1_700_000_100))).isEqualTo(1_700_000_100);
    }

    /** As long as the one before, by chance. */
    @Test
    void aBinlogWithAnEventOfAnotherTimeWhereTheHistoryEndsIsAnother() throws IOException {
        start(WIDE, end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, end(), end()), "ALTER TABLE orders RENAME COLUMN a TO b");
        }
        BinlogPosition known = end();
        binlog = binlogBegunAt(1_700_000_100);
        statement("CREATE DATABASE shop");
        statement("ALTER TABLE orders RENAME COLUMN b TO a");
        assertThat(end()).isEqualTo(known);
        statement("CREATE DATABASE other");

        assertThat(epochAfterStart(binlog)).isEqualTo(1_700_000_100);
    }

    @Test
    void aBinlogThatBeganInTheSecondOfTheNewestEventIsAnother() throws IOException {
        start(WIDE, end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, end(), end()), "ALTER TABLE orders RENAME COLUMN a TO b");
        }

        assertThat(epochAfterStart(longerThan(binlog, binlog.seconds()))).isEqualTo(binlog.seconds());
    }

    /** A cursor may have been set to it, and has the time of its begin then. */
    @Test
    void aBinlogThatACursorWithTheTimeOfItsFileWasSetToIsRecognizedByItsEvents() throws IOException {
        start(WIDE, end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, end(), end()), "ALTER TABLE orders RENAME COLUMN a TO b");
        }
        SyntheticBinlog next = longerThan(binlog, 1_700_000_100);
        DumpStart set = startAtEnd(next).inFileBegunAt(1_700_000_100);

        assertThat(epochAfterStart(next, set, set)).isEqualTo(1_700_000_100);
    }

    private static SyntheticBinlog binlogBegunAt(long seconds) {
        return new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, seconds, false);
    }

    private static SyntheticBinlog longerThan(SyntheticBinlog other, long begunSeconds) {
        SyntheticBinlog longer = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, begunSeconds, false);
        for (int file = 1; file < other.fileNames().size(); file++) {
            longer.rotate();
        }
        while (longer.end() <= other.end()) {
            longer.open(0);
            longer.query("shop", "CREATE DATABASE another");
            longer.close();
        }
        return longer;
    }

    @Test
    void aBinlogWithTheNewestEventOfTheHistoryIsTheSame() throws IOException {
        start(WIDE, end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, end(), end()), "ALTER TABLE orders RENAME COLUMN a TO b");
        }
        statement("CREATE DATABASE another");
        binlog.rotate();

        assertThat(epochAfterStart(binlog)).isZero();
    }

    /** Its source has lost what was not written to disk; the cursor is before that. */
    @Test
    void aBinlogThatWasCutOffIsTheSameWhereTheStreamContinues() throws IOException {
        BinlogPosition here = end();
        start(WIDE, here);
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, here, here), "ALTER TABLE orders RENAME COLUMN a TO b");
        }
        binlog = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_000, false);
        statement("CREATE DATABASE shop");

        assertThat(columns(start(WIDE, here).catalog().table(ORDERS))).containsExactly("id", "a");
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            assertThat(history.recorded().newestEpoch(SERVER.toString())).isZero();
        }
    }

    @Test
    void aBinlogThatWasCutOffIsTheSameAlsoWhereTheCursorWasSet() throws IOException {
        start(WIDE, end());
        binlog.advance(100);
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, end(), end()), "ALTER TABLE orders RENAME COLUMN a TO b");
        }
        binlog = binlogBegunAt(1_700_000_000);
        statement("CREATE DATABASE shop");

        assertThat(epochAfterStart(binlog)).isZero();
    }

    /** The reader does not know when the file was begun, if it has not come to an event of it. */
    @Test
    void aBinlogThatWasCutOffWhileItWasReadIsTheSame() throws IOException {
        BinlogPosition here = end();
        start(WIDE, here);
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            applied(start(schemas, here, here), "ALTER TABLE orders RENAME COLUMN a TO b");
            binlog = binlogBegunAt(1_700_000_000);
            statement("CREATE DATABASE shop");

            assertThat(epochAfterStart(schemas, binlog, startAtEnd(binlog), null))
                    .isZero();
        }
    }

    /** No event ends there. */
    @Test
    void aBinlogIsTheSameThoughTheHistoryBeginsWhereItsFileBegins() throws IOException {
        start(WIDE, new BinlogPosition(binlog.newestFile(), 4));

        assertThat(epochAfterStart(binlog)).isZero();
    }

    @Test
    void aBinlogIsTheSameThoughTheHistoryBeginsWithACursorThatIsOlderThanTheEventBeforeIt() throws IOException {
        binlog.advance(5);
        statement("CREATE DATABASE other");
        start(WIDE, end());

        assertThat(epochAfterStart(binlog)).isZero();
    }

    /** The history could not be written, and the stream was in the new binlog by the next attempt. */
    @Test
    void aResetIsKeptUntilTheHistoryHasSomethingOfTheNewBinlog() throws IOException {
        start(WIDE, end());
        SyntheticBinlog next = binlogBegunAt(1_700_000_100);
        OneBinlog source = new OneBinlog(ADDRESS, next);
        DumpStart start = startAtEnd(next).inFileBegunAt(1_700_000_100);
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            start(schemas, end(), end());
            schemas.enter(start, startAtEnd(binlog).inFileBegunAt(1_700_000_000), null, source);
            schemas.enter(start, start, null, source);
            schemas.setSource(start, source);
        }

        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            assertThat(history.recorded().newestEpoch(SERVER.toString())).isEqualTo(1_700_000_100);
        }
    }

    @Test
    void aResetThatIsNoticedAgainAfterARestartIsTheSame() throws IOException {
        start(WIDE, end());
        DumpStart old = startAtEnd(binlog).inFileBegunAt(1_700_000_000);
        SyntheticBinlog next = binlogBegunAt(1_700_000_100);

        for (int run = 0; run < 2; run++) {
            assertThat(epochAfterStart(next, startAtEnd(next), old)).isEqualTo(1_700_000_100);
        }
    }

    @Test
    void aResetIsALaterBinlogThoughTheClockOfTheSourceWasSetBack() throws IOException {
        start(WIDE, end());
        DumpStart first = startAtEnd(binlog).inFileBegunAt(1_700_000_000);
        SyntheticBinlog second = binlogBegunAt(1_700_000_100);
        assertThat(epochAfterStart(second, startAtEnd(second), first)).isEqualTo(1_700_000_100);

        SyntheticBinlog third = binlogBegunAt(1_700_000_050);
        DumpStart read = startAtEnd(second).inFileBegunAt(1_700_000_100);
        assertThat(epochAfterStart(third, startAtEnd(third), read)).isEqualTo(1_700_000_101);
    }

    /** As by GTIDs, before the first event has come. */
    @Test
    void aResetIsNoticedByTheFilesOfTheHistoryIfThePositionIsNotKnown() throws IOException {
        binlog.rotate();
        start(WIDE, end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            start(schemas, end(), end());
            SyntheticBinlog next = binlogBegunAt(1_700_000_100);

            assertThat(epochAfterStart(schemas, next, startAtEnd(next), null)).isEqualTo(1_700_000_100);
        }
    }

    private static DumpStart startAtEnd(SyntheticBinlog read) {
        return DumpStart.at(new BinlogPosition(read.newestFile(), read.end()), new LastEvent(read.seconds() * 1000, 7));
    }

    private long epochAfterStart(SyntheticBinlog read) throws IOException {
        return epochAfterStart(read, startAtEnd(read), null);
    }

    private long epochAfterStart(SyntheticBinlog next, DumpStart start, @Nullable DumpStart read) throws IOException {
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            return epochAfterStart(schemas, next, start, read);
        }
    }

    private long epochAfterStart(StreamSchemas schemas, SyntheticBinlog next, DumpStart start, @Nullable DumpStart read)
            throws IOException {
        OneBinlog source = new OneBinlog(ADDRESS, next);
        DumpStart entered = schemas.enter(start, read, null, source);
        schemas.trackerAt(entered, null, source);
        schemas.setSource(entered, source);
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            return history.recorded().newestEpoch(SERVER.toString());
        }
    }

    @Test
    void filesOfAnotherSeriesAreAnotherBinlog() throws IOException {
        start(WIDE, end());
        binlog.rotate();
        binlog.purge(1); // so that the history says nothing of it
        DumpStart renamed = DumpStart.at(new BinlogPosition("mysql-bin.000001", 4), new LastEvent(0, 7));
        OneBinlog source = new OneBinlog(ADDRESS, binlog);

        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            DumpStart start = schemas.enter(DumpStart.at(end(), new LastEvent(0, 7)), renamed, null, source);
            schemas.trackerAt(start, null, source);
            schemas.setSource(start, source);
        }

        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            assertThat(history.recorded().newestEpoch(SERVER.toString())).isEqualTo(1_700_000_000);
        }
    }

    /** Otherwise its files would be taken for those of the former one, and that for reset. */
    @Test
    void whatIsKeptAtAFailOverIsOfTheServerThatIsReadFromThen() throws IOException {
        SyntheticBinlog second =
                new SyntheticBinlog(Flavour.MYSQL_GTID, 8, UUID.fromString(OTHER_SERVER), 1_700_000_000, false);
        second.rotate();
        BinlogPosition found = new BinlogPosition(second.newestFile(), second.end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            start(schemas, end(), end());

            schemas.restoreEarlier(
                    DumpStart.at(found, new LastEvent(1_700_000_000_000L, 8)), new OneBinlog(ADDRESS, second));
        }

        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            assertThat(history.recorded().end(SERVER.toString(), 0).file()).isEqualTo(binlog.newestFile());
            assertThat(history.recorded().end(OTHER_SERVER, 0).file()).isEqualTo(found.file());
        }
    }

    /** Another server is read from an earlier time, and a DDL before that is only known in memory. */
    @Test
    void whatTheHistoryHasLostIsWrittenToItBeforeAFailOver() throws IOException {
        String rename = "ALTER TABLE orders RENAME COLUMN a TO b";
        SyntheticBinlog second =
                new SyntheticBinlog(Flavour.MYSQL_GTID, 8, UUID.fromString(OTHER_SERVER), 1_700_000_000, false);
        second.open(0);
        second.query("shop", rename);
        second.close();
        BinlogPosition found = new BinlogPosition(second.newestFile(), second.end());
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, end(), end());
            statement(rename);
            tracker.catalog().moveTo(newest());
            tracker.statements().apply(rename, "shop");
            schemas.setReader(readerAt(end(), tracker));
            database.loseTail(1);

            schemas.restoreEarlier(
                    DumpStart.at(found, new LastEvent(1_700_000_000_000L, 8)), new OneBinlog(ADDRESS, second));

            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "b");
        }
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            assertThat(history.recorded().end(SERVER.toString(), 0))
                    .isEqualTo(new HistoryEnd(
                            SERVER.toString(), end().file(), end().offset(), OptionalLong.of(end().offset())));
        }
    }

    /** The stream continues before that transaction. */
    @Test
    void whatIsLostOfATransactionThatWasBeingReadIsMarked() throws IOException {
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, end(), end());
            EventReader reader = readerAt(end(), tracker);
            schemas.setReader(reader);
            DumpStart start = startAtEnd(binlog).inFileBegunAt(1_700_000_000);
            tracker.catalog()
                    .moveTo(new EventPosition(
                            end().file(), end().offset(), 50, 7, 1_700_000_000_000L, null, 1_700_000_000));
            tracker.statements().apply("ALTER TABLE orders RENAME COLUMN a TO b", "shop");
            SyntheticBinlog sent = new SyntheticBinlog(Flavour.MYSQL_GTID, 7, SERVER, 1_700_000_000, false);
            sent.open(0);
            sent.query("shop", "CREATE DATABASE shop");
            sent.close();
            sent.open(0);
            sent.query("shop", "BEGIN");
            EventSource cutOff = new ListedEvents(sent.dump(end().file(), end().offset()));
            while (reader.read(cutOff, new Chunk(new ChunkBuffers(), 1 << 10))) {
                assertThat(reader.resumePosition()).isEqualTo(end());
            }
            binlog.crash();

            schemas.enter(start, start, null, new OneBinlog(ADDRESS, binlog));

            assertThat(schemas.areTorn()).isTrue();
        }
    }

    private static EventReader readerAt(BinlogPosition at, SchemaTracker tracker) {
        return new EventReader(
                new SourceServer(ADDRESS.host(), ADDRESS.port(), SERVER.toString()),
                at,
                null,
                StreamOptions.DEFAULT,
                tracker,
                new TableFilter("", ""),
                ColumnTypes.defaults(ZoneOffset.UTC),
                ReaderOptions.DEFAULT);
    }

    /** Its rows name no server. Those of the former one must not be compared with positions of the other one. */
    @Test
    void afterAFailOverARestartHasTheColumnsOfAHistoryOfCanal(@TempDir Path dir) throws IOException, SQLException {
        HistoryConfig config = config(dir.resolve("history"));
        SchemaOptions options = new SchemaOptions(config);
        SchemaHistory.open(config, Time.SYSTEM).close();
        writeAsCanal(dir.resolve("history"), 9);
        long millis = 1_700_000_000_000L;
        SyntheticBinlog second =
                new SyntheticBinlog(Flavour.MYSQL_ANONYMOUS, 8, UUID.fromString(OTHER_SERVER), millis / 1000, false);
        OneBinlog other = new OneBinlog(ADDRESS, second);
        DumpStart found = DumpStart.at(new BinlogPosition(second.newestFile(), second.end()), new LastEvent(millis, 9));
        BinlogPosition ofCanal = new BinlogPosition("binlog.000042", 4);
        Cursor cursor = new Cursor(ADDRESS.host(), ADDRESS.port(), ofCanal, "", 9, millis);
        SchemaReference known;
        try (StreamSchemas schemas = new StreamSchemas(
                "shop", new Tables(), new TableFilter(WIDE, ""), options, SchemaHistory::open, Time.SYSTEM)) {
            DumpStart start = DumpStart.at(ofCanal, new LastEvent(millis, 9));
            OneBinlog first = new OneBinlog(ADDRESS, binlog);
            SchemaTracker tracker = schemas.trackerAt(start, cursor, first);
            schemas.setSource(start, first);
            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "b");

            schemas.restoreEarlier(found, other);
            schemas.setSource(found, other);
            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "b");
            known = schemas.reference();
        }
        Cursor failedOver = new Cursor(
                new SourceServer(ADDRESS.host(), ADDRESS.port(), OTHER_SERVER),
                found.position(),
                "",
                9,
                millis,
                new SchemaReference(known.historyId(), known.rowId(), found.position()));

        try (StreamSchemas schemas = new StreamSchemas(
                "shop", new Tables(), new TableFilter(WIDE, ""), options, SchemaHistory::open, Time.SYSTEM)) {
            SchemaTracker tracker = schemas.trackerAt(found, failedOver, other);

            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "b");
        }
    }

    /** After a way back to canal, which writes rows that name no server, and drops from the cursor to which row it refers. */
    @Test
    void whatCanalReadMeanwhileIsNotAppliedTwice() throws IOException {
        SchemaTracker tracker = start(WIDE, end());
        statement("CREATE TABLE made (a text)");
        tracker.catalog().moveTo(newest());
        tracker.statements().apply(MAKE, "shop");
        String exchange = "ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a";
        statement(exchange);
        EventPosition event = newest();
        database.change(
                "insert into meta_history (gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp,"
                        + " use_schema, sql_schema, sql_table, sql_text, sql_type) values (0, 0, 'shop', '%s', %d, '7', %d, 'shop', 'shop', 'other', '%s', 'ALTER')"
                                .formatted(event.file(), event.offset(), event.timeMillis(), exchange));
        statement("ALTER TABLE orders ADD unrecorded int");
        BinlogPosition cursor = end();
        statement("CREATE TABLE unread (id int)");
        present.put(OTHER, "CREATE TABLE `other` (`id` int NOT NULL, `b` int, `a` int, PRIMARY KEY (`id`))");
        reference = null;

        tracker = start(WIDE, cursor);

        assertThat(columns(tracker.catalog().table(OTHER))).containsExactly("id", "b", "a");
        assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "a", "unrecorded");
    }

    /** The newest event of the binlog. */
    private EventPosition newest() {
        List<SyntheticBinlog.Event> events = binlog.events();
        SyntheticBinlog.Event event = events.get(events.size() - 1);
        return new EventPosition(
                event.file(), event.start(), (int) (event.end() - event.start()), 7, binlog.seconds() * 1000, null);
    }

    /** A table, and a column of it that is renamed in a file that the other server does not have yet. */
    private static void writeAsCanal(Path file, long serverId) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(
                    "insert into meta_snapshot (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                            + " binlog_timestamp, data) values (1, 0, 0, 'shop', '0', 0, '-1', -2,"
                            + " '{\"shop\":\"create table `orders` (`id` int, `a` int); \\n\"}')");
            statement.executeUpdate(
                    "insert into meta_history (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id,"
                            + " binlog_timestamp, use_schema, sql_text) values (5000, 0, 0, 'shop', 'binlog.000041', 4, '%d', 1600000000000, 'shop', 'alter table orders change a b int')"
                                    .formatted(serverId));
            statement.executeUpdate("delete from meta_identity");
        }
    }

    /** Its DDL since then was read from the other server, and must not be applied twice. */
    @Test
    void aCursorThatIsSetToAServerThatWasReadLongAgoHasTheColumnsOfThere() throws IOException {
        String exchange = "ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a";
        BinlogPosition leftAt = end();
        SyntheticBinlog second =
                new SyntheticBinlog(Flavour.MYSQL_GTID, 8, UUID.fromString(OTHER_SERVER), 1_700_000_000, false);
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = start(schemas, leftAt, leftAt);
            OneBinlog source = new OneBinlog(ADDRESS, second);
            DumpStart found = DumpStart.at(
                    new BinlogPosition(second.newestFile(), second.end()), new LastEvent(1_700_000_000_000L, 8));
            schemas.restoreEarlier(found, source);
            schemas.setSource(found, source);
            tracker.catalog()
                    .moveTo(new EventPosition(second.newestFile(), second.end(), 100, 8, 1_700_000_001_000L, null));
            tracker.statements().apply(exchange, "shop");
            reference = schemas.reference();
        }
        binlog.advance(1);
        statement(exchange);
        binlog.advance(Duration.ofDays(3).toSeconds());
        statement("CREATE TABLE further (id int)");
        BinlogPosition to = end();
        statement("CREATE TABLE unread (id int)");
        present.put(OTHER, "CREATE TABLE `other` (`id` int NOT NULL, `b` int, `a` int, PRIMARY KEY (`id`))");
        Cursor cursor = new Cursor(
                new SourceServer(ADDRESS.host(), ADDRESS.port(), SERVER.toString()),
                to,
                "",
                7,
                binlog.seconds() * 1000,
                new SchemaReference(reference.historyId(), reference.rowId(), BinlogPosition.UNKNOWN));

        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = schemas.trackerAt(
                    DumpStart.at(to, new LastEvent(binlog.seconds() * 1000, 7)),
                    cursor,
                    new OneBinlog(ADDRESS, binlog));

            assertThat(columns(tracker.catalog().table(OTHER))).containsExactly("id", "b", "a");
        }
    }

    /** A first start ended before its cursor was stored, so that the second one began at the newest position. */
    @Test
    void aCursorThatIsSetIntoWhatWasSkippedHasTheColumnsOfThere() throws IOException {
        start(WIDE, end());
        statement("ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a");
        BinlogPosition to = end();
        statement("ALTER TABLE other ADD COLUMN c int FIRST");
        present.put(OTHER, "CREATE TABLE `other` (`c` int, `id` int NOT NULL, `b` int, `a` int, PRIMARY KEY (`id`))");
        BinlogPosition newest = end();
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = schemas.trackerAt(
                    DumpStart.at(newest, new LastEvent(1_700_000_000_000L, 7)), null, new OneBinlog(ADDRESS, binlog));
            assertThat(columns(tracker.catalog().table(OTHER))).containsExactly("c", "id", "b", "a");
            reference = schemas.reference();
        }

        assertThat(columns(start(WIDE, to, newest, Time.SYSTEM).catalog().table(OTHER)))
                .containsExactly("id", "b", "a");
        assertThat(columns(start(WIDE, to).catalog().table(OTHER)))
                .as("it is known now")
                .containsExactly("id", "b", "a");
    }

    /** Which DDL of this server was read there is not known. */
    @Test
    void aCursorThatIsSetIntoWhatWasSkippedAfterAnotherServerWasReadHasTheColumnsOfTheSource() throws IOException {
        BinlogPosition left = end();
        start(WIDE, left);
        String exchange = "ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a";
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = new SchemaTracker(new Tables(), SourceTraits.DEFAULT, history);
            history.setSource(SERVER.toString());
            history.restore(
                    tracker, StreamStart.at(SERVER.toString(), left.file(), left.offset(), 7, 1_700_000_000_000L));
            history.setSource(OTHER_SERVER);
            tracker.catalog().moveTo(new EventPosition("binlog.000009", 400, 100, 8, 1_700_000_000_000L, null));
            tracker.statements().apply(exchange, "shop");
        }
        binlog.advance(1);
        statement(exchange);
        present.put(OTHER, "CREATE TABLE `other` (`id` int NOT NULL, `b` int, `a` int, PRIMARY KEY (`id`))");
        BinlogPosition to = end();
        statement("CREATE TABLE unread (id int)");
        BinlogPosition newest = end();
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            schemas.trackerAt(DumpStart.at(newest, new LastEvent(0, 7)), null, new OneBinlog(ADDRESS, binlog));
            reference = schemas.reference();
        }

        assertThat(columns(start(WIDE, to, newest, Time.SYSTEM).catalog().table(OTHER)))
                .containsExactly("id", "b", "a");
    }

    @Test
    void aCursorThatIsSetToBeforeAReturnOfTheStreamHasTheColumnsThatWereReadThere() throws IOException {
        BinlogPosition first = end();
        BinlogPosition to;
        BinlogPosition back;
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = schemas.trackerAt(
                    DumpStart.at(first, new LastEvent(1_700_000_000_000L, 7)), null, new OneBinlog(ADDRESS, binlog));
            applied(tracker, "CREATE TABLE one (id int)");
            to = end();
            statement("CREATE DATABASE others");
            back = end();
            binlog.open(0);
            binlog.query("shop", "BEGIN");
            binlog.rows(
                    new SyntheticTable("shop", "other", List.of("id", "a", "b")),
                    Change.INSERT,
                    List.of(List.of(1, "2", "3")));
            binlog.xid();
            binlog.close();
            applied(tracker, "ALTER TABLE other RENAME COLUMN a TO b, RENAME COLUMN b TO a");
            reference = schemas.reference();
        }
        present.put(OTHER, "CREATE TABLE `other` (`id` int NOT NULL, `b` int, `a` int, PRIMARY KEY (`id`))");
        BinlogPosition left = end();
        try (SchemaHistory history = database.open(config(), Time.SYSTEM)) {
            SchemaTracker tracker = new SchemaTracker(new Tables(), SourceTraits.DEFAULT, history);
            history.setSource(SERVER.toString());
            history.restore(
                    tracker, StreamStart.at(SERVER.toString(), left.file(), left.offset(), 7, 1_700_000_000_000L));
            history.setSource(OTHER_SERVER);
            history.beginAt(
                    StreamStart.at(OTHER_SERVER, "binlog.000009", 400, 8, 1_700_000_001_000L),
                    tracker.catalog().state());
        }
        start(WIDE, back, left, Time.SYSTEM);

        assertThat(columns(start(WIDE, to, back, Time.SYSTEM).catalog().table(OTHER)))
                .containsExactly("id", "a", "b");
    }

    private void applied(SchemaTracker tracker, String sql) throws IOException {
        BinlogPosition at = end();
        statement(sql);
        int length = Math.toIntExact(end().offset() - at.offset());
        tracker.catalog()
                .moveTo(new EventPosition(at.file(), at.offset(), length, 7, binlog.seconds() * 1000, null, begun()));
        tracker.statements().apply(sql, "shop");
    }

    @Test
    void purgedFilesAreNoReset() throws IOException {
        BinlogPosition old = end();
        start(WIDE, old);
        binlog.rotate();
        binlog.purge(1);
        DumpStart start = DumpStart.after(
                        old, MySqlGtidSet.parse(binlog.executed()), new LastEvent(1_700_000_000_000L, 7))
                .inFileBegunAt(1_700_000_000);

        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            assertThat(schemas.enter(start, start, null, new OneBinlog(ADDRESS, binlog)))
                    .isSameAs(start);
        }
    }

    @Test
    void anEarlierStartIsRejectedIfItsRowsCannotBeNamed() throws IOException {
        BinlogPosition earlier = end();
        binlog.open(0);
        binlog.query("shop", "BEGIN");
        binlog.rows(new SyntheticTable("shop", "orders", List.of("id", "a")), Change.INSERT, List.of(List.of(1, "2")));
        binlog.xid();
        binlog.close();
        statement("ALTER TABLE orders RENAME COLUMN a TO b");
        present.put(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, `b` int, PRIMARY KEY (`id`))");
        start(WIDE, end());

        assertThat(rejection(earlier)).hasMessageContaining("shop.orders (by the DDL at ");
    }

    /** Rows that the history had lost are written again with the same ids. */
    @Test
    void theHistoryGetsAnotherIdentityIfACursorThatIsAheadRefersToWhatItDoesNotHave() throws IOException {
        BinlogPosition cursor = end();
        start(NARROW, cursor);
        SchemaReference ahead = new SchemaReference(reference.historyId(), reference.rowId() + 1, cursor);
        Subscription other = new Subscription(
                2, "", new Cursor(SourceServer.at("db", 3306), cursor, "", 7, 1_700_000_000_000L, ahead));
        StreamSchemas schemas = new StreamSchemas(
                "shop",
                new Tables(),
                new TableFilter(NARROW, ""),
                new SchemaOptions(config()).with(List.of(other)),
                database::open,
                Time.SYSTEM);

        start(schemas, cursor, cursor).statements().apply("ALTER TABLE orders ADD x int", "shop");

        assertThat(schemas.reference().historyId()).isNotEqualTo(ahead.historyId());
        schemas.close();
    }

    /** A stream that is behind asks for a table when its rows come, which may be long after the start. */
    @Test
    void ofATableThatIsAskedForTheColumnsAreThoseOfTheEvent() throws IOException {
        BinlogPosition start = end();
        statement("ALTER TABLE orders RENAME COLUMN a TO c");
        present.put(ORDERS, "CREATE TABLE `orders` (`id` int NOT NULL, `c` int, PRIMARY KEY (`id`))");
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = schemas.trackerAt(
                    DumpStart.at(start, new LastEvent(1_700_000_000_000L, 7)), null, new OneBinlog(ADDRESS, binlog));
            assertThat(tracker.catalog().tables().knows(ORDERS))
                    .as("it has another column now")
                    .isFalse();
            EventPosition rows = event("ALTER TABLE other ENGINE = InnoDB");
            statement("ALTER TABLE orders ADD x int FIRST");
            present.put(ORDERS, "CREATE TABLE `orders` (`x` int, `id` int NOT NULL, `c` int, PRIMARY KEY (`id`))");
            tracker.catalog().moveTo(rows);

            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("id", "c");

            tracker.catalog().tables().forget(ORDERS);
            statement("ALTER TABLE orders RENAME COLUMN c TO d");
            present.put(ORDERS, "CREATE TABLE `orders` (`x` int, `id` int NOT NULL, `d` int, PRIMARY KEY (`id`))");
            assertThat(tracker.catalog().table(ORDERS))
                    .as("nothing tells its columns")
                    .isNull();

            tracker.catalog().moveTo(event("ALTER TABLE other ENGINE = InnoDB"));
            assertThat(columns(tracker.catalog().table(ORDERS))).containsExactly("x", "id", "d");
        }
    }

    @Test
    void aTableThatMayHaveBeenThereIsTheStatedOneIfItIsChangedLater() throws IOException {
        TableName fresh = new TableName("shop", "fresh");
        BinlogPosition start = end();
        try (StreamSchemas schemas = schemas(WIDE, Time.SYSTEM)) {
            SchemaTracker tracker = schemas.trackerAt(
                    DumpStart.at(start, new LastEvent(1_700_000_000_000L, 7)), null, new OneBinlog(ADDRESS, binlog));
            String create = "CREATE TABLE IF NOT EXISTS fresh (a int, b int)";
            EventPosition created = event(create);
            statement("ALTER TABLE fresh RENAME COLUMN a TO b, RENAME COLUMN b TO a");
            present.put(fresh, "CREATE TABLE `fresh` (`b` int, `a` int)");
            tracker.catalog().moveTo(created);
            tracker.statements().apply(create, "shop");

            assertThat(columns(tracker.catalog().table(fresh))).containsExactly("a", "b");
        }
    }

    @Test
    void theDefaultsOfSchemasAreKnownFromTheBeginningOfTheHistoryOn() throws IOException {
        traits = MYSQL_5_7;
        defaults.put("shop", "cp1251");
        BinlogPosition cursor = end();
        start(WIDE, cursor);
        EventPosition made = event(MAKE);
        statement("ALTER DATABASE shop CHARACTER SET latin1");
        statement("DROP TABLE made");
        defaults.put("shop", "latin1");

        assertThat(charsetOfMade(start(WIDE, cursor), made)).isEqualTo("cp1251");
    }

    @Test
    void aDefaultThatIsChangedAfterTheStartIsNotTakenForTheStart() throws IOException {
        traits = MYSQL_5_7;
        defaults.putAll(Map.of("shop", "latin1", "elsewhere", "greek"));
        BinlogPosition earlier = end();
        EventPosition made = event(MAKE);
        statement("ALTER DATABASE shop CHARACTER SET latin1");

        SchemaTracker tracker = start(WIDE, earlier);
        assertThat(tracker.catalog().charsets().schemas()).containsExactly("elsewhere");
        assertThat(charsetOfMade(tracker, made)).isEqualTo("unknown");
    }

    @Test
    void aDefaultThatWasChangedBeforeTheHistoryBeganIsNotTakenForAnEarlierStart() throws IOException {
        traits = MYSQL_5_7;
        defaults.putAll(Map.of("shop", "latin1", "elsewhere", "greek"));
        BinlogPosition earlier = end();
        statement("ALTER DATABASE shop CHARACTER SET latin1");
        start(WIDE, end());

        assertThat(start(WIDE, earlier).catalog().charsets().schemas()).containsExactly("elsewhere");
    }

    private static String charsetOfMade(SchemaTracker tracker, EventPosition made) throws IOException {
        tracker.catalog().moveTo(made);
        tracker.statements().apply(MAKE, "shop");
        return tracker.catalog().table(MADE).columns().get(0).charset();
    }

    private EventPosition event(String sql) throws IOException {
        long offset = binlog.end();
        statement(sql);
        return new EventPosition(
                binlog.newestFile(), offset, (int) (binlog.end() - offset), 7, 1_700_000_000_000L, null, begun());
    }

    private long begun() throws IOException {
        return new OneBinlog(ADDRESS, binlog).scan().begunSeconds(binlog.newestFile());
    }

    private static List<String> columns(TableSchema table) {
        return table.columns().stream().map(ColumnSchema::name).toList();
    }

    private SourceException rejection(BinlogPosition cursor) {
        return catchThrowableOfType(SourceException.class, () -> start(WIDE, cursor));
    }

    /** Passes a second at each look. */
    private static final class HastyTime implements Time {
        private long millis = 1_700_000_000_000L;

        @Override
        public long nanos() {
            return millis() * 1_000_000;
        }

        @Override
        public long millis() {
            millis += 1000;
            return millis;
        }

        @Override
        public void sleep(Duration length) {
            millis += length.toMillis();
        }
    }

    /** A source that has nothing but tables. */
    private final class Tables implements SourceQueries {
        @Override
        public void moveTo(SourceHost host) {}

        @Override
        public @Nullable String createStatement(TableName table) {
            return present.get(table);
        }

        @Override
        public Map<TableName, String> createStatements(List<TableName> tables) throws IOException {
            if (pages-- == 0) {
                throw new IOException("the connection broke");
            }
            mostAtOnce = Math.max(mostAtOnce, tables.size());
            Map<TableName, String> statements = new LinkedHashMap<>();
            tables.forEach(table -> statements.put(table, present.get(table)));
            return statements;
        }

        @Override
        public List<TableName> tables(TableFilter filter) {
            return present.keySet().stream()
                    .filter(table -> filter.passes(table.schema(), table.table()))
                    .toList();
        }

        @Override
        public @Nullable String schemaCharset(String schema) {
            return defaults.get(schema);
        }

        @Override
        public Map<String, String> schemaCharsets() {
            return Map.copyOf(defaults);
        }

        @Override
        public BinlogPosition binlogEnd() {
            return end();
        }

        @Override
        public HiddenColumns hiddenColumns() {
            return HiddenColumns.NONE;
        }

        @Override
        public SourceTraits traits() {
            return traits;
        }

        @Override
        public @Nullable String variable(String name) {
            return null;
        }

        @Override
        public void abort() {}

        @Override
        public void close() {}
    }
}
