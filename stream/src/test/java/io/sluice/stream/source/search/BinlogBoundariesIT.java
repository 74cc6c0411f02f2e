package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.Cursor;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class BinlogBoundariesIT {
    private static MySqlServer mysql;
    private static BinlogBoundaries places;

    /** Where each of the transactions ends: a create table, then three inserts, the last of them in a second file. */
    private static final List<Cursor> ENDS = new ArrayList<>();

    private static Cursor begin;

    @BeforeAll
    static void start() throws Exception {
        mysql = MySqlServer.start(MySqlOptions.defaults().gtid());
        places = BinlogBoundaries.open(ConnectOptions.of(new ServerAddress(mysql.host(), mysql.port()), "root", ""));
        run("create schema places");
        begin = places.newest();
        for (String sql : List.of(
                "create table places.t (id int primary key)",
                "insert into places.t values (1)",
                "insert into places.t values (2), (3)")) {
            run(sql);
            ENDS.add(places.newest());
        }
        mysql.rotateBinlog();
        run("insert into places.t values (4)");
        ENDS.add(places.newest());
    }

    @AfterAll
    static void stop() {
        places.close();
        mysql.close();
    }

    @Test
    void countsTransactionsBetweenTwoBoundariesInEitherDirection() throws Exception {
        BinlogBoundaries.Distance all = places.between(begin, ENDS.get(3));
        assertThat(all.backwards()).isFalse();
        assertThat(all.transactions()).isEqualTo(4);
        assertThat(all.rowEvents()).isEqualTo(3);
        assertThat(all.bytes()).isPositive();

        BinlogBoundaries.Distance back = places.between(ENDS.get(2), ENDS.get(0));
        assertThat(back.backwards()).isTrue();
        assertThat(back.transactions()).isEqualTo(2);
        long bytes = ENDS.get(2).position().offset() - ENDS.get(0).position().offset();
        assertThat(back.bytes()).isEqualTo(bytes);

        assertThat(places.between(begin, begin).transactions()).isZero();
    }

    @Test
    void aSearchEndsWhenItsCallerHasGone() throws Exception {
        AtomicBoolean isAbandoned = new AtomicBoolean();
        try (BinlogBoundaries abandoned = BinlogBoundaries.open(
                ConnectOptions.of(new ServerAddress(mysql.host(), mysql.port()), "root", ""), isAbandoned::get)) {
            assertThat(abandoned.oldest().position().file()).isNotEmpty();
            isAbandoned.set(true);

            assertThatThrownBy(() -> abandoned.since(Instant.now()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("the caller has closed its connection");
        }
    }

    @Test
    void aCursorAtTheEndOfATransactionHasIt() throws Exception {
        long xid = ENDS.get(1).position().offset() - 31; // an XID event has 8 bytes, a head and a checksum
        Cursor end = places.at(ENDS.get(1).position().file(), xid);
        assertThat(end.position().offset()).isEqualTo(ENDS.get(1).position().offset());
        assertThat(places.between(end, ENDS.get(2)).transactions()).isOne();
    }

    @Test
    void anOffsetWithinATransactionIsRejectedWithTheNearestBoundary() {
        String file = begin.position().file();
        long within = ENDS.get(0).position().offset() + 100;
        assertThatThrownBy(() -> places.at(file, within))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nearest boundary before it is " + file + ":"
                        + ENDS.get(0).position().offset());
        assertThatThrownBy(() -> places.at("binlog.999999", 4))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no binlog file binlog.999999");
    }

    @Test
    void findsTheBoundaryAfterASetOfTransactions() throws Exception {
        for (Cursor end : ENDS) {
            Cursor found = places.after(end.gtidSet());
            assertThat(found.gtidSet()).isEqualTo(end.gtidSet());
            assertThat(places.between(found, end).transactions()).isZero();
        }
        assertThatThrownBy(() -> places.after("11111111-1111-1111-1111-111111111111:1-5"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has not executed all of");
    }

    @Test
    void everyBoundaryHasItsExecutedTransactions() throws Exception {
        BinlogEnd end = mysql.binlogEnd();
        assertThat(ENDS.get(3).position().file()).isEqualTo(end.file());
        assertThat(ENDS.get(3).position().offset()).isEqualTo(end.offset());
        assertThat(ENDS.get(3).gtidSet()).isEqualTo(value("select @@global.gtid_executed"));
        assertThat(places.oldest().gtidSet()).isEmpty();
        assertThat(places.oldest().position().file()).endsWith(".000001");
    }

    @Test
    void everyBoundaryStatesWhenItsFileWasBegun() throws Exception {
        assertThat(places.oldest().fileBegunSeconds()).isEqualTo(places.begunMillis("") / 1000);
        Cursor end = ENDS.get(3);
        assertThat(end.fileBegunSeconds())
                .isEqualTo(places.begunMillis(end.position().file()) / 1000);
        Cursor ofAnotherFile =
                new Cursor(end.source(), end.position(), end.gtidSet(), 1, 0, null, end.fileBegunSeconds() - 1);

        assertThatThrownBy(() -> places.between(ofAnotherFile, end))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is another file than the one that was read");
    }

    /** Or the cursor would be taken for one of another binlog, and what to do next would be wrong. */
    @Test
    void whetherAPositionIsOfTheBinlogIsNotKnownIfTheSourceHasNoConnectionLeft() throws Exception {
        run(
                "set sql_log_bin = 0", // other tests compare the end of the binlog
                "create user few identified by '' with max_user_connections 1",
                "grant replication client, replication slave on *.* to few");
        try (BinlogBoundaries few =
                BinlogBoundaries.open(ConnectOptions.of(new ServerAddress(mysql.host(), mysql.port()), "few", ""))) {
            assertThatThrownBy(() -> few.isOfBinlog(ENDS.get(3)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("max_user_connections");
        }
        assertThat(places.isOfBinlog(ENDS.get(3))).isTrue();
    }

    @Test
    void findsTheBoundaryOfATime() throws Exception {
        assertThat(places.since(Instant.EPOCH.plusSeconds(1)).position().file()).endsWith(".000001");
        Cursor found = places.since(Instant.ofEpochMilli(ENDS.get(0).timestampMillis()));
        assertThat(places.between(found, ENDS.get(3)).backwards()).isFalse();
        Cursor future = places.since(Instant.now().plusSeconds(3600));
        assertThat(places.between(ENDS.get(3), future).transactions()).isZero();
    }

    /** In one session. */
    private static void run(String... statements) throws SQLException {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static String value(String sql) throws SQLException {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1).replaceAll("\\s", "");
        }
    }
}
