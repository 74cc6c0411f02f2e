package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.MariaDbGtid;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.MySqlServers;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two servers that number on their own in one domain of MariaDB. */
class BinlogOrderIT {
    private static final List<String> TRANSACTIONS = List.of(
            "0-2-50", "5-1-7", "0-1-900", "0-2-51", "0-2-52", "5-2-3", "0-1-901", "0-2-53", "0-1-902", "0-2-54");

    private static MySqlServer server;
    private static SourceConnection connection;

    @BeforeAll
    static void start() throws IOException {
        server = MySqlServer.start(MySqlOptions.defaults().release(ServerRelease.MARIADB_11_8));
        server.execute("create database writers", "create table writers.t (id int primary key)");
        int id = 0;
        for (String gtid : TRANSACTIONS) {
            String[] parts = gtid.split("-");
            server.execute(
                    "set session gtid_domain_id = %s, server_id = %s, gtid_seq_no = %s"
                            .formatted(parts[0], parts[1], parts[2]),
                    "insert into writers.t values (%d)".formatted(++id));
            if (id % 4 == 0) {
                server.rotateBinlog();
            }
        }
        connection = new MySqlServers()
                .connect(new SourceHost(
                        ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""),
                        new ConfiguredStart.Newest()));
    }

    @AfterAll
    static void stop() throws IOException {
        connection.close();
        server.close();
    }

    @Test
    void placesTellWhatIsBeforeASet() throws IOException {
        BinlogOrder order = new BinlogOrder(connection.facts(), connection.scan());
        for (String named : TRANSACTIONS) {
            for (String asked : TRANSACTIONS) {
                boolean isOfDomain = asked.charAt(0) == named.charAt(0);
                assertThat(order.isWithin(MariaDbGtidSet.parse(named), MariaDbGtid.parse(asked)))
                        .as("%s in %s", asked, named)
                        .isEqualTo(isOfDomain && TRANSACTIONS.indexOf(asked) <= TRANSACTIONS.indexOf(named));
            }
        }
    }

    @Test
    void aTransactionThatTheServerDoesNotHaveYetIsNotBefore() throws IOException {
        BinlogOrder order = new BinlogOrder(connection.facts(), connection.scan());

        assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-54"), MariaDbGtid.parse("0-1-903")))
                .isFalse();
    }

    @Test
    void nothingIsKnownOfWhatTheBinlogNeverHad() throws IOException {
        BinlogOrder order = new BinlogOrder(connection.facts(), connection.scan());

        assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-60"), MariaDbGtid.parse("0-1-900")))
                .isNull();
        assertThat(order.isWithin(MariaDbGtidSet.parse("0-2-50"), MariaDbGtid.parse("0-3-1")))
                .isNull();
    }

    /** Heads aside, and the files that have both. */
    @Test
    void aFileIsReadOnceAndOnlyIfItHasBoth() throws IOException {
        List<String> read = new ArrayList<>();
        BinlogScan scan = connection.scan();
        BinlogScan counting = new BinlogScan() {
            @Override
            public void scan(String file, Visitor visitor) throws IOException {
                read.add(file);
                scan.scan(file, visitor);
            }

            @Override
            public EventSource read(BinlogPosition from) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void abort() {
                scan.abort();
            }
        };
        BinlogOrder order = new BinlogOrder(connection.facts(), counting);
        int files = connection.facts().files().size();

        order.isWithin(MariaDbGtidSet.parse("0-2-50"), MariaDbGtid.parse("0-1-902"));
        assertThat(read).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(files);
        for (String asked : TRANSACTIONS) {
            for (String named : TRANSACTIONS) {
                order.isWithin(MariaDbGtidSet.parse(named), MariaDbGtid.parse(asked));
            }
        }

        assertThat(read).hasSizeLessThanOrEqualTo(2 * files);
    }
}
