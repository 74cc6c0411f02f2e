package io.sluice.server.metrics;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.MetricsConfig;
import io.sluice.server.port.Admission;
import io.sluice.server.port.Binding;
import io.sluice.server.port.RefusalLog;
import io.sluice.server.port.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the port where metrics and health are read. It has one thread, which answers by itself, so that nothing that hangs
 * elsewhere keeps it from saying so.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
public final class MetricsPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsPort.class);

    /** More close the oldest: a client that reads metrics connects again. */
    private static final int MAX_CONNECTIONS = 64;

    private static final int MAX_LINE_BYTES = 4096;
    private static final int MAX_HEADERS_BYTES = 8192;
    private static final int SILENCE_SECONDS = 75;
    private static final long STOP_MILLIS = 2_000;

    private final EventLoopGroup loop;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Admission admission = new Admission(MAX_CONNECTIONS, MAX_CONNECTIONS);
    private final RefusalLog refusals;
    private final Map<String, Page> pages;
    private final Channel listener;

    private MetricsPort(MetricsConfig config, Map<String, Page> pages, Time time) throws IOException {
        this.pages = pages;
        this.refusals = new RefusalLog(time);
        SslContext tls =
                config.tls().isPresent() ? ServerTls.context(config.tls().get(), "canal.metrics.tls.") : null;
        this.loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("metrics-io", true), NioIoHandler.newFactory());
        try {
            this.listener = bind(config, tls);
        } catch (IOException e) {
            loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
            throw e;
        }
    }

    /**
     * Opens the port.
     *
     * @throws IOException if it cannot be opened, or the keys for TLS cannot be read
     */
    public static MetricsPort open(MetricsConfig config, Observed observed, Time time) throws IOException {
        Page metrics = new MetricsPage(observed, time);
        Map<String, Page> pages = new TreeMap<>();
        pages.put("/", metrics);
        pages.put("/metrics", metrics);
        pages.put("/health", new HealthPage(observed));
        pages.put("/health/live", accepted -> HttpResponse.text(HttpResponseStatus.OK, "up\n"));
        MetricsPort port = new MetricsPort(config, pages, time);
        LOG.info(
                "metrics and health can be read: address={} tls={}",
                port.address(),
                config.tls().isPresent());
        return port;
    }

    private Channel bind(MetricsConfig config, @Nullable SslContext tls) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.AUTO_READ, false) // PageHandler reads when nothing is to be answered
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel, tls);
                    }
                });
        return Binding.open(
                bootstrap, config.address(), config.port(), "canal.metrics.pull.ip, canal.metrics.pull.port");
    }

    private void accept(SocketChannel channel, @Nullable SslContext tls) {
        Channel oldest = admission.add(channel);
        if (oldest != null) {
            refusals.closed(oldest.remoteAddress(), "there are too many connections for metrics");
            oldest.close();
        }
        channel.closeFuture().addListener(closed -> admission.remove(channel));
        connections.add(channel);
        ChannelPipeline pipeline = channel.pipeline();
        if (tls != null) {
            pipeline.addLast(tls.newHandler(channel.alloc()));
        }
        pipeline.addLast(
                new ReadTimeoutHandler(SILENCE_SECONDS),
                new WriteTimeoutHandler(SILENCE_SECONDS),
                new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(MAX_LINE_BYTES)
                        .setMaxHeaderSize(MAX_HEADERS_BYTES)),
                new HttpContentCompressor(),
                new PageHandler(pages, refusals));
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Closes the port and all connections. Closing twice does nothing. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}
