package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.ServerRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** Transactions that servers log with what they have rolled back, since they have used temporary tables. */
@Timeout(120)
class RolledBackRowsIT {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.sluice.stream.pipeline.OpenTransaction");

    @BeforeEach
    void watchLog() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void leaveLog() {
        logger.detachAppender(log);
    }

    /** What is too large to be held back is delivered, and reported. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MARIADB_11_8"})
    void largeTransactionsEndAndAreReported(ServerRelease release) throws Exception {
        try (LiveServer live = new LiveServer(MySqlOptions.defaults().release(release))) {
            live.run(
                    "create database large",
                    "create table large.t (id int primary key, v longtext)",
                    "create table large.u (id int primary key, v longtext)");
            BinlogEnd start = live.server().rotateBinlog();
            live.run(
                    "use large",
                    "begin",
                    "insert into t values (1, repeat('a', 600000))",
                    "drop temporary table if exists none",
                    "rollback",
                    "begin",
                    "insert into t values (2, repeat('b', 600000))",
                    "savepoint s",
                    "insert into t values (3, repeat('c', 600000))",
                    "insert into u values (3, repeat('d', 600000))",
                    "drop temporary table if exists none",
                    "rollback to s",
                    "commit",
                    "insert into t values (4, '')");
            try (LiveSource source = live.source(start, null, false)) {
                List<Entry> entries = new ArrayList<>(source.readUntil(live.markTheEnd()));

                assertThat(kinds(entries))
                        .startsWith(release == ServerRelease.MYSQL_5_7_22 ? "BREBRRREBRE" : "RERRRERE");
                assertThat(source.progress().rolledBackDeliveries()).isEqualTo(2);
            }
            assertThat(warnings().filter(line -> line.contains("that the source rolled back")))
                    .hasSize(2)
                    .anyMatch(line -> line.contains("table=large.t rollback=" + start.file() + ":"))
                    .anyMatch(line -> line.contains("table=large.u rollback=" + start.file() + ":"));
        }
    }

    /** Begins, rows and ends, in their order. */
    private static String kinds(List<Entry> entries) {
        StringBuilder kinds = new StringBuilder();
        for (Entry entry : entries) {
            if (entry.kind() == EntryKind.BEGIN || entry.kind() == EntryKind.ROWS || entry.kind() == EntryKind.END) {
                kinds.append(entry.kind().name().charAt(0));
            }
        }
        return kinds.toString();
    }

    private Stream<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ILoggingEvent::getFormattedMessage);
    }
}
