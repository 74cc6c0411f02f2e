package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** DDL of tables that a filter excludes, in all its spellings. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ExcludedTablesIT {
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 12, false);

    @Test
    void noDdlOfAnExcludedTableIsDelivered() throws Exception {
        try (MySqlServer server = MySqlServer.start()) {
            server.execute("create database fx", "create table fx.secret (id int primary key)");
            BinlogEnd end = server.binlogEnd();
            server.execute(
                    "alter table fx.secret default charset=utf8mb4",
                    "alter table fx.secret add diagnostics int, charset utf8mb4 collate utf8mb4_bin",
                    "create table fx.secret2 (a int) engine=innodb row_format=dynamic collate=utf8mb4_bin",
                    "create table fx.secret3 (a char(3) byte)",
                    "alter table fx.secret3 rename to fx.secret4, comment 'c'",
                    "create database shop",
                    "create table shop.t (a int) engine=innodb collate=utf8mb4_bin",
                    "alter table shop.t charset=utf8mb4",
                    "create table shop.the_end (a char(3) byte)");

            assertThat(delivered(server, new BinlogPosition(end.file(), end.offset())))
                    .containsExactly(
                            "QUERY shop. create database shop",
                            "CREATE shop.t create table shop.t (a int) engine=innodb collate=utf8mb4_bin",
                            "ALTER shop.t alter table shop.t charset=utf8mb4",
                            "QUERY . create table shop.the_end (a char(3) byte)");
        }
    }

    private static List<String> delivered(MySqlServer server, BinlogPosition start) throws Exception {
        SourceOptions options = LiveSource.options(
                ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""), start);
        TableFilter filter = new TableFilter(".*\\..*", "fx\\..*");
        try (LiveSource live = LiveSource.reading(options, RING).filter(filter).start()) {
            return live.readUntil(entry -> statement(entry).endsWith("shop.the_end (a char(3) byte)")).stream()
                    .map(ExcludedTablesIT::statement)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        }
    }

    private static String statement(Entry entry) {
        return entry instanceof StatementEntry ddl
                ? "%s %s.%s %s".formatted(ddl.eventType(), ddl.schemaName(), ddl.tableName(), ddl.sql())
                : "";
    }
}
