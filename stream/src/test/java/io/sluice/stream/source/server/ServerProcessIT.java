package io.sluice.stream.source.server;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.stream.source.Sources;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What abandoned connections do at a real server. */
@Timeout(600)
class ServerProcessIT {
    private static final String DUMPS =
            "select count(*) from information_schema.processlist where command like 'Binlog Dump%'";

    @Test
    void aDumpIsEndedAndAnotherConnectionWithItsIdIsNot() throws Exception {
        MySqlServers servers = new MySqlServers();
        try (MySqlServer server = MySqlServer.start()) {
            BinlogEnd end = server.binlogEnd();
            SourceHost host = new SourceHost(Sources.login(server.port()), new ConfiguredStart.Newest());
            try (SourceConnection other = servers.connect(host);
                    SourceConnection abandoned = servers.connect(host);
                    EventSource dump = abandoned.dump(DumpRequest.from(end.file(), end.offset(), 4716))) {
                assertThat(dump.hasBuffered()).isFalse();
                await().until(() -> server.query(DUMPS).equals("1"));

                servers.killDump(host, other.connectionId());
                assertThat(other.facts().writesBinlog()).as("it answers").isTrue();
                assertThat(server.query(DUMPS)).isEqualTo("1");

                servers.killDump(host, abandoned.connectionId());
                await().until(() -> server.query(DUMPS).equals("0"));
            }
        }
    }
}
