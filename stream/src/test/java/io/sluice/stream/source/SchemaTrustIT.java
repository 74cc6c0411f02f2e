package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.differential.DdlScripts;
import io.sluice.stream.differential.RandomDdl;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which schema of a table a stream uses: the table map where it names columns, then the history, then the source as it is now.
 *
 * <p>Statements that are not logged simulate what a history can lack.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SchemaTrustIT {
    private static final String MAPPING = "io.sluice.stream.mapping";
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);

    private static MySqlServer server;

    @TempDir
    private Path folder;

    private BinlogPosition start;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void followsRandomDdl(long seed) throws Exception {
        new RandomDdl(server, folder, false).requireNoDifference(seed, 60);
    }

    @Test
    void followsDdlThatIsEasilyMisread() throws Exception {
        DdlScripts.requireNoDifference(server, folder);
    }

    @AfterEach
    void resetMetadata() {
        server.execute("set global binlog_row_metadata = 'MINIMAL'");
    }

    private static void unseen(String... statements) {
        List<String> all = new ArrayList<>(List.of("set sql_log_bin = 0"));
        all.addAll(List.of(statements));
        server.execute(all.toArray(String[]::new));
    }

    private LiveSource read(MySqlServer other) {
        SourceOptions options =
                LiveSource.options(ConnectOptions.of(new ServerAddress(other.host(), other.port()), "root", ""), start);
        LiveSource live = LiveSource.reading(options, RING).start();
        await().until(() -> !live.readings().isEmpty());
        return live;
    }

    private void begin(String schema, String... statements) {
        server.execute("create database " + schema);
        server.execute(statements);
        BinlogEnd end = server.binlogEnd();
        start = new BinlogPosition(end.file(), end.offset());
    }

    private LiveSource read(Cursor cursor, boolean skips, TableFilter reloaded) {
        HistoryConfig history = new HistoryConfig(
                "trust",
                HistoryLocation.parse("jdbc:h2:h2", folder),
                "canal",
                "canal",
                Duration.ofHours(24),
                Duration.ofHours(360));
        SourceOptions options = LiveSource.options(
                ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""), start);
        LiveSource live = LiveSource.reading(options, RING)
                .schema(new SchemaOptions(history, reloaded))
                .leaveOutMismatches(skips)
                .from(cursor)
                .start();
        await().until(() -> !live.readings().isEmpty()); // the table schemas of the start are known then
        return live;
    }

    private static List<String> mismatches(LogLines log) {
        return log.texts().stream()
                .filter(message -> message.startsWith("row image"))
                .toList();
    }

    private LiveSource read() {
        return read(null, false, null);
    }

    private static Entry nextRows(LiveSource live) throws InterruptedException {
        List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);
        return entries.get(entries.size() - 1);
    }

    @Test
    void believesATableMapThatNamesItsColumns() throws Exception {
        begin("named", "create table named.t (a INT primary key, 列 varchar(9), old int)");
        try (LiveSource live = read()) {
            server.execute("set global binlog_row_metadata = 'FULL'", "insert into named.t values (1, 'x', 2)");
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("a int, 列 varchar(9), old int [\"a\"]");
            unseen("alter table named.t drop primary key, drop old, rename column 列 to 行,"
                    + " add e enum('x,y','it''s') charset latin1 first, add d decimal(9,2) unsigned,"
                    + " add n varchar(7) charset gbk, add b bit(11), add s set('甲','乙'), add p point,"
                    + " add f datetime(3), add m mediumtext, add v varbinary(5), add primary key (d, a)");
            server.execute(
                    "set global binlog_row_metadata = 'FULL'",
                    "insert into named.t (a, 行, d) values (2, 'y', 3)",
                    "alter table named.t drop e, drop n, drop b, drop s, drop p, drop f, drop m, drop v",
                    "insert into named.t (a, 行, d) values (4, 'y', 3)");
            assertThat(EntryColumns.of(nextRows(live)))
                    .isEqualTo("e enum('x,y','it''s'), a int, 行 varchar(9), d decimal(9,2) unsigned, n varchar(7),"
                            + " b bit(11), s set('甲','乙'), p point, f datetime(3), m mediumtext,"
                            + " v varbinary(5) [\"a\",\"d\"]");
            assertThat(EntryColumns.of(nextRows(live)))
                    .isEqualTo("a int, 行 varchar(9), d decimal(9,2) unsigned [\"a\",\"d\"]");
        }
    }

    @Test
    void namesRowsOfADroppedTableByItsTableMap() throws Exception {
        begin("gone");
        unseen("create table gone.t (a int primary key, `b c` varchar(20) charset latin1)");
        server.execute(
                "set global binlog_row_metadata = 'FULL'",
                "insert into gone.t values (1, 'x')",
                "set sql_log_bin = 0",
                "drop table gone.t");
        try (LiveSource live = read()) {
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("a int, b c varchar(20) [\"a\"]");
        }
    }

    /** A table map does not tell old versions of rows from others. */
    @Test
    void warnsOfADroppedTableThatMayHaveHadSystemVersioning() throws Exception {
        try (LogLines log = LogLines.of(MAPPING);
                MySqlServer mariaDb = MySqlServer.start(ServerRelease.MARIADB_10_11)) {
            mariaDb.execute("set global binlog_row_metadata = FULL", "create database versions");
            BinlogEnd end = mariaDb.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            mariaDb.execute(
                    "set sql_log_bin = 0",
                    "create table versions.t (id int primary key, v int) with system versioning",
                    "create table versions.u (id int primary key, v int)",
                    "set sql_log_bin = 1",
                    "insert into versions.t values (1, 1)",
                    "delete from versions.t",
                    "insert into versions.u values (1, 1)",
                    "set sql_log_bin = 0",
                    "drop table versions.t, versions.u");
            try (LiveSource live = read(mariaDb)) {
                assertThat(nextRows(live).eventType()).isEqualTo(EventType.INSERT);
                assertThat(EntryColumns.of(nextRows(live))).contains("row_end timestamp(6)");
                assertThat(nextRows(live).tableName()).isEqualTo("u");
                assertThat(mismatches(log))
                        .satisfiesExactly(
                                first -> assertThat(first)
                                        .contains("table=versions.t", "if it is a table with system versioning"),
                                second -> assertThat(second)
                                        .contains("table=versions.u")
                                        .doesNotContain("versioning"));
            }
        }
    }

    @Test
    void takesTheSchemaOfTheSourceWhereTheHistoryLacksAStatement() throws Exception {
        begin("missed", "create table missed.t (a INT primary key)");
        try (LiveSource live = read()) {
            unseen("alter table missed.t add b int first");
            server.execute("insert into missed.t values (1, 2)");
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("b int, a int [\"a\"]");
            server.execute("alter table missed.t add c INTEGER", "insert into missed.t values (3, 4, 5)");
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("b int, a int, c INTEGER [\"a\"]");
        }
    }

    /** The columns that replace others are of the same kinds, in the same places. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "varchar(30)",
                "varchar(20) character set latin1",
                "varchar(20) character set utf8mb3",
                "char(20)",
                "text"
            })
    void takesTheSchemaOfTheSourceWhereColumnsHaveAnotherWidth(String type) throws Exception {
        String schema = "width_" + type.replaceAll("\\W", "");
        begin(schema, "create table %s.t (id INT primary key, a varchar(20), n INT)".formatted(schema));
        try (LiveSource live = read()) {
            unseen("alter table %s.t drop a, drop n, add b %s, add m INT".formatted(schema, type));
            server.execute("insert into %s.t values (1, 'x', 2)".formatted(schema));
            assertThat(EntryColumns.of(nextRows(live)))
                    .isEqualTo("id int, b %s, m int [\"id\"]".formatted(type.replaceAll(" character.*", "")));

            assertThat(live.schemaCounts().tablesCorrected()).isEqualTo(1);
            long asked = live.schemaCounts().tablesAsked();
            server.execute(
                    "insert into %s.t values (2, 'x', 2)".formatted(schema),
                    "flush logs",
                    "insert into %s.t values (3, 'x', 2)".formatted(schema));
            nextRows(live);
            nextRows(live);
            assertThat(live.schemaCounts().tablesAsked()).isEqualTo(asked);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MARIADB_10_11"})
    void noticesAnotherWidthOnServersThatLogNoMoreThanThat(ServerRelease release) throws Exception {
        try (MySqlServer other = MySqlServer.start(release)) {
            other.execute(
                    "create database width",
                    "create table width.t (id int primary key, a varchar(20), d decimal(9,2))");
            BinlogEnd end = other.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            try (LiveSource live = read(other)) {
                other.execute(
                        "set sql_log_bin = 0",
                        "alter table width.t drop d, add e decimal(12,2)",
                        "set sql_log_bin = 1",
                        "insert into width.t values (1, 'x', 2)");
                assertThat(EntryColumns.of(nextRows(live)))
                        .isEqualTo("id int(11), a varchar(20), e decimal(12,2) [\"id\"]");
            }
        }
    }

    /** The source does not tell what the rows need, and the known names may still be right. */
    @Test
    void keepsTheKnownNamesWithAWarningWhereNoSchemaHasTheWidths() throws Exception {
        begin("widened", "create table widened.t (id INT primary key, a varchar(20))");
        unseen("alter table widened.t modify a varchar(30)");
        server.execute("insert into widened.t values (1, 'x')", "flush logs", "insert into widened.t values (2, 'x')");
        unseen("alter table widened.t modify a varchar(40)");
        try (LogLines log = LogLines.of(MAPPING);
                LiveSource live = read()) {
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int, a varchar(40) [\"id\"]");
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int, a varchar(40) [\"id\"]");
            server.execute("alter table widened.t modify a varchar(25)", "insert into widened.t values (3, 'x')");
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int, a varchar(25) [\"id\"]");
            assertThat(mismatches(log))
                    .singleElement()
                    .asString()
                    .startsWith("row image has other widths than the tracked schema, whose column names are kept:")
                    .contains("table=widened.t", "number 2 is of the binary type 15 with metadata 120");
        }
    }

    /** Texts have other widths by another default. */
    @Test
    void knowsTheDefaultCharacterSetThatASchemaHadAtTheStart() throws Exception {
        begin("defaults", "alter database defaults character set utf8mb4");
        Cursor cursor;
        try (LiveSource live = read()) {
            cursor = live.cursor();
        }
        server.execute(
                "create table defaults.t (id INT primary key, a varchar(20))",
                "insert into defaults.t values (1, 'x')",
                "alter database defaults character set latin1",
                "alter table defaults.t add b int");
        try (LogLines log = LogLines.of(MAPPING);
                LiveSource live = read(cursor, false, null)) {
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id INT, a varchar(20) [\"id\"]");
            assertThat(mismatches(log)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void noticesAPrimaryKeyThatWasAddedUnseen(ServerRelease release) throws Exception {
        try (MySqlServer other = MySqlServer.start(release)) {
            other.execute(
                    "set global binlog_row_metadata = FULL",
                    "create database keyed",
                    "create table keyed.t (a int not null, b varchar(9) not null, unique key (a))");
            BinlogEnd end = other.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            try (LiveSource live = read(other)) {
                other.execute("insert into keyed.t values (1, 'x')");
                assertThat(EntryColumns.of(nextRows(live))).endsWith(" null");
                long asked = live.schemaCounts().tablesAsked();
                other.execute(
                        "insert into keyed.t values (2, 'x')", "flush logs", "insert into keyed.t values (3, 'x')");
                nextRows(live);
                nextRows(live);
                assertThat(live.schemaCounts().tablesAsked()).isEqualTo(asked);

                other.execute(
                        "set sql_log_bin = 0",
                        "alter table keyed.t add primary key (b(5), a)",
                        "set sql_log_bin = 1",
                        "insert into keyed.t values (4, 'x')");
                assertThat(EntryColumns.of(nextRows(live))).endsWith(" [\"a\",\"b\"]");
            }
        }
    }

    @Test
    void stopsWithTheReasonWhereNothingFits() {
        begin("mismatch", "create table mismatch.t (a INT primary key)");
        server.execute("create table mismatch.u (a int)");
        unseen("alter table mismatch.t add b int");
        server.execute("insert into mismatch.t values (1, 2)");
        unseen("alter table mismatch.t add c int first");
        // A reader that begins with the first table schema cannot know the second.
        unseen("drop table mismatch.t", "create table mismatch.t (a int primary key)");
        try (LiveSource live = read()) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure())
                    .hasMessageContaining("rows of mismatch.t at " + start.file())
                    .hasMessageContaining("has 2 columns, the table schema has 1: (a int key)")
                    .hasMessageContaining("canal.instance.schema.reload")
                    .hasMessageContaining("canal.instance.schema.onMismatch=skip");
        }
    }

    @Test
    void stopsWhereRowsHaveFewerColumnsAndItIsNotKnownWhich() {
        begin("fewer", "create table fewer.t (id int primary key, a int, b int)");
        unseen("alter table fewer.t drop column a");
        server.execute("insert into fewer.t values (1, 3)");
        unseen("alter table fewer.t add column a int after id");
        try (LiveSource live = read()) {
            await().until(() -> live.failure() != null);

            assertThat(live.failure())
                    .hasMessageContaining("rows of fewer.t at " + start.file())
                    .hasMessageContaining("has 2 columns, the table schema has 3: (id int key, a int, b int)");
        }
    }

    @Test
    void namesRowsWithFewerColumnsByTheirTypes() throws Exception {
        begin("fitting", "create table fitting.t (id int primary key, a text, b int)");
        unseen("alter table fitting.t drop column a");
        server.execute("insert into fitting.t values (1, 3)");
        unseen("alter table fitting.t add column a text after id");
        try (LiveSource live = read()) {
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int, b int [\"id\"]");
        }
    }

    @Test
    void skipsRowsUntilASchemaMatches() throws Exception {
        begin("healed", "create table healed.t (a int primary key)", "create table healed.u (a int primary key)");
        unseen("alter table healed.t add b int");
        server.execute("insert into healed.t values (1, 2)", "insert into healed.t values (2, 2)");
        unseen("drop table healed.t", "create table healed.t (a int primary key)");
        server.execute("insert into healed.u values (1)");
        try (LiveSource live = read(null, true, null)) {
            Entry other = nextRows(live);
            assertThat(other.tableName()).isEqualTo("u");
            assertThat(live.schemaCounts().eventsLeftOut()).isEqualTo(2);
            assertThat(live.schemaCounts().tablesHeld()).isEqualTo(1);
            server.execute(
                    "drop table healed.t",
                    "create table healed.t (z INT, y INT)",
                    "insert into healed.t values (1, 2)");
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("z INT, y INT null");
            assertThat(live.schemaCounts().eventsLeftOut()).isEqualTo(2);
        }
    }

    @Test
    void reloadsATableFromTheSourceIfConfigured() throws Exception {
        begin("reload", "create table reload.t (a INT primary key, b int)");
        Cursor cursor;
        try (LiveSource live = read()) {
            unseen("alter table reload.t rename column b to renamed");
            server.execute("insert into reload.t values (1, 2)");
            Entry wrong = nextRows(live);
            assertThat(EntryColumns.of(wrong)).isEqualTo("a int, b int [\"a\"]");
            Entry end = live.readUntil(entry -> entry.kind() == EntryKind.END).get(0);
            cursor = end.cursor();
        }
        server.execute("insert into reload.t values (2, 2)");
        try (LiveSource live = read(cursor, false, new TableFilter("reload\\.t", ""))) {
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("a int, renamed int [\"a\"]");
        }
        try (LiveSource live = read(cursor, false, null)) {
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("a int, renamed int [\"a\"]");
        }
    }

    /** As by a deployment that replaces the directory of the configuration, while no DDL comes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void believesAHistoryThatWasRemovedWhileItWasOpen(boolean endsAtOnce) throws Exception {
        String schema = endsAtOnce ? "removed_at_end" : "removed";
        begin(schema, "create table %s.t (a INT primary key, b int)".formatted(schema));
        Path file = folder.resolve("h2.sqlite");
        Cursor cursor;
        try (LiveSource live = read()) {
            server.execute("insert into %s.t values (1, 2)".formatted(schema));
            nextRows(live);
            cursor = live.readUntil(entry -> entry.kind() == EntryKind.END)
                    .get(0)
                    .cursor();
            for (String suffix : List.of("", "-wal")) {
                Files.deleteIfExists(Path.of(file + suffix));
            }
            if (!endsAtOnce) {
                await().until(() -> Files.exists(file));
            }
        }
        assertThat(file).isNotEmptyFile();
        unseen("alter table %s.t rename column b to renamed".formatted(schema));
        server.execute("insert into %s.t values (2, 2)".formatted(schema));

        try (LiveSource live = read(cursor, false, null)) {
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("a int, b int [\"a\"]");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void followsTheTablesOfGhOst(boolean restarts) throws Exception {
        String schema = restarts ? "ghost_two" : "ghost";
        begin(schema, "create table %s.t (id int primary key, name varchar(20), key k (name))".formatted(schema));
        try (LiveSource live = read()) {
            server.execute(
                    "drop table if exists `%s`.`_t_gho`".formatted(schema),
                    "drop table if exists `%s`.`_t_del`".formatted(schema),
                    "create /* gh-ost */ table `%s`.`_t_ghc` (id bigint unsigned auto_increment, last_update timestamp not null DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP, hint varchar(64) charset ascii not null, value varchar(4096) charset ascii not null, primary key(id), unique key hint_uidx(hint)) auto_increment=256 comment='gh-ost'"
                            .formatted(schema),
                    "create /* gh-ost */ table `%1$s`.`_t_gho` like `%1$s`.`t`".formatted(schema),
                    "alter /* gh-ost */ table `%s`.`_t_gho` add column added INT NOT NULL default 0 after id, modify name VARCHAR(40)"
                            .formatted(schema),
                    "insert /* gh-ost */ ignore into `%1$s`.`_t_gho` (`id`, `name`) (select `id`, `name` from `%1$s`.`t`)"
                            .formatted(schema),
                    "create /* gh-ost */ table `%s`.`_t_del` (id int auto_increment primary key) engine=InnoDB comment='ghost-cut-over-sentry'"
                            .formatted(schema),
                    "drop /* gh-ost */ table if exists `%s`.`_t_del`".formatted(schema),
                    "rename /* gh-ost */ table `%1$s`.`t` to `%1$s`.`_t_del`, `%1$s`.`_t_gho` to `%1$s`.`t`"
                            .formatted(schema),
                    "insert into %s.t values (1, 2, 'x')".formatted(schema),
                    "drop /* gh-ost */ table if exists `%s`.`_t_ghc`".formatted(schema),
                    "drop /* gh-ost */ table if exists `%s`.`_t_del`".formatted(schema));
            Entry rows = nextRows(live);
            assertThat(EntryColumns.of(rows)).isEqualTo("id int, added INT, name VARCHAR(40) [\"id\"]");
            if (restarts) {
                Entry end =
                        live.readUntil(entry -> entry.kind() == EntryKind.END).get(0);
                live.close();
                server.execute("insert into %s.t values (2, 2, 'x')".formatted(schema));
                try (LiveSource again = read(end.cursor(), false, null)) {
                    assertThat(EntryColumns.of(nextRows(again)))
                            .isEqualTo("id int, added INT, name VARCHAR(40) [\"id\"]");
                    assertThat(again.schemaCounts().doubtfulStatements()).isZero();
                }
            }
        }
    }

    @Test
    void followsTheTablesOfPtOnlineSchemaChange() throws Exception {
        begin("pt", "create table pt.t (id int primary key, name varchar(20))");
        try (LiveSource live = read()) {
            server.execute(
                    "CREATE TABLE `pt`.`_t_new` (\n  `id` int NOT NULL,\n  `name` varchar(20) DEFAULT NULL,\n"
                            + "  PRIMARY KEY (`id`)\n) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4",
                    "ALTER TABLE `pt`.`_t_new` add column added INTEGER, drop column name",
                    "CREATE TRIGGER `pt`.`pt_osc_pt_t_del` AFTER DELETE ON `pt`.`t` FOR EACH ROW BEGIN DECLARE CONTINUE"
                            + " HANDLER FOR 1146 begin end; DELETE IGNORE FROM `pt`.`_t_new` WHERE `pt`.`_t_new`.`id`"
                            + " <=> OLD.`id`; END",
                    "CREATE TRIGGER `pt`.`pt_osc_pt_t_ins` AFTER INSERT ON `pt`.`t` FOR EACH ROW BEGIN DECLARE CONTINUE"
                            + " HANDLER FOR 1146 begin end; REPLACE INTO `pt`.`_t_new` (`id`) VALUES (NEW.`id`);END",
                    "INSERT LOW_PRIORITY IGNORE INTO `pt`.`_t_new` (`id`) SELECT `id` FROM `pt`.`t` LOCK IN SHARE MODE"
                            + " /*pt-online-schema-change 4711 copy table*/",
                    "ANALYZE TABLE `pt`.`_t_new` /* pt-online-schema-change */",
                    "RENAME TABLE `pt`.`t` TO `pt`.`_t_old`, `pt`.`_t_new` TO `pt`.`t`",
                    "DROP TABLE IF EXISTS `_t_old` /* no schema */".replace("`_t_old`", "`pt`.`_t_old`"),
                    "DROP TRIGGER IF EXISTS `pt`.`pt_osc_pt_t_del`",
                    "DROP TRIGGER IF EXISTS `pt`.`pt_osc_pt_t_ins`",
                    "insert into pt.t values (1, 2)");
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int, added INTEGER [\"id\"]");
            assertThat(live.schemaCounts().doubtfulStatements()).isZero();
        }
    }

    @Test
    void readsTheDdlBetweenTheHistoryAndTheStart() throws Exception {
        begin("skipped", "create table skipped.t (a INT primary key)");
        try (LiveSource live = read()) {
            server.execute("alter table skipped.t add b INTEGER", "insert into skipped.t values (1, 2)");
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("a int, b INTEGER [\"a\"]");
        }
        server.execute("alter table skipped.t add c int first");
        BinlogEnd end = server.binlogEnd();
        start = new BinlogPosition(end.file(), end.offset());
        server.execute("insert into skipped.t values (1, 2, 3)");
        try (LiveSource live = read()) {
            assertThat(EntryColumns.of(nextRows(live))).isEqualTo("c int, a int, b INTEGER [\"a\"]");
        }
    }

    @Test
    void readsGeneratedPrimaryKeysThatTheServerHides() throws Exception {
        server.execute("set global show_gipk_in_create_table_and_information_schema = OFF");
        try {
            begin("gipk", "set sql_generate_invisible_primary_key = ON", "create table gipk.t (v varchar(9))");
            try (LiveSource live = read()) {
                server.execute("insert into gipk.t values ('x')");
                assertThat(EntryColumns.of(nextRows(live)))
                        .isEqualTo("my_row_id bigint unsigned, v varchar(9) [\"my_row_id\"]");
            }
        } finally {
            server.execute("set global show_gipk_in_create_table_and_information_schema = ON");
        }
    }

    /** In their table maps servers name a unique key of columns that are not null where there is no primary key. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_8_0_31", "MARIADB_10_11"})
    void aUniqueKeyIsNoPrimaryKeyWithFullMetadata(ServerRelease release) throws Exception {
        try (MySqlServer other = MySqlServer.start(release)) {
            other.execute(
                    "set global binlog_row_metadata = FULL",
                    "create database uniq",
                    "create table uniq.t (u int not null, v int, unique key (u))");
            BinlogEnd end = other.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            try (LiveSource live = read(other)) {
                other.execute("insert into uniq.t values (1, 1)");
                assertThat(EntryColumns.of(nextRows(live))).endsWith(" null");

                other.execute(
                        "create table uniq.w (u DATE not null, v DATE, unique key (u))",
                        "insert into uniq.w values ('2024-01-01', '2024-01-01')");
                assertThat(EntryColumns.of(nextRows(live))).isEqualTo("u date, v date null");

                other.execute(
                        "alter table uniq.w add primary key (v)",
                        "insert into uniq.w values ('2024-01-02', '2024-01-02')");
                assertThat(EntryColumns.of(nextRows(live))).isEqualTo("u date, v date [\"v\"]");
            }
        }
    }

    @Test
    void leavesOutRowsOfASequenceThatIsGoneFromTheSource() throws Exception {
        try (MySqlServer mariaDb = MySqlServer.start(ServerRelease.MARIADB_10_11)) {
            mariaDb.execute(
                    "create database seq", "create sequence seq.old", "create table seq.t (id int primary key)");
            BinlogEnd end = mariaDb.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            mariaDb.execute(
                    "create sequence seq.made cache 2",
                    "insert into seq.t values (nextval(seq.old)), (10 + nextval(seq.made))",
                    "rename table seq.made to seq.renamed",
                    "insert into seq.t values (20 + nextval(seq.renamed)), (30 + nextval(seq.renamed))",
                    "drop sequence if exists seq.renamed",
                    "insert into seq.t values (50)");
            try (LiveSource live = read(mariaDb)) {
                assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int(11) [\"id\"]");
                assertThat(nextRows(live).tableName()).isEqualTo("t");
                assertThat(EntryColumns.valueOf(nextRows(live), "id")).isEqualTo("50");
            }
        }
    }

    /** Rows do not show it, since a table may have the same columns; DDL that follows does. */
    @Test
    void leavesOutRowsOfASequenceThatWasMadeBeforeTheStartAndIsGone() throws Exception {
        try (MySqlServer mariaDb = MySqlServer.start(ServerRelease.MARIADB_11_8)) {
            mariaDb.execute(
                    "create database seq",
                    "create table seq.t (id int primary key)",
                    "create sequence seq.gone",
                    "create sequence seq.dropped as int",
                    "create sequence seq.replaced");
            BinlogEnd end = mariaDb.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            mariaDb.execute(
                    "insert into seq.t values (nextval(seq.gone)), (10 + nextval(seq.dropped)), (20 + nextval(seq.replaced))",
                    "drop sequence if exists seq.gone",
                    "drop sequence seq.dropped",
                    "drop sequence if exists seq.replaced",
                    "create table seq.replaced (id int primary key)",
                    "insert into seq.replaced values (7)");
            try (LiveSource live = read(mariaDb)) {
                assertThat(nextRows(live).tableName()).isEqualTo("t");
                assertThat(nextRows(live).tableName()).isEqualTo("replaced");
            }
        }
    }

    @Test
    void stopsAtRowsThatMayBeThoseOfATableThatIsGone() throws Exception {
        try (MySqlServer mariaDb = MySqlServer.start(ServerRelease.MARIADB_11_8)) {
            mariaDb.execute(
                    "create database seq",
                    "create table seq.eight (a bigint, b bigint, c bigint, d bigint, e bigint, f bigint unsigned, g tinyint, h bigint)");
            BinlogEnd end = mariaDb.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            mariaDb.execute(
                    "insert into seq.eight values (1, 2, 3, 4, 5, 6, 7, 8)",
                    "drop sequence if exists seq.eight",
                    "drop table seq.eight");
            try (LiveSource live = read(mariaDb)) {
                await().until(() -> live.failure() != null);
                assertThat(live.failure()).hasMessageContaining("rows of seq.eight at " + start.file());
            }
        }
    }

    /** The names of types in {@code sql_mode=ORACLE} are in the binlog as they were written. */
    @Test
    void readsTypesAsMariaDbUnderstandsThemInTheModeOfTheSession() throws Exception {
        try (MySqlServer mariaDb = MySqlServer.start(ServerRelease.MARIADB_11_8)) {
            BinlogEnd end = mariaDb.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            try (LiveSource live = read(mariaDb)) {
                String columns = "a date, c varchar(3), e blob, id int primary key";
                mariaDb.execute(
                        "create database modes",
                        "set sql_mode = ORACLE",
                        "create table modes.o (b number, d varchar2(9), f number(5,2), g raw(4), h clob, " + columns
                                + ")",
                        "insert into modes.o (a, id, b) values ('2024-01-02 03:04:05', 1, 1.5)",
                        "set sql_mode = MAXDB",
                        "create table modes.x (b timestamp, " + columns + ")",
                        "insert into modes.x (a, id, b) values ('2024-01-02', 1, '2024-01-02 03:04:05')",
                        "set sql_mode = ''",
                        "create table modes.d (b mariadb_schema.date, d oracle_schema.date, " + columns + ")",
                        "insert into modes.d (a, id) values ('2024-01-02', 1)");
                Entry oracle = nextRows(live);
                assertThat(EntryColumns.of(oracle))
                        .isEqualTo("b double, d varchar(9), f decimal(5,2), g varbinary(4), h longtext,"
                                + " a datetime, c varchar(3), e longblob, id int(11) [\"id\"]");
                assertThat(EntryColumns.valueOf(oracle, "a")).isEqualTo("2024-01-02 03:04:05");
                assertThat(EntryColumns.valueOf(oracle, "b")).isEqualTo("1.5");

                Entry maxDb = nextRows(live);
                assertThat(EntryColumns.of(maxDb))
                        .isEqualTo("b datetime, a date, c varchar(3), e blob, id int(11) [\"id\"]");
                assertThat(EntryColumns.valueOf(maxDb, "b")).isEqualTo("2024-01-02 03:04:05");

                assertThat(EntryColumns.of(nextRows(live)))
                        .isEqualTo("b date, d datetime, a date, c varchar(3), e blob, id int(11) [\"id\"]");
            }
        }
    }

    @Test
    void readsATableThatOneOfItsColumnsMakesSystemVersioned() throws Exception {
        try (MySqlServer mariaDb = MySqlServer.start(ServerRelease.MARIADB_10_11)) {
            BinlogEnd end = mariaDb.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            mariaDb.execute(
                    "create database versions",
                    "create table versions.t (id INT primary key, a INT with system versioning, b INT)",
                    "insert into versions.t values (1, 2, 3)",
                    "create table versions.u like versions.t",
                    "insert into versions.u values (4, 5, 6)",
                    "drop table versions.t, versions.u");
            try (LiveSource live = read(mariaDb)) {
                assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int(11), a int(11), b int(11) [\"id\"]");
                Entry copy = nextRows(live);
                assertThat(EntryColumns.of(copy)).isEqualTo("id int(11), a int(11), b int(11) [\"id\"]");
                assertThat(EntryColumns.valueOf(copy, "b")).isEqualTo("6");
            }
        }
    }

    /** There JSON is a text of utf8mb4, also in a table of another character set, and stays that. */
    @Test
    void readsJsonOfMariaDbWhenItsTableIsConvertedToAnotherCharacterSet() throws Exception {
        try (MySqlServer mariaDb = MySqlServer.start(ServerRelease.MARIADB_10_11)) {
            mariaDb.execute(
                    "create database docs",
                    "create table docs.t (id int primary key, j json) character set utf8mb4",
                    "create table docs.u (id int primary key, j json) character set latin1");
            BinlogEnd end = mariaDb.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            try (LiveSource live = read(mariaDb)) {
                mariaDb.execute(
                        "insert into docs.t values (1, '{\"a\": \"é\"}')",
                        "alter table docs.t convert to character set latin1",
                        "insert into docs.t values (2, '{\"a\": \"é\"}')",
                        "insert into docs.u values (1, '{\"a\": \"é\"}')");
                for (int row = 0; row < 3; row++) {
                    assertThat(EntryColumns.valueOf(nextRows(live), "j")).isEqualTo("{\"a\": \"é\"}");
                }
            }
        }
    }

    @Test
    void leavesOutTheHashThatMariaDbKeepsForAKeyOverATextOfAnyLength() throws Exception {
        try (MySqlServer mariaDb = MySqlServer.start(ServerRelease.MARIADB_10_11)) {
            mariaDb.execute("create database hashed");
            BinlogEnd end = mariaDb.binlogEnd();
            start = new BinlogPosition(end.file(), end.offset());
            try (LiveSource live = read(mariaDb)) {
                mariaDb.execute(
                        "create table hashed.t (id int primary key, body TEXT, unique key (body))",
                        "insert into hashed.t values (1, 'x')",
                        "update hashed.t set body = 'y'");
                assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int(11), body text [\"id\"]");
                assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int(11), body text [\"id\"]");

                mariaDb.execute("set global binlog_row_metadata = FULL", "insert into hashed.t values (2, 'z')");
                assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int(11), body text [\"id\"]");

                mariaDb.execute(
                        "set global binlog_row_metadata = NO_LOG",
                        "alter table hashed.t add column c bigint",
                        "insert into hashed.t values (3, 'z3', 7)");
                assertThat(EntryColumns.of(nextRows(live))).isEqualTo("id int(11), body text, c bigint(20) [\"id\"]");

                mariaDb.execute(
                        "set sql_log_bin = 0",
                        "alter table hashed.t drop c, drop body, add b mediumtext, add d bigint, add unique key (b)",
                        "set sql_log_bin = 1",
                        "insert into hashed.t values (4, 'z4', 7)");
                assertThat(EntryColumns.of(nextRows(live)))
                        .isEqualTo("id int(11), b mediumtext, d bigint(20) [\"id\"]");
            }
        }
    }
}
