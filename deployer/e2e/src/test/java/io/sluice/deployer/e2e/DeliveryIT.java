package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.deployer.example.PrintKafkaChanges;
import io.sluice.testkit.check.Duplicates;
import io.sluice.testkit.check.StateModel;
import io.sluice.testkit.kafka.KafkaBroker;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.workload.RandomWorkload;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Carries random changes of all column types from MySQL to Kafka while they happen. */
@Timeout(900)
class DeliveryIT {
    private static final int CHANGES = Integer.getInteger("sluice.changes", 12_000);

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

    @ParameterizedTest
    @CsvSource({"FLAT, 1", "RAW, 2"})
    void everyChangeArrivesOnceAndInOrder(Pipeline.Mode mode, long seed) throws Exception {
        String schema = "all_" + mode.name().toLowerCase(Locale.ROOT);
        try (Pipeline pipeline = new Pipeline(mysql, kafka, mode, schema, Map.of())) {
            pipeline.server().start();
            CompletableFuture<RandomWorkload.Counts> changes = pipeline.change(seed, schema, CHANGES);

            StateModel model = pipeline.requireDelivered(Duplicates.FORBIDDEN, schema);

            assertThat(model.distinctChanges()).isGreaterThan(changes.join().total());
            pipeline.server().stop();
        }
        requireReadableByTheExample(schema);
    }

    private static void requireReadableByTheExample(String topic) throws IOException {
        PrintedChanges printed = new PrintedChanges();
        PrintKafkaChanges.print(
                kafka.server().bootstrapServers(),
                topic,
                printed.out(),
                () -> printed.endWithInsertInto(topic + ".sluice_end"));
        assertThat(printed.lines()).isGreaterThan(CHANGES);
    }

    private static void requireThatItsLastCursorIsNoted(PackagedServer server) throws IOException {
        List<String> notes = server.cursorNotes();
        Matcher last = Pattern.compile("^\\d{4}-\\d\\d-\\d\\d [0-9:.]{12} - clientId:1001 cursor:\\[([^,]+),(\\d+),.*"
                        + "] address\\[127\\.0\\.0\\.1:" + mysql.port() + "]$")
                .matcher(notes.get(notes.size() - 1));
        assertThat(last.find()).as(notes.get(notes.size() - 1)).isTrue();
        assertThat(Files.readString(server.instanceFolder().resolve("meta.dat")))
                .contains("\"journalName\":\"%s\",\"position\":%s,".formatted(last.group(1), last.group(2)));
        assertThat(server.logLinesWith("cursor:["))
                .as("in the instance's own log")
                .isZero();
    }

    @Test
    void aStoppedServerResumesWhereItWas() throws Exception {
        try (Pipeline pipeline = new Pipeline(mysql, kafka, Pipeline.Mode.FLAT, "stopped", Map.of())) {
            pipeline.server().start();
            pipeline.change(3, "one", 2_000).join();
            pipeline.requireDelivered(Duplicates.FORBIDDEN, "one");
            pipeline.server().stop();
            requireThatItsLastCursorIsNoted(pipeline.server());
            pipeline.change(4, "two", 2_000).join();

            pipeline.server().start();

            pipeline.requireDelivered(Duplicates.FORBIDDEN, "one", "two");
        }
    }

    @Test
    void rowsAndDdlGoWhereTheRouteCommandSays() throws Exception {
        String topic = "fc_forecast_orders";
        kafka.createTopic(topic, 4);
        mysql.execute(
                "create database Forecast", "create table Forecast.Orders (id int primary key, region varchar(20))");
        Map<String, String> rules = Map.of(
                "canal.mq.dynamicTopic", "rest:forecast\\\\..*x, fc_${schema}_${table}:forecast",
                "canal.mq.partitionHash", "forecast.orders:region",
                "canal.mq.partitionsNum", "9",
                "canal.mq.dynamicTopicPartitionNum", "fc_.*:4",
                "canal.mq.ddl.partition", "all");
        List<String> regions = List.of("", "eu", "us", "af", "cn", "中文", "a=b", "polygenelubricants");
        try (Pipeline pipeline = new Pipeline(mysql, kafka, Pipeline.Mode.FLAT, "forecast", rules)) {
            pipeline.server().start();
            for (int i = 0; i < regions.size(); i++) {
                mysql.execute("insert into Forecast.Orders values (%d, '%s')".formatted(i, regions.get(i)));
            }
            mysql.execute("alter table Forecast.Orders add column late int");
            List<String> words = new ArrayList<>(List.of("route", "--json", "forecast", "Forecast.Orders"));
            regions.forEach(region -> words.addAll(List.of("--row", "region=" + region)));
            JsonNode table = new ObjectMapper()
                    .readTree(
                            pipeline.server().ask(words.toArray(String[]::new)).output())
                    .get("tables")
                    .get(0);

            assertThat(table.get("topic").asText()).isEqualTo(topic);
            Map<String, Integer> said = new TreeMap<>();
            for (int i = 0; i < regions.size(); i++) {
                said.put(
                        regions.get(i),
                        table.get("rows").get(i).get("partition").asInt());
            }
            Map<String, Integer> came = new TreeMap<>();
            Set<Integer> altered = new TreeSet<>();
            for (ConsumerRecord<byte[], byte[]> record :
                    kafka.server().reader().readAtLeast(topic, regions.size() + 4, Duration.ofMinutes(2))) {
                JsonNode message = new ObjectMapper().readTree(record.value());
                if (message.get("isDdl").asBoolean()) {
                    altered.add(record.partition());
                } else {
                    came.put(message.get("data").get(0).get("region").asText(), record.partition());
                }
            }
            assertThat(came).isEqualTo(said);
            assertThat(new TreeSet<>(came.values())).hasSizeGreaterThan(2);
            assertThat(altered)
                    .hasToString(table.get("ddlPartitions").toString().replace(",", ", "));
        }
    }

    @Test
    void aDamagedCursorKeepsTheServerFromStarting() throws Exception {
        try (Pipeline pipeline = new Pipeline(mysql, kafka, Pipeline.Mode.FLAT, "damaged", Map.of())) {
            pipeline.change(5, "unread", 100).join();
            Files.createFile(pipeline.server().instanceFolder().resolve("meta.dat"));

            PackagedServer.Outcome outcome = pipeline.server().tryToStart();

            assertThat(outcome.exitCode()).isEqualTo(1);
            assertThat(outcome.output())
                    .contains("damaged/meta.dat cannot be used: it is empty")
                    .contains("restore it from a copy; or set where to continue");
            assertThat(pipeline.server().isRunning()).isFalse();
            assertThat(pipeline.delivered()).isZero();
        }
    }
}
