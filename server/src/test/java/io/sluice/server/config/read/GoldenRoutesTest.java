package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.format.split.RowKey;
import io.sluice.server.config.instance.RoutingConfig;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.text.Environment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With the settings of a recorded run of canal, the rows of each message are sent to the topic and partition that canal chose. */
class GoldenRoutesTest {
    private static final Path GOLDEN =
            Path.of(System.getProperty("sluice.golden", "../testkit/golden"), "mysql-8.0.31");

    @TempDir
    Path home;

    static List<String> cases() throws IOException {
        try (Stream<Path> all = Files.list(GOLDEN)) {
            return all.map(path -> path.getFileName().toString())
                    .filter(name -> name.startsWith("10-routing"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("cases")
    void areThoseOfCanal(String name) throws Exception {
        Path recorded = GOLDEN.resolve(name);
        Router router = routing(recorded).rules().router(TopicPartitions.UNKNOWN);
        ObjectMapper json = new ObjectMapper();
        int records = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(recorded.resolve("flat.jsonl.gz"))),
                StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                JsonNode record = json.readTree(line);
                JsonNode value = record.get("value");
                Route route = router.route(
                        value.get("database").asText(), value.get("table").asText());
                assertThat(route.topic()).as(line).isEqualTo(record.get("topic").asText());
                assertThat(partitions(route.partitioning(), value))
                        .as(line)
                        .isNotEmpty()
                        .containsOnly(record.get("partition").asInt());
                records++;
            }
        }
        assertThat(records).isGreaterThan(30);
    }

    private static List<Integer> partitions(Partitioning partitioning, JsonNode value) {
        if (partitioning instanceof Partitioning.One one) {
            return List.of(one.partition());
        }
        JsonNode rows = value.get("data");
        if (rows == null || rows.isNull()) {
            return List.of(0);
        }
        if (partitioning instanceof Partitioning.ByTable byTable) {
            return List.of(byTable.partition());
        }
        List<Integer> partitions = new ArrayList<>();
        Partitioning.ByKey byKey = (Partitioning.ByKey) partitioning;
        for (JsonNode row : rows) {
            List<String> values = new ArrayList<>();
            for (String column : columns(byKey.key(), value.get("pkNames"))) {
                JsonNode cell = row.get(column);
                values.add(cell == null || cell.isNull() ? null : cell.asText());
            }
            partitions.add(byKey.partitionOf(byKey.hashOf(values)));
        }
        return partitions;
    }

    private static List<String> columns(RowKey key, JsonNode primary) {
        List<String> columns = new ArrayList<>(key.columns());
        if (key.primary()) {
            primary.forEach(name -> columns.add(name.asText()));
        }
        return columns;
    }

    private RoutingConfig routing(Path recorded) throws Exception {
        List<String> settings = Files.readAllLines(recorded.resolve("settings.properties"));
        StringBuilder instance = new StringBuilder("canal.instance.master.address = db:3306\n");
        StringBuilder server = new StringBuilder(
                "canal.serverMode = kafka\nkafka.bootstrap.servers = k:9092\ncanal.destinations = golden\n");
        for (String line : settings) {
            if (line.startsWith("canal.mq.database.hash")) {
                server.append(line).append('\n');
            } else if (line.startsWith("canal.mq.") && !line.startsWith("canal.mq.flatMessage")) {
                instance.append(line).append('\n');
            }
        }
        Path conf = Files.createDirectories(home.resolve("conf"));
        Files.writeString(conf.resolve("canal.properties"), server);
        Files.writeString(Files.createDirectories(conf.resolve("golden")).resolve("instance.properties"), instance);
        return ConfigLoader.load(
                        conf.resolve("canal.properties"),
                        conf,
                        new Environment(Map.of(), Map.of(), (Inet4Address) InetAddress.getByName("10.0.0.1"), 2),
                        ProducerCheck.NONE)
                .instances()
                .get(0)
                .routing();
    }
}
