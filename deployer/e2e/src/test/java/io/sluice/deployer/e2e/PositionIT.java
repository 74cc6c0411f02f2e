package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.check.Row;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From where the package reads after a restart: before its first acknowledged row, and after its cursor was moved. */
@Timeout(900)
class PositionIT {
    private static MySqlServer mysql;
    private static KafkaBroker kafka;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start(MySqlOptions.defaults().gtid());
        Pipeline.allow(mysql);
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        mysql.close();
    }

    /** The stream begins where the source was at the first start, not where it is at the second. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "off"})
    void aRowAfterAnIdleFirstRunIsDelivered(String gtid) {
        String name = "idle_" + gtid;
        createOrders(name);
        try (Pipeline pipeline = pipeline(name, Map.of("canal.instance.position.gtid", gtid))) {
            pipeline.beginAtTheEnd();
            pipeline.server().startToRead();
            pipeline.server().stop();
            insert(name, 1);
            pipeline.server().startToRead();
            insert(name, 2);

            assertThat(ids(pipeline.rowsUpTo("orders", 2))).as(pipeline::logs).containsExactly("1", "2");
        }
    }

    @Test
    void rowsOfARunWithAWrongBrokerAreDelivered() {
        deliversRowsOfARunWithAWrongBroker("auto");
    }

    /** The start position is saved in the same way as with GTIDs. */
    @Tag("thorough")
    @Test
    void withoutGtidsRowsOfARunWithAWrongBrokerAreDeliveredToo() {
        deliversRowsOfARunWithAWrongBroker("off");
    }

    private static void deliversRowsOfARunWithAWrongBroker(String gtid) {
        String name = "unreachable_" + gtid;
        createOrders(name);
        Map<String, String> settings = new HashMap<>(kafka.shortTimeouts());
        settings.put("canal.instance.position.gtid", gtid);
        settings.put("kafka.bootstrap.servers", "127.0.0.1:" + FreePorts.next());
        try (Pipeline pipeline = pipeline(name, settings)) {
            pipeline.beginAtTheEnd();
            pipeline.server().startToRead();
            insert(name, 1);
            insert(name, 2);
            pipeline.server().stop();
            kafka.settings().forEach(pipeline.server()::configureServer);
            pipeline.server().startToRead();
            insert(name, 3);

            assertThat(ids(pipeline.rowsUpTo("orders", 3))).as(pipeline::logs).containsExactly("1", "2", "3");
        }
    }

    /** The history has the table as it was before the statements that the cursor was moved past. */
    @Test
    void rowsAfterADdlThatTheCursorWasMovedPastHaveTheNamesOfTheirColumns() {
        mysql.execute("CREATE DATABASE moved");
        try (Pipeline pipeline = pipeline("moved", Map.of())) {
            mysql.execute("CREATE TABLE moved.t2 (id INT PRIMARY KEY, price INT, qty INT)");
            pipeline.server().start();
            mysql.execute("INSERT INTO moved.t2 VALUES (1, 5, 6)");
            assertThat(pipeline.rowsUpTo("t2", 1)).hasToString("[{id: 1, price: 5, qty: 6}]");
            pipeline.server().stop();
            mysql.execute("ALTER TABLE moved.t2 DROP COLUMN price, ADD COLUMN discount INT");
            PackagedServer.Outcome set = pipeline.server().ask("cursor", "set", "moved", "--to", "newest");
            assertThat(set.exitCode()).as(set.output()).isZero();
            pipeline.server().start();
            mysql.execute("INSERT INTO moved.t2 (id, qty, discount) VALUES (3, 8, 66)");

            assertThat(pipeline.rowsUpTo("t2", 3))
                    .as(pipeline::logs)
                    .hasToString("[{id: 1, price: 5, qty: 6}, {id: 3, qty: 8, discount: 66}]");
        }
    }

    private static Pipeline pipeline(String name, Map<String, String> settings) {
        return new Pipeline(mysql, kafka, Pipeline.Mode.FLAT, name, settings);
    }

    private static void createOrders(String schema) {
        mysql.execute("CREATE DATABASE " + schema, "CREATE TABLE %s.orders (id INT PRIMARY KEY)".formatted(schema));
    }

    private static void insert(String schema, int id) {
        mysql.execute("INSERT INTO %s.orders VALUES (%d)".formatted(schema, id));
    }

    private static List<String> ids(List<Row> rows) {
        return rows.stream().map(row -> String.valueOf(row.value("id"))).toList();
    }
}
