package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.HistoryConfigs;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.stream.differential.DdlScripts;
import io.sluice.stream.differential.RandomDdl;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.search.BinlogBoundaries;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.search.StartCheck;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.watch.Lag;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What MariaDB holds, and what is delivered of it, are the same. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MariaDbSource {
    private final ServerRelease release;
    private LiveServer live;

    MariaDbSource(ServerRelease release) {
        this.release = release;
    }

    @BeforeAll
    void startServer() {
        live = new LiveServer(MySqlOptions.defaults().release(release));
    }

    LiveServer live() {
        return live;
    }

    @AfterAll
    void stopServer() {
        live.close();
    }

    @Test
    void showsValuesAsTheServerDoes() throws Exception {
        requireSame(
                "maria_values",
                "create table ids (id int primary key, u uuid, i6 inet6, j json, c varchar(9) character set latin1)",
                """
                insert into ids values
                  (1, '123e4567-e89b-12d3-a456-426614174000', '2001:db8::ff00:42:8329', '{"a": [1, "ü"]}', 'ä'),
                  (2, '00000000-0000-0000-0000-000000000000', '::', '[]', ''),
                  (3, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'null', null),
                  (4, '018f4e0c-7c3b-7abc-8def-0123456789ab', '::ffff:192.168.1.200', '"x"', 'y'),
                  (5, 'c232ab00-9414-11ec-b3c8-9f6bdeced846', '::1.2.3.4', null, null),
                  (6, 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6', '1:0:2:3:4:5:6:7', null, null),
                  (7, '1ec9414c-232a-6b00-b3c8-9e6bdeced800', '1:0:0:2:0:0:0:3', null, null),
                  (8, null, 'fe80::', null, null), (9, uuid(), '::1', null, null), (10, null, null, null, null)""",
                "update ids set u = null, i6 = '::2' where id < 4",
                "delete from ids where id = 5",
                "create table v4 (a inet4 primary key)",
                "insert into v4 values ('0.0.0.0'), ('255.255.255.255'), ('10.0.0.1'), ('1.2.0.0')");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void followsRandomDdl(long seed, @TempDir Path folder) throws Exception {
        new RandomDdl(live().server(), folder, false).requireNoDifference(seed, 60);
    }

    @Test
    void followsDdlThatIsEasilyMisread(@TempDir Path folder) throws Exception {
        DdlScripts.requireNoDifference(live().server(), folder);
    }

    @Test
    void unpacksCompressedColumns() throws Exception {
        for (String wrap : List.of("ON", "OFF")) {
            requireSame(
                    "maria_packed_" + wrap.toLowerCase(Locale.ROOT),
                    "set global column_compression_zlib_wrap = " + wrap,
                    "set session column_compression_zlib_wrap = " + wrap,
                    """
                    create table packed (id int primary key, t text compressed, v varchar(500) compressed,
                      vl varchar(9000) compressed character set latin1, b longblob compressed,
                      vb varbinary(2000) compressed, tt tinytext compressed character set utf8mb4)""",
                    "insert into packed values (1, repeat('squeeze ', 100), repeat('me ', 100), repeat('ä', 4000),"
                            + " repeat(x'00ff', 100000), repeat('x', 2000), repeat('中', 80))",
                    "insert into packed values (2, '', '', '', '', '', ''), (3, null, null, null, null, null, null)",
                    "insert into packed values (4, 'short', 'short', 'ö', 'short', x'00', '🙂')",
                    "update packed set t = 'x', v = repeat('y', 499), b = repeat('z', 300)",
                    "delete from packed where id = 1");
        }
    }

    /** Their GTID events have the number of the group, before what follows in them. */
    @Test
    void transactionsThatWereCommittedTogetherAreDelivered() throws Exception {
        BinlogEnd start = live.server().rotateBinlog();
        live.run("create database maria_group", "create table maria_group.t (id int primary key, v int)");
        CompletableFuture<?>[] commits = new CompletableFuture<?>[4];
        live.run("set global binlog_commit_wait_count = 4, global binlog_commit_wait_usec = 60000000");
        ExecutorService clients = Executors.newFixedThreadPool(commits.length);
        try {
            for (int i = 0; i < commits.length; i++) {
                String insert = "insert into maria_group.t values (%d, %d)".formatted(i, 10 * i);
                String[] statements = i % 2 == 0
                        ? new String[] {insert}
                        : new String[] {
                            "xa start 'x%d'".formatted(i),
                            insert,
                            "xa end 'x%d'".formatted(i),
                            "xa commit 'x%d' one phase".formatted(i)
                        };
                commits[i] = CompletableFuture.runAsync(
                        () -> {
                            try {
                                live.run(statements);
                            } catch (SQLException e) {
                                throw new IllegalStateException(e);
                            }
                        },
                        clients);
            }
            CompletableFuture.allOf(commits).join();
        } finally {
            clients.shutdownNow();
            live.run("set global binlog_commit_wait_count = 0, global binlog_commit_wait_usec = 100000");
        }
        assertThat(gtidEvents(start)).filteredOn(gtid -> gtid.contains("cid=")).hasSize(commits.length);

        List<Entry> entries = live.entries(start, null);

        live.requireState("maria_group", entries);
        assertThat(entries.stream().filter(entry -> entry.kind() == EntryKind.ROWS))
                .extracting(entry -> entry.changeId().gtid())
                .doesNotHaveDuplicates()
                .hasSize(commits.length);
    }

    private List<String> gtidEvents(BinlogEnd start) throws SQLException {
        List<String> gtids = new ArrayList<>();
        try (Connection connection = live.server().connect();
                Statement statement = connection.createStatement();
                ResultSet events = statement.executeQuery("show binlog events in '" + start.file() + "'")) {
            while (events.next()) {
                if (events.getString("Event_type").equals("Gtid")) {
                    gtids.add(events.getString("Info"));
                }
            }
        }
        return gtids;
    }

    @Test
    void readsOldTemporalFormats() throws Exception {
        try {
            requireSame(
                    "maria_old_times",
                    "set global mysql56_temporal_format = off",
                    temporalTable("old_times"),
                    temporalRows("old_times"),
                    "update old_times set t6 = '-00:00:00.000001', d3 = '2024-02-29 23:59:59.999' where id < 3");
            assertThat(live.server()
                            .query("select column_type from information_schema.columns"
                                    + " where table_name = 'old_times' and column_name = 't3'"))
                    .contains("mariadb-5.3");
        } finally {
            live.run("set global mysql56_temporal_format = on");
        }
        requireSame("maria_new_times", temporalTable("new_times"), temporalRows("new_times"));
    }

    @Test
    void unpacksCompressedEvents() throws Exception {
        try {
            for (String image : List.of("FULL", "MINIMAL", "NOBLOB")) {
                String schema = "maria_zip_" + image.toLowerCase(Locale.ROOT);
                List<String> messages = requireSame(
                        schema,
                        "set global log_bin_compress = on",
                        "set global log_bin_compress_min_len = 10",
                        "set session binlog_row_image = " + image,
                        "create table z (id int primary key, t longtext, n int)",
                        "insert into z select seq, repeat('row ', seq), seq from seq_1_to_2000",
                        "update z set t = concat(t, '!') where id % 2 = 0",
                        "update z set n = null where id % 3 = 0",
                        "delete from z where id % 5 = 0",
                        "insert into z values (90001, repeat(uuid(), 100000), 1)",
                        "alter table z add column more int default 7 comment 'a text that is long enough to be packed'",
                        "insert into z values (90002, 'small', 1, 2)");
                assertThat(messages)
                        .filteredOn(message -> message.contains("\"type\":\"ALTER\""))
                        .hasSize(1);
            }
        } finally {
            live.run("set global log_bin_compress = off");
        }
    }

    /** Searches for boundaries read the binlog without a stream. */
    @Test
    void searchesCountCompressedStatements() throws Exception {
        live.run(
                "create database maria_zip_scan", "create table maria_zip_scan.t (id int primary key, v varchar(200))");
        BinlogEnd before = live.server().rotateBinlog();
        List<BinlogEnd> ends = new ArrayList<>();
        try (BinlogBoundaries places = BinlogBoundaries.open(ConnectOptions.of(
                new ServerAddress(live.server().host(), live.server().port()), "root", ""))) {
            live.run("set global log_bin_compress = on", "set global log_bin_compress_min_len = 10");
            for (List<String> transaction : List.of(
                    List.of("alter table maria_zip_scan.t add column more int comment 'a text that is long enough'"),
                    List.of("set session binlog_format = statement", "insert into maria_zip_scan.t (id) values (1)"),
                    List.of(
                            "begin",
                            "insert into maria_zip_scan.t (id) values (2)",
                            "savepoint of_a_long_name",
                            "insert into maria_zip_scan.t (id) values (3)",
                            "create temporary table maria_zip_scan.session_table_of_a_long_name (id int)",
                            "rollback to of_a_long_name",
                            "commit"),
                    List.of(
                            "xa start 'transaction of a long name'",
                            "insert into maria_zip_scan.t (id) values (4)",
                            "xa end 'transaction of a long name'",
                            "xa prepare 'transaction of a long name'",
                            "xa commit 'transaction of a long name'"))) {
                live.run(transaction.toArray(String[]::new));
                ends.add(live.server().binlogEnd());
                assertThat(places.newest().gtidSet())
                        .isEqualTo(ends.get(ends.size() - 1).gtidSet());
            }
            Cursor first = places.at(before.file(), before.offset());
            for (BinlogEnd end : ends) {
                assertThat(places.at(end.file(), end.offset()).gtidSet()).isEqualTo(end.gtidSet());
            }
            assertThat(places.between(first, places.newest()).transactions()).isEqualTo(ends.size() + 1);
        } finally {
            live.run("set global log_bin_compress = off");
        }
    }

    @Test
    void readsFullMetadata() throws Exception {
        try {
            live.run("set global binlog_row_metadata = FULL");
            requireSame(
                    "maria_meta",
                    """
                    create table meta (id bigint unsigned primary key, t text compressed, v varchar(50) compressed
                      character set latin1, u uuid, i6 inet6, c char(5) character set gbk, l longtext character set
                      latin1, e enum('a','ü'), s set('x','y') character set latin1, b blob, vb varbinary(9), g geometry,
                      ti tinyint unsigned, de decimal(10,3) unsigned, f float, y year, bi bit(9), j json)""",
                    """
                    insert into meta values (18446744073709551615, 'ü', 'ü', uuid(), '::1', '中', 'ä', 'ü', 'x,y',
                      x'00ff', x'ff', point(1, 2), 255, 1.125, 1.5, 2024, 257, '{"ü": 1}')""",
                    "insert into meta (id) values (1)",
                    "update meta set e = 'a', l = 'é', ti = 200");
        } finally {
            live.run("set global binlog_row_metadata = NO_LOG");
        }
    }

    @Test
    void deliversTheCurrentRowsOfVersionedTables() throws Exception {
        for (String image : List.of("FULL", "MINIMAL")) {
            requireSame(
                    "maria_versions_" + image.toLowerCase(Locale.ROOT),
                    "set session binlog_row_image = " + image,
                    "create table hidden (id int primary key, v int) with system versioning",
                    "insert into hidden values (1, 1), (2, 2), (3, 3)",
                    "update hidden set v = v + 10",
                    "insert into hidden values (3, 0), (4, 4), (2, 0), (5, 5) on duplicate key update v = 77",
                    "replace into hidden values (1, 100), (6, 6)",
                    "delete from hidden where id in (2, 4)",
                    "update hidden set id = id + 100 where id = 5",
                    "delete history from hidden",
                    """
                    create table named (id int primary key, v int, since timestamp(6) generated always as row start,
                      until timestamp(6) generated always as row end invisible, period for system_time(since, until))
                      with system versioning""",
                    "insert into named (id, v) values (1, 1), (2, 2)",
                    "update named set v = 5 where id = 1",
                    "delete from named where id = 2",
                    "create table keyless (v int) with system versioning",
                    "insert into keyless values (1), (2)",
                    "update keyless set v = 3 where v = 1",
                    "delete from keyless where v = 2");
        }
    }

    @Test
    void followsAltersOfVersionedTables() throws Exception {
        requireSame(
                "maria_versions_altered",
                "create table hidden (id int primary key, v int) with system versioning",
                "insert into hidden values (1, 1), (2, 2), (3, 3)",
                "set session system_versioning_alter_history = KEEP",
                "alter table hidden add column w int default 5",
                "insert into hidden values (20, 20, 20)",
                "alter table hidden add column x int default 6 after id, drop column v",
                "update hidden set w = 9 where id = 20",
                "alter table hidden drop system versioning",
                "insert into hidden values (21, 21, 21)",
                "update hidden set w = 10 where id = 21",
                "alter table hidden add system versioning",
                "update hidden set w = 11 where id = 21",
                "delete from hidden where id = 1");
    }

    @Test
    void leavesSequencesOut() throws Exception {
        List<String> messages = requireSame(
                "maria_numbers",
                "create sequence s start with 5 cache 2",
                "create table numbered (id int default nextval(s) primary key, v int)",
                "insert into numbered (v) values (1), (2), (3)",
                "select nextval(s)",
                "alter sequence s restart 50",
                "insert into numbered (v) values (4)",
                "do setval(s, 100)",
                "insert into numbered (v) values (5)");

        assertThat(messages).noneMatch(message -> message.contains("\"table\":\"s\""));
    }

    @Test
    void waitsUntilAnAlterIsDone() throws Exception {
        List<String> messages = requireSame(
                "maria_two_steps",
                "set session binlog_alter_two_phase = 1",
                "create table t (id int primary key, v int)",
                "insert into t values (1, 1)",
                "alter table t add column w int default 5",
                "insert into t values (2, 2, 2)",
                "alter table t modify v bigint, add column x int first",
                "update t set x = 3");

        assertThat(messages)
                .filteredOn(message -> message.contains("\"type\":\"ALTER\""))
                .hasSize(2);
    }

    @Test
    void readsTextInTheDefaultCharacterSetThatItsSchemaHad() throws Exception {
        SchemaDefaults.requireThoseOfTheTime(live, true);
    }

    @Test
    void knowsTheDefaultCharacterSetsOfSchemasByItsHistory(@TempDir Path folder) throws Exception {
        SchemaDefaults.requireThoseOfTheHistory(live, folder);
    }

    @Test
    void stopsAtTextWhoseCharacterSetCannotBeTold() throws Exception {
        SchemaDefaults.requireAStopWhereTheyCannotBeTold(live);
    }

    @Test
    void followsTheGtidsOfAllDomains() throws Exception {
        BinlogEnd from = live.server().rotateBinlog();
        live.run(
                "create database maria_gtids",
                "use maria_gtids",
                "create table t (id int primary key)",
                "insert into t values (1)",
                "set session gtid_domain_id = 7",
                "insert into t values (2)",
                "set session gtid_domain_id = 4294967295, server_id = 4294967295, gtid_seq_no = 18446744073709551000",
                "insert into t values (3)");
        String afterAll = String.valueOf(live.server().query("select @@gtid_binlog_pos"));

        List<Entry> entries = live.entries(from, from.gtidSet());
        List<String> ofRows = entries.stream()
                .filter(entry -> entry.kind() == EntryKind.END && entry.isBoundary())
                .map(entry -> entry.cursor().gtidSet())
                .toList();

        assertThat(ofRows).hasSize(3);
        assertThat(MariaDbGtidSet.parse(ofRows.get(2))).isEqualTo(MariaDbGtidSet.parse(afterAll));
        assertThat(MariaDbGtidSet.parse(ofRows.get(0)).containsAll(MariaDbGtidSet.parse(from.gtidSet())))
                .isTrue();
        assertThat(MariaDbGtidSet.parse(ofRows.get(0)).contains(MariaDbGtid.parse("7-1-1")))
                .isFalse();
    }

    /** As of an aggregator whose sources have not got a domain each; MariaDB continues there as well. */
    @Test
    void continuesADomainInWhichAnotherServerHasLowerNumbers() throws Exception {
        live.run(
                "create database maria_writers",
                "create table maria_writers.t (id int primary key)",
                "set session gtid_domain_id = 9, server_id = 91, gtid_seq_no = 900000",
                "insert into maria_writers.t values (1)");
        BinlogEnd read = live.server().binlogEnd();
        live.run(
                "set session gtid_domain_id = 9, server_id = 92, gtid_seq_no = 5",
                "insert into maria_writers.t values (2), (3)");

        List<Entry> entries = live.entries(read, read.gtidSet());

        assertThat(LiveServer.flat(entries))
                .filteredOn(message -> message.contains("\"database\":\"maria_writers\""))
                .hasSize(1);
    }

    private BinlogBoundaries boundaries() throws IOException {
        return BinlogBoundaries.open(ConnectOptions.of(
                new ServerAddress(live.server().host(), live.server().port()), "root", ""));
    }

    @Test
    void findsWhatFollowsAGtidInADomainThatSeveralServersWrite() throws Exception {
        live.run("create database maria_search", "create table maria_search.t (id int primary key)");
        List<BinlogEnd> ends = new ArrayList<>();
        try (BinlogBoundaries places = boundaries()) {
            int id = 0;
            for (String[] write : new String[][] {
                {"101", "900000"}, {"102", "5"}, {"102", "6"}, {"101", "900001"}, {"102", "7"}, {"101", "900002"}
            }) {
                live.run(
                        "set session gtid_domain_id = 10, server_id = %s, gtid_seq_no = %s".formatted((Object[]) write),
                        "insert into maria_search.t values (%d)".formatted(++id));
                ends.add(live.server().binlogEnd());
                if (id % 2 == 0) {
                    live.server().rotateBinlog();
                }
            }
            for (BinlogEnd end : ends) {
                Cursor found = places.after(end.gtidSet());

                assertThat(found.gtidSet()).isEqualTo(end.gtidSet());
                Cursor there = places.at(end.file(), end.offset());
                assertThat(places.between(found, there).transactions())
                        .as("%s at %s, for %s", end.gtidSet(), there.position(), found.position())
                        .isZero();
            }
        }
    }

    @Test
    void rejectsACursorAfterGtidsThatItHasNotExecuted() throws Exception {
        live.run(
                "create database maria_executed",
                "create table maria_executed.t (id int primary key)",
                "set session gtid_domain_id = 11, server_id = 111, gtid_seq_no = 400",
                "insert into maria_executed.t values (1)",
                "set session server_id = 112, gtid_seq_no = 52",
                "insert into maria_executed.t values (2)");
        try (BinlogBoundaries places = boundaries()) {
            String other = MariaDbGtidSet.parse(places.newest().gtidSet())
                    .withoutEqual(MariaDbGtidSet.parse("11-112-52"))
                    .toString();
            for (String gtid : List.of("11-111-401", "11-112-53", "11-113-4")) {
                assertThatThrownBy(() -> places.after(other + "," + gtid))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("has not executed all of " + gtid + ", but 11-111-400,11-112-52");
            }
            assertThatThrownBy(() -> places.after(other + ",11-111-400,4711-1-1"))
                    .hasMessageContaining("has not executed all of 4711-1-1, but ")
                    .hasMessageContaining("DELETE_DOMAIN_ID");
            assertThatThrownBy(() -> places.after("11111111-1111-1111-1111-111111111111:1-5"))
                    .hasMessageContaining("has not executed all of 11111111-1111-1111-1111-111111111111:1-5");
            assertThat(places.after(other + ",11-111-400").gtidSet()).contains("11-111-400");
        }
    }

    /** It is the last one that a server got which had no binlog then; MariaDB sends what follows it. */
    @Test
    void acceptsACursorAfterWhatWasReplicatedOnly() throws Exception {
        live.run(
                "create database maria_replicated",
                "create table maria_replicated.t (id int primary key)",
                "set global gtid_slave_pos = '12-121-7'",
                "set session gtid_domain_id = 12, server_id = 122",
                "insert into maria_replicated.t values (1)");
        try (BinlogBoundaries places = boundaries()) {
            String others = MariaDbGtidSet.parse(places.newest().gtidSet())
                    .withoutEqual(MariaDbGtidSet.parse("12-122-8"))
                    .toString();
            Cursor found = places.after(others + ",12-121-7");

            assertThat(places.between(found, places.newest()).transactions()).isOne();
            assertThatThrownBy(() -> places.after(others + ",12-121-6"))
                    .hasMessageContaining("has not executed all of 12-121-6, but 12-122-8");
        } finally {
            live.run("set global gtid_slave_pos = ''");
        }
    }

    @Test
    void ddlOfAServerWithLowerNumbersCounts(@TempDir Path folder) throws Exception {
        live.run(
                "create database maria_later",
                "create table maria_later.t (id int primary key, a int, b int)",
                "set session gtid_domain_id = 13, server_id = 131, gtid_seq_no = 900000",
                "insert into maria_later.t values (1, 2, 3)");
        BinlogEnd start = live.server().binlogEnd();
        changeByAnotherServer("maria_later", 13);

        try (LiveSource source = live.source(start, history(folder), null)) {
            assertThat(columns(source, "maria_later"))
                    .containsExactly("id int, a int, b int [\"id\"]", "id int, x int, a int, b int [\"id\"]");
        }
    }

    @Test
    void ddlOfAServerWithLowerNumbersIsInTheHistoryAtItsPlace(@TempDir Path folder) throws Exception {
        live.run(
                "create database maria_ahead",
                "create table maria_ahead.t (id int primary key, a int, b int)",
                "set session gtid_domain_id = 14, server_id = 141, gtid_seq_no = 3",
                "insert into maria_ahead.t values (1, 2, 3)");
        BinlogEnd start = live.server().binlogEnd();
        live.run(
                "set session gtid_domain_id = 14, server_id = 141, gtid_seq_no = 900001",
                "insert into maria_ahead.t values (4, 5, 6)");
        Cursor read;
        Cursor end;
        List<String> columns = List.of("id int, a int, b int [\"id\"]", "id int, x int, a int, b int [\"id\"]");
        try (LiveSource source = live.source(start, history(folder), null)) {
            source.readUntil(entry -> entry.kind() == EntryKind.END);
            read = source.cursor();
            assertThat(read.gtidSet()).contains("14-141-900001");
            changeByAnotherServer("maria_ahead", 14);
            assertThat(columns(source, "maria_ahead")).isEqualTo(columns);
            end = source.cursor();
        }
        try (LiveSource source = live.source(start, history(folder), read)) {
            assertThat(columns(source, "maria_ahead")).isEqualTo(columns);
        }
        live.run("insert into maria_ahead.t values (5, 7, 4, 5)");
        try (LiveSource source = live.source(start, history(folder), end)) {
            assertThat(columns(source, "maria_ahead")).containsExactly(columns.get(1));
        }
    }

    /** A domain that nothing is written to any more is enough for several, and MariaDB keeps it in the set for ever. */
    @Test
    void ddlThatIsReadAgainAfterACursorOfSeveralDomainsIsAppliedOnce(@TempDir Path folder) throws Exception {
        live.run(
                "create database maria_once",
                "create table maria_once.t (id int primary key, a int, b int)",
                "set session gtid_domain_id = 18, server_id = 181, gtid_seq_no = 3",
                "insert into maria_once.t (id, a, b) values (1, 10, 20)",
                "set session gtid_domain_id = 19, gtid_seq_no = 7",
                "insert into maria_once.t (id, a, b) values (2, 10, 20)");
        BinlogEnd start = live.server().binlogEnd();
        live.run(
                "set session gtid_domain_id = 18, server_id = 181, gtid_seq_no = 900001",
                "insert into maria_once.t (id, a, b) values (3, 10, 20)");
        Cursor read;
        try (LiveSource source = live.source(start, history(folder), null)) {
            source.readUntil(entry -> entry.kind() == EntryKind.END);
            read = source.cursor();
            assertThat(read.gtidSet()).contains("18-181-900001", "19-181-7");
            live.run(
                    "use maria_once",
                    "set session gtid_domain_id = 18, server_id = 182, gtid_seq_no = 5",
                    "insert into t (id, a, b) values (4, 10, 20)",
                    "set session gtid_seq_no = 6",
                    "alter table t rename column a to b, rename column b to a",
                    "set session gtid_seq_no = 7",
                    "insert into t (id, a, b) values (5, 10, 20)");
            assertThat(valuesOf("a", source, "maria_once")).containsExactly("10", "10");
        }
        for (int restart = 0; restart < 2; restart++) {
            try (LiveSource source = live.source(start, history(folder), read)) {
                assertThat(valuesOf("a", source, "maria_once")).containsExactly("10", "10");
            }
        }
    }

    /** The stream begins where domain 21 does, and is not sent the DDL of domain 20 that follows there. */
    @Test
    void ddlThatACursorHasPassedInOneOfItsDomainsIsApplied(@TempDir Path folder) throws Exception {
        live.run(
                "create database maria_apart",
                "create table maria_apart.t (id int primary key, a int, b int)",
                "set session gtid_domain_id = 20, gtid_seq_no = 3",
                "insert into maria_apart.t (id, a, b) values (1, 10, 20)",
                "set session gtid_domain_id = 21, gtid_seq_no = 7",
                "insert into maria_apart.t (id, a, b) values (2, 10, 20)");
        BinlogEnd start = live.server().binlogEnd();
        live.run(
                "use maria_apart",
                "set session gtid_domain_id = 21, gtid_seq_no = 8",
                "create table of_domain_21 (id int primary key)",
                "set session gtid_domain_id = 20, gtid_seq_no = 4",
                "insert into t (id, a, b) values (3, 10, 20)");
        Cursor read;
        try (LiveSource source = live.source(start, history(folder), null)) {
            source.readUntil(entry -> entry.kind() == EntryKind.ROWS);
            source.readUntil(entry -> entry.kind() == EntryKind.END);
            read = source.cursor();
            assertThat(read.gtidSet()).contains("20-1-4", "21-1-8");
        }
        live.run(
                "use maria_apart",
                "set session gtid_domain_id = 20, gtid_seq_no = 5",
                "alter table t rename column a to b, rename column b to a");
        live.run(
                "set session gtid_domain_id = 20, gtid_seq_no = 6",
                "insert into maria_apart.t (id, a, b) values (4, 10, 20)");
        Cursor moved;
        try (BinlogBoundaries places = boundaries()) {
            String set = read.gtidSet().replace("20-1-4", "20-1-5").replace("21-1-8", "21-1-7");
            moved = places.after(set).withSchema(read.schema());
        }

        try (LogLines log = LogLines.of("io.sluice.stream.source.schema");
                LiveSource source = live.source(start, history(folder), moved)) {
            assertThat(valuesOf("a", source, "maria_apart")).containsExactly("10");
            assertThat(log.warnings())
                    .filteredOn(line -> line.contains("THE SCHEMA HISTORY IS INCOMPLETE"))
                    .singleElement()
                    .asString()
                    .contains("at different places of the binlog for its domains")
                    .doesNotContain("the binlog does not have");
        }
    }

    /** The values of a column in all rows of a schema up to now. */
    private List<String> valuesOf(String column, LiveSource source, String schema) throws Exception {
        List<String> values = new ArrayList<>();
        for (Entry entry : source.readUntil(live.markTheEnd())) {
            if (entry.kind() == EntryKind.ROWS && entry.schemaName().equals(schema)) {
                values.add(EntryColumns.valueOf(entry, column));
            }
        }
        return values;
    }

    private void changeByAnotherServer(String schema, int domain) throws SQLException {
        live.run(
                "use " + schema,
                "set session gtid_domain_id = %d, server_id = %d2, gtid_seq_no = 5".formatted(domain, domain),
                "insert into t values (2, 3, 4)",
                "set session gtid_seq_no = 6",
                "alter table t add column x int after id",
                "set session gtid_seq_no = 7",
                "insert into t values (3, 7, 4, 5)");
    }

    private static SchemaOptions history(Path folder) {
        HistoryConfig history = HistoryConfigs.of("several", HistoryLocation.parse("jdbc:h2:h2", folder));
        return new SchemaOptions(history, null);
    }

    /** The columns of all rows of a schema up to now. */
    private List<String> columns(LiveSource source, String schema) throws Exception {
        List<String> columns = new ArrayList<>();
        for (Entry entry : source.readUntil(live.markTheEnd())) {
            if (entry.kind() == EntryKind.ROWS && entry.schemaName().equals(schema)) {
                columns.add(EntryColumns.of(entry).replaceAll("\\(\\d+\\)", ""));
            }
        }
        return columns;
    }

    @Test
    void gtidsOfAServerWithLowerNumbersWereNotGivenAgain() throws Exception {
        live.run(
                "create database maria_given",
                "create table maria_given.t (id int primary key)",
                "set session gtid_domain_id = 15, server_id = 151, gtid_seq_no = 900000",
                "insert into maria_given.t values (1)");
        try (BinlogBoundaries places = boundaries()) {
            Cursor read = places.newest();
            BinlogEnd next = live.server().rotateBinlog();
            for (int number = 5; number < 8; number++) {
                live.run(
                        "set session timestamp = unix_timestamp() + 60",
                        "set session gtid_domain_id = 15, server_id = 152, gtid_seq_no = " + number,
                        "insert into maria_given.t values (%d)".formatted(number));
                if (number < 7) {
                    live.server().rotateBinlog();
                }
            }
            await().until(
                            () -> { // unless a dump that is ending still reads the file
                                live.run("purge binary logs to '%s'".formatted(next.file()));
                                return live.server().query("show binary logs").equals(next.file());
                            });

            StartCheck check = places.startCheck(
                    "maria_given",
                    PositionOptions.DEFAULT,
                    Sources.host(live.server(), new ConfiguredStart.Newest()),
                    true,
                    Long.MAX_VALUE,
                    Duration.ofDays(1),
                    Time.SYSTEM);
            assertThatCode(() -> check.require(read)).doesNotThrowAnyException();
        }
    }

    /** It ends with an event that the server writes when what was committed before a rotation is durable, as in this test a second later. */
    @Test
    void theEndOfTheBinlogIsReachedWhereNoTransactionIsTheLast() throws Exception {
        live.run("create database maria_idle", "create table maria_idle.t (id int primary key)");
        BinlogEnd start = live.server().rotateBinlog();
        try (LiveSource source = live.source(start, SchemaOptions.WITHOUT_HISTORY, null)) {
            Cursor before = null;
            String last = "";
            for (int id = 0; !last.equals("Binlog_checkpoint"); id += 2) {
                assertThat(id).isLessThan(40);
                live.run("insert into maria_idle.t values (%d)".formatted(id)); // is to be made durable
                BinlogEnd file = live.server().rotateBinlog();
                live.run("insert into maria_idle.t values (%d)".formatted(id + 1));
                source.readRows(2);
                await().until(() -> eventTypes(file).stream()
                                .filter("Binlog_checkpoint"::equals)
                                .count()
                        == 2);
                List<String> types = eventTypes(file);
                last = types.get(types.size() - 1);
                before = source.cursor();
            }
            BinlogEnd end = live.server().binlogEnd();
            await().until(() -> {
                source.next();
                return source.cursor().position().equals(new BinlogPosition(end.file(), end.offset()));
            });
            await().until(() -> source.lag().equals(Lag.NONE));
            source.close(); // else the server would end one of two dumps of the same server id

            try (LiveSource restarted = live.source(start, SchemaOptions.WITHOUT_HISTORY, before)) {
                await().until(() -> restarted.lag().equals(Lag.NONE));
                assertThat(restarted.next()).isEmpty();
            }
        }
    }

    private List<String> eventTypes(BinlogEnd file) {
        List<String> types = new ArrayList<>();
        try (Connection connection = live.server().connect();
                Statement statement = connection.createStatement();
                ResultSet events = statement.executeQuery("show binlog events in '" + file.file() + "'")) {
            while (events.next()) {
                types.add(events.getString("Event_type"));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return types;
    }

    @Test
    void statesThePositionOfEveryEntry() throws Exception {
        List<Entry> entries = live.delivered(
                "create database maria_places",
                "use maria_places",
                "create table t (id int primary key, v text)",
                "begin",
                "insert into t select seq, repeat('x', 300) from seq_1_to_100",
                "update t set v = 'y'",
                "commit");
        List<Long> offsets =
                entries.stream().map(entry -> entry.changeId().offset()).toList();

        assertThat(offsets).isSorted().doesNotHaveDuplicates().allMatch(offset -> offset > 4);
    }

    @Test
    void resumesWhenTheServerIsReachableAgain() throws Exception {
        try (LiveSource source = live.source(live.server().rotateBinlog(), null, true)) {
            await().until(() -> !source.readings().isEmpty());
            live.run("create database maria_again", "create table maria_again.t (id int primary key)");
            live.run("insert into maria_again.t values (1)");
            live.server().restart();
            live.run("insert into maria_again.t values (2), (3)");
            live.server().kill();
            live.server().restart();
            live.run("delete from maria_again.t where id = 2");

            List<Entry> entries = new ArrayList<>(source.readUntil(live.markTheEnd()));

            assertThat(source.retries()).isNotEmpty();
            entries.remove(entries.size() - 1);
            live.requireState("maria_again", entries);
        }
    }

    @Test
    void losesAndDoublesNothingWhereverItsConnectionIsCut() throws Exception {
        long seed = 42;
        int cuts = 12;
        BinlogEnd start = live.server().rotateBinlog();
        live.run("create database maria_cuts", "create table maria_cuts.t (id int primary key, v varchar(200))");
        // Small enough that each connection gets further than the one before, or the pauses between them grow.
        for (int i = 0; i < 24; i++) {
            live.run(
                    "set global log_bin_compress = " + i % 2,
                    "set session gtid_domain_id = " + i % 3,
                    "use maria_cuts",
                    "begin",
                    "insert into maria_cuts.t select seq, uuid() from seq_1_to_2000 where seq %% 24 = %d".formatted(i),
                    "update maria_cuts.t set v = concat(v, uuid(), uuid()) where id %% 24 = %d".formatted(i),
                    "delete from maria_cuts.t where id %% 120 = %d".formatted(i),
                    "commit");
        }
        try (CuttingProxy proxy = new CuttingProxy(live.server().port(), seed, cuts, 50_000);
                LiveSource source = live.source(proxy.port(), start, start.gtidSet(), false)) {
            List<Entry> entries = new ArrayList<>(source.readUntil(live.markTheEnd()));

            assertThat(proxy.cutsLeft()).as("seed %d", seed).isZero();
            entries.remove(entries.size() - 1);
            live.requireState("maria_cuts", entries);
        }
    }

    @Test
    void deliversStatementsWithWhatTheyUse() throws Exception {
        List<String> messages = LiveServer.flat(live.delivered(
                "create database maria_statements",
                "use maria_statements",
                "create table t (id int auto_increment primary key, v text charset utf8mb4, n decimal(30,5))",
                "set names latin1, session binlog_format = 'STATEMENT'",
                "set @l = _latin1 x'e4f6fc', @d = -12345678901234.50000, @r = -1.5e300, @n = null",
                "set @u = 18446744073709551615, @i = -9223372036854775808, @g = _gbk x'd6d0'",
                "insert into t (v) values (@l)",
                "insert into t (v, n) values (concat(@d, @r, @u, @i, @g), @n)"));

        assertThat(messages)
                .extracting(MariaDbSource::sql)
                .filteredOn(sql -> sql.startsWith("SET @"))
                .containsExactly(
                        "SET @l := 'äöü'",
                        "SET @d := -12345678901234.50000",
                        "SET @r := -1.5E300",
                        "SET @u := 18446744073709551615",
                        "SET @i := -9223372036854775808",
                        "SET @g := '中'",
                        "SET @n := NULL");
    }

    private static String sql(String message) {
        try {
            return new ObjectMapper().readTree(message).get("sql").asText();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void followsStatementsThatOnlyMariaDbHas() throws Exception {
        requireSame(
                "maria_ddl",
                "create or replace table a (id int primary key, v int, w int)",
                "insert into a values (1, 1, 1)",
                "alter table if exists a wait 5 add column if not exists x int after id, drop column if exists w",
                "insert into a values (2, 2, 2)",
                "alter table a nowait change column if exists v vv bigint, modify column if exists zz int",
                "insert into a values (3, 3, 3)",
                "alter table a rename column if exists vv to v3, rename index if exists i to j",
                "insert into a values (4, 4, 4)",
                "create table if not exists b (id int, s date, e date, period for p(s, e))",
                "insert into b values (1, '2024-01-01', '2024-12-31')",
                "delete from b for portion of p from '2024-03-01' to '2024-06-01'",
                "update b for portion of p from '2024-07-01' to '2024-08-01' set id = id + 10",
                "create table c (id int primary key, i int invisible default 5, v int as (id + 1) persistent,"
                        + " check (id > 0), j int default (id * 2) without system versioning)",
                "insert into c (id) values (1), (2)",
                "alter table c alter column i set default 9, add index if not exists (j), drop constraint if exists zz",
                "insert into c (id, i) values (3, 3)",
                "rename table c to c2",
                "insert into c2 (id) values (4)",
                "create or replace table a (v varchar(9) primary key) engine = aria",
                "insert into a values ('new')",
                "drop table if exists b wait 2",
                "create table b like a",
                "insert into b values ('like')",
                "create table d (primary key (id)) select id, v from c2",
                "alter table d add v2 int first",
                "insert into d values (1, 50, 5)",
                "truncate table b",
                "set statement max_statement_time = 100 for insert into b values ('set')",
                "set statement max_statement_time = 100 for alter table b add y int");
    }

    private static String temporalTable(String name) {
        StringBuilder sql = new StringBuilder("create table ").append(name).append(" (id int primary key");
        for (int digits = 0; digits <= 6; digits++) {
            sql.append(", t%d time(%d), d%d datetime(%d), s%d timestamp(%d) null"
                    .formatted(digits, digits, digits, digits, digits, digits));
        }
        return sql + ", y year, da date)";
    }

    private static String temporalRows(String name) {
        StringBuilder sql = new StringBuilder("insert into ").append(name).append(" values ");
        List<String[]> rows = List.of(
                new String[] {"838:59:59.999999", "9999-12-31 23:59:59.999999", "2038-01-19 03:14:07.999999", "2155"},
                new String[] {"-838:59:59.999999", "1000-01-01 00:00:00.000000", "1970-01-01 00:00:01.000000", "1901"},
                new String[] {"-00:00:00.100000", "2024-02-29 12:34:56.789123", "2024-02-29 12:34:56.789123", "0000"},
                new String[] {"100:00:00.000001", "0000-00-00 00:00:00.000000", "2001-09-09 01:46:40.5", "2024"},
                new String[] {"00:00:00", "0001-01-01 01:01:01.010101", "1999-12-31 23:59:59.000001", "1970"});
        for (int i = 0; i < rows.size(); i++) {
            sql.append(i == 0 ? "" : ", ").append('(').append(i + 1);
            for (int digits = 0; digits <= 6; digits++) {
                for (int value = 0; value < 3; value++) {
                    sql.append(", '").append(rows.get(i)[value]).append('\'');
                }
            }
            sql.append(", ").append(rows.get(i)[3]).append(", '2024-02-29')");
        }
        return sql.append(", (9").append(", null".repeat(23)).append(')').toString();
    }

    /** Runs statements in a schema of their own, and compares. */
    private List<String> requireSame(String schema, String... statements) throws Exception {
        List<String> all = new ArrayList<>(List.of("set sql_mode = ''", "create database " + schema, "use " + schema));
        all.addAll(List.of(statements));
        List<Entry> entries = live.delivered(all.toArray(String[]::new));
        live.requireState(schema, entries);
        return LiveServer.flat(entries);
    }
}
