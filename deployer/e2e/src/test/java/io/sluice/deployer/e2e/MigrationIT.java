package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.deployer.e2e.CanalFootprint.Ddl;
import io.sluice.deployer.e2e.CanalFootprint.EventStart;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Sluice takes the place of a canal 1.1.8 server as {@code docs/migration.md} describes: with its configuration, its cursor and its schema
 * history, of a table whose columns were renamed before the cursor and behind it.
 */
@Timeout(900)
class MigrationIT {
    private static final Path FILES = Path.of("..", "server", "src", "test", "resources", "canal-1.1.8");
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String SNAPSHOT = "CREATE TABLE `orders` (`id` int NOT NULL, `a` varchar(20) DEFAULT NULL,"
            + " `b` varchar(20) DEFAULT NULL, PRIMARY KEY (`id`)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;";

    private static MySqlServer mysql;
    private static KafkaBroker kafka;

    private PackagedServer server;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start();
        mysql.createReplicationUser("canal", "canal", AuthPlugin.MYSQL_NATIVE_PASSWORD);
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        mysql.close();
    }

    @AfterEach
    void closePackage() {
        if (server != null) {
            server.close();
        }
    }

    /** What was at the source when canal was stopped. */
    private record Left(EventStart cursor, Ddl ddl, String snapshot) {}

    /** Makes a table of three versions: canal's snapshot has the first, its cursor is in the second, and the source has the third. */
    private static Left changeTable(String schema) {
        mysql.execute(
                "create database " + schema,
                "create table " + schema + ".orders (id int primary key, a varchar(20), b varchar(20))",
                "insert into " + schema + ".orders values (1, 'before', 'the first DDL')");
        BinlogEnd before = mysql.binlogEnd();
        String rename = "alter table " + schema + ".orders rename column a to name";
        mysql.execute(rename);
        Ddl ddl = new Ddl(
                new EventStart(before.file(), before.offset() + 1, System.currentTimeMillis() / 1000 * 1000),
                schema,
                "orders",
                "ALTER",
                rename);
        mysql.execute("insert into " + schema + ".orders values (2, 'before', 'the cursor')");
        EventStart cursor = EventStart.ofXidBefore(mysql.binlogEnd());
        mysql.execute(
                "insert into " + schema + ".orders values (3, 'behind', 'the cursor')",
                "alter table " + schema + ".orders rename column name to c, rename column b to name",
                "insert into " + schema + ".orders values (4, 'behind', 'the second DDL')");
        return new Left(cursor, ddl, "{\"" + schema + "\":\"" + SNAPSHOT + "\"}");
    }

    @Test
    void filesOfCanalAreContinued() throws Exception {
        Left left = changeTable("shop");
        CanalFootprint canal = new CanalFootprint("shop");
        configureAsCanal("shop", "file-instance.xml");
        Files.writeString(server.instanceFolder().resolve("meta.dat"), canal.metaDat(left.cursor(), mysql.port()));
        canal.writeH2(server.instanceFolder(), left.snapshot(), List.of(left.ddl()));

        deliversWhatCanalDidNot("shop");

        assertThat(server.instanceFolder().resolve("h2.mv.db.imported")).exists();
        assertThat(server.instanceFolder().resolve("h2.mv.db")).doesNotExist();
    }

    /** The first DDL before the cursor is in the file; the second is not, since canal was killed before H2 had written it. */
    @Test
    void filesOfAKilledCanalAreContinued() throws Exception {
        String table = "killed.orders";
        mysql.execute(
                "create database killed",
                "create table " + table + " (id int primary key, a varchar(20), o varchar(20))");
        String recorded = "alter table " + table + " rename column o to b";
        long seconds = System.currentTimeMillis() / 1000 - 100;
        mysql.execute("set timestamp = " + seconds, recorded);
        Ddl ddl = new Ddl(
                new EventStart(mysql.binlogEnd().file(), startOfLastEvent(), seconds * 1000),
                "killed",
                "orders",
                "ALTER",
                recorded);
        mysql.execute(
                "alter table " + table + " rename column a to name",
                "insert into " + table + " values (2, 'before', 'the cursor')");
        EventStart cursor = EventStart.ofXidBefore(mysql.binlogEnd());
        mysql.execute(
                "insert into " + table + " values (3, 'behind', 'the cursor')",
                "alter table " + table + " rename column name to c, rename column b to name",
                "insert into " + table + " values (4, 'behind', 'the second DDL')");
        CanalFootprint canal = new CanalFootprint("killed");
        configureAsCanal("killed", "file-instance.xml");
        Files.writeString(server.instanceFolder().resolve("meta.dat"), canal.metaDat(cursor, mysql.port()));
        canal.writeH2OfKilled(
                server.instanceFolder(), "{\"killed\":\"" + SNAPSHOT.replace("`b`", "`o`") + "\"}", List.of(ddl));

        deliversWhatCanalDidNot("killed");

        assertThat(server.logLinesWith("reading the DDL between both from the binlog"))
                .isEqualTo(1);
    }

    private static long startOfLastEvent() throws SQLException {
        long start = -1;
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet events = statement.executeQuery(
                        "show binlog events in '%s'".formatted(mysql.binlogEnd().file()))) {
            while (events.next()) {
                start = events.getLong("Pos");
            }
        }
        return start;
    }

    @Test
    void cursorsInZooKeeperAndHistoriesInMySqlAreContinued() throws Exception {
        try (ZooKeeperNode node = ZooKeeperNode.start();
                CuratorFramework zooKeeper =
                        CuratorFrameworkFactory.newClient(node.connectString(), new RetryOneTime(10))) {
            mysql.execute("create database tsdb", "grant all on tsdb.* to 'canal'@'%'");
            Left left = changeTable("store");
            CanalFootprint canal = new CanalFootprint("store");
            try (Connection connection = mysql.connect()) {
                connection.setCatalog("tsdb");
                canal.writeTables(connection, left.snapshot(), List.of(left.ddl()));
            }
            zooKeeper.start();
            zooKeeper
                    .create()
                    .creatingParentsIfNeeded()
                    .forPath(
                            "/otter/canal/destinations/store/1001/cursor",
                            CanalFootprint.node(left.cursor(), mysql.port()).getBytes(StandardCharsets.UTF_8));
            configureAsCanal("store", "default-instance.xml");
            change("canal.properties", "canal.zkServers", node.connectString());
            change(
                    "canal.properties",
                    "canal.instance.tsdb.url",
                    "jdbc:mysql://%s:%d/tsdb".formatted(mysql.host(), mysql.port()));

            deliversWhatCanalDidNot("store");
        }
    }

    /** Canal's files, each key as it ships it but for addresses, names and the queue. */
    private void configureAsCanal(String schema, String cursors) throws IOException {
        server = new PackagedServer(schema, Map.of(), Map.of());
        Files.writeString(conf("canal.properties"), Files.readString(FILES.resolve("canal.properties")));
        Files.writeString(
                server.instanceFolder().resolve("instance.properties"),
                Files.readString(FILES.resolve("example/instance.properties")));
        change("canal.properties", "canal.metrics.pull.port", Integer.toString(server.metricsPort()));
        change("canal.properties", "canal.port", Integer.toString(FreePorts.next()));
        change("canal.properties", "canal.destinations", schema);
        change("canal.properties", "canal.serverMode", "kafka");
        change("canal.properties", "kafka.bootstrap.servers", kafka.server().bootstrapServers());
        change("canal.properties", "canal.instance.global.spring.xml", "classpath:spring/" + cursors);
        String instance = schema + "/instance.properties";
        change(instance, "canal.instance.master.address", mysql.host() + ":" + mysql.port());
        change(instance, "canal.instance.filter.regex", schema + "\\\\\\\\..*");
        change(instance, "canal.mq.topic", schema);
        kafka.createTopic(schema, 1);
    }

    private void deliversWhatCanalDidNot(String schema) throws IOException {
        server.startToRead();

        assertThat(rowsUntil(schema, 4))
                .as(server.logs())
                .containsExactly(
                        "{\"id\":\"3\",\"name\":\"behind\",\"b\":\"the cursor\"}",
                        "{\"id\":\"4\",\"c\":\"behind\",\"name\":\"the second DDL\"}");

        server.stop();
        mysql.execute(
                "alter table " + schema + ".orders rename column c to d",
                "insert into " + schema + ".orders values (5, 'behind', 'a restart')");
        server.startToRead();

        assertThat(rowsUntil(schema, 5))
                .as(server.logs())
                .hasSize(3)
                .endsWith("{\"id\":\"5\",\"d\":\"behind\",\"name\":\"a restart\"}");
        assertThat(server.logLinesWith("SCHEMA HISTORY IS INCOMPLETE")).isZero();
        server.stop();
    }

    /** The inserted rows in a topic, once the last of them is there. */
    private List<String> rowsUntil(String topic, int lastId) throws IOException {
        List<String> rows = new ArrayList<>();
        ObjectMapper json = new ObjectMapper();
        kafka.read(
                topic,
                record -> {
                    try {
                        JsonNode message = json.readTree(record.value());
                        if (message.get("type").asText().equals("INSERT")) {
                            message.get("data").forEach(row -> rows.add(row.toString()));
                        }
                    } catch (IOException e) {
                        throw new AssertionError("not JSON", e);
                    }
                },
                () -> rows.stream().anyMatch(row -> row.startsWith("{\"id\":\"" + lastId + "\""))
                        || !server.isRunning(),
                PATIENCE);
        return rows;
    }

    private Path conf(String file) {
        return server.home().resolve("conf").resolve(file);
    }

    /** Gives a key of a file another value, as an operator does. */
    private void change(String file, String key, String value) throws IOException {
        String before = Files.readString(conf(file));
        String line = "(?m)^#? ?" + key.replace(".", "\\.") + " *=.*$";
        assertThat(before).containsPattern(line);
        Files.writeString(conf(file), before.replaceFirst(line, key + " = " + value));
    }
}
