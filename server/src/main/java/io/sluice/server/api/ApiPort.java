package io.sluice.server.api;

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
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.ControlConfig;
import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.server.port.Admission;
import io.sluice.server.port.Binding;
import io.sluice.server.port.LoginThrottle;
import io.sluice.server.port.RefusalLog;
import io.sluice.server.port.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on the port of the control API. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
public final class ApiPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiPort.class);
    private static final int MAX_CONNECTIONS = 128;

    /** The audit log has what these answer, not only the state after it. */
    private static final Set<String> WITH_RESULT = Set.of("reload", "alarm test");

    /** Of these, those whose caller is not known. */
    private static final int MAX_STRANGERS = 32;

    private static final int MAX_LINE_BYTES = 8192;
    private static final int MAX_HEADERS_BYTES = 16_384;
    private static final int MAX_BODY_BYTES = 65_536;
    private static final int SILENCE_SECONDS = 75;
    private static final int MAX_WORKERS = 64;
    private static final long STOP_MILLIS = 2_000;

    private final EventLoopGroup loop;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final ExecutorService workers;
    private final Shared shared;
    private final Channel listener;

    /** What the connections share. */
    record Shared(
            List<Route> routes,
            AccessList access,
            Map<String, String> certificates,
            LoginThrottle throttle,
            AuditLog audit,
            Admission admission,
            RefusalLog refusals,
            ExecutorService workers,
            Operations operations) {
        /** Carries a call out, and records it if it changes something. */
        ApiAnswer run(Route route, ApiRequest request) {
            if (route.action().isEmpty()) {
                return route.call().apply(request);
            }
            String before = state(request.destination());
            ApiAnswer answer;
            try {
                request.requireOnly(route.members());
                answer = route.call().apply(request);
            } catch (RuntimeException | Error e) {
                record(route, request, before, String.valueOf(e.getMessage()), false);
                throw e;
            }
            if (answer instanceof ApiAnswer.Json own && !own.record().isEmpty()) {
                record(route, request, before, own.record(), true);
                return answer;
            }
            String result = answer instanceof ApiAnswer.Json json && WITH_RESULT.contains(route.action())
                    ? json.value().toString()
                    : state(request.destination());
            record(route, request, before, result + " asked=" + request.body(), true);
            return answer;
        }

        private void record(Route route, ApiRequest request, String before, String after, boolean done) {
            audit.record(new AuditEntry(
                    request.caller().actor(), route.action(), request.destination(), before, after, done));
        }

        private String state(String destination) {
            if (destination.isEmpty() || !operations.destinations().contains(destination)) {
                return "";
            }
            InstanceSnapshot snapshot;
            try {
                snapshot = operations.snapshot(destination);
            } catch (UnknownDestinationException e) {
                return ""; // it was removed meanwhile
            }
            return "state=%s paused=%s pauseAt=%s limits=%s"
                    .formatted(
                            InstanceJson.state(snapshot),
                            snapshot.pace().paused(),
                            snapshot.pace().stopPoint(),
                            InstanceJson.limits(snapshot.pace().limits()));
        }
    }

    private ApiPort(ControlConfig config, Shared shared, ExecutorService workers) throws IOException {
        this.shared = shared;
        this.workers = workers;
        SslContext tls =
                config.tls().isPresent() ? ServerTls.context(config.tls().get(), "canal.control.tls.") : null;
        this.loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("control-io", true), NioIoHandler.newFactory());
        try {
            this.listener = bind(config, tls);
        } catch (IOException e) {
            loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
            throw e;
        }
    }

    /**
     * Opens the port, if anyone may call: there is a token, or a certificate with a role.
     *
     * @param logs the server's log files
     * @param timer starts what comes regularly
     * @return empty if nobody may call
     * @throws IOException if it cannot be opened, or the keys for TLS cannot be read
     */
    public static Optional<ApiPort> open(
            ControlConfig config, Operations operations, LogFiles logs, ScheduledExecutorService timer, Time time)
            throws IOException {
        AccessList access = new AccessList(config.accessFile(), time);
        if (access.isEmpty() && config.certificates().isEmpty()) {
            access.close();
            LOG.info("the control API is off, since no token may call it: sluice.sh token add makes one, then restart");
            return Optional.empty();
        }
        ExecutorService workers = new ThreadPoolExecutor(
                0,
                MAX_WORKERS,
                1,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DefaultThreadFactory("control", true));
        AuditLog audit = new AuditLog(time);
        List<Route> routes =
                new ControlRoutes(operations, new EventStreams(timer, workers, time), logs, audit, time).all();
        Admission admission = new Admission(MAX_CONNECTIONS, MAX_STRANGERS);
        Shared shared = new Shared(
                routes,
                access,
                config.certificates(),
                LoginThrottle.ofTokens(time),
                audit,
                admission,
                new RefusalLog(time),
                workers,
                operations);
        ApiPort port;
        try {
            port = new ApiPort(config, shared, workers);
        } catch (IOException e) {
            workers.shutdownNow();
            access.close();
            throw e;
        }
        LOG.info(
                "the control API can be called: address={} tls={}",
                port.address(),
                config.tls().isPresent());
        return Optional.of(port);
    }

    private Channel bind(ControlConfig config, @Nullable SslContext tls) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel, tls);
                    }
                });
        return Binding.open(bootstrap, config.address(), config.port(), "canal.control.ip, canal.control.port");
    }

    private void accept(SocketChannel channel, @Nullable SslContext tls) {
        Channel oldest = shared.admission().add(channel);
        if (oldest != null) {
            shared.refusals().closed(oldest.remoteAddress(), "there are too many connections to the control API");
            oldest.close();
        }
        channel.closeFuture().addListener(closed -> shared.admission().remove(channel));
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
                new HttpObjectAggregator(MAX_BODY_BYTES, true),
                new ApiHandler(shared));
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
        workers.shutdownNow();
        shared.access().close();
        loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
    }
}
