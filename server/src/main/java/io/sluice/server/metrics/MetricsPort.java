package io.sluice.server.metrics;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.MetricsConfig;
import io.sluice.server.port.Admission;
import io.sluice.server.port.ListeningPort;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.port.UnsentAnswers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the port where metrics and health are read. It answers on its own thread, so a stall elsewhere
 * does not prevent the report. Metrics alone are collected by another one, which may take long.
 *
 * <p>Thread-safe.
 */
public final class MetricsPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsPort.class);

    /** More close the oldest: a client that reads metrics connects again. */
    private static final int MAX_CONNECTIONS = 64;

    private static final int ACCEPTS_PER_SECOND = 1000;
    private static final int MAX_LINE_BYTES = 4096;
    private static final int MAX_HEADERS_BYTES = 8192;
    private static final int SILENCE_SECONDS = 75;
    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);

    private final ListeningPort port;
    private final SharedMetrics metrics;

    private MetricsPort(MetricsConfig config, Map<String, Page> pages, SharedMetrics metrics, Time time)
            throws IOException {
        this.metrics = metrics;
        RejectionLog rejections = new RejectionLog(time);
        UnsentAnswers unsent = new UnsentAnswers(UnsentAnswers.MOST_BYTES);
        this.port = ListeningPort.open(
                new ListeningPort.Settings(
                        "metrics-io",
                        1,
                        config.address(),
                        config.port(),
                        "canal.metrics.pull.ip, canal.metrics.pull.port",
                        config.tls(),
                        "canal.metrics.tls.",
                        HANDSHAKE_TIMEOUT,
                        ACCEPTS_PER_SECOND,
                        "there are too many connections for metrics"),
                new ServerBootstrap()
                        .childOption(
                                ChannelOption.AUTO_READ, false), // PageHandler reads when nothing is to be answered
                new Admission(MAX_CONNECTIONS, MAX_CONNECTIONS),
                rejections,
                pipeline -> addHandlers(pipeline, pages, rejections, unsent),
                time);
    }

    private static void addHandlers(
            ChannelPipeline pipeline, Map<String, Page> pages, RejectionLog rejections, UnsentAnswers unsent) {
        pipeline.addLast(
                new ReadTimeoutHandler(SILENCE_SECONDS),
                new WriteTimeoutHandler(SILENCE_SECONDS),
                new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(MAX_LINE_BYTES)
                        .setMaxHeaderSize(MAX_HEADERS_BYTES)),
                new PageHandler(pages, rejections, unsent));
    }

    /**
     * Opens the port.
     *
     * @throws IOException if it cannot be opened, or the keys for TLS cannot be read
     */
    public static MetricsPort open(MetricsConfig config, Observed observed, Time time) throws IOException {
        SharedMetrics metrics = new SharedMetrics(new MetricsPage(observed, time), time);
        Map<String, Page> pages = new TreeMap<>();
        pages.put("/", metrics);
        pages.put("/metrics", metrics);
        pages.put("/health", new HealthPage(observed));
        CompletableFuture<HttpResponse> up =
                CompletableFuture.completedFuture(HttpResponse.text(HttpResponseStatus.OK, "up\n"));
        pages.put("/health/live", accepted -> up);
        MetricsPort port = new MetricsPort(config, pages, metrics, time);
        LOG.info(
                "metrics and health can be read: address={} tls={}",
                port.address(),
                config.tls().isPresent());
        return port;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return port.address();
    }

    /** Closes the port and all connections. Closing twice does nothing. */
    @Override
    public void close() {
        port.close();
        metrics.close();
    }
}
