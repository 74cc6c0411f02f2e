package io.sluice.server.alarm;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.server.config.alarm.Webhook;
import io.sluice.server.config.alarm.WebhookFormat;
import io.sluice.server.config.text.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** A web hook: an HTTP server that notes what is posted to it, and answers as a test wants. */
final class WebhookServer implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private volatile Answer usual = exchange -> reply(exchange, 200, "ok");

    record Request(String path, String body) {}

    /** How one request is answered. */
    @FunctionalInterface
    interface Answer {
        void send(HttpExchange exchange) throws IOException;
    }

    WebhookServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(new Request(exchange.getRequestURI().toString(), body));
        Answer next = answers.poll();
        (next == null ? usual : next).send(exchange);
    }

    static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    /** Answers the next request that has no other answer yet. */
    void next(Answer answer) {
        answers.add(answer);
    }

    /** Answers all requests that have no other answer. */
    void always(Answer answer) {
        usual = answer;
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    Webhook hook(WebhookFormat format, String path, String secret) {
        return new Webhook(format, new Secret(url(path)), new Secret(secret));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
