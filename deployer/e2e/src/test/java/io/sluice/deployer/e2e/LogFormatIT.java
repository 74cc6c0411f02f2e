package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log of a server in the foreground, as containers and service managers collect it. */
@Timeout(900)
class LogFormatIT {
    private static final String SECRET = "hunter2-is-not-it";
    /** How Java ends after SIGTERM, when its shutdown hooks have run. */
    private static final int TERMINATED = 128 + 15;

    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    @TempDir
    private Path folder;

    /** Texts that programs read have the digits of English, whatever the language of the system. */
    @Test
    void numbersHaveTheSameDigitsInEachLanguage() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            try (PackagedServer server = server(mysql, "another-password")) {
                String options = PackagedServer.DEFAULT_OPTIONS + " -Duser.language=ar -Duser.country=EG";
                Process process = server.startInForeground(
                        Map.of("JAVA_OPTS", options, "SLUICE_LOG_FORMAT", "json"), out(), errors());
                await().atMost(Duration.ofMinutes(2)).until(() -> contains(errors(), "server error"));
                stop(process);
                assertThat(errors()).content().contains("server error 1045 ").doesNotContainPattern("[\u0660-\u0669]");
            }
        }
    }

    @Test
    void asJsonEachLineIsAnObjectOnTheErrorStreamAndInTheFiles() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            mysql.execute("create database shop", "create table shop.orders (id int primary key)");
            try (PackagedServer server = server(mysql, Pipeline.PASSWORD)) {
                Process process = server.startInForeground(Map.of("SLUICE_LOG_FORMAT", "json"), out(), errors());
                await().atMost(Duration.ofMinutes(2)).until(() -> contains(errors(), "reading the binlog"));
                mysql.execute("insert into shop.orders values (1)");
                await().atMost(Duration.ofMinutes(2)).until(() -> contains(out(), "\"id\":\"1\""));
                assertThat(stop(process)).isEqualTo(TERMINATED);

                List<JsonNode> lines = objects(errors());
                assertThat(lines).allSatisfy(line -> {
                    assertThat(line.fieldNames())
                            .toIterable()
                            .contains("timestamp", "level", "logger", "thread", "message");
                    assertThat(line.path("timestamp").asText()).endsWith("Z");
                    assertThat(Instant.parse(line.path("timestamp").asText())).isBefore(Instant.now());
                });
                assertThat(lines.get(0).path("message").asText()).startsWith("the canal server is starting: version=");
                assertThat(lines)
                        .anyMatch(line -> "shop".equals(line.path("destination").asText())
                                && line.path("message").asText().startsWith("reading the binlog"))
                        .last()
                        .satisfies(line ->
                                assertThat(line.path("message").asText()).contains("server is down"));
                List<JsonNode> files = new ArrayList<>(objects(server.home().resolve("logs/canal/canal.log")));
                files.addAll(objects(server.home().resolve("logs/shop/shop.log")));
                assertThat(files).containsExactlyInAnyOrderElementsOf(lines);
                assertThat(objects(server.home().resolve("logs/shop/meta.log"))).isNotEmpty();
                assertThat(objects(out()))
                        .as("changes, and nothing else")
                        .isNotEmpty()
                        .allSatisfy(change -> assertThat(change.has("level")).isFalse());
            }
        }
    }

    @Test
    void aWrongPasswordIsReportedWithoutIt() throws Exception {
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            try (PackagedServer server = server(mysql, SECRET)) {
                Process process = server.startInForeground(Map.of("SLUICE_LOG_FORMAT", "json"), out(), errors());
                await().atMost(Duration.ofMinutes(2)).until(() -> contains(errors(), "failure=authentication"));
                stop(process);

                assertThat(objects(errors())).isNotEmpty();
                assertThat(everythingIn(server.home().resolve("logs")) + Files.readString(errors()))
                        .doesNotContain(SECRET);
            }
        }
    }

    @Test
    void aFailedStartIsAnObjectWithItsStackTrace() throws Exception {
        try (PackagedServer server = server("127.0.0.1:1", SECRET)) {
            Files.writeString(server.instanceFolder().resolve("meta.dat"), "{\"half\":");

            Process process = server.startInForeground(Map.of("SLUICE_LOG_FORMAT", "json"), out(), errors());

            assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
            assertThat(objects(errors()))
                    .anySatisfy(line -> assertThat(
                                    line.path("exception").path("stack").asText())
                            .contains("meta.dat", "\n\tat io.sluice."));
            assertThat(Files.readString(errors())).doesNotContain(SECRET);
        }
    }

    @Test
    void asTextTheErrorStreamHasTheLogOnlyIfAskedFor() throws Exception {
        try (PackagedServer server = server("127.0.0.1:1", SECRET)) {
            Process quiet = server.startInForeground(Map.of(), out(), errors());
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> contains(server.home().resolve("logs/canal/canal.log"), "server is running now"));
            assertThat(stop(quiet)).isEqualTo(TERMINATED);
            assertThat(server.home().resolve("bin/canal.pid")).doesNotExist();
            assertThat(Files.readString(errors())).isEmpty();

            Process loud = server.startInForeground(Map.of("SLUICE_LOG_CONSOLE", "on"), out(), errors());
            await().atMost(Duration.ofMinutes(2)).until(() -> contains(errors(), "server is running now"));
            assertThat(stop(loud)).isEqualTo(TERMINATED);
            assertThat(Files.readAllLines(errors()).get(0))
                    .matches(
                            "[0-9-]{10} [0-9:.]{12} \\[main] INFO  canal io\\.sluice\\..* - the canal server is starting: .*");
            assertThat(Files.readString(errors())).contains(" shop ").doesNotContain(SECRET);
        }
    }

    @Test
    void unknownWordsAreRejectedBeforeTheStart() throws Exception {
        try (PackagedServer server = server("127.0.0.1:1", SECRET)) {
            assertThat(rejection(server, Map.of("SLUICE_LOG_FORMAT", "xml")))
                    .isEqualTo("SLUICE_LOG_FORMAT is neither text nor json: xml\n");
            assertThat(rejection(server, Map.of("SLUICE_LOG_CONSOLE", "yes")))
                    .isEqualTo("SLUICE_LOG_CONSOLE is neither on nor off: yes\n");
        }
    }

    private String rejection(PackagedServer server, Map<String, String> environment) throws Exception {
        Process process = server.startInForeground(environment, out(), errors());
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        return Files.readString(errors());
    }

    private static PackagedServer server(MySqlServer mysql, String password) {
        return server(mysql.host() + ":" + mysql.port(), password);
    }

    private static PackagedServer server(String address, String password) {
        return new PackagedServer(
                "shop",
                Map.of("canal.serverMode", "stdout"),
                Map.of(
                        "canal.instance.master.address",
                        address,
                        "canal.instance.dbUsername",
                        Pipeline.USER,
                        "canal.instance.dbPassword",
                        password,
                        "canal.instance.filter.regex",
                        "shop\\\\..*",
                        "canal.mq.topic",
                        "shop"));
    }

    private static int stop(Process process) throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return process.exitValue();
    }

    private Path out() {
        return folder.resolve("out.txt");
    }

    private Path errors() {
        return folder.resolve("errors.txt");
    }

    private static boolean contains(Path file, String text) throws IOException {
        return Files.exists(file) && Files.readString(file).contains(text);
    }

    /** Fails if a line is none. */
    private static List<JsonNode> objects(Path file) throws IOException {
        List<JsonNode> objects = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            JsonNode object = JSON.readTree(line);
            assertThat(object.isObject()).as(line).isTrue();
            objects.add(object);
        }
        return objects;
    }

    private static String everythingIn(Path folder) throws IOException {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }
}
