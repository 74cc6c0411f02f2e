package io.sluice.server.admin;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.AdminConfig;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.port.Admission;
import io.sluice.server.port.FrameDecoder;
import io.sluice.server.port.HeldPackets;
import io.sluice.server.port.ListeningPort;
import io.sluice.server.port.LoginCheck;
import io.sluice.server.port.LoginDelay;
import io.sluice.server.port.RejectionLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on the management port. Its I/O thread reads and writes bytes; what is asked for, which may wait for what instances have in
 * flight, is done by threads that end when there is nothing to do.
 *
 * <p>Thread-safe.
 */
public final class AdminPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AdminPort.class);

    /** The longest packet: names and a password's proof. */
    private static final int FRAME_BYTES = 8 * 1024;

    private static final int WORKERS = 16;
    private static final int PARALLEL_CHANGES = 8;
    private static final long THREAD_IDLE_SECONDS = 60;

    private final ExecutorService workers = pool("admin-worker", WORKERS);
    private final ExecutorService parallel = pool("admin-change", PARALLEL_CHANGES);
    private final AdminContext context;
    private final HeldPackets held;
    private final ListeningPort port;

    private AdminPort(
            AdminConfig config, Operations operations, LogFiles logs, AuditLog audit, Limits limits, Time time)
            throws IOException {
        this.context = new AdminContext(
                limits,
                config.tls().isPresent(),
                new LoginCheck(config.user(), config.storedPassword()),
                LoginDelay.ofPasswords("canal.admin.port", time),
                new Logins(audit, time),
                new Admission(limits.connections(), limits.unauthenticated()),
                new RejectionLog(time),
                new Requests(operations, new Changes(operations, audit, parallel), logs),
                workers,
                new SecureRandom());
        this.held = HeldPackets.forRequestsOf(FRAME_BYTES, context.rejections());
        this.port = ListeningPort.open(
                new ListeningPort.Settings(
                        "admin-io",
                        1,
                        config.address(),
                        config.port(),
                        "canal.admin.ip, canal.admin.port",
                        config.tls(),
                        "canal.admin.tls.",
                        limits.handshakeTimeout(),
                        limits.acceptsPerSecond(),
                        "there are too many management connections"),
                new ServerBootstrap()
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childOption(ChannelOption.SO_KEEPALIVE, true),
                context.admission(),
                context.rejections(),
                this::addHandlers,
                time);
    }

    private void addHandlers(ChannelPipeline pipeline) {
        FrameDecoder frames = new FrameDecoder(FRAME_BYTES, held.connection(pipeline.channel()));
        pipeline.addLast(frames, new AdminConnection(context, frames));
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

    /** Where it listens. */
    public InetSocketAddress address() {
        return port.address();
    }

    /** How many clients are connected, logged in or not. */
    public int connections() {
        return context.admission().size();
    }

    /** Closes the port and all connections. What was begun is finished by itself. Closing twice does nothing. */
    @Override
    public void close() {
        port.close();
        workers.shutdown();
        parallel.shutdown();
    }
}
