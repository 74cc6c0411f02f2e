package io.sluice.server.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioChannelOption;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.port.Admission;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.HeldPackets;
import io.sluice.server.port.ListeningPort;
import io.sluice.server.port.LoginCheck;
import io.sluice.server.port.RejectionLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Executor;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the port where clients pull. Its I/O threads read and write bytes and do nothing that waits.
 *
 * <p>Thread-safe.
 */
public final class TcpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TcpServer.class);

    /** The longest packet of a client that has not logged in: a name, a password's proof, a destination and a filter. */
    private static final int LOGIN_FRAME_BYTES = 8 * 1024;

    private static final int MAX_IO_THREADS = 4;

    /** For so long after the last word of a worker the I/O threads still listen to them when they stop. */
    private static final Duration QUIET = Duration.ofMillis(20);

    /** A peer that vanished is found after 60 + 6 × 10 s, so that its connection and what it holds become free. */
    private static final int KEEPALIVE_IDLE_SECONDS = 60;

    private static final int KEEPALIVE_INTERVAL_SECONDS = 10;
    private static final int KEEPALIVE_COUNT = 6;

    private final TcpContext context;
    private final HeldPackets held;
    private final ListeningPort port;

    private TcpServer(TcpConfig config, Destinations destinations, Executor workers, LateAnswers lateAnswers, Time time)
            throws IOException {
        this.context = new TcpContext(
                config,
                new LoginCheck(config.user(), config.storedPassword()),
                lateAnswers,
                new Admission(config.limits().connections(), config.limits().unauthenticated()),
                new RejectionLog(time),
                new ClientCounts(),
                new SubscriptionLog(time),
                destinations,
                workers,
                new SecureRandom(),
                time);
        this.held = HeldPackets.forRequestsOf(config.limits().frameBytes(), context.rejections());
        int threads = Math.min(MAX_IO_THREADS, Math.max(2, Runtime.getRuntime().availableProcessors()));
        this.port = ListeningPort.open(
                new ListeningPort.Settings(
                        "tcp-io",
                        threads,
                        config.address(),
                        config.port(),
                        "canal.ip, canal.port",
                        config.tls(),
                        "canal.tcp.tls.",
                        config.limits().handshakeTimeout(),
                        config.limits().acceptsPerSecond(),
                        "there are too many connections"),
                options(),
                context.admission(),
                context.rejections(),
                this::addHandlers,
                time);
    }

    private static ServerBootstrap options() {
        return new ServerBootstrap()
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPIDLE), KEEPALIVE_IDLE_SECONDS)
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPINTERVAL), KEEPALIVE_INTERVAL_SECONDS)
                .childOption(NioChannelOption.of(ExtendedSocketOptions.TCP_KEEPCOUNT), KEEPALIVE_COUNT)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WriteBufferWaterMark.DEFAULT);
    }

    private void addHandlers(ChannelPipeline pipeline) {
        FrameDecoder frames = new FrameDecoder(LOGIN_FRAME_BYTES, held.connection(pipeline.channel()));
        pipeline.addLast(frames, new Connection(context, frames));
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

    /** Where it listens. */
    public InetSocketAddress address() {
        return port.address();
    }

    /** How many clients are connected, logged in or not. */
    public int connections() {
        return context.admission().size();
    }

    /** How many connections were closed because of what their clients did or did not do. */
    public long refusedConnections() {
        return context.rejections().total();
    }

    /** What clients have asked for and got. */
    public ClientCounts counts() {
        return context.counts();
    }

    /** Closes the port and all connections. Closing twice does nothing. */
    @Override
    public void close() {
        port.close(QUIET);
    }
}
