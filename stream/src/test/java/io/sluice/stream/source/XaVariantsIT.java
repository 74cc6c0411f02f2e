package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.ServerRelease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** XA transactions that servers log in other ways than with rows of InnoDB alone, and that are held back until they are committed. */
@Timeout(600)
class XaVariantsIT {
    /** What makes a server log what it rolls back. */
    private static final String DROP = "drop temporary table if exists none";

    private static final List<List<String>> CHANGES = List.of(
            List.<String>of(),
            List.of("insert into u values (#1, '')"),
            List.of("insert into n values (#1)"),
            List.of("insert into u values (#1, '')", "insert into n values (#1)"),
            List.of("insert into n values (#1)", "insert into u values (#1, '')"),
            List.of("insert into u values (#1, '')", DROP),
            List.of("insert into n values (#1)", "insert into u values (#1, '')", DROP),
            List.of(
                    "insert into u values (#1, '')",
                    "savepoint a",
                    "insert into u values (#2, '')",
                    DROP,
                    "rollback to a",
                    "insert into u values (#3, '')"),
            List.of(
                    "insert into u values (#1, '')",
                    "savepoint a",
                    "insert into n values (#2)",
                    "insert into u values (#2, '')",
                    "rollback to a",
                    "insert into u values (#3, '')"));

    private static final List<String> OWN_TABLE = List.of(
            "create temporary table own (id int primary key)",
            "insert into own values (#1), (#2)",
            "insert into u select id, '' from own",
            "drop temporary table own");

    private static final List<List<String>> ENDS = List.of(
            List.of("xa commit 'x' one phase"),
            List.of("xa rollback 'x'"),
            List.of("xa prepare 'x'", "xa commit 'x'"),
            List.of("xa prepare 'x'", "xa rollback 'x'"));

    @TempDir
    private Path directory;

    /** Each transaction is one that the servers log in another way. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_8_0_31", "MARIADB_11_8"})
    void whatIsDeliveredIsWhatTheTablesHold(ServerRelease release) throws Exception {
        try (LiveServer live = new LiveServer(MySqlOptions.defaults().release(release))) {
            BinlogEnd start = live.server().rotateBinlog();
            live.run(
                    "create database ways",
                    "create table ways.u (id int primary key, v longtext) engine = innodb",
                    "create table ways.n (id int primary key) engine = myisam");
            int number = 0;
            List<List<String>> changes = new ArrayList<>(CHANGES);
            if (release != ServerRelease.MYSQL_8_0_31) { // it allows no temporary tables within XA transactions
                changes.add(OWN_TABLE);
            }
            for (List<String> rows : changes) {
                for (List<String> ends : ENDS) {
                    number++;
                    List<String> statements = new ArrayList<>(List.of("use ways", "xa start 'x'"));
                    for (String sql : rows) {
                        statements.add(sql.replace("#", String.valueOf(number)));
                    }
                    statements.add("xa end 'x'");
                    statements.addAll(ends);
                    live.run(statements.toArray(String[]::new));
                }
            }
            StreamOptions options = StreamOptions.DEFAULT.with(new XaHolding(directory, 1 << 20));
            try (LiveSource source = live.source(live.server().port(), start, null, options)) {
                List<Entry> entries = new ArrayList<>(source.readUntil(live.markTheEnd()));
                entries.remove(entries.size() - 1);

                live.requireState("ways", entries);
                assertThat(source.progress().rolledBackDeliveries()).isZero();
            }
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files).isEmpty();
            }
        }
    }
}
