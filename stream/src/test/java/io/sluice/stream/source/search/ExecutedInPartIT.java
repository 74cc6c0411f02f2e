package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtidSet;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.BinlogScan;
import io.sluice.stream.source.server.DumpScan;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two servers that number on their own in one domain of MariaDB. */
class ExecutedInPartIT {
    private static MySqlServer server;
    private static BinlogPosition begin;
    private static BinlogPosition end;

    /** Where each transaction begins, in their order. */
    private static final Map<String, BinlogPosition> AT = new LinkedHashMap<>();

    @BeforeAll
    static void start() {
        server = MySqlServer.start(MySqlOptions.defaults().release(ServerRelease.MARIADB_11_8));
        server.execute("create database writers", "create table writers.t (id int primary key)");
        begin = position(server.rotateBinlog());
        int id = 0;
        for (String gtid : new String[] {"0-2-50", "5-1-7", "0-1-900", "0-2-51", "5-1-8", "0-1-901", "0-2-52"}) {
            AT.put(gtid, position(server.binlogEnd()));
            String[] parts = gtid.split("-");
            server.execute(
                    "set session gtid_domain_id = %s, server_id = %s, gtid_seq_no = %s"
                            .formatted(parts[0], parts[1], parts[2]),
                    "insert into writers.t values (%d)".formatted(++id));
            if (id % 2 == 0) {
                server.rotateBinlog();
            }
        }
        end = position(server.binlogEnd());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static BinlogPosition position(BinlogEnd end) {
        return new BinlogPosition(end.file(), end.offset());
    }

    private static BinlogScan scan() {
        return new DumpScan(ConnectOptions.of(new ServerAddress(server.host(), server.port()), "root", ""));
    }

    /** All up to the one that a set names, wherever the part begins. */
    @Test
    void thePlaceOfTheNamedTransactionCounts() throws IOException {
        for (String named : AT.keySet()) {
            if (!named.startsWith("0-")) {
                continue;
            }
            GtidSet executed = MariaDbGtidSet.parse("5-1-7," + named);
            for (BinlogPosition from : AT.values()) {
                ExecutedInPart part = ExecutedInPart.of(executed, from, end, scan());
                boolean isExecuted = true;
                for (Map.Entry<String, BinlogPosition> transaction : AT.entrySet()) {
                    String gtid = transaction.getKey();
                    boolean expected = gtid.startsWith("5-") ? gtid.equals("5-1-7") : isExecuted;
                    isExecuted &= !gtid.equals(named);
                    if (!transaction.getValue().isBefore(from)) {
                        assertThat(part.has(gtid, transaction.getValue()))
                                .as("%s after %s, from %s", gtid, named, from)
                                .isEqualTo(expected);
                    }
                }
            }
        }
    }

    @Test
    void nothingOfADomainIsExecutedThatIsNotNamed() throws IOException {
        ExecutedInPart part = ExecutedInPart.of(MariaDbGtidSet.parse("5-1-8"), begin, end, scan());

        assertThat(part.has("0-2-50", AT.get("0-2-50"))).isFalse();
        assertThat(ExecutedInPart.none().has("0-2-50", AT.get("0-2-50"))).isFalse();
    }

    @Test
    void numbersDecideIfTheNamedTransactionIsNotThere() throws IOException {
        ExecutedInPart part = ExecutedInPart.of(MariaDbGtidSet.parse("0-3-51"), begin, end, scan());

        assertThat(part.has("0-2-51", AT.get("0-2-51"))).isTrue();
        assertThat(part.has("0-2-52", AT.get("0-2-52"))).isFalse();
    }
}
