package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class UnloggedCascadesWarningIT {
    @AutoClose
    private final MySqlServer server = MySqlServer.start();

    @AutoClose
    private final LogLines log = LogLines.of("io.sluice.stream");

    @Test
    void theStartReportsForeignKeysThatChangeRowsUnlogged() throws Exception {
        server.execute(
                "create database fk",
                "create table fk.parent (id int primary key)",
                "create table fk.checked (id int primary key, foreign key (id) references fk.parent (id))");
        run("fk.nothing_yet");
        assertThat(log.warnings()).isEmpty();

        server.execute("create table fk.child (id int primary key, p int,"
                + " foreign key (p) references fk.parent (id) on delete set null)");
        run("fk.last_one");
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("change rows that the source does not log", "tables=fk.child source=");
    }

    /** Reads from the end of the binlog until a table is made. */
    private void run(String table) throws Exception {
        BinlogEnd start = server.rotateBinlog();
        SourceOptions options = new SourceOptions(
                Sources.login(server.port()),
                4715,
                new BinlogPosition(start.file(), start.offset()),
                null,
                List.of(),
                List.of(),
                Duration.ofSeconds(5));
        try (LiveSource live = LiveSource.reading(options, new RingConfig(1 << 10, 1 << 14, false))
                .start()) {
            server.execute("create table " + table + " (id int)");
            live.readUntil(entry -> table.endsWith("." + entry.tableName()));
        }
    }
}
