package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.check.Change;
import io.sluice.testkit.check.FlatRecords;
import io.sluice.testkit.check.RawRecords;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows and transactions that are too large for the heap, with little of it.
 *
 * <p>{@code -Dsluice.heap=384 -Dsluice.rows=5000000} is the full scale: rows of 100 MiB.
 */
@Timeout(900)
class MemoryIT {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryIT.class);
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    /** In MiB. */
    private static final int HEAP = Integer.getInteger("sluice.heap", 96);

    private static final int ROWS = Integer.getInteger("sluice.rows", 300_000);

    /** What the process may have besides the heap, in MiB. */
    private static final int BESIDES = 192;

    private static final long LARGEST = (100L << 20) * HEAP / 384;
    private static final long LARGE = 19_000_000L * HEAP / 384;
    private static final int MANY = 12;

    private static MySqlServer mysql;
    private static KafkaBroker kafka;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start(
                MySqlOptions.defaults().with("max-allowed-packet", "1G").with("innodb-buffer-pool-size", "256M"));
        Pipeline.allow(mysql);
        kafka = KafkaBroker.start(KafkaOptions.defaults()
                .with("message.max.bytes", "100000000")
                .with("socket.request.max.bytes", "200000000"));
    }

    @AfterAll
    static void stopServers() {
        kafka.close();
        mysql.close();
    }

    @Test
    void asFlatMessagesTheyPassOrAreRefusedWithAReason() throws Exception {
        passOrAreRefusedWithAReason(Pipeline.Mode.FLAT);
    }

    @Tag("thorough")
    @Test
    void inPacketsTheyPassOrAreRefusedWithAReason() throws Exception {
        passOrAreRefusedWithAReason(Pipeline.Mode.RAW);
    }

    private static void passOrAreRefusedWithAReason(Pipeline.Mode mode) throws Exception {
        String name = "memory_" + mode.name().toLowerCase(Locale.ROOT);
        try (Pipeline pipeline = new Pipeline(mysql, kafka, mode, name, settings())) {
            PackagedServer server = pipeline.server();
            server.javaOptions("-Xms%1$dm -Xmx%1$dm -XX:+UseParallelGC %2$s"
                    .formatted(HEAP, System.getProperty("sluice.options", "").replace(';', ' ')));
            server.start();
            long begin = System.nanoTime();
            int refused = change(name);
            Arrived arrived = new Arrived();
            kafka.read(
                    name,
                    record -> arrived.take(
                            mode == Pipeline.Mode.FLAT
                                    ? new FlatRecords().read(name, record.partition(), record.offset(), record.value())
                                    : new RawRecords().read(name, record.partition(), record.offset(), record.value())),
                    () -> arrived.rowsOf("ending") == 1 || !server.isRunning(),
                    PATIENCE);
            long peak = server.peakMemoryBytes() >> 20;
            LOG.info(
                    "mode={} heapMiB={} rows={} seconds={} peakMiB={}",
                    mode,
                    HEAP,
                    arrived.rows,
                    (System.nanoTime() - begin) / 1_000_000_000,
                    peak);

            assertThat(server.isRunning()).as(server::logs).isTrue();
            assertThat(arrived.rowsOf("many")).isEqualTo(2L * ROWS);
            assertThat(arrived.rowsOf("large")).isEqualTo(2L * MANY);
            assertThat(arrived.rowsOf("largest")).isZero();
            assertThat(server.logLinesWith("for good, SKIPPED: instance=" + name))
                    .as(server::logs)
                    .isEqualTo(refused);
            assertThat(server.logLinesWith("-Xmx")).isPositive();
            assertThat(peak).isLessThan(HEAP + BESIDES);
            server.stop();
        }
    }

    private static Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("canal.mq.onReject", "skip");
        settings.put("kafka.max.request.size", "90000000");
        settings.put("kafka.buffer.memory", Integer.toString(HEAP / 12 << 20));
        settings.put("canal.instance.memory.buffer.size", HEAP < 384 ? "4096" : "16384");
        return settings;
    }

    /** Makes the changes; returns how many of them are too large for any broker. */
    private static int change(String schema) throws SQLException {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema " + schema);
            statement.execute("use " + schema);
            statement.execute("create table many (id int auto_increment primary key, word varchar(20), d datetime)");
            statement.execute("create table large (id int auto_increment primary key, text longtext, data longblob)");
            statement.execute("create table largest like large");
            statement.execute("create table ending (id int primary key)");
            fill(statement);

            int refused = 0;
            refused += changeLargest(statement, "text", "repeat('x', %d)", "repeat('y', %d)");
            refused += changeLargest(statement, "data", "repeat(x'ff00', %d div 2)", "repeat(x'00fe', %d div 2)");
            // Can be read, but there is no memory for its message.
            statement.execute("insert into largest (text) values (repeat('z', %d))".formatted(LARGEST * 6 / 10));
            refused++;
            for (int i = 0; i < MANY; i++) {
                statement.execute("insert into large (text) values (repeat('z', %d))".formatted(LARGE));
            }
            statement.execute("set session binlog_transaction_compression = on");
            fill(statement);
            statement.execute("begin");
            for (int i = 0; i < MANY; i++) {
                statement.execute("insert into large (text) values (repeat('z', %d))".formatted(LARGE));
            }
            statement.execute("insert into largest (text) values (repeat('z', %d))".formatted(LARGEST));
            statement.execute("commit");
            statement.execute("insert into ending values (1)");
            return refused + 1;
        }
    }

    /** One transaction of many rows. */
    private static void fill(Statement statement) throws SQLException {
        statement.execute("""
                insert into many (word, d)
                with digits as (select 0 n union select 1 union select 2 union select 3 union select 4
                    union select 5 union select 6 union select 7 union select 8 union select 9)
                select concat('word ', b.n, c.n), '2026-01-02 03:04:05'
                from digits a, digits b, digits c, digits d, digits e, digits f, digits g
                limit %d""".formatted(ROWS));
    }

    private static int changeLargest(Statement statement, String column, String before, String after)
            throws SQLException {
        statement.execute("insert into largest (%s) values (%s)".formatted(column, before.formatted(LARGEST)));
        statement.execute("update largest set %s = %s".formatted(column, after.formatted(LARGEST)));
        statement.execute("delete from largest");
        return 3;
    }

    /** Counts the rows that come, by their table. */
    private static final class Arrived {
        private final Map<String, Long> rows = new LinkedHashMap<>();

        void take(List<Change> changes) {
            for (Change change : changes) {
                if (change instanceof Change.OfRow row) {
                    rows.merge(row.table().table(), 1L, Long::sum);
                }
            }
        }

        long rowsOf(String table) {
            return rows.getOrDefault(table, 0L);
        }
    }
}
