package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.protocol.entry.Entry;
import io.sluice.testkit.canal.CanalKafkaClient;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.check.ServerState;
import io.sluice.testkit.check.StateComparison;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.flink.FlinkTable;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Independent consumers read our messages: canal's own client of Kafka, and Flink. */
@Timeout(600)
class ConsumersIT {
    private static final int CHANGES = 600;
    private static final String ORDERS =
            "ROW<id BIGINT, name STRING, price DECIMAL(10, 2), paid TINYINT, ordered_at TIMESTAMP(3), note STRING>";

    private static MySqlServer mysql;
    private static KafkaBroker kafka;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start();
        Pipeline.allow(mysql);
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        mysql.close();
    }

    @Test
    void canalsClientAndFlinkReadFlatMessages() throws Exception {
        try (Pipeline pipeline = pipeline(Pipeline.Mode.FLAT, "read_flat")) {
            pipeline.server().start();
            changeOrders();
            pipeline.change(21, "read_flat", CHANGES).join();
            StateModel expected = pipeline.requireDelivered(Duplicates.FORBIDDEN, "flink_shop", "read_flat");

            StateModel model = new StateModel(Duplicates.FORBIDDEN);
            FlatRecords records = new FlatRecords();
            List<JsonNode> messages =
                    new CanalKafkaClient(kafka.server(), "read_flat").messagesUntil("read_flat.sluice_end");
            for (int i = 0; i < messages.size(); i++) {
                model.apply(records.read("read_flat", 0, i, messages.get(i)));
            }
            requireSame(expected, model, "flink_shop", "read_flat");

            FlinkTable orders = FlinkTable.ofCanalJson(kafka.server(), "read_flat", "flink_shop", "orders", ORDERS);
            assertThat(orders.rows()).containsExactlyInAnyOrderElementsOf(ordersOfTheServer());
            assertThat(Arrays.stream(FlinkTable.Kind.values()).map(orders::count))
                    .as("inserted, before and after updates, deleted")
                    .containsExactly(5, 5, 5, 2);
        }
    }

    @Test
    void canalsClientReadsPackets() throws Exception {
        try (Pipeline pipeline = pipeline(Pipeline.Mode.RAW, "read_raw")) {
            pipeline.server().start();
            pipeline.change(22, "read_raw", CHANGES).join();
            StateModel expected = pipeline.requireDelivered(Duplicates.FORBIDDEN, "read_raw");

            StateModel model = new StateModel(Duplicates.FORBIDDEN);
            RawRecords records = new RawRecords();
            List<Entry> entries = new CanalKafkaClient(kafka.server(), "read_raw").entriesUntil("read_raw.sluice_end");
            for (int i = 0; i < entries.size(); i++) {
                model.apply(records.read("read_raw", 0, i, entries.get(i)));
            }

            requireSame(expected, model, "read_raw");
        }
    }

    private static Pipeline pipeline(Pipeline.Mode mode, String name) {
        return new Pipeline(mysql, kafka, mode, name, Map.of("kafka.transactional.id", "consumers"));
    }

    private static void requireSame(StateModel expected, StateModel model, String... schemas) throws SQLException {
        assertThat(model.problems()).isEmpty();
        assertThat(model.distinctChanges()).isEqualTo(expected.distinctChanges());
        try (Connection connection = mysql.connect()) {
            StateComparison.requireEqual(ServerState.of(connection, schemas), model);
        }
    }

    /** Five inserts, updates of five rows, one of them of its key and one of a null, and deletes of two. */
    private static void changeOrders() throws SQLException {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : List.of(
                    "create database flink_shop",
                    "create table flink_shop.orders (id bigint primary key, name varchar(50) character set utf8mb4,"
                            + " price decimal(10, 2), paid tinyint(1), ordered_at datetime(3), note text)",
                    "insert into flink_shop.orders values"
                            + " (1, 'größe 名前 😀', 12.50, 1, '2026-01-02 03:04:05.123', null),"
                            + " (2, 'quote \" and \\\\ and \\n', -0.01, 0, '1999-12-31 23:59:59.999', ''),"
                            + " (3, 'third', 99999999.99, null, null, 'a note'),"
                            + " (4, 'fourth', null, 1, '2026-06-07 08:09:10.110', 'null')",
                    "insert into flink_shop.orders values (9007199254740993, 'large', 1, 0, null, null)",
                    "update flink_shop.orders set price = price * 2, note = 'doubled' where id in (1, 2)",
                    "update flink_shop.orders set note = null where id = 3",
                    "update flink_shop.orders set id = 40 where id = 4",
                    "update flink_shop.orders set paid = 1 where id > 1000",
                    "delete from flink_shop.orders where id in (2, 40)")) {
                statement.execute(sql);
            }
        }
    }

    private static List<List<@Nullable String>> ordersOfTheServer() throws SQLException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select id, name, price, paid,"
                        + " replace(cast(ordered_at as char), ' ', 'T'), note from flink_shop.orders")) {
            while (result.next()) {
                List<@Nullable String> row = new ArrayList<>();
                for (int i = 1; i <= 6; i++) {
                    row.add(result.getString(i));
                }
                rows.add(row);
            }
        }
        return rows;
    }
}
