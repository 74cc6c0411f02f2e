package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.MySqlServers;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** With the privileges that the documentation asks for, which do not show on MariaDB whether a server is a replica. */
@Timeout(600)
class HostCheckIT {
    @ParameterizedTest
    @CsvSource({
        "MARIADB_10_11, 0-1-100000, LAGGING, grant it SLAVE MONITOR",
        "MARIADB_11_8, 0-1-100000, LAGGING, grant it SLAVE MONITOR",
        "MYSQL_8_0_31, 11111111-1111-1111-1111-111111111111:1-5, DIVERGED, replicates from no server"
    })
    void aServerThatLacksTransactionsIsGivenUpOnlyIfItIsNoReplica(
            ServerRelease release, String read, SourceFailure failure, String message) throws Exception {
        MySqlOptions options = MySqlOptions.defaults().release(release);
        try (MySqlServer server = MySqlServer.start(release == ServerRelease.MYSQL_8_0_31 ? options.gtid() : options)) {
            server.execute(
                    "create user 'reads'@'%' identified by 'secret'",
                    "grant select, replication slave, replication client on *.* to 'reads'@'%'",
                    "create database shop");
            SourceHost host = new SourceHost(
                    ConnectOptions.of(new ServerAddress(server.host(), server.port()), "reads", "secret"),
                    new ConfiguredStart.Newest());
            try (SourceConnection connection = new MySqlServers().connect(host)) {
                assertThatThrownBy(() -> HostCheck.require(GtidSet.parse(read), connection.facts()))
                        .isInstanceOfSatisfying(
                                SourceException.class,
                                e -> assertThat(e.failure()).isEqualTo(failure))
                        .hasMessageContaining(message);
                assertThat(connection.facts().writesBinlog()).isTrue();
                assertThat(connection.facts().logsReplicated())
                        .as("the default, which is another one on MariaDB")
                        .isEqualTo(release == ServerRelease.MYSQL_8_0_31);
            }
            boolean isMySql = release == ServerRelease.MYSQL_8_0_31;
            server.execute(
                    isMySql ? "do 0" : "grant slave monitor on *.* to 'reads'@'%'",
                    "change master to master_host = '127.0.0.1', master_port = 1, master_user = 'replica'",
                    "set global read_only = 1");
            try (SourceConnection connection = new MySqlServers().connect(host)) {
                assertThat(connection.facts().replication()).isEqualTo(ServerFacts.Replication.HALTED);
                assertThat(connection.facts().isReadOnly()).isTrue();
            }
            server.execute("start slave"); // its source does not answer
            try (SourceConnection connection = new MySqlServers().connect(host)) {
                assertThat(connection.facts().replication()).isEqualTo(ServerFacts.Replication.RUNNING);
            }
            server.execute("stop slave");
            try (SourceConnection connection = new MySqlServers().connect(host)) {
                assertThat(connection.facts().replication()).isEqualTo(ServerFacts.Replication.HALTED);
            }
        }
    }
}
