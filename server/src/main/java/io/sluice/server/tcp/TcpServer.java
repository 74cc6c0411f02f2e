package io.sluice.server.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.TcpConfig;
import io.sluice.server.port.AcceptRate;
import io.sluice.server.port.Admission;
import io.sluice.server.port.Binding;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.Login;
import io.sluice.server.port.RefusalLog;
import io.sluice.server.port.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the port where clients pull. Its I/O threads read and write bytes and do nothing that waits.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
public final class TcpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TcpServer.class);

    /** The longest packet of a client that has not logged in: a name, a password's proof, a destination and a filter. */
    private static final int LOGIN_FRAME_BYTES = 8 * 1024;

    private static final int BACKLOG = 1024;
    private static final int MAX_IO_THREADS = 4;

    /** For so long after the last word of a worker the I/O threads still listen to them when they stop. */
    private static final long QUIET_MILLIS = 20;

    private static final long STOP_MILLIS = 2_000;

    /** A peer that vanished is found after 60 + 6 × 10 s, so that its place and what it holds become free. */
    private static final int KEEPALIVE_IDLE_SECONDS = 60;

    private static final int KEEPALIVE_INTERVAL_SECONDS = 10;
    private static final int KEEPALIVE_COUNT = 6;

    private final EventLoopGroup loops;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Shared shared;
    private final Channel listener;

    /** What all connections use together. */
    record Shared(
            TcpConfig config,
            Login login,
            LateAnswers lateAnswers,
            Admission admission,
            RefusalLog refusals,
            ClientCounts counts,
            SubscriptionLog subscriptions,
            Destinations destinations,
            Executor workers,
            SecureRandom random,
            Time time) {}

    private TcpServer(TcpConfig config, Destinations destinations, Executor workers, LateAnswers lateAnswers, Time time)
            throws IOException {
        this.shared = new Shared(
                config,
                new Login(config.user(), config.storedPassword()),
                lateAnswers,
                new Admission(config.limits().connections(), config.limits().unauthenticated()),
                new RefusalLog(time),
                new ClientCounts(),
                new SubscriptionLog(time),
                destinations,
                workers,
                new SecureRandom(),
                time);
        SslContext tls =
                config.tls().isPresent() ? ServerTls.context(config.tls().get(), "canal.tcp.tls.") : null;
        int threads = Math.min(MAX_IO_THREADS, Math.max(2, Runtime.getRuntime().availableProcessors()));
        this.loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("tcp-io", true), NioIoHandler.newFactory());
        try {
            this.listener = bind(config, tls);
        } catch (IOException e) {
            loops.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
            throw e;
        }
    }

    /**
     * Opens the port.
     *
     * @param destinations finds what clients name
     * @param workers does what clients ask for; not shut down by the server
     * @param time measures how long requests take
     * @throws IOException if it cannot be opened, or the keys for TLS cannot be read
     */
    public static TcpServer open(TcpConfig config, Destinations destinations, Executor workers, Time time)
            throws IOException {
        return open(config, destinations, workers, LateAnswers.standard(time), time);
    }

    /** Opens the port, with answers to wrong logins that are late in another way. */
    static TcpServer open(
            TcpConfig config, Destinations destinations, Executor workers, LateAnswers lateAnswers, Time time)
            throws IOException {
        TcpServer server = new TcpServer(config, destinations, workers, lateAnswers, time);
        LOG.info(
                "clients can connect: address={} tls={} password={}",
                server.address(),
                config.tls().isPresent(),
                !config.storedPassword().value().isEmpty());
        return server;
    }

    private Channel bind(TcpConfig config, @Nullable SslContext tls) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), KEEPALIVE_IDLE_SECONDS)
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), KEEPALIVE_INTERVAL_SECONDS)
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), KEEPALIVE_COUNT)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WriteBufferWaterMark.DEFAULT)
                .handler(new AcceptRate(config.limits().acceptsPerSecond()))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel, tls);
                    }
                });
        return Binding.open(bootstrap, config.address(), config.port(), "canal.ip, canal.port");
    }

    private void accept(SocketChannel channel, @Nullable SslContext tls) {
        Channel victim = shared.admission().add(channel);
        if (victim != null) {
            shared.refusals().closed(victim.remoteAddress(), "there are too many connections");
            victim.close();
            if (victim == channel) {
                return;
            }
        }
        connections.add(channel);
        if (tls != null) {
            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
        }
        FrameDecoder frames = new FrameDecoder(LOGIN_FRAME_BYTES);
        channel.pipeline().addLast(frames, new Connection(shared, frames));
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** How many clients are connected, logged in or not. */
    public int connections() {
        return shared.admission().size();
    }

    /** How many connections were closed because of what their clients did or did not do. */
    public long refusedConnections() {
        return shared.refusals().total();
    }

    /** What clients have asked for and got. */
    public ClientCounts counts() {
        return shared.counts();
    }

    /** Closes the port and all connections. Closing twice does nothing. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
        loops.shutdownGracefully(QUIET_MILLIS, STOP_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly();
    }
}
