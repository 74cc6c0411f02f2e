package io.sluice.stream.source;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.stream.source.search.HostCheck;
import io.sluice.stream.source.server.MySqlServerFacts;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Members of a group replicate from each other, though they have no source. */
@Tag("thorough")
@Timeout(600)
class GroupReplicationIT {
    /** A member commits what others have committed before it has applied it, as after a failover. */
    @Test
    void aMemberThatLagsMayCatchUp() throws Exception {
        int first = FreePorts.next();
        int second = FreePorts.next();
        try (MySqlServer primary = MySqlServer.start(options(1, first, first, second));
                MySqlServer member = MySqlServer.start(options(2, second, first, second))) {
            for (MySqlServer server : List.of(primary, member)) {
                run(
                        server,
                        "set sql_log_bin = 0",
                        "create user replica identified by 'secret'",
                        "grant replication slave, connection_admin, backup_admin, group_replication_stream on *.* to replica",
                        "create user watcher identified by 'secret'",
                        "grant replication slave, replication client on *.* to watcher",
                        "set sql_log_bin = 1",
                        "change replication source to source_user = 'replica', source_password = 'secret'"
                                + " for channel 'group_replication_recovery'",
                        "reset binary logs and gtids");
            }
            primary.execute(
                    "set global group_replication_bootstrap_group = on",
                    "start group_replication",
                    "set global group_replication_bootstrap_group = off",
                    "create database shop",
                    "create table shop.item (id int primary key)");
            member.execute("start group_replication");
            await().until(() -> "ONLINE"
                    .equals(member.query("select member_state from"
                            + " performance_schema.replication_group_members where member_id = @@server_uuid")));
            try (Connection reader = member.connect();
                    Statement lock = reader.createStatement()) {
                await().until(() -> "1"
                        .equals(member.query(
                                "select count(*) from information_schema.tables" + " where table_schema = 'shop'")));
                lock.execute("lock tables shop.item read");
                primary.execute("insert into shop.item values (1)");
                GtidSet read = GtidSet.parse(primary.binlogEnd().gtidSet());

                assertThat(failure(member, "root", "", read)).isEqualTo(SourceFailure.LAGGING);
                assertThat(failure(member, "watcher", "secret", read)).isEqualTo(SourceFailure.LAGGING);

                lock.execute("unlock tables");
                await().until(() -> "1".equals(member.query("select count(*) from shop.item")));
                assertThat(failure(member, "root", "", read)).isNull();
            }
            member.execute("stop group_replication");
            primary.execute("insert into shop.item values (2)");
            GtidSet read = GtidSet.parse(primary.binlogEnd().gtidSet());

            assertThat(failure(member, "root", "", read)).isEqualTo(SourceFailure.DIVERGED);
        }
    }

    /** Why a server cannot be read after these transactions; null if it can. */
    private static SourceFailure failure(MySqlServer server, String user, String password, GtidSet read)
            throws IOException {
        try (MySqlConnection connection = MySqlConnection.open(
                ConnectOptions.of(new ServerAddress(server.host(), server.port()), user, password))) {
            HostCheck.require(read, new MySqlServerFacts(connection));
            return null;
        } catch (SourceException e) {
            return e.failure();
        }
    }

    private static MySqlOptions options(int id, int port, int first, int second) {
        return MySqlOptions.defaults()
                .release(ServerRelease.MYSQL_9_7)
                .gtid()
                .serverId(id)
                .with("plugin-load-add", "group_replication.so")
                .with("report-host", "127.0.0.1")
                .with("loose-group-replication-group-name", "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa")
                .with("loose-group-replication-start-on-boot", "OFF")
                .with("loose-group-replication-local-address", "127.0.0.1:" + port)
                .with("loose-group-replication-group-seeds", "127.0.0.1:%d,127.0.0.1:%d".formatted(first, second))
                .with("loose-group-replication-recovery-get-public-key", "ON")
                .with("loose-group-replication-ip-allowlist", "127.0.0.1/8");
    }

    private static void run(MySqlServer server, String... statements) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
