package io.sluice.schema.history;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.mysql.wire.tls.TlsOptions;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SchemaReference;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.StatementSession;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.history.database.HistoryRejectedException;
import io.sluice.schema.history.database.HistoryServerReport;
import io.sluice.schema.history.database.MySqlDatabase;
import io.sluice.schema.history.restore.HistoryEnd;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.schema.history.rows.HistoryTables;
import io.sluice.schema.history.rows.SnapshotText;
import io.sluice.schema.history.rows.StreamStart;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.SchemaHeap;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A history in a MySQL schema that Sluice or canal has made; each test has schemas of its own on the server of its class. */
@ParameterizedClass
@EnumSource(
        value = ServerRelease.class,
        names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_10_11"})
class MySqlHistoryIT {
    private static final TableName T = new TableName("shop", "t");

    /** canal's own statements, as its package ships them. */
    private static final String[] TABLES_OF_CANAL = {"""
        CREATE TABLE `meta_snapshot` (
          `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
          `gmt_create` datetime NOT NULL,
          `gmt_modified` datetime NOT NULL,
          `destination` varchar(128) DEFAULT NULL,
          `binlog_file` varchar(64) DEFAULT NULL,
          `binlog_offest` bigint(20) DEFAULT NULL,
          `binlog_master_id` varchar(64) DEFAULT NULL,
          `binlog_timestamp` bigint(20) DEFAULT NULL,
          `data` longtext DEFAULT NULL,
          `extra` text DEFAULT NULL,
          PRIMARY KEY (`id`),
          UNIQUE KEY binlog_file_offest (`destination`,`binlog_master_id`,`binlog_file`,`binlog_offest`)
        ) ENGINE=InnoDB DEFAULT CHARSET=utf8
        """, """
        CREATE TABLE `meta_history` (
          `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
          `gmt_create` datetime NOT NULL,
          `gmt_modified` datetime NOT NULL,
          `destination` varchar(128) DEFAULT NULL,
          `binlog_file` varchar(64) DEFAULT NULL,
          `binlog_offest` bigint(20) DEFAULT NULL,
          `binlog_master_id` varchar(64) DEFAULT NULL,
          `binlog_timestamp` bigint(20) DEFAULT NULL,
          `use_schema` varchar(1024) DEFAULT NULL,
          `sql_schema` varchar(1024) DEFAULT NULL,
          `sql_table` varchar(1024) DEFAULT NULL,
          `sql_text` longtext DEFAULT NULL,
          `sql_type` varchar(256) DEFAULT NULL,
          `extra` text DEFAULT NULL,
          PRIMARY KEY (`id`),
          UNIQUE KEY binlog_file_offest (`destination`,`binlog_master_id`,`binlog_file`,`binlog_offest`)
        ) ENGINE=InnoDB DEFAULT CHARSET=utf8
        """};

    private static MySqlServer server;

    @BeforeParameterizedClassInvocation
    static void start(ServerRelease release) {
        server = MySqlServer.start(release);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        server.close();
    }

    /** Its server is started before. */
    MySqlHistoryIT(ServerRelease unused) {}

    private static SchemaHistory open(String schema) throws IOException {
        return open(schema, "root", "");
    }

    private static SchemaHistory open(String schema, String user, String password) throws IOException {
        HistoryLocation location = location(schema);
        assertThat(location)
                .isEqualTo(new HistoryLocation.MySql(
                        new ServerAddress("127.0.0.1", server.port()),
                        schema,
                        TlsOptions.of(TlsMode.DISABLED),
                        PasswordOptions.STRICT));
        HistoryConfig config =
                new HistoryConfig("shop", location, user, password, Duration.ofHours(24), Duration.ofHours(360));
        SchemaHistory history = SchemaHistory.open(config, Time.SYSTEM);
        history.setSource("uuid");
        return history;
    }

    private static HistoryLocation location(String schema) {
        return HistoryLocation.parse(
                "jdbc:mysql://127.0.0.1:%d/%s?useSSL=false".formatted(server.port(), schema), Path.of("/"));
    }

    private static String columns(SchemaTracker tracker, TableName name) throws IOException {
        TableSchema table = tracker.catalog().table(name);
        return table == null
                ? "none"
                : table.columns().stream()
                        .map(column -> column.name() + " " + column.mysqlType())
                        .collect(Collectors.joining(", "));
    }

    private static SchemaTracker tracker(SchemaHistory history) {
        return new SchemaTracker(name -> null, SourceTraits.DEFAULT, history);
    }

    private static EventPosition event(long offset) {
        return new EventPosition("binlog.000001", offset, 100, 1, 1_700_000_000_000L, null);
    }

    private static StreamStart start(long offset) {
        return StreamStart.at("uuid", "binlog.000001", offset, 1, 1_700_000_000_000L);
    }

    /** They are of characters, whatever their sizes in bytes and in Java. */
    @Test
    void readsASnapshotInPieces() throws IOException {
        String text = "{\"shop\":\"a\ud83d\ude00\u5217\u5217'b\\\\\ud83d\ude00\ud83d\ude00 \"}";
        SchemaHeap.Step unlimited = new SchemaHeap(Long.MAX_VALUE).step("", "", true);
        open("pieces").close();
        try (MySqlDatabase database = new MySqlDatabase((HistoryLocation.MySql) location("pieces"), "root", "")) {
            database.update(
                    "insert into meta_snapshot (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, data)"
                            + " values (77, current_timestamp, current_timestamp, ?, ?, 4, ?, 1, ?)",
                    "other",
                    "binlog.000001",
                    "1",
                    text);
            for (int pieceChars = 1; pieceChars <= 20; pieceChars++) {
                StringWriter read = new StringWriter();
                new SnapshotText(database, 77, pieceChars, unlimited).transferTo(read);

                assertThat(read).hasToString(text);
            }
        }
    }

    @Test
    void doesNotPutPiecesOfASnapshotTogetherThatCameOverTwoConnections() throws IOException {
        SchemaHeap.Step unlimited = new SchemaHeap(Long.MAX_VALUE).step("", "", true);
        open("broken").close();
        try (MySqlDatabase database = new MySqlDatabase((HistoryLocation.MySql) location("broken"), "root", "")) {
            database.update(
                    "insert into meta_snapshot (id, gmt_create, gmt_modified, destination, binlog_file, binlog_offest, binlog_master_id, binlog_timestamp, data)"
                            + " values (77, current_timestamp, current_timestamp, 'other', 'binlog.000001', 4, '1', 1, 'abcdefgh')");
            SnapshotText text = new SnapshotText(database, 77, 2, unlimited);
            assertThat(text.read()).isEqualTo('a');
            server.execute("kill " + database.query("select connection_id()").get(0)[0]);

            assertThatExceptionOfType(SourceException.class)
                    .isThrownBy(() -> text.transferTo(new StringWriter()))
                    .withMessageEndingWith("/broken broke while a snapshot was read");

            StringWriter again = new StringWriter();
            new SnapshotText(database, 77, 2, unlimited).transferTo(again);
            assertThat(again).hasToString("abcdefgh");
        }
    }

    /** The server has done nothing wrong. */
    @Test
    void theRemedyForAResultThatIsTooLargeIsMoreHeap() throws IOException {
        open("large").close();
        try (MySqlDatabase database = new MySqlDatabase((HistoryLocation.MySql) location("large"), "root", "")) {
            String rows =
                    "select repeat('x', 3000000) from information_schema.collations a join information_schema.collations b";

            SourceException failure = catchThrowableOfType(SourceException.class, () -> database.query(rows));

            assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
            assertThat(failure)
                    .hasMessageStartingWith("the schema history at %s cannot be read: ".formatted(database.location()))
                    .hasMessageContaining("result exceeds the limit of ");
            assertThat(failure.remedy())
                    .isEqualTo(
                            "see that canal.instance.tsdb.url leads to the schema history that is meant; if it does, raise -Xmx");
        }
    }

    @Test
    void storesWhatIsRecorded() throws IOException {
        String sql = "create table t (a enum('it''s','b\\\\c', '列'), `we``ird?` INTEGER comment '?\\n')";
        try (SchemaHistory history = open("made")) {
            assertThat(history.recorded().isEmpty()).isTrue();
            SchemaTracker tracker = tracker(history);
            history.begin(tracker.catalog().state());
            tracker.catalog().moveTo(event(100));
            tracker.statements().apply(sql, "shop");
            tracker.catalog().moveTo(event(100));
            tracker.statements().apply("alter table t add c BOOL", "shop");
            history.snapshot(start(300), tracker.catalog().state());
            tracker.catalog().moveTo(event(400));
            tracker.statements().apply("alter table t drop a", "shop");
        }
        try (SchemaHistory history = open("made")) {
            assertThat(history.recorded().isEmpty()).isFalse();
            SchemaTracker tracker = tracker(history);
            history.restore(tracker, start(300));
            assertThat(columns(tracker, T)).isEqualTo("a enum('it''s','b\\c','列'), we`ird? INTEGER, c BOOL");
            history.restore(tracker, start(500));
            assertThat(columns(tracker, T)).isEqualTo("we`ird? INTEGER, c BOOL");
            history.restore(tracker, start(100));
            assertThat(columns(tracker, T)).isEqualTo("none");
        }
        assertThat(server.query("select count(*) from made.meta_history")).isEqualTo("3");
    }

    @Test
    void storesTheDoubtWhetherADdlWasOfATemporaryTable() throws IOException {
        try (SchemaHistory history = open("doubts")) {
            SchemaTracker tracker = tracker(history);
            history.begin(tracker.catalog().state());
            tracker.catalog().moveTo(event(100));
            tracker.statements().apply("create table t (a int)", "shop");
            tracker.catalog().moveTo(event(200));
            tracker.statements()
                    .apply(
                            "alter table t change a b int",
                            "shop",
                            SqlMode.DEFAULT,
                            new StatementSession(7, true, false));
        }
        try (SchemaHistory history = open("doubts")) {
            SchemaTracker tracker = tracker(history);
            history.restore(tracker, start(300));
            assertThat(tracker.catalog().doubts().has(T)).isTrue();
            history.snapshot(start(300), tracker.catalog().state());
            history.restore(tracker, start(300));
            assertThat(tracker.catalog().doubts().has(T)).isTrue();
        }
        assertThat(server.query("select sql_text from doubts.meta_history order by id desc limit 1"))
                .isEqualTo("alter table t change a b int");
    }

    @Test
    void takesOver() throws IOException {
        makeHistoryOfCanal("canals");
        try (SchemaHistory history = open("canals")) {
            SchemaTracker tracker = tracker(history);
            history.restore(tracker, start(300));
            assertThat(columns(tracker, T)).isEqualTo("a int(11), b INT");
            tracker.catalog().moveTo(event(400));
            tracker.statements().apply("alter table t add c INTEGER", "shop");
            history.restore(tracker, start(500));
            assertThat(columns(tracker, T)).isEqualTo("a int(11), b INT, c INTEGER");
        }
        assertThat(server.query("select count(*) from information_schema.columns where table_schema = 'canals'"
                        + " and collation_name <> 'utf8mb4_bin'"))
                .isEqualTo("0");
        server.createUser("reader", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
        server.execute("grant select, insert, update, delete, create on canals.* to reader");
        try (SchemaHistory history = open("canals", "reader", "secret")) {
            assertThat(history.recorded().isEmpty())
                    .as("needs no ALTER any more")
                    .isFalse();
        }
    }

    @Test
    void takesWhatDoesNotFitIntoTablesOfCanal() throws IOException {
        makeTablesOfCanal("wide");
        try (SchemaHistory history = open("wide")) {
            SchemaTracker tracker = tracker(history);
            history.begin(tracker.catalog().state());
            tracker.catalog().moveTo(event(100));
            tracker.statements().apply("create table t (a enum('\uD83D\uDE00'))", "shop");
            Map<String, String> notes = Map.of("long", "\uD83D\uDE00".repeat(35_000));
            history.snapshot(
                    start(300), new SchemaState(tracker.catalog().state().definitions(), notes));
            for (long offset : List.of(200L, 300L)) {
                history.restore(tracker, start(offset));
                assertThat(columns(tracker, T)).isEqualTo("a enum('\uD83D\uDE00')");
            }
        }
    }

    /** A history that canal has written: of a table with the columns a and b. */
    private static void makeHistoryOfCanal(String schema) {
        makeTablesOfCanal(schema);
        server.execute(
                "insert into " + schema + ".meta_snapshot values (1, now(), now(), 'shop', '0', 0, '-1', -2,"
                        + " '{\"shop\":\"CREATE TABLE `t` (\\\\n\\\\t`a` int(11) NOT NULL,\\\\n\\\\tPRIMARY KEY (`a`)\\\\n)"
                        + " ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;\\\\n\"}', null)",
                "insert into " + schema + ".meta_history values (1, now(), now(), 'shop', 'binlog.000001', 200, '1',"
                        + " 1700000000000, 'shop', 'shop', 't', 'alter table t add b INT', 'ALTER', null)",
                "insert into " + schema + ".meta_history values (2, now(), now(), 'other', 'binlog.000001', 200, '1',"
                        + " 1700000000000, 'shop', 'shop', 't', 'alter table t add no INT', 'ALTER', null)");
    }

    private static void makeTablesOfCanal(String schema) {
        server.execute("create database " + schema);
        for (String table : TABLES_OF_CANAL) {
            server.execute(table.replace("TABLE `", "TABLE %s.`".formatted(schema)));
        }
    }

    /** Without ALTER it works, as far as what is written fits. */
    @Test
    void usesTablesOfCanalThatItCannotChange() throws IOException {
        makeTablesOfCanal("narrow");
        server.createUser("narrow", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
        server.execute("grant select, insert, update, delete, create, index on narrow.* to narrow");
        try (SchemaHistory history = open("narrow", "narrow", "secret")) {
            SchemaTracker tracker = tracker(history);
            history.begin(tracker.catalog().state());
            tracker.catalog().moveTo(event(100));
            tracker.statements().apply("create table t (a INT)", "shop");
            assertThatThrownBy(() -> tracker.statements().apply("create table u (a enum('\uD83D\uDE00'))", "shop"))
                    .isInstanceOfSatisfying(
                            SourceException.class,
                            e -> assertThat(e.remedy())
                                    .contains("alter table meta_history convert to character set utf8mb4"));
        }
    }

    @Test
    void reportsWhatAnAccountMayDo() throws IOException {
        makeTablesOfCanal("viewed");
        makeTablesOfCanal("changed");
        for (String user : List.of("writer", "viewer")) {
            server.createUser(user, "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
        }
        server.execute(
                "grant select, insert, update, delete, create, index on viewed.* to writer",
                "grant select, insert on viewed.* to viewer");
        try (SchemaHistory history = open("viewed", "writer", "secret")) {
            history.begin(tracker(history).catalog().state());
        }
        open("changed").close();

        HistoryServerReport of = report("viewed", "writer");
        assertThat(of.tables()).containsExactlyInAnyOrder("meta_history", "meta_identity", "meta_snapshot");
        assertThat(of.denied()).isEmpty();
        assertThat(of.changes()).hasSize(2);
        assertThat(of.maxPacketBytes()).isGreaterThan(1 << 20);
        assertThat(of.snapshotBytes()).isPositive();
        assertThat(report("viewed", "viewer").denied())
                .hasSize(6)
                .allMatch(why -> why.contains("UPDATE command denied") || why.contains("DELETE command denied"));
        assertThat(report("changed", "root").changes()).isEmpty();
        assertThat(report("not_there", "root").hasSchema()).isFalse();
    }

    private static HistoryServerReport report(String schema, String user) throws IOException {
        return HistoryServerReport.read(
                (HistoryLocation.MySql) location(schema),
                user,
                user.equals("root") ? "" : "secret",
                "shop",
                Duration.ofSeconds(20));
    }

    @Test
    void tellsInstancesApartWhoseNamesDifferInCaseOnly() throws IOException {
        try (SchemaHistory one = open("cases");
                SchemaHistory two = SchemaHistory.open(
                        new HistoryConfig(
                                "Shop", location("cases"), "root", "", Duration.ofHours(24), Duration.ofHours(360)),
                        Time.SYSTEM)) {
            one.begin(tracker(one).catalog().state());

            assertThat(two.recorded().isEmpty()).isTrue();
            assertThat(two.reference().historyId()).isNotEqualTo(one.reference().historyId());
        }
    }

    /** Of two tables, whose definitions fit into a statement one by one only. */
    @Test
    void readsOnWithoutASnapshotThatIsTooLarge() throws IOException {
        String max = server.query("select @@global.max_allowed_packet");
        server.execute("set global max_allowed_packet = 1048576");
        String large = "(a enum('" + "x".repeat(600_000) + "'))";
        HistoryConfig config =
                new HistoryConfig("shop", location("large"), "root", "", Duration.ofMillis(1), Duration.ofDays(15));
        try (SchemaHistory history = SchemaHistory.open(config, Time.SYSTEM)) {
            history.setSource("uuid");
            SchemaTracker tracker = tracker(history);
            history.begin(tracker.catalog().state());
            tracker.catalog().moveTo(event(100));
            tracker.statements().apply("create table t " + large, "shop");
            tracker.catalog().moveTo(event(200));
            tracker.statements().apply("create table u " + large, "shop");
            tracker.catalog().moveTo(event(300));
            tracker.statements().apply("create table v (a int)", "shop");
            assertThat(server.query("select group_concat(binlog_offest order by id) from large.meta_history"))
                    .isEqualTo("100,200,300");

            SourceException failure = catchThrowableOfType(
                    SourceException.class,
                    () -> history.snapshot(start(400), tracker.catalog().state()));
            assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
            assertThat(failure).hasMessageContaining("max_allowed_packet is 1048576 there");
            assertThat(failure.remedy()).contains("set global max_allowed_packet = 3145728 ");

            server.execute("set global max_allowed_packet = 3145728");
            history.snapshot(start(400), tracker.catalog().state());
            assertThat(server.query("select max(binlog_offest) from large.meta_snapshot"))
                    .isEqualTo("400");
        } finally {
            server.execute("set global max_allowed_packet = " + max);
        }
    }

    /** DDL is rare, so the connection was idle for long, and is closed by the server or a firewall. */
    @Test
    void connectsAgainIfTheConnectionWasClosedMeanwhile() throws IOException {
        try (SchemaHistory history = open("idle")) {
            SchemaTracker tracker = tracker(history);
            history.begin(tracker.catalog().state());
            killConnection();
            tracker.catalog().moveTo(event(100));
            tracker.statements().apply("create table t (a INT)", "shop");
            killConnection();
            assertThat(history.recorded().isEmpty()).isFalse();
            assertThat(history.rowsWritten()).isEqualTo(1);
        }
    }

    /** One that was killed before may be listed for a moment, with MySQL 5.7 also for long. */
    private static void killConnection() {
        String ids =
                "select group_concat(id) from information_schema.processlist where db = 'idle' and command <> 'Killed'";
        await().until(() -> server.query(ids), id -> id != null && id.matches("\\d+"));
        server.execute("kill " + server.query(ids));
    }

    /** After a switch-over the address may lead to another server, while the former one is up. */
    @Test
    void connectsAgainIfItsServerIsReadOnlyNow() throws IOException {
        String newestConnection = "select max(id) from information_schema.processlist where user = 'demoted'";
        server.createUser("demoted", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
        server.execute(
                "create database demoted",
                "grant select, insert, update, delete, create, index on demoted.* to demoted");
        try (SchemaHistory history = open("demoted", "demoted", "secret")) {
            SchemaTracker tracker = tracker(history);
            history.begin(tracker.catalog().state());
            tracker.catalog().moveTo(event(100));
            String before = server.query(newestConnection);
            server.execute("set global read_only = 1");
            try {
                assertThatThrownBy(() -> tracker.statements().apply("create table t (a INT)", "shop"))
                        .isInstanceOfSatisfying(
                                SourceException.class,
                                e -> assertThat(e.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE))
                        .isNotInstanceOf(HistoryRejectedException.class)
                        .hasMessageContaining("1290");
            } finally {
                server.execute("set global read_only = 0");
            }
            tracker.statements().apply("create table t (a INT)", "shop");
            assertThat(Long.parseLong(server.query(newestConnection))).isGreaterThan(Long.parseLong(before));
        }
    }

    /** The other one changes the tables of canal, which may take minutes. */
    @Test
    void endsAtAnInterruptWhileItWaitsForAnotherInstance() throws IOException {
        makeTablesOfCanal("waits");
        try (Connection other = server.connect();
                Statement statement = other.createStatement()) {
            statement.execute("select get_lock('sluice.schema.history', 0)");
            Thread.currentThread().interrupt();
            try {
                assertThatThrownBy(() -> open("waits").close())
                        .isInstanceOfSatisfying(
                                SourceException.class,
                                e -> assertThat(e.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE));
            } finally {
                assertThat(Thread.interrupted()).as("kept for the caller").isTrue();
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    @Test
    void isSharedByServersOfACluster() throws IOException {
        makeHistoryOfCanal("shared");
        try (SchemaHistory one = open("shared");
                SchemaHistory two = open("shared")) {
            assertThat(two.reference().historyId()).isEqualTo(one.reference().historyId());
            SchemaTracker tracker = tracker(one);
            one.restore(tracker, start(500));
            SchemaReference before = one.reference();
            assertThat(two.holds(before)).isTrue();
            tracker.catalog().moveTo(event(600));
            tracker.statements().apply("alter table t add d INT", "shop");

            SchemaReference after = one.reference();
            assertThat(after.rowId()).isGreaterThan(before.rowId());
            assertThat(two.holds(after)).as("written by another process").isTrue();
            assertThat(two.holds(new SchemaReference(after.historyId(), after.rowId() + 1, BinlogPosition.UNKNOWN)))
                    .isFalse();
            assertThat(two.recorded().end("uuid", 0))
                    .isEqualTo(new HistoryEnd("uuid", "binlog.000001", 600, OptionalLong.of(700)));
            SchemaTracker other = tracker(two);
            two.restore(other, start(700));
            assertThat(two.reference()).isEqualTo(after);
            assertThat(columns(other, T)).isEqualTo("a int(11), b INT, d INT");
        }
        assertThat(server.query("select count(*) from shared.meta_identity")).isEqualTo("1");
    }

    /** A connection that is lost in the middle of a transaction leaves what was there. */
    @Test
    void replacesASnapshotAsAWhole() throws IOException {
        HistoryLocation.MySql location = new HistoryLocation.MySql(
                new ServerAddress("127.0.0.1", server.port()),
                "whole",
                TlsOptions.of(TlsMode.DISABLED),
                PasswordOptions.STRICT);
        try (MySqlDatabase database = new MySqlDatabase(location, "root", "")) {
            HistoryTables tables = new HistoryTables(database, "shop");
            tables.create();
            HistoryPosition position = new HistoryPosition("uuid", "binlog.000001", 4, "1", 1_700_000_000_000L, "");
            tables.snapshots()
                    .add(position, null, false, new SchemaState(Map.of("shop", "create table old (a int)"), Map.of()));
            assertThatThrownBy(() -> database.atomically(() -> {
                        database.update("delete from meta_snapshot");
                        database.abort();
                        database.update("delete from meta_history");
                    }))
                    .isInstanceOf(IOException.class);
            assertThat(tables.snapshots()
                            .state(tables.snapshots().all().get(0), new SchemaHeap())
                            .definitions())
                    .containsEntry("shop", "create table old (a int)");
            long replaced = tables.snapshots().all().get(0).id();
            tables.snapshots()
                    .add(position, null, false, new SchemaState(Map.of("shop", "create table new (a int)"), Map.of()));
            assertThat(tables.snapshots().all())
                    .singleElement()
                    .satisfies(snapshot -> assertThat(snapshot.id()).isGreaterThan(replaced));
        }
    }

    /** Another server of the cluster takes over from one that is frozen, and that holds locks. */
    @Test
    void isOpenedWhileAFrozenProcessIsInTheMiddleOfATransaction() throws IOException {
        HistoryLocation.MySql location = new HistoryLocation.MySql(
                new ServerAddress("127.0.0.1", server.port()),
                "frozen",
                TlsOptions.of(TlsMode.DISABLED),
                PasswordOptions.STRICT);
        open("frozen").close();
        try (MySqlDatabase frozen = new MySqlDatabase(location, "root", "")) {
            assertThatThrownBy(() -> frozen.atomically(() -> {
                        frozen.update("update meta_identity set last_id = 7");
                        open("frozen").close();
                        frozen.update("update meta_identity set last_id = 8");
                    }))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port());
            frozen.atomically(() -> frozen.update("update meta_identity set last_id = last_id + 1"));
        }
        assertThat(server.query("select last_id from frozen.meta_identity")).isEqualTo("1");
    }

    /** A failure of the history must not look like one of the source, which would be left for its standby. */
    @Test
    void reportsARefusalAsOneOfTheHistory() {
        server.createUser("keeper", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
        server.execute("create database kept");

        assertThat(refusal("kept", "wrong")).contains("1045");
        assertThat(refusal("kept", "secret")).contains("1044"); // no privilege on it
        assertThat(refusal("not_made", "secret")).contains("1044"); // CREATE DATABASE is denied
        await().untilAsserted(() -> assertThat(
                        server.query("select count(*) from information_schema.processlist where user = 'keeper'"))
                .isEqualTo("0"));
    }

    private static String refusal(String schema, String password) {
        SourceException failure = catchThrowableOfType(
                SourceException.class, () -> open(schema, "keeper", password).close());
        assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
        assertThat(failure.remedy()).contains("canal.instance.tsdb.dbUsername and canal.instance.tsdb.dbPassword");
        assertThat(failure).hasMessageContaining("the schema history at 127.0.0.1:%d/%s", server.port(), schema);
        return failure.getMessage();
    }

    /** A table of an earlier build, and an account that has the privileges that a new one needs. */
    @Test
    void usesAnIdentityWithoutTheTimeOfTheImportThatItCannotAdd() throws IOException {
        open("timeless").close();
        server.execute("alter table timeless.meta_identity drop column imported_closed_millis");
        server.createUser("timeless", "secret", AuthPlugin.MYSQL_NATIVE_PASSWORD);
        server.execute("grant select, insert, update, delete, create, index on timeless.* to timeless");
        try (SchemaHistory history = open("timeless", "timeless", "secret")) {
            history.begin(tracker(history).catalog().state());
            assertThat(history.recorded().closedByCanalMillis()).isEmpty();
        }
        HistoryLocation.MySql location = (HistoryLocation.MySql) location("timeless");
        try (MySqlDatabase database = new MySqlDatabase(location, "root", "")) {
            assertThat(database.hasColumn("meta_identity", "imported_closed_millis"))
                    .isFalse();
        }
        open("timeless").close();
        try (MySqlDatabase database = new MySqlDatabase(location, "root", "")) {
            assertThat(database.hasColumn("meta_identity", "imported_closed_millis"))
                    .isTrue();
        }
    }

    @Test
    void reportsAnUnreachableServer() throws IOException {
        try (SchemaHistory history = open("unreachable")) {
            SchemaTracker tracker = tracker(history);
            history.begin(tracker.catalog().state());
            tracker.catalog().moveTo(event(100));
            tracker.statements().apply("create table t (a INT)", "shop");
            server.stop();
            tracker.catalog().moveTo(event(600));
            for (int attempt = 1; attempt <= 2; attempt++) { // the second one has no connection any more
                assertThatThrownBy(() -> tracker.statements().apply("alter table t add late INT", "shop"))
                        .isInstanceOfSatisfying(
                                SourceException.class,
                                e -> assertThat(e.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE))
                        .hasMessageContaining("127.0.0.1:" + server.port());
            }
            assertThat(columns(tracker, T)).isEqualTo("a INT");
            server.restart();
            tracker.statements().apply("alter table t add late INT", "shop");
            assertThat(columns(tracker, T)).isEqualTo("a INT, late INT");
            assertThat(history.rowsWritten()).isEqualTo(2);
        }
    }
}
