package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.stream.differential.DdlScripts;
import io.sluice.stream.differential.RandomDdl;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.MySqlServers;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What MySQL 5.7 holds, and what is delivered of it, are the same. */
@Timeout(600)
class MySql57SourceIT {
    private static LiveServer live;

    @BeforeAll
    static void startServer() {
        live = new LiveServer(
                MySqlOptions.defaults().release(ServerRelease.MYSQL_5_7_22).gtid());
    }

    @AfterAll
    static void stopServer() {
        live.close();
    }

    @Test
    void deliversWhatItHoldsInEveryRowImage() throws Exception {
        for (String image : List.of("FULL", "MINIMAL", "NOBLOB")) {
            String schema = "old_" + image.toLowerCase(Locale.ROOT);
            requireSame(
                    schema,
                    "set session binlog_row_image = " + image + ", binlog_rows_query_log_events = on",
                    """
                    create table all_kinds (id bigint unsigned primary key, ti tinyint unsigned, mi mediumint,
                      de decimal(30,10), f float, d double, bi bit(9), e enum('a','ü'), s set('x','y'), y year, da date,
                      t time(3), dt datetime(6), ts timestamp(4) null, c char(5) character set gbk, v varchar(300)
                      character set latin1, tx text character set utf8, j json, b blob, vb varbinary(9), g geometry,
                      gen int as (mi * 2) stored, vir int as (mi * 3) virtual)""",
                    """
                    insert into all_kinds (id, ti, mi, de, f, d, bi, e, s, y, da, t, dt, ts, c, v, tx, j, b, vb, g) values
                      (18446744073709551615, 255, -8388608, -12345678901234567890.0123456789, 1.5, -1e300, 257, 'ü',
                       'x,y', 2155, '9999-12-31', '-838:59:59', '9999-12-31 23:59:59.999999',
                       '2038-01-19 03:14:07.9999', '中', 'äöü', 'text', '{"a": [1, 2.5, "ü", null, true]}', x'00ff',
                       x'ff', point(1, 2)),
                      (0, 0, 0, 0, 0, 0, 0, 'a', '', 1901, '1000-01-01', '00:00:00.001', '1000-01-01 00:00:00',
                       '1970-01-01 00:00:01', '', '', '', '[]', '', '', point(-1, 0))""",
                    "insert into all_kinds (id, ti, mi, de, f, d, bi, e, s, y, da, t, dt, ts, c, v, tx, j, b, vb, g) values (7"
                            + ", null".repeat(20) + ")",
                    "update all_kinds set j = json_set(j, '$.b', 9), tx = 'changed', e = 'a' where id > 0",
                    "update all_kinds set id = id - 1 where id > 100",
                    "delete from all_kinds where id = 0",
                    "create table keyless (a int, b text)",
                    "insert into keyless values (1, 'x'), (1, 'x'), (2, null)",
                    "delete from keyless where a = 1 limit 1",
                    "update keyless set b = 'y' where a = 2");
        }
    }

    @Test
    void tellsThatItDoesNotLogWhatItReplicates() throws Exception {
        SourceHost host = new SourceHost(Sources.login(live.server().port()), new ConfiguredStart.Newest());
        try (SourceConnection connection = new MySqlServers().connect(host)) {
            assertThat(connection.facts().logsReplicated()).isFalse();
        }
    }

    @Test
    void followsItsDdl() throws Exception {
        requireSame(
                "old_ddl",
                "create table a (id int primary key, v int)",
                "insert into a values (1, 1)",
                "alter table a add column w int default 3 first, change v vv bigint",
                "insert into a values (2, 2, 2)",
                "alter table a drop primary key, add primary key (w, id), algorithm = copy",
                "insert into a values (3, 3, 3)",
                "rename table a to b, b to c",
                "insert into c values (4, 4, 4)",
                "create table d like c",
                "insert into d select * from c",
                "alter table d rename to e, modify vv varchar(20) after w",
                "update e set vv = 'changed' where id = 2",
                "create table if not exists f (id int primary key, vv varchar(9))",
                "insert into f values (50, 'x')",
                "truncate table c",
                "drop table if exists d2, c");
    }

    @Test
    void statesTheGtidsOfEveryTransaction() throws Exception {
        BinlogEnd from = live.server().rotateBinlog();
        live.run("create database old_gtids", "create table old_gtids.t (id int primary key)");
        live.run("insert into old_gtids.t values (1)", "insert into old_gtids.t values (2)");
        String afterAll = String.valueOf(live.server().query("select @@global.gtid_executed"));

        List<Entry> entries = live.entries(from, from.gtidSet());
        Entry last = entries.stream()
                .filter(entry -> entry.kind() == EntryKind.END)
                .reduce((a, b) -> b)
                .orElseThrow();

        assertThat(GtidSet.parse(last.cursor().gtidSet()))
                .hasToString(GtidSet.parse(afterAll).toString());
    }

    @Test
    void readsTheStatementOfRowChangesInTheClientsCharset() throws Exception {
        BinlogEnd from = live.server().rotateBinlog();
        live.run("create database old_texts", "create table old_texts.t (v varchar(20) character set utf8mb4)");
        String url = live.server().jdbcUrl() + "&characterEncoding=GBK";
        try (Connection connection = DriverManager.getConnection(url, "root", "");
                Statement statement = connection.createStatement()) {
            statement.execute("set session binlog_rows_query_log_events = on");
            statement.execute("insert into old_texts.t values ('中文')");
        }

        assertThat(LiveServer.flat(live.entries(from, null)))
                .filteredOn(message -> message.contains("insert into old_texts.t values ('中文')"))
                .hasSize(1);
    }

    @Test
    void readsTextInTheDefaultCharacterSetThatItsSchemaHad() throws Exception {
        SchemaDefaults.requireThoseOfTheTime(live, false);
    }

    @Test
    void knowsTheDefaultCharacterSetsOfSchemasByItsHistory(@TempDir Path folder) throws Exception {
        SchemaDefaults.requireThoseOfTheHistory(live, folder);
    }

    @Test
    void stopsAtTextWhoseCharacterSetCannotBeTold() throws Exception {
        SchemaDefaults.requireAStopWhereTheyCannotBeTold(live);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void followsRandomDdl(long seed, @TempDir Path folder) throws Exception {
        new RandomDdl(live.server(), folder, false).requireNoDifference(seed, 60);
    }

    @Test
    void followsDdlThatIsEasilyMisread(@TempDir Path folder) throws Exception {
        DdlScripts.requireNoDifference(live.server(), folder);
    }

    @Tag("thorough")
    @Test
    void resumesWhenTheServerIsReachableAgain() throws Exception {
        try (LiveSource source = live.source(live.server().rotateBinlog(), null, true)) {
            await().until(() -> !source.readings().isEmpty());
            live.run("create database old_again", "create table old_again.t (id int primary key)");
            live.run("insert into old_again.t values (1)");
            live.server().restart();
            live.run("insert into old_again.t values (2), (3)");
            live.server().kill();
            live.server().restart();
            live.run("delete from old_again.t where id = 2");

            List<Entry> entries = new ArrayList<>(source.readUntil(live.markTheEnd()));

            assertThat(source.retries()).isNotEmpty();
            entries.remove(entries.size() - 1);
            live.requireState("old_again", entries);
        }
    }

    private static void requireSame(String schema, String... statements) throws Exception {
        List<String> all = new ArrayList<>(
                List.of("set sql_mode = ''", "create database " + schema + " charset utf8mb4", "use " + schema));
        all.addAll(List.of(statements));
        live.requireState(schema, live.delivered(all.toArray(String[]::new)));
    }
}
