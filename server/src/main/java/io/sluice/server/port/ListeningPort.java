package io.sluice.server.port;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
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
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.PortTls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port that listens: owns its I/O threads, the channel that accepts connections, and the connections until they are closed. It applies TLS
 * and the limit of connections; the handlers of what is spoken there are those of its user.
 *
 * <p>Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be closed is closed already
public final class ListeningPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ListeningPort.class);
    private static final long STOP_MILLIS = 2_000;

    /** Longer than threads that make progress need: a quiet time, {@link #STOP_MILLIS}, and a machine that has much to do. */
    private static final long END_MILLIS = 5_000;

    /** Connections that wait until they are accepted: few enough for none to wait long after those of a host that connects again and again. */
    private static final int BACKLOG = 1024;

    private final Settings settings;
    private final Admission admission;
    private final RejectionLog rejections;
    private final Consumer<ChannelPipeline> handlers;
    private final Time time;
    private final @Nullable PortCertificates tls;
    private final EventLoopGroup loops;
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Channel listener;

    /**
     * Where to listen, and how.
     *
     * @param threads the name of the I/O threads
     * @param threadCount how many of them there are
     * @param address what to listen on; empty for all addresses
     * @param port 0 for any that is free
     * @param addressKeys the configuration's keys of the two, for messages
     * @param tls how the port is protected; empty if it is not
     * @param tlsKeys how the names of the configuration's keys for TLS begin, for messages
     * @param handshakeTimeout how long a client may take for the handshake of TLS
     * @param acceptsPerSecond how many new connections are taken in a second; the others wait
     * @param tooMany why a connection is closed to make room for another, for the log
     */
    public record Settings(
            String threads,
            int threadCount,
            String address,
            int port,
            String addressKeys,
            Optional<PortTls> tls,
            String tlsKeys,
            Duration handshakeTimeout,
            int acceptsPerSecond,
            String tooMany) {}

    private ListeningPort(
            Settings settings,
            ServerBootstrap options,
            Admission admission,
            RejectionLog rejections,
            Consumer<ChannelPipeline> handlers,
            Time time)
            throws IOException {
        this.settings = settings;
        this.admission = admission;
        this.rejections = rejections;
        this.handlers = handlers;
        this.time = time;
        this.tls = settings.tls().isPresent()
                ? new PortCertificates(
                        settings.tls().get(),
                        settings.tlsKeys(),
                        time,
                        new ThreadPerTaskExecutor(new DefaultThreadFactory(settings.threads() + "-keys", true)))
                : null;
        this.loops = new MultiThreadIoEventLoopGroup(
                settings.threadCount(), new DefaultThreadFactory(settings.threads(), true), NioIoHandler.newFactory());
        try {
            this.listener = listen(options);
        } catch (IOException e) {
            shutDownLoops(Duration.ZERO);
            throw e;
        }
    }

    /**
     * Opens a port and waits until it is open.
     *
     * @param options of the sockets, and what limits how fast connections are accepted; used once
     * @param admission has each connection until it is closed
     * @param rejections notes connections that are closed to make room for others
     * @param handlers adds the handlers of a new connection; called by an I/O thread
     * @throws IOException if it cannot be opened, or the keys for TLS cannot be read; it states where, why, and what to do
     */
    public static ListeningPort open(
            Settings settings,
            ServerBootstrap options,
            Admission admission,
            RejectionLog rejections,
            Consumer<ChannelPipeline> handlers,
            Time time)
            throws IOException {
        return new ListeningPort(settings, options, admission, rejections, handlers, time);
    }

    private Channel listen(ServerBootstrap options) throws IOException {
        InetSocketAddress address = settings.address().isEmpty()
                ? new InetSocketAddress(settings.port())
                : new InetSocketAddress(settings.address(), settings.port());
        ChannelFuture bound = options.group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .handler(new AcceptRate(settings.acceptsPerSecond()))
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accept(channel);
                    }
                })
                .bind(address)
                .awaitUninterruptibly();
        if (bound.cause() instanceof OutOfMemoryError) {
            throw new IOException(
                    "cannot listen on %s (%s): no thread can be started: raise the limit of processes (ulimit -u, TasksMax of systemd, pids of the container): %s"
                            .formatted(
                                    address,
                                    settings.addressKeys(),
                                    bound.cause().getMessage()),
                    bound.cause());
        }
        if (!bound.isSuccess()) {
            throw new IOException(
                    "cannot listen on %s (%s): %s: end the process that listens there (ss -ltnp shows it), or choose another port or address"
                            .formatted(
                                    address,
                                    settings.addressKeys(),
                                    bound.cause().getMessage()),
                    bound.cause());
        }
        return bound.channel();
    }

    private void accept(SocketChannel channel) {
        Channel victim = admission.add(channel);
        if (victim != null) {
            rejections.closed(victim.remoteAddress(), settings.tooMany());
            victim.close();
            if (victim == channel) {
                return;
            }
        }
        channel.closeFuture().addListener(closed -> admission.remove(channel));
        connections.add(channel);
        if (tls != null) {
            channel.pipeline().addLast(handshake(channel, tls.context()));
        }
        handlers.accept(channel.pipeline());
    }

    private SslHandler handshake(SocketChannel channel, SslContext context) {
        long limitMillis = settings.handshakeTimeout().toMillis();
        SslHandler handler = context.newHandler(channel.alloc());
        handler.setHandshakeTimeoutMillis(limitMillis);
        InetSocketAddress remote = channel.remoteAddress();
        handler.handshakeFuture().addListener(done -> {
            if (!done.isSuccess()) {
                rejections.handshakeFailed(remote, done.cause());
            }
        });
        return handler;
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /** Closes the port and all connections, and leaves the I/O threads to what still writes. Closing twice does nothing. */
    public void closeConnections() {
        listener.close().awaitUninterruptibly(STOP_MILLIS);
        connections.close().awaitUninterruptibly(STOP_MILLIS);
    }

    /** Closes the port, all connections, and the I/O threads. Closing twice does nothing. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * Closes the port, all connections, and the I/O threads, and waits for their end, but not longer than they need: the threads are daemons, and what
     * does not end must not keep the process from it. Closing twice does nothing.
     *
     * @param quiet for so long after the last task of a worker the I/O threads still accept tasks
     */
    public void close(Duration quiet) {
        closeConnections();
        shutDownLoops(quiet);
        long end = time.nanos() + TimeUnit.MILLISECONDS.toNanos(END_MILLIS);
        for (EventExecutor loop : loops) {
            if (!loop.terminationFuture().awaitUninterruptibly(Math.max(0, end - time.nanos()), TimeUnit.NANOSECONDS)) {
                LOG.info("an I/O thread has not ended: threads={} waited_ms={}", settings.threads(), END_MILLIS);
            }
        }
    }

    /**
     * Shuts down one after the other, not their group: that ends at the first whose thread was never started and cannot be, since Netty starts a thread to
     * shut it down, and its future needs one more thread.
     */
    private void shutDownLoops(Duration quiet) {
        for (EventExecutor loop : loops) {
            try {
                loop.shutdownGracefully(quiet.toMillis(), STOP_MILLIS, TimeUnit.MILLISECONDS);
            } catch (OutOfMemoryError e) {
                LOG.debug("an I/O thread cannot be started to be shut down: threads={}", settings.threads(), e);
            }
        }
    }
}
