package io.sluice.stream.source;

import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.store.ring.RingConfig;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.workload.RandomWorkload;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Statements that change several tables, with room for none in memory between two of them. */
@Timeout(600)
class ForgottenTablesIT {
    private static final long SEED = 20_261_123;
    private static final int CHANGES = 1_500;
    private static final RingConfig RING = new RingConfig(1 << 12, 1 << 14, false);

    @ParameterizedTest
    @EnumSource(names = {"MYSQL_5_7_22", "MYSQL_9_7", "MARIADB_11_8"})
    void nothingIsMissedOfStatementsOverManyTables(ServerRelease release) throws Exception {
        MySqlOptions options = MySqlOptions.defaults()
                .release(release)
                .with("table-definition-cache", "400")
                .with("thread-stack", "1M"); // for triggers that fire others
        try (MySqlServer server = MySqlServer.start(options);
                Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            BinlogEnd start = server.rotateBinlog();
            SourceOptions source = new SourceOptions(
                    Sources.login(server.port()),
                    4715,
                    new BinlogPosition(start.file(), start.offset()),
                    null,
                    java.util.List.of("ROW"),
                    java.util.List.of(),
                    Duration.ofSeconds(5));
            try (LiveSource live = LiveSource.reading(source, RING)
                    .mappingBytes(0)
                    .encodeAhead(true)
                    .start()) {
                changeTablesTogether(statement, release);
                RandomWorkload workload = new RandomWorkload(RandomWorkload.Options.of(SEED, CHANGES));
                workload.run(connection);
                statement.execute("CREATE TABLE together.last_one (id INT)");

                StateModel model = new StateModel(Duplicates.FORBIDDEN);
                RawRecords records = new RawRecords();
                for (Entry entry : live.readUntil(next -> next.tableName().equals("last_one"))) {
                    ByteWriter out = new ByteWriter(256);
                    Encodings.writeProtobuf(entry, out);
                    model.apply(
                            records.read("live", 0, 0, io.sluice.protocol.entry.Entry.parseFrom(out.toByteArray())));
                }
                StateComparison.requireEqual(ServerState.of(connection, "together", workload.schema()), model);
            }
        }
    }

    private static void changeTablesTogether(Statement statement, ServerRelease release) throws SQLException {
        statement.execute("CREATE DATABASE cascading");
        statement.execute("CREATE DATABASE together");
        statement.execute("USE together");
        for (int i = 0; i < 40; i++) {
            statement.execute("CREATE TABLE t%d (id INT PRIMARY KEY, v INT, w%d VARCHAR(9))".formatted(i, i));
        }
        statement.execute("CREATE TABLE log (id INT AUTO_INCREMENT PRIMARY KEY, what VARCHAR(20))");
        // With GTIDs, which 9.7 has on, no statement may change tables of both kinds.
        String engine = release == ServerRelease.MYSQL_9_7 ? "InnoDB" : "MyISAM";
        statement.execute("CREATE TABLE kept (id INT PRIMARY KEY, v INT) ENGINE=" + engine);
        statement.execute("CREATE TABLE parts (id INT PRIMARY KEY, v INT) PARTITION BY HASH (id) PARTITIONS 7");
        for (int i = 0; i < 20; i++) {
            // Each fires the next one, so that a statement changes all of them.
            statement.execute(
                    "CREATE TRIGGER tr%d AFTER INSERT ON t%d FOR EACH ROW INSERT INTO t%d VALUES (NEW.id, NEW.v, 'x')"
                            .formatted(i, i, i + 1));
        }
        statement.execute("CREATE TRIGGER tlog AFTER UPDATE ON t1 FOR EACH ROW INSERT INTO log (what) VALUES ('t1')");
        statement.execute(
                "CREATE TRIGGER tkept AFTER INSERT ON parts FOR EACH ROW INSERT INTO kept VALUES (NEW.id, NEW.v)");
        for (int i = 1; i <= 5; i++) {
            statement.execute("INSERT INTO t0 VALUES (%d, 1, 'a'), (%d, 2, 'b')".formatted(i, 100 + i));
            statement.execute("UPDATE t0, t1, t7, t20 SET t0.v = t0.v + 1, t1.v = 9, t7.w7 = 'y', t20.v = 3"
                    + " WHERE t0.id = t1.id AND t1.id = t7.id AND t7.id = t20.id");
            statement.execute("INSERT INTO parts SELECT id + %d, v FROM t5 WHERE id < 100".formatted(1000 * i));
            statement.execute("DELETE t1, t2, t3 FROM t1 JOIN t2 USING (id) JOIN t3 USING (id) WHERE t1.id = " + i);
            statement.execute("INSERT INTO t3%d SELECT * FROM t4".formatted(i));
        }
        statement.execute("CREATE TABLE cascading.parent (id INT PRIMARY KEY) ENGINE=InnoDB");
        statement.execute("CREATE TABLE cascading.child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES"
                + " cascading.parent (id) ON DELETE CASCADE ON UPDATE CASCADE) ENGINE=InnoDB");
        statement.execute("INSERT INTO cascading.parent VALUES (1), (2), (3)");
        statement.execute("INSERT INTO cascading.child VALUES (1, 1), (2, 1), (3, 2)");
        statement.execute("UPDATE cascading.parent SET id = 30 WHERE id = 1");
        statement.execute("DELETE FROM cascading.parent");
    }
}
