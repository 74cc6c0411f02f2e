package io.sluice.stream.source.search;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.LastEvent;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.DumpScan;
import io.sluice.stream.source.server.MySqlServerFacts;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How much of a MariaDB's binlog is read before a dump by GTIDs that were read from another server. */
class GtidHistoryIT {
    private static final int FILES = 6;

    private MySqlServer server;
    private int lastId;

    @BeforeEach
    void start() {
        server = MySqlServer.start(MySqlOptions.defaults().release(ServerRelease.MARIADB_11_8));
        server.execute("create database history", "create table history.t (id int primary key)");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** As after a fail-over to a server that was the primary before: its retained binlog begins with other servers' transactions. */
    @Test
    void filesBeforeTheFirstTransactionOfTheServerThatWasReadAreNotRead() throws IOException {
        for (int i = 0; i < FILES; i++) {
            write(0, 1);
            server.rotateBinlog();
        }
        write(0, 1);
        String first = write(0, 2);
        String file = server.binlogEnd().file();
        server.rotateBinlog();
        String read = write(0, 2);

        assertThat(filesRead(read, now())).containsExactly(file);
        assertThat(filesRead(first, now())).containsExactly(file);
        assertGivenAgain(read, first);
    }

    /** What it wrote in files that were purged is in the heads of all that are left. */
    @Test
    void filesBetweenPurgedOnesAndTheServersNextTransactionAreNotRead() throws IOException {
        write(0, 2);
        String oldest = server.rotateBinlog().file();
        for (int i = 0; i < FILES; i++) {
            write(0, 1);
            server.rotateBinlog();
        }
        purgeTo(oldest);
        String first = write(0, 2);
        String file = server.binlogEnd().file();
        server.rotateBinlog();
        write(0, 1);
        server.rotateBinlog();
        String read = write(0, 2);

        assertThat(filesRead(read, now())).containsExactly(file);
        assertGivenAgain(read, first);
    }

    @Test
    void theSearchBeginsWhereTheFirstDomainHasATransaction() throws IOException {
        for (int i = 0; i < FILES; i++) {
            write(0, 1);
            server.rotateBinlog();
        }
        String other = write(5, 2);
        String file = server.binlogEnd().file();
        for (int i = 0; i < FILES; i++) {
            server.rotateBinlog();
            write(0, 1);
        }
        String read = other + "," + write(0, 2);

        assertThat(filesRead(read, now())).containsExactly(file);
        assertGivenAgain(read, other);
    }

    private void purgeTo(String file) {
        server.execute("set global slave_connections_needed_for_purge = 0");
        await().until(
                        () -> { // the server may still need the older file for a recovery
                            server.execute("purge binary logs to '" + file + "'");
                            return file.equals(server.query("show binary logs"));
                        });
    }

    private long now() {
        return Long.parseLong(String.valueOf(server.query("select unix_timestamp()")));
    }

    /** Writes a transaction; returns its GTID. */
    private String write(int domain, int serverId) {
        server.execute(
                "set session gtid_domain_id = %d, server_id = %d".formatted(domain, serverId),
                "insert into history.t values (%d)".formatted(++lastId));
        for (String gtid : server.binlogEnd().gtidSet().split(",")) {
            if (gtid.startsWith(domain + "-")) {
                return gtid;
            }
        }
        throw new IllegalStateException("not written");
    }

    private void assertGivenAgain(String read, String first) {
        assertThatThrownBy(() -> filesRead(read, now() - 1_000_000))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("GTIDs were given again")
                .hasMessageContaining("the transaction " + first + " at ");
    }

    /** The files of which more than the head is read for a start after a set on this server. */
    private List<String> filesRead(String set, long readSeconds) throws IOException {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", "");
        try (MySqlConnection connection = MySqlConnection.open(login)) {
            RecordedScan scan = new RecordedScan(new DumpScan(login));
            DumpStart start = DumpStart.after(null, GtidSet.parse(set), new LastEvent(0, 9));
            DumpStart continued =
                    new DumpCheck("history").require(start, readSeconds * 1000, new MySqlServerFacts(connection), scan);
            assertThat(continued).isEqualTo(start);
            return scan.files;
        }
    }

    /** Records the files of which transactions are read. */
    private static final class RecordedScan implements BinlogScan {
        private final BinlogScan scan;
        private final List<String> files = new ArrayList<>();

        RecordedScan(BinlogScan scan) {
            this.scan = scan;
        }

        @Override
        public void scan(String file, Visitor visitor) throws IOException {
            scan.scan(file, (header, body, start, end) -> {
                if (header.code() == EventCode.MARIADB_GTID && !files.contains(file)) {
                    files.add(file);
                }
                return visitor.visit(header, body, start, end);
            });
        }

        @Override
        public EventSource read(BinlogPosition from) throws IOException {
            return scan.read(from);
        }

        @Override
        public void abort() {
            scan.abort();
        }
    }
}
