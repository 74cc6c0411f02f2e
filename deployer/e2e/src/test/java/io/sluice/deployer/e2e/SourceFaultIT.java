package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.deployer.e2e.PackagedServer.Outcome;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the package does when a source cannot be read from its cursor: the binlog is damaged, or is that of another history. */
@Timeout(900)
class SourceFaultIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MAX_DUMPS = 10;
    /** Less than the header of an event. */
    private static final int PART_OF_AN_EVENT = 10;

    private static MySqlServer first;
    private static MySqlServer second;
    private static KafkaBroker kafka;

    @BeforeAll
    static void startServers() {
        second = start(2);
        first = start(1);
        kafka = KafkaBroker.start();
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        first.close();
        second.close();
    }

    private static MySqlServer start(long serverId) {
        MySqlServer mysql = MySqlServer.start(MySqlOptions.defaults().gtid().serverId(serverId));
        Pipeline.allow(mysql);
        return mysql;
    }

    /** Such a dump begins well, with the events at the head of the file. */
    @Test
    void aDumpThatBreaksAtTheCursorIsRetriedWithBackOffAndThenAnotherHostIsRead() throws IOException {
        createOrders("damaged");
        try (Pipeline pipeline = pipeline("damaged", "off")) {
            PackagedServer server = pipeline.server();
            server.configure("canal.instance.hosts", address(second));
            server.configure("canal.instance.fallbackIntervalInSeconds", "1");
            server.startToRead();
            insert(first, "damaged", 1);
            pipeline.rowsUpTo("orders", 1);
            server.stop();
            BinlogEnd end = first.binlogEnd();
            insert(first, "damaged", 2);
            first.rotateBinlog();
            try (FileChannel binlog =
                    FileChannel.open(first.binlogDirectory().resolve(end.file()), StandardOpenOption.WRITE)) {
                binlog.truncate(end.offset() + PART_OF_AN_EVENT);
            }
            insert(second, "damaged", 3);
            String dump = "reading the binlog: instance=damaged source=";
            long before = server.logLinesWith(dump + address(first));
            server.start();
            await().alias("the second host is read")
                    .atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(20))
                    .until(() -> server.logLinesWith(dump + address(second)) > 0
                            || server.logLinesWith(dump + address(first)) - before > MAX_DUMPS);

            assertThat(server.logLinesWith(dump + address(first)) - before)
                    .as("dumps of the first host before the second is read\n%s", server.logs())
                    .isLessThanOrEqualTo(MAX_DUMPS);
            assertThat(server.logLinesWith("the source cannot be read, trying again: instance=damaged host="
                            + address(first) + " failure=corrupt"))
                    .isPositive();
            assertThat(pipeline.rowsUpTo("orders", 3)).hasToString("[{id: 1}, {id: 3}]");
        }
    }

    @Tag("thorough")
    @Test
    void aServerThatLacksTransactionsOfTheCursorIsReportedAndNotRead() {
        createOrders("lost");
        try (Pipeline pipeline = pipeline("lost", "auto")) {
            PackagedServer server = pipeline.server();
            server.startToRead();
            insert(first, "lost", 1);
            pipeline.rowsUpTo("orders", 1);
            server.stop();
            long delivered = pipeline.delivered();
            // The first host is lost for ever, and the second never got its last transactions.
            server.configure("canal.instance.master.address", "127.0.0.1:" + FreePorts.next());
            server.configure("canal.instance.hosts", address(second));
            insert(second, "lost", 2);
            server.start();
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(server.health()).contains("\"failure\":\"diverged\""));
            assertThat(server.logLinesWith("failure=diverged")).isPositive();
            server.stop();

            // Without any other host there is nothing to wait for.
            server.configure("canal.instance.master.address", address(second));
            server.configure("canal.instance.hosts", "");
            server.tryToStart();
            await().alias("the instance stops").atMost(PATIENCE).until(() -> !server.isRunning());
            assertThat(server.wholeLogs())
                    .contains("the source cannot be read any more: instance=lost host=" + address(second))
                    .contains("failure=diverged")
                    .contains("does not have the transactions " + first.query("SELECT @@server_uuid"))
                    .contains("set the cursor to a position of this server with cursor set");
            assertThat(pipeline.delivered()).isEqualTo(delivered);

            Outcome set = server.ask("cursor", "set", "lost", "--to", "newest");
            assertThat(set.exitCode()).as(set.output()).isZero();
            server.start();
            insert(second, "lost", 3);
            assertThat(pipeline.rowsUpTo("orders", 3)).as(pipeline::logs).hasToString("[{id: 1}, {id: 3}]");
        }
    }

    private static Pipeline pipeline(String name, String gtid) {
        return new Pipeline(first, kafka, Pipeline.Mode.FLAT, name, Map.of("canal.instance.position.gtid", gtid));
    }

    private static String address(MySqlServer mysql) {
        return mysql.host() + ":" + mysql.port();
    }

    /** At both servers, of which neither replicates from the other. */
    private static void createOrders(String schema) {
        for (MySqlServer mysql : new MySqlServer[] {first, second}) {
            mysql.execute("CREATE DATABASE " + schema, "CREATE TABLE %s.orders (id INT PRIMARY KEY)".formatted(schema));
        }
    }

    private static void insert(MySqlServer mysql, String schema, int id) {
        mysql.execute("INSERT INTO %s.orders VALUES (%d)".formatted(schema, id));
    }
}
