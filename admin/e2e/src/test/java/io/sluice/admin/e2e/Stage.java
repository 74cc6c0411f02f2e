package io.sluice.admin.e2e;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * What the pages are tested with: a MySQL, a Kafka, and a Sluice server between them. The test in the
 * browser, which is another process, commands them over HTTP on the loopback address:
 *
 * <pre>
 *   POST /sql            runs the statement in the body
 *   POST /mysql/stop     and /mysql/start
 *   POST /server/start   and /server/stop
 * </pre>
 *
 * An answer is 204, or 500 with the failure. Requests are served one after the other.
 */
final class Stage implements AutoCloseable {
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

    /** {@code host:port} of the MySQL. */
    String source() {
        return "127.0.0.1:" + mysql.port();
    }

    String logs() throws IOException {
        return server.logs();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            try {
                run(exchange.getRequestURI().getPath(), body);
                exchange.sendResponseHeaders(204, -1);
            } catch (RuntimeException | AssertionError e) {
                byte[] text = String.valueOf(e).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(500, text.length);
                exchange.getResponseBody().write(text);
            }
        }
    }

    private void run(String path, String body) {
        switch (path) {
            case "/sql" -> mysql.execute(body);
            case "/mysql/stop" -> mysql.stop();
            case "/mysql/start" -> mysql.restart();
            case "/server/start" -> server.start();
            case "/server/stop" -> server.stop();
            default -> throw new IllegalArgumentException("there is no command " + path);
        }
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
