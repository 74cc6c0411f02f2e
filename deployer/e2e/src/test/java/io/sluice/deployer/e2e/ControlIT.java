package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An operator watches and commands a running server by {@code sluice.sh}. */
@Timeout(900)
class ControlIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final int port = FreePorts.next();
    private PackagedServer server;
    private int nextId = 100;

    @Test
    void commandsReachTheRunningServerAndAreAudited() throws Exception {
        try (MySqlServer mysql = MySqlServer.start();
                PackagedServer started = server(mysql)) {
            server = started;
            Pipeline.allow(mysql);
            mysql.execute(
                    "create database printed", "create table printed.orders (id int primary key, note varchar(50))");
            assertThat(server.ask("status").output())
                    .contains("the control API cannot be reached", "sluice.sh token add");
            String token = ask(0, "token", "add", "ops", "--role", "administrator", "--save")
                    .strip();
            assertThat(token).contains("sluice_");
            assertThat(ask(0, "token", "list")).contains("ops administrator");
            server.startToRead();

            mysql.execute("insert into printed.orders values (1, 'a first secret')");
            await().atMost(PATIENCE).until(() -> printed("\"id\":\"1\""));
            assertThat(ask(0, "log", "printed", "--lines", "50")).contains("start CanalInstance successfully");
            assertThat(ask(0, "status")).contains("INSTANCE", "printed   running", "ROWS/S");

            pausesAndResumes(mysql);
            limitsAndReloads(mysql);
            rewindsTheCursor();
            showsWhatIsDelivered(mysql);
            stopsAndStarts(mysql);
            Path audit = server.home().resolve("logs/canal/audit.log");
            await().atMost(PATIENCE).until(() -> Files.readString(audit).contains("\"action\":\"start\""));
            assertThat(Files.readAllLines(audit))
                    .allSatisfy(line ->
                            assertThat(JSON.readTree(line).path("who").asText()).isEqualTo("ops"))
                    .anyMatch(line -> line.contains("\"action\":\"pause\""))
                    .anyMatch(line -> line.contains("\"action\":\"cursor\""));
            assertThat(server.wholeLogs())
                    .doesNotContain(token.substring(token.indexOf("sluice_"))
                            .lines()
                            .findFirst()
                            .orElseThrow());
        }
    }

    private void pausesAndResumes(MySqlServer mysql) throws Exception {
        assertThat(ask(0, "pause", "printed", "--reason", "a test")).contains("state paused");
        mysql.execute("insert into printed.orders values (2, 'held')");
        await().atMost(PATIENCE)
                .until(() -> status().path("store").path("entries").asInt() > 0);
        assertThat(ask(0, "status")).contains("paused since", "ops: a test");
        assertThat(server.health()).contains("\"status\":\"up\"");
        assertThat(printed("\"id\":\"2\"")).isFalse();
        ask(0, "resume", "printed");
        await().atMost(PATIENCE).until(() -> printed("\"id\":\"2\""));
        assertThat(ask(1, "pause", "printed", "--to", "binlog.000001:4")).contains("already");
    }

    private void limitsAndReloads(MySqlServer mysql) throws Exception {
        assertThat(ask(0, "limit", "printed", "--rows", "5000")).contains("at most 5000 rows/s");
        server.configure("canal.instance.memory.buffer.size", "1000");
        assertThat(ask(1, "reload")).contains("not in force: printed", "instance.properties", "power of two");
        assertThat(ask(1, "status")).contains("its newest configuration is not in force");
        server.configure("canal.instance.memory.buffer.size", "4096");
        assertThat(ask(0, "reload")).contains("changed: printed");
        assertThat(ask(0, "status")).contains("at most 5000 rows/s");
        assertThat(ask(0, "limit", "printed", "--none")).doesNotContain("at most");
        mysql.execute("insert into printed.orders values (3, 'after a reload')");
        await().atMost(PATIENCE).until(() -> printed("\"id\":\"3\""));
    }

    private void rewindsTheCursor() throws Exception {
        long before = count("\"id\":\"1\"");
        assertThat(ask(1, "cursor", "rewind", "printed", "--to", "oldest")).contains("runs printed", "stop it first");
        assertThat(ask(1, "cursor", "rewind", "printed", "--to", "oldest", "--url", "http://127.0.0.1:" + port))
                .contains("this server runs printed", "or have it restarted (--restart)");
        assertThat(ask(0, "cursor", "rewind", "printed", "--to", "oldest", "--restart", "--dry-run"))
                .contains("sent again");
        assertThat(count("\"id\":\"1\"")).isEqualTo(before);
        assertThat(ask(0, "cursor", "rewind", "printed", "--to", "oldest", "--restart"))
                .contains("sent again");
        await().atMost(PATIENCE).until(() -> count("\"id\":\"1\"") == before + 1 && printed("\"id\":\"3\""));
    }

    private void showsWhatIsDelivered(MySqlServer mysql) throws Exception {
        assertThat(whileInserting(mysql, "tail", "printed", "printed.orders", "--limit", "1"))
                .contains("INSERT printed.orders", "note=***")
                .doesNotContain("secret");
        assertThat(whileInserting(mysql, "tail", "printed", "--values", "--limit", "1"))
                .contains("note=a second secret");
    }

    private String whileInserting(MySqlServer mysql, String... arguments) throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Future<String> answer = other.submit(() -> ask(0, arguments));
            await().atMost(PATIENCE).until(() -> {
                mysql.execute("insert into printed.orders values (" + nextId++ + ", 'a second secret')");
                return answer.isDone();
            });
            return answer.get();
        } finally {
            other.shutdownNow();
        }
    }

    private void stopsAndStarts(MySqlServer mysql) throws Exception {
        assertThat(ask(0, "stop", "printed")).contains("printed was stopped", "state stopped");
        assertThat(ask(0, "stop", "printed")).contains("stopped already");
        mysql.execute("insert into printed.orders values (5, 'while it is stopped')");
        assertThat(ask(1, "start", "unknown")).contains("there is no destination unknown; this server has printed");
        assertThat(ask(0, "start", "printed")).contains("was started");
        await().atMost(PATIENCE).until(() -> printed("\"id\":\"5\""));
        assertThat(server.isRunning()).isTrue();
    }

    private JsonNode status() throws Exception {
        return JSON.readTree(ask(0, "status", "--json")).get(0);
    }

    private String ask(int exitCode, String... arguments) {
        PackagedServer.Outcome outcome = server.ask(arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(exitCode);
        return outcome.output();
    }

    private boolean printed(String text) throws Exception {
        return count(text) > 0;
    }

    private long count(String text) throws Exception {
        return server.printedLines().stream()
                .filter(line -> line.contains(text))
                .count();
    }

    private PackagedServer server(MySqlServer mysql) throws Exception {
        Map<String, String> source = new HashMap<>();
        source.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
        source.put("canal.instance.dbUsername", Pipeline.USER);
        source.put("canal.instance.dbPassword", Pipeline.PASSWORD);
        source.put("canal.instance.filter.regex", "printed\\\\..*");
        source.put("canal.mq.topic", "any");
        return new PackagedServer(
                "printed", Map.of("canal.serverMode", "stdout", "canal.control.port", Integer.toString(port)), source);
    }
}
