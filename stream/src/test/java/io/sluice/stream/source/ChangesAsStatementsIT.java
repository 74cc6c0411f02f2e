package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes that a server logs as statements are counted, since no rows of them come. */
@Timeout(600)
class ChangesAsStatementsIT {
    private static final RingConfig RING = new RingConfig(1 << 10, 1 << 16, false);

    @ParameterizedTest
    @EnumSource(
            value = ServerRelease.class,
            names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MYSQL_9_7", "MARIADB_11_8"})
    void areCountedUnlessTheyAreOfOtherTables(ServerRelease release) throws Exception {
        try (MySqlServer server = MySqlServer.start(MySqlOptions.defaults().release(release))) {
            server.execute(
                    "create database shop",
                    "create table shop.item (id int primary key)",
                    "create table shop.hidden (id int primary key)",
                    "create table mysql.probe (id int primary key)");
            BinlogEnd start = server.binlogEnd();
            try (LiveSource live = LiveSource.reading(
                            Sources.options(Sources.byFile(), Sources.host(server, Sources.at(start))), RING)
                    .filter(new TableFilter("shop\\..*,mysql\\..*", "shop\\.hidden"))
                    .start()) {
                try (Connection session = server.connect();
                        Statement statement = session.createStatement()) {
                    statement.execute("set session binlog_format = statement");
                    statement.execute("insert into shop.item values (1), (2)");
                    statement.execute("update shop.item set id = 3 where id = 1");
                    statement.execute("replace into shop.item values (7)");
                    statement.execute("insert into shop.hidden values (1)");
                    statement.execute("insert into mysql.probe values (1)");
                    statement.execute("create temporary table shop.passing (id int)");
                    statement.execute("insert into shop.passing values (1)");
                    statement.execute("drop temporary table shop.passing");
                    statement.execute("create table shop.copied (id int) as select 5 as id");
                    statement.execute("create temporary table shop.passing as select 6 as id");
                    statement.execute("update shop.hidden h join shop.item i set i.id = i.id + 10 where h.id = 1");
                    statement.execute("update shop.hidden h join shop.item i set h.id = i.id + 50 where i.id = 3");
                }
                server.execute(
                        "create table shop.as_rows as select 8 as id",
                        "create table if not exists shop.copied as select 5 as id",
                        "insert into shop.item values (9)");

                List<Entry> entries = live.readUntil(entry -> entry.kind() == EntryKind.ROWS);

                assertThat(entries).isNotEmpty();
                assertThat(live.schemaCounts().changesAsStatements()).isEqualTo(5);
            }
        }
    }
}
