package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.ServerRelease;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Transactions that servers log with what they have rolled back, since they have used temporary tables. */
@Timeout(600)
class RolledBackRowsIT {
    /** What makes a server log what it rolls back. */
    private static final String DROP = "drop temporary table if exists none";

    @AutoClose
    private final LogLines log = LogLines.of("io.sluice.stream.reader.OpenTransaction");

    /** Each transaction is one that the servers log in another way. */
    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MARIADB_11_8"})
    void rowsThatWereRolledBackDoNotCome(ServerRelease release) throws Exception {
        try (LiveServer live = new LiveServer(MySqlOptions.defaults().release(release))) {
            live.run(
                    "create database back",
                    "create table back.t (id int primary key, v longtext) engine = innodb",
                    "create table back.m (id int primary key) engine = myisam");
            BinlogEnd start = live.server().binlogEnd();
            live.run(
                    "create table back.u (id int primary key, v longtext) engine = innodb",
                    "create table back.n (id int primary key) engine = myisam",
                    "create table back.triggering (id int primary key) engine = innodb",
                    "create trigger back.count_them after insert on back.triggering for each row insert into back.n values (new.id)",
                    "create procedure back.fails() begin"
                            + " declare exit handler for sqlexception begin rollback to before_it; end;"
                            + " insert into u values (1, ''); savepoint before_it; insert into u values (2, '');"
                            + " drop temporary table if exists none; insert into u values (1, ''); end");
            for (List<String> transaction : List.of(
                    List.of("insert into u values (10, '')", DROP, "rollback"),
                    List.of(
                            "insert into u values (11, '')",
                            "savepoint a",
                            "insert into u values (12, '')",
                            "rollback to a"),
                    List.of(
                            "insert into u values (13, '')",
                            "savepoint a",
                            "insert into u values (14, '')",
                            DROP,
                            "rollback to a"),
                    List.of("savepoint a", "insert into u values (15, '')", DROP, "rollback to a"),
                    List.of(
                            "insert into u values (16, '')",
                            "savepoint `A b`",
                            "insert into u values (17, '')",
                            "savepoint b",
                            "insert into u values (18, '')",
                            DROP,
                            "rollback to b",
                            "insert into u values (19, '')",
                            "release savepoint b",
                            "rollback to `a B`",
                            "insert into u values (20, '')"),
                    List.of(
                            "insert into u values (21, '')",
                            "savepoint a",
                            "insert into u values (22, '')",
                            "savepoint a",
                            "insert into u values (23, '')",
                            DROP,
                            "rollback to a"),
                    List.of(
                            "insert into u values (24, '')",
                            "savepoint ä",
                            "insert into u values (25, '')",
                            "savepoint b",
                            "insert into u values (26, '')",
                            DROP,
                            "rollback to b"),
                    List.of( // names in the quotes of two modes
                            "insert into u values (27, '')",
                            "savepoint a",
                            "insert into u values (28, '')",
                            "set sql_mode = 'ANSI_QUOTES'",
                            "savepoint \"a\"",
                            "insert into u values (29, '')",
                            "set sql_mode = ''",
                            DROP,
                            "rollback to a"),
                    List.of("insert into n values (30)", "insert into u values (30, '')", DROP, "rollback"),
                    List.of("insert into u values (31, '')", "insert into n values (31)", "rollback"),
                    List.of(
                            "insert into u values (32, '')",
                            "savepoint a",
                            "insert into u values (33, '')",
                            "insert into n values (33)",
                            "rollback to a",
                            "insert into u values (34, '')"),
                    List.of(
                            "insert into u values (35, '')",
                            "savepoint a",
                            "insert into triggering values (35)",
                            DROP,
                            "rollback to a"),
                    List.of(
                            "insert into u values (36, repeat('x', 150000))",
                            "insert into u values (37, repeat('y', 150000))",
                            "insert into u values (38, repeat('z', 150000))",
                            DROP,
                            "rollback"),
                    List.of("call fails()"))) {
                List<String> statements = new ArrayList<>(List.of("use back", "set names utf8mb4", "begin"));
                statements.addAll(transaction);
                statements.add("commit");
                live.run(statements.toArray(String[]::new));
            }
            live.run(
                    "use back",
                    "xa start 'x'",
                    "insert into u values (40, '')",
                    DROP,
                    "xa end 'x'",
                    "xa rollback 'x'",
                    "xa start 'y'",
                    "insert into u values (41, '')",
                    "savepoint a",
                    "insert into u values (42, '')",
                    DROP,
                    "rollback to a",
                    "xa end 'y'",
                    "xa prepare 'y'",
                    "xa commit 'y'");
            try (LiveSource source = live.source(start, null, true)) {
                List<Entry> entries = new ArrayList<>(source.readUntil(live.markTheEnd()));
                entries.remove(entries.size() - 1);

                live.requireState("back", entries);
                assertThat(source.progress().rolledBackDeliveries()).isZero();
            }
            assertThat(log.warnings()).isEmpty();
        }
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
            assertThat(log.warnings().stream().filter(line -> line.contains("that the source rolled back")))
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
}
