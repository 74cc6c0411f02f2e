package io.sluice.mysql.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.GtidEvent;
import io.sluice.mysql.binlog.PreviousGtidsEvent;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MySqlGtid;
import io.sluice.mysql.gtid.MySqlGtidSet;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** GTIDs with tags, as a server of MySQL 9 has them. */
@Timeout(600)
class TaggedGtidIT {
    private static final int CHECKSUM_BYTES = 4;
    private static final long SEED = 83;

    private static MySqlServer server;

    @BeforeAll
    static void startServer() {
        server = MySqlServer.start(
                MySqlOptions.defaults().release(ServerRelease.MYSQL_9_7).gtid());
        server.execute(
                "create user canal identified by 'secret'",
                "grant all on *.* to canal",
                "create database shop",
                "create table shop.t (id int auto_increment primary key)");
    }

    @AfterAll
    static void stopServer() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void setsCalculateAndPrintAsTheServerDoes() throws SQLException {
        Random random = new Random(SEED);
        try (Connection connection = server.connect();
                PreparedStatement ask = connection.prepareStatement(
                        "select gtid_subset(?, ?), gtid_subtract(?, ?), gtid_subtract(?, '')")) {
            for (int i = 0; i < 200; i++) {
                String left = anySet(random);
                String right = random.nextInt(3) == 0 ? left + "," + anySet(random) : anySet(random);
                MySqlGtidSet a = MySqlGtidSet.parse(left);
                MySqlGtidSet b = MySqlGtidSet.parse(right);
                List<String> parameters = List.of(left, right, left, right, left);
                for (int p = 0; p < parameters.size(); p++) {
                    ask.setString(p + 1, parameters.get(p));
                }
                try (ResultSet answer = ask.executeQuery()) {
                    answer.next();
                    assertThat(b.containsAll(a))
                            .as("seed %d: %s in %s", SEED, left, right)
                            .isEqualTo(answer.getBoolean(1));
                    assertThat(a.subtract(b))
                            .as("seed %d: %s without %s", SEED, left, right)
                            .isEqualTo(GtidSet.parse(answer.getString(2)));
                    assertThat(sources(a.toString()))
                            .as("seed %d: %s", SEED, left)
                            .isEqualTo(sources(answer.getString(3)));
                }
            }
        }
    }

    /** Whatever their order, which is ours. */
    private static Set<String> sources(String set) {
        return new HashSet<>(List.of(set.replace("\n", "").split(",")));
    }

    private static String anySet(Random random) {
        StringBuilder text = new StringBuilder();
        for (int sources = 1 + random.nextInt(3); sources > 0; sources--) {
            text.append(text.isEmpty() ? "" : ",").append(new UUID(7, random.nextInt(3)));
            for (int parts = 1 + random.nextInt(3); parts > 0; parts--) {
                String tag = List.of("", "blue", "Red_1", "_x").get(random.nextInt(4));
                text.append(tag.isEmpty() ? "" : ":" + tag);
                for (int intervals = 1 + random.nextInt(3); intervals > 0; intervals--) {
                    int first = 1 + random.nextInt(20);
                    text.append(':').append(first).append('-').append(first + random.nextInt(6));
                }
            }
        }
        return text.toString();
    }

    @Test
    void aDumpBeginsAfterTheTransactionsThatAreKnown() throws Exception {
        commit("blue", 3);
        commit("", 2);
        commit("red", 2);
        server.rotateBinlog();
        MySqlGtidSet known = executed();
        commit("blue", 2);
        commit("green", 1);
        commit("", 1);
        MySqlGtidSet all = executed();
        assertThat(known.hasTags()).isTrue();

        MySqlGtidSet dumped = MySqlGtidSet.EMPTY;
        GtidSet previous = MySqlGtidSet.EMPTY;
        ConnectOptions options = ConnectOptions.of(new ServerAddress(server.host(), server.port()), "canal", "secret");
        DumpRequest request = DumpRequest.after(known, 4719).upToTheEnd();
        try (MySqlConnection connection = MySqlConnection.open(options);
                BinlogStream stream = connection.dump(request)) {
            ByteWriter out = new ByteWriter(1 << 12);
            for (int length = stream.next(out); length >= 0; length = stream.next(out)) {
                EventHeader header = EventHeader.read(out.array(), 0, length);
                EventBody body = new EventBody(out.array(), EventHeader.LENGTH, length - CHECKSUM_BYTES);
                switch (header.code()) {
                    case EventCode.GTID ->
                        dumped = dumped.plus(GtidEvent.decode(body).gtid());
                    case EventCode.GTID_TAGGED ->
                        dumped = dumped.plus(GtidEvent.decodeTagged(body).gtid());
                    case EventCode.PREVIOUS_GTIDS ->
                        previous = PreviousGtidsEvent.decode(body).gtids();
                    default -> {}
                }
                out.clear();
            }
        }

        assertThat(dumped)
                .isEqualTo(all.subtract(known))
                .hasToString(all.subtract(known).toString());
        assertThat(dumped.count()).isEqualTo(4);
        assertThat(previous).isEqualTo(known);
        assertThat(dumped.contains(new MySqlGtid(source(), "green", 1))).isTrue();
    }

    private static void commit(String tag, int transactions) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("set gtid_next = 'AUTOMATIC" + (tag.isEmpty() ? "" : ":" + tag) + "'");
            for (int i = 0; i < transactions; i++) {
                statement.execute("insert into shop.t values ()");
            }
        }
    }

    private static MySqlGtidSet executed() throws SQLException {
        return MySqlGtidSet.parse(ask("select @@global.gtid_executed"));
    }

    private static UUID source() throws SQLException {
        return UUID.fromString(ask("select @@global.server_uuid"));
    }

    private static String ask(String sql) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }
}
