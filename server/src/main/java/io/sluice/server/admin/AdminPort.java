package io.sluice.server.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.AdminConfig;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.port.AcceptRate;
import io.sluice.server.port.Admission;
import io.sluice.server.port.Binding;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.Login;
import io.sluice.server.port.LoginThrottle;
import io.sluice.server.port.RefusalLog;
import io.sluice.server.port.ServerTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the management port. Its I/O thread reads and writes bytes; what is asked for, which may wait for what instances have in
 * flight, is done by threads that end when there is nothing to do.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be written or closed closes the channel
public final class AdminPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminPort.class);

    /** The longest packet: names and a password's proof. */
    private static final int FRAME_BYTES = 8 * 1024;

    private static final int WORKERS = 16;
    private static final int PARALLEL_CHANGES = 8;
    private static final long THREAD_IDLE_SECONDS = 60;
    private static final long STOP_MILLIS = 2_000;

    private final EventLoopGroup loop;
    private final ExecutorService workers = pool("admin-worker", WORKERS);
    private final ExecutorService parallel = pool("admin-change", PARALLEL_CHANGES);
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Shared shared;
    private final Channel listener;

    /** What all connections use together. */
    record Shared(
            Limits limits,
            boolean isEncrypted,
            Login login,
            LoginThrottle throttle,
            Logins logins,
            Admission admission,
            RefusalLog refusals,
            Requests requests,
            Executor workers,
            SecureRandom random) {}

    /**
     * What clients may use up.
     *
     * @param connections how many there may be
     * @param unauthenticated how many of them may not have logged in yet
     * @param acceptsPerSecond how many new ones are taken in a second; the others wait
     * @param handshakeTimeout how long a client may take to log in
     * @param idleTimeout the longest silence that a client may ask for, and what it gets if it asks for nothing
     * @param writeTimeout how long a client may leave an answer unread
     */
    record Limits(
            int connections,
            int unauthenticated,
            int acceptsPerSecond,
            Duration handshakeTimeout,
            Duration idleTimeout,
            Duration writeTimeout) {
        /** A console logs in at once, asks once, and disconnects. */
        static final Limits STANDARD =
                new Limits(32, 16, 50, Duration.ofSeconds(10), Duration.ofHours(1), Duration.ofMinutes(1));
    }

    private AdminPort(
            AdminConfig config, Operations operations, LogFiles logs, AuditLog audit, Limits limits, Time time)
            throws IOException {
        SslContext tls =
                config.tls().isPresent() ? ServerTls.context(config.tls().get(), "canal.admin.tls.") : null;
        this.shared = new Shared(
                limits,
                tls != null,
                new Login(config.user(), config.storedPassword()),
                LoginThrottle.ofPasswords("canal.admin.port", time),
                new Logins(audit, time),
                new Admission(limits.connections(), limits.unauthenticated()),
                new RefusalLog(time),
                new Requests(operations, new Changes(operations, audit, parallel), logs),
                workers,
                new SecureRandom());
        this.loop = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("admin-io", true), NioIoHandler.newFactory());
        try {
            this.listener = bind(config, tls);
        } catch (IOException e) {
            loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS);
            throw e;
        }
    }

    private static ExecutorService pool(String name, int threads) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads,
                threads,
                THREAD_IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), // a connection has one request at a time
                new DefaultThreadFactory(name, true));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Opens the port.
     *
     * @param operations what clients can have done
     * @param logs what they can read
     * @param audit where logins and changes are recorded
     * @param time measures the waits after failed logins
     * @throws IOException if it cannot be opened, or the keys for TLS cannot be read
     */
    public static AdminPort open(AdminConfig config, Operations operations, LogFiles logs, AuditLog audit, Time time)
            throws IOException {
        return open(config, operations, logs, audit, Limits.STANDARD, time);
    }

    /** Opens it with other limits. */
    static AdminPort open(
            AdminConfig config, Operations operations, LogFiles logs, AuditLog audit, Limits limits, Time time)
            throws IOException {
        AdminPort port = new AdminPort(config, operations, logs, audit, limits, time);
        LOG.info(
                "the server can be managed: address={} tls={}",
                port.address(),
                config.tls().isPresent());
        return port;
    }

    private Channel bind(AdminConfig config, @Nullable SslContext tls) throws IOException {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .handler(new AcceptRate(shared.limits().acceptsPerSecond()))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel, tls);
                    }
                });
        return Binding.open(bootstrap, config.address(), config.port(), "canal.admin.ip, canal.admin.port");
    }

    private void accept(SocketChannel channel, @Nullable SslContext tls) {
        Channel victim = shared.admission().add(channel);
        if (victim != null) {
            shared.refusals().closed(victim.remoteAddress(), "there are too many management connections");
            victim.close();
            if (victim == channel) {
                return;
            }
        }
        connections.add(channel);
        if (tls != null) {
            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
        }
        channel.pipeline().addLast(new FrameDecoder(FRAME_BYTES), new AdminConnection(shared));
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** How many clients are connected, logged in or not. */
    public int connections() {
        return shared.admission().size();
    }

    /** Closes the port and all connections. What was begun is finished by itself. Closing twice does nothing. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, STOP_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly();
        workers.shutdown();
        parallel.shutdown();
    }
}
