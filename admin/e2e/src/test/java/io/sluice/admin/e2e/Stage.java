package io.sluice.admin.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * What the pages are tested with: a MySQL, a Kafka, and a Sluice server between them. The test in the
 * browser, which is another process, commands them over HTTP on the loopback address:
 *
 * <pre>
 *   POST /sql            runs the statements in the body, each of which is a line
 *   POST /mysql/stop     and /mysql/start
 *   POST /server/start   and /server/stop
 *   POST /rows           how many messages the topic holds
 * </pre>
 *
 * An answer is 200 with a text, or 500 with the failure. Requests are served one after the other.
 */
final class Stage implements AutoCloseable {
    /** Where the messages are to go; a message is a row. */
    static final String TOPIC = "shop";

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final MySqlServer mysql;
    private final KafkaServer kafka;
    private final UnpackedServer server;
    private final String token;
    private final HttpServer commands;

    Stage(MySqlServer mysql, KafkaServer kafka, UnpackedServer server, String token) throws IOException {
        this.mysql = mysql;
        this.kafka = kafka;
        this.server = server;
        this.token = token;
        this.commands = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        commands.createContext("/", this::serve);
        commands.start();
    }

    String url() {
        return "http://127.0.0.1:" + commands.getAddress().getPort();
    }

    /** The token of an administrator of the server's control API. */
    String token() {
        return token;
    }

    String mysqlAddress() {
        return "127.0.0.1:" + mysql.port();
    }

    String kafkaAddress() {
        return kafka.bootstrapServers();
    }

    String logs() throws IOException {
        return server.logs();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            try {
                answer(exchange, 200, run(exchange.getRequestURI().getPath(), body));
            } catch (RuntimeException | AssertionError e) {
                answer(exchange, 500, String.valueOf(e));
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0) {
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private String run(String path, String body) {
        switch (path) {
            case "/rows" -> {
                return Integer.toString(
                        kafka.reader().readToEnd(TOPIC, PATIENCE).size());
            }
            case "/sql" -> mysql.execute(body.lines().toArray(String[]::new));
            case "/mysql/stop" -> mysql.stop();
            case "/mysql/start" -> mysql.restart();
            case "/server/start" -> server.start();
            case "/server/stop" -> server.stop();
            default -> throw new IllegalArgumentException("there is no command " + path);
        }
        return "";
    }

    @Override
    public void close() {
        commands.stop(0);
        try (mysql;
                kafka) {
            server.close();
        }
    }
}
