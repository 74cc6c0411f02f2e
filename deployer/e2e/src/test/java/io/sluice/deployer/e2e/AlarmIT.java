package io.sluice.deployer.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.proxy.Gate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A running server posts alarms when its source breaks and comes back, and when a configuration is refused. */
@Timeout(900)
class AlarmIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PATH = "/hook/a-secret-path";

    private final List<JsonNode> messages = new CopyOnWriteArrayList<>();

    @Tag("thorough")
    @Test
    void alarmsArriveWhenTheSourceBreaksAndComesBack() throws Exception {
        HttpServer hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        hook.createContext(PATH, this::receive);
        hook.start();
        try (MySqlServer mysql = MySqlServer.start()) {
            Pipeline.allow(mysql);
            mysql.execute("create database printed", "create table printed.orders (id int primary key)");
            AtomicInteger sourcePort = new AtomicInteger(mysql.port());
            try (Gate source = new Gate(sourcePort::get);
                    PackagedServer server = server(source.port())) {
                server.ask("token", "add", "ops", "--role", "operator", "--save");
                server.startToRead();
                assertThat(server.ask("alarm", "test").output()).contains("canal.alarm.webhook.url is not set");

                Path url = Files.writeString(
                        server.home().resolve("alarm-url"),
                        "http://127.0.0.1:" + hook.getAddress().getPort() + PATH);
                server.configureServer("canal.alarm.webhook.url", "${file:" + url + "}");
                server.configureServer("canal.alarm.webhook.lost.after", "2");
                server.configureServer("canal.alarm.webhook.gather", "100");
                server.configureServer("canal.alarm.webhook.server", "test-server");
                assertThat(server.ask("reload").output()).contains("nothing has changed");
                PackagedServer.Outcome test = server.ask("alarm", "test");
                assertThat(test.output()).contains("web hook 1 (json): accepted");
                assertThat(test.exitCode()).isZero();

                sourcePort.set(FreePorts.next());
                source.cut();
                JsonNode lost = alarm("source_lost", "raised");
                assertThat(lost.path("instance").asText()).isEqualTo("printed");
                assertThat(lost.path("what").asText()).startsWith("unreachable");
                assertThat(lost.path("remedy").asText()).contains("check the host's address");
                sourcePort.set(mysql.port());
                assertThat(alarm("source_lost", "recovered").path("what").asText())
                        .isEqualTo("the instance runs and makes progress");

                server.configure("canal.instance.memory.buffer.size", "1000");
                assertThat(server.ask("reload").exitCode()).isOne();
                assertThat(alarm("configuration_refused", "raised").path("what").asText())
                        .contains("power of two");
                server.configure("canal.instance.memory.buffer.size", "4096");
                server.ask("reload");
                assertThat(alarm("configuration_refused", "recovered")
                                .path("instance")
                                .asText())
                        .isEqualTo("printed");
                assertThat(messages)
                        .allSatisfy(message ->
                                assertThat(message.path("server").asText()).isEqualTo("test-server"));
                assertThat(server.logs() + server.ask("check", "--effective").output())
                        .doesNotContain("a-secret-path");
            }
        } finally {
            hook.stop(0);
        }
    }

    private void receive(HttpExchange exchange) throws IOException {
        messages.add(JSON.readTree(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    private JsonNode alarm(String kind, String phase) {
        return await().alias(kind + " " + phase + " among " + messages)
                .atMost(PATIENCE)
                .until(
                        () -> messages.stream()
                                .flatMap(message -> message.path("alarms").valueStream())
                                .filter(alarm -> alarm.path("kind").asText().equals(kind)
                                        && alarm.path("phase").asText().equals(phase))
                                .findFirst()
                                .orElse(JSON.missingNode()),
                        found -> !found.isMissingNode());
    }

    private static PackagedServer server(int sourcePort) throws IOException {
        return new PackagedServer(
                "printed",
                Map.of(
                        "canal.serverMode", "stdout",
                        "canal.auto.scan", "false",
                        "canal.control.port", Integer.toString(FreePorts.next())),
                Map.of(
                        "canal.instance.master.address",
                        "127.0.0.1:" + sourcePort,
                        "canal.instance.dbUsername",
                        Pipeline.USER,
                        "canal.instance.dbPassword",
                        Pipeline.PASSWORD,
                        "canal.instance.filter.regex",
                        "printed\\\\..*",
                        "canal.mq.topic",
                        "any"));
    }
}
