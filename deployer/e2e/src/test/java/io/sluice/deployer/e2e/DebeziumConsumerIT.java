package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.flink.FlinkTable;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Flink's format {@code debezium-json} makes of messages in Debezium's envelope, which the packaged server delivers. */
@Timeout(600)
class DebeziumConsumerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final String PRODUCTS = "ROW<id BIGINT, name STRING, price DECIMAL(10, 2), weight DOUBLE,"
            + " sold BOOLEAN, made_at TIMESTAMP(3), made_on DATE, size STRING, tags STRING, note STRING>";

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

    /** Several rows in an event, updates of a key, of a null and to a null, deletes, and DDL, which has no message. */
    @Test
    void flinkRebuildsTheTable() throws Exception {
        Map<String, String> settings =
                Map.of("canal.mq.format", "debezium", "canal.instance.filter.regex", "warehouse[.]products");
        try (Pipeline pipeline = new Pipeline(mysql, kafka, Pipeline.Mode.FLAT, "debezium_products", settings)) {
            pipeline.server().start();
            run(
                    "create database warehouse",
                    "create table warehouse.products (id bigint unsigned primary key,"
                            + " name varchar(50) character set utf8mb4, price decimal(10, 2), weight double, sold bit(1),"
                            + " made_at datetime(3), made_on date, size enum('small', 'it''s large'),"
                            + " tags set('new', 'sale', 'rare'), note text)",
                    "insert into warehouse.products values"
                            + " (1, 'größe 名前 😀', 12.50, 1.5e10, b'1', '2026-01-02 03:04:05.123', '2026-01-02', 'small',"
                            + " 'new,rare', null),"
                            + " (2, 'quote \" and \\\\ and \\n', -0.01, -0.25, b'0', '1999-12-31 23:59:59.999', null,"
                            + " 'it''s large', '', ''),"
                            + " (9007199254740993, 'large', 99999999.99, null, null, null, '0001-01-01', null, null, 'a')",
                    "update warehouse.products set price = price * 2, note = 'doubled' where id in (1, 2)",
                    "update warehouse.products set note = null where id = 1",
                    "alter table warehouse.products modify note varchar(100)",
                    "update warehouse.products set id = 20 where id = 2",
                    "insert into warehouse.products (id, note) values (3, 'gone'), (4, 'gone')",
                    "delete from warehouse.products where id in (3, 4)");

            awaitDeletions(2);

            FlinkTable products = FlinkTable.ofDebeziumJson(kafka.server(), "debezium_products", PRODUCTS);
            assertThat(products.rows()).containsExactlyInAnyOrderElementsOf(rowsOfTheServer());
            assertThat(Arrays.stream(FlinkTable.Kind.values()).map(products::count))
                    .as("inserted, before and after updates, deleted")
                    .containsExactly(5, 4, 4, 2);
        }
    }

    /** Waits until the last messages are there; each look by Flink would be the start of a process. */
    private static void awaitDeletions(int count) {
        AtomicInteger found = new AtomicInteger();
        kafka.read(
                "debezium_products",
                record -> {
                    if (new String(record.value(), StandardCharsets.UTF_8).contains("\"op\":\"d\"")) {
                        found.incrementAndGet();
                    }
                },
                () -> found.get() == count,
                PATIENCE);
    }

    private static void run(String... statements) throws SQLException {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** As Flink prints them: {@code double} as Java does, a date as its day. */
    private static List<List<@Nullable String>> rowsOfTheServer() throws SQLException {
        List<List<@Nullable String>> rows = new ArrayList<>();
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("select id, name, price, weight, sold,"
                        + " replace(cast(made_at as char), ' ', 'T'), datediff(made_on, '1970-01-01'), size, tags, note"
                        + " from warehouse.products")) {
            while (result.next()) {
                List<@Nullable String> row = new ArrayList<>();
                for (int i = 1; i <= 10; i++) {
                    row.add(result.getString(i));
                }
                double weight = result.getDouble(4);
                row.set(3, result.wasNull() ? null : Double.toString(weight));
                boolean sold = result.getBoolean(5);
                row.set(4, result.wasNull() ? null : Boolean.toString(sold));
                rows.add(row);
            }
        }
        return rows;
    }
}
