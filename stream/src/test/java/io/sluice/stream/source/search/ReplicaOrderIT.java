package io.sluice.stream.source.search;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.stream.source.Sources;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.MySqlServers;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica of MariaDB, whose source has transactions of two servers that number on their own in one domain. */
@Timeout(600)
class ReplicaOrderIT {
    private MySqlServer source;
    private MySqlServer replica;
    private int rows;

    @BeforeEach
    void start() {
        MySqlOptions options =
                MySqlOptions.defaults().release(ServerRelease.MARIADB_11_8).with("log-slave-updates", "ON");
        source = MySqlServer.start(options.serverId(1));
        replica = MySqlServer.start(options.serverId(3).with("relay-log", "relay"));
        replica.execute(
                "change master to master_host = '%s', master_port = %d, master_user = 'root', master_use_gtid = slave_pos"
                        .formatted(source.host(), source.port()),
                "start slave");
        source.execute("create database writers", "create table writers.t (id int primary key)");
        write("0-2-50", "0-1-51", "0-1-52");
        awaitReplica();
    }

    @AfterEach
    void stop() {
        replica.close();
        source.close();
    }

    private void write(String... gtids) {
        for (String gtid : gtids) {
            String[] parts = gtid.split("-");
            source.execute(
                    "set session gtid_domain_id = %s, server_id = %s, gtid_seq_no = %s"
                            .formatted(parts[0], parts[1], parts[2]),
                    "insert into writers.t values (%d)".formatted(++rows));
        }
    }

    private void awaitReplica() {
        String newest = source.query("select @@gtid_binlog_pos");
        await().until(() -> replica.query("select @@gtid_slave_pos").equals(newest));
    }

    private Boolean isWithin(String named, String asked) throws IOException {
        SourceHost host = new SourceHost(Sources.login(replica.port()), new ConfiguredStart.Newest());
        try (SourceConnection connection = new MySqlServers().connect(host)) {
            return new BinlogOrder("shop", connection.facts(), connection.scan())
                    .isWithin(MariaDbGtidSet.parse(named), MariaDbGtid.parse(asked));
        }
    }

    /** As from a backup of the source, by which it is restored: its older binlog is kept. */
    private void restore() {
        replica.execute(
                "stop slave", "set global gtid_slave_pos = '%s'".formatted(source.query("select @@gtid_binlog_pos")));
        replica.restart();
    }

    /** The newest one that it has replicated is of the same server. */
    @Test
    void whatAReplicaGetsLaterIsNotBeforeWhatItHas() throws IOException {
        write("0-1-90", "0-2-53");
        awaitReplica();
        replica.execute("stop slave");
        write("0-2-54");

        for (int i = 0; i < 2; i++) {
            for (String named : List.of("0-1-52", "0-1-90")) {
                assertThat(isWithin(named, "0-2-54")).as(named).isEqualTo(false);
            }
            replica.execute("start slave");
            awaitReplica();
        }
    }

    /** Its older binlog was kept, and the newest one that it has replicated is in its binlog. */
    @Test
    void whatIsInTheBackupOfAReplicaMayBeBeforeWhatItHas() throws IOException {
        replica.execute("stop slave");
        write("0-1-53", "0-2-53", "0-1-54");
        restore();
        write("0-1-55", "0-1-56");
        awaitReplica();
        assertThat(replica.query("select @@gtid_binlog_pos")).isEqualTo("0-1-56");

        assertThat(isWithin("0-1-56", "0-2-53")).isNull();
    }

    /** All numbers that its binlog lacks are lower than others that it has before them: they leave no gap. */
    @Test
    void whatIsInTheBackupOfAReplicaMayBeBeforeWhatItHasAlsoWhereNoNumberIsLeftOut() throws IOException {
        write("0-2-1000", "0-1-53", "0-2-1001");
        awaitReplica();
        replica.execute("stop slave");
        write("0-1-54", "0-1-55");
        restore();
        write("0-2-1002", "0-2-1003");
        awaitReplica();
        assertThat(replica.query("select @@gtid_binlog_state")).isEqualTo("0-1-53,0-2-1003");

        for (String named : List.of("0-2-1002", "0-2-1003")) {
            assertThat(isWithin(named, "0-1-55")).as(named).isNull();
        }
        for (int number = 1004; number < 1010; number++) {
            replica.rotateBinlog();
            write("0-2-" + number);
            awaitReplica();
        }

        for (String named : List.of("0-2-1002", "0-2-1009")) {
            assertThat(isWithin(named, "0-1-55")).as(named).isNull();
        }
        write("0-1-56");
        awaitReplica();

        assertThat(isWithin("0-2-1009", "0-1-57")).as("after the backup").isFalse();
    }
}
