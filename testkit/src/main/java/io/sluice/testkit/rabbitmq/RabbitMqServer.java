package io.sluice.testkit.rabbitmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A RabbitMQ broker on a free port of 127.0.0.1, in a process of its own, with Erlang's port mapper in another. It is alone, or a node of a
 * {@link RabbitMqCluster}.
 *
 * <p>It can be stopped, killed and started again on the same port with the same data, which are gone once it is closed.
 * It never outlives this JVM. For one thread at a time, except {@link #control}.
 */
public final class RabbitMqServer extends RestartableServer {
    private static final int HANDSHAKE_MILLIS = 60_000;

    private final RabbitMqInstallation installation;
    private final RabbitMqOptions options;
    private final Path folder = Folders.temporary("sluice-rabbit-");
    private final ErlangMapper mapper;
    private final @Nullable Membership membership;
    private int port;
    private int tlsPort;
    private int distributionPort;
    private final Object controlLock = new Object();

    @GuardedBy("controlLock") private @Nullable RabbitMqControl control;

    /**
     * The cluster that a node belongs to.
     *
     * @param mapper of all its nodes
     * @param peer the name of the node to which it is joined at its first start; null for the first node
     * @param erlangOptions more options of Erlang
     */
    record Membership(ErlangMapper mapper, @Nullable String peer, String erlangOptions) {}

    private RabbitMqServer(
            RabbitMqInstallation installation, RabbitMqOptions options, @Nullable Membership membership) {
        this.installation = installation;
        this.options = options;
        this.membership = membership;
        this.mapper = membership == null ? new ErlangMapper(installation, folder) : membership.mapper();
    }

    /** Starts a broker with the defaults. */
    public static RabbitMqServer start() {
        return start(RabbitMqOptions.defaults());
    }

    /**
     * Starts a broker and returns when it answers.
     *
     * @throws io.sluice.testkit.debian.ServerUnavailableException if its package is not available, which skips a test
     *     skipped
     */
    public static RabbitMqServer start(RabbitMqOptions options) {
        RabbitMqServer server = new RabbitMqServer(RabbitMqInstallation.find(), options, null);
        return startOrClose(server, server::launchOnFreePorts);
    }

    /** Starts a node of a cluster, whose mapper runs, and returns when it answers. */
    static RabbitMqServer start(RabbitMqInstallation installation, RabbitMqOptions options, Membership membership) {
        RabbitMqServer server = new RabbitMqServer(installation, options, membership);
        return startOrClose(server, server::launchOnFreePorts);
    }

    /** The name by which Erlang knows it. */
    public String name() {
        return "t" + port + "@localhost";
    }

    /** Where it listens; the same for the broker's whole life. */
    public int port() {
        return port;
    }

    /** Where it listens for TLS, if the options have that. */
    public int tlsPort() {
        return tlsPort;
    }

    /** Connects as {@code guest}; to be closed by the caller. */
    public Connection connect() {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setAutomaticRecoveryEnabled(false);
        factory.setHandshakeTimeout(HANDSHAKE_MILLIS);
        try {
            return factory.newConnection("testkit");
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("the broker on port %d does not answer".formatted(port), e);
        }
    }

    /** Runs a command of {@code rabbitmqctl}. The first one takes a second. Safe for use by several threads. */
    public String control(String... arguments) {
        return runningControl().run(List.of(arguments));
    }

    /** The process of the commands; a new one if it has ended. */
    private RabbitMqControl runningControl() {
        synchronized (controlLock) {
            RabbitMqControl running = control;
            if (running == null || !running.isRunning()) {
                closeControl();
                running = new RabbitMqControl(installation, folder, environment());
                control = running;
            }
            return running;
        }
    }

    private void closeControl() {
        synchronized (controlLock) {
            if (control != null) {
                control.close();
                control = null;
            }
        }
    }

    /** Ends the broker at once and deletes its data. */
    @Override
    public void close() {
        closeControl();
        killProcess(); // the data are not needed, so do not wait for them to be written
        if (membership == null) {
            mapper.stop();
        }
        Folders.delete(folder);
    }

    @Override
    protected void choosePorts() {
        if (membership == null) {
            mapper.startOnFreePort();
        }
        port = FreePorts.next();
        tlsPort = FreePorts.next();
        distributionPort = FreePorts.next();
        configure();
    }

    private void configure() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("listeners.tcp.1", "127.0.0.1:" + port);
        lines.put("log.file", "false");
        lines.put("log.console", "true");
        lines.put("log.console.level", "warning");
        lines.put("disk_free_limit.absolute", "1MB");
        lines.put("vm_memory_high_watermark.absolute", "1GB");
        RabbitMqOptions.Tls tls = options.tls();
        if (tls != null) {
            lines.put("listeners.ssl.1", "127.0.0.1:" + tlsPort);
            lines.put("ssl_options.certfile", tls.certificate().toString());
            lines.put("ssl_options.keyfile", tls.key().toString());
            lines.put("ssl_options.verify", "verify_none");
        }
        lines.put(
                "load_definitions",
                write("definitions.json", Definitions.of(options.users())).toString());
        if (membership != null) {
            lines.put("cluster_partition_handling", "pause_minority");
            if (membership.peer() != null) {
                lines.put("cluster_formation.peer_discovery_backend", "classic_config");
                lines.put("cluster_formation.classic_config.nodes.1", membership.peer());
                lines.put("cluster_formation.classic_config.nodes.2", name());
            }
        }
        lines.putAll(options.settings());
        Folders.writeProperties(folder.resolve("rabbitmq.conf"), lines);
        write("enabled_plugins", "[].\n");
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected ServerProcess startProcess() {
        mapper.start();
        return ServerProcess.start(
                List.of(installation.home().resolve("sbin/rabbitmq-server").toString()),
                environment(),
                folder,
                folder.resolve("log"));
    }

    @Override
    protected String description() {
        return "RabbitMQ on port " + port;
    }

    @Override
    protected boolean answers() {
        if (!FreePorts.isListening(port)) {
            return false;
        }
        try (Connection connection = connect()) {
            return connection.isOpen();
        } catch (IllegalStateException | IOException e) {
            return false;
        }
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>(mapper.environment());
        environment.put("RABBITMQ_HOME", installation.home().toString());
        environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
        environment.put("RABBITMQ_NODENAME", name());
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
        environment.put("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq").toString());
        environment.put(
                "RABBITMQ_ENABLED_PLUGINS_FILE",
                folder.resolve("enabled_plugins").toString());
        environment.put("RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString());
        environment.put("RABBITMQ_LOG_BASE", folder.resolve("logs").toString());
        environment.put("RABBITMQ_PID_FILE", folder.resolve("pid").toString());
        // The script then becomes the broker, so that a signal reaches it, and not a shell that waits for it.
        environment.put("RABBITMQ_ALLOW_INPUT", "true");
        environment.put(
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                "-noinput +sbwt none +S 2:2" + (membership == null ? "" : " " + membership.erlangOptions()));
        return environment;
    }
}
