package io.sluice.testkit.prometheus;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/** Serves one gauge, {@code test_depth}, on a free port. */
final class GaugeTarget implements AutoCloseable {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger depth = new AtomicInteger();

    private GaugeTarget(HttpServer server) {
        this.server = server;
        server.setExecutor(threads); // else a client that stops within its TLS handshake blocks the others
        server.createContext("/metrics", exchange -> {
            String text = """
                    # HELP test_depth How deep.
                    # TYPE test_depth gauge
                    test_depth{kind="deep"} %d
                    """.formatted(depth.get());
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    static GaugeTarget plain() throws IOException {
        return new GaugeTarget(HttpServer.create(ANY_PORT, 0));
    }

    /** Speaks TLS, and only with clients that present a certificate that it trusts. */
    static GaugeTarget forKnownClients(SSLContext context) throws IOException {
        HttpsServer server = HttpsServer.create(ANY_PORT, 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters connection) {
                SSLParameters parameters = context.getDefaultSSLParameters();
                parameters.setNeedClientAuth(true);
                connection.setSSLParameters(parameters);
            }
        });
        return new GaugeTarget(server);
    }

    int port() {
        return server.getAddress().getPort();
    }

    void set(int value) {
        depth.set(value);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
