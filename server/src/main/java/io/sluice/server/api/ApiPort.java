package io.sluice.server.api;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.port.Admission;
import io.sluice.server.port.ListeningPort;
import io.sluice.server.port.LoginDelay;
import io.sluice.server.port.RejectionLog;
import io.sluice.server.port.UnsentAnswers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on the port of the control API. Thread-safe. */
public final class ApiPort implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiPort.class);
    private static final int MAX_CONNECTIONS = 128;

    /** Of these, those of one token or certificate: a half, so that another caller gets in. */
    static final int MAX_OF_A_CALLER = 64;

    /** Of these, those whose caller is not known. */
    private static final int MAX_STRANGERS = 32;

    private static final int ACCEPTS_PER_SECOND = 1000;
    private static final int MAX_LINE_BYTES = 8192;
    private static final int MAX_HEADERS_BYTES = 16_384;

    /** How long a caller may be silent that waits for no answer. */
    static final int SILENCE_SECONDS = 75;

    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);

    private static final int MAX_WORKERS = 64;

    /** Of these, those that run calls of one token or certificate; some of the others may follow what is delivered. */
    static final int MAX_CALLS_OF_A_CALLER = 48;

    private static final int STATES_AT_ONCE = 2;

    private final ApiContext context;
    private final ExecutorService states;
    private final ListeningPort port;
    private final Future<?> reports;

    private ApiPort(
            ControlConfig config, ApiContext context, ExecutorService states, ScheduledExecutorService timer, Time time)
            throws IOException {
        this.context = context;
        this.states = states;
        this.port = ListeningPort.open(
                new ListeningPort.Settings(
                        "control-io",
                        1,
                        config.address(),
                        config.port(),
                        "canal.control.ip, canal.control.port",
                        config.tls(),
                        "canal.control.tls.",
                        HANDSHAKE_TIMEOUT,
                        ACCEPTS_PER_SECOND,
                        "there are too many connections to the control API"),
                new ServerBootstrap(),
                context.admission(),
                context.rejections(),
                this::addHandlers,
                time);
        long interval = AuditedCalls.REFUSED_INTERVAL.toMillis();
        this.reports = timer.scheduleWithFixedDelay(this::recordNotListed, interval, interval, TimeUnit.MILLISECONDS);
    }

    private void recordNotListed() {
        try {
            context.calls().recordNotListed();
        } catch (Throwable e) { // the top of the task: one that got out would end it in silence
            LOG.warn("the number of refused calls cannot be recorded", e);
        }
    }

    private void addHandlers(ChannelPipeline pipeline) {
        pipeline.addLast(
                new ReadTimeoutHandler(SILENCE_SECONDS),
                new WriteTimeoutHandler(SILENCE_SECONDS),
                new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(MAX_LINE_BYTES)
                        .setMaxHeaderSize(MAX_HEADERS_BYTES)),
                new RequestBodies(),
                new ApiHandler(context));
    }

    /**
     * Opens the port, if there is a client that may call: there is a token, or a certificate with a role.
     *
     * @param logs the server's log files
     * @param timer starts what comes regularly
     * @return empty if no token or certificate is configured
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
        ThreadPoolExecutor states = new ThreadPoolExecutor(
                STATES_AT_ONCE,
                STATES_AT_ONCE,
                1,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(2 * EventStreams.MAX_STREAMS), // the first event and the next of each
                new DefaultThreadFactory("control-events", true));
        states.allowCoreThreadTimeOut(true);
        AuditLog audit = new AuditLog(time);
        ApiContext context = new ApiContext(
                new ControlRoutes(operations, new EventStreams(timer, states, workers, time), logs, audit, time),
                new Authentication(access, config.certificates(), LoginDelay.ofTokens(time), audit),
                new Admission(MAX_CONNECTIONS, MAX_STRANGERS),
                new CallerLimit(MAX_OF_A_CALLER),
                new CallerLimit(MAX_CALLS_OF_A_CALLER),
                new RejectionLog(time),
                workers,
                new AuditedCalls(operations, audit, time),
                new UnsentAnswers(UnsentAnswers.MOST_BYTES));
        ApiPort port;
        try {
            port = new ApiPort(config, context, states, timer, time);
        } catch (IOException e) {
            workers.shutdownNow();
            states.shutdownNow();
            access.close();
            throw e;
        }
        LOG.info(
                "the control API can be called: address={} tls={}",
                port.address(),
                config.tls().isPresent());
        return Optional.of(port);
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return port.address();
    }

    /** Closes the port and all connections. Closing twice does nothing. */
    @Override
    public void close() {
        port.closeConnections();
        reports.cancel(false);
        context.calls().close();
        context.workers().shutdownNow();
        states.shutdownNow();
        context.authentication().close();
        port.close();
    }
}
