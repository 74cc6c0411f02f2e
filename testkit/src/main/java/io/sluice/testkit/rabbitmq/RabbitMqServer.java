package io.sluice.testkit.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A RabbitMQ broker on a free port of 127.0.0.1, in a process of its own, with Erlang's port mapper in another.
 *
 * <p>It can be stopped, killed and started again on the same port with the same data, which are gone once it is closed.
 * It never outlives this JVM. For one thread at a time.
 */
public final class RabbitMqServer extends RestartableServer {
    private static final int HANDSHAKE_MILLIS = 60_000;

    private final RabbitMqInstallation installation;
    private final RabbitMqOptions options;
    private final Path folder = Folders.temporary("sluice-rabbit-");
    private int port;
    private int tlsPort;
    private int distributionPort;
    private int mapperPort;
    private @Nullable ServerProcess mapper;

    private RabbitMqServer(RabbitMqInstallation installation, RabbitMqOptions options) {
        this.installation = installation;
        this.options = options;
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
        RabbitMqServer server = new RabbitMqServer(RabbitMqInstallation.find(), options);
        return startOrClose(server, server::launchOnFreePorts);
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

    /** Runs {@code rabbitmqctl}, which takes seconds. */
    public String control(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(installation.home().resolve("sbin/rabbitmqctl").toString());
        command.addAll(List.of(arguments));
        return Commands.require(folder, environment(), command);
    }

    /** Ends the broker at once and deletes its data. */
    @Override
    public void close() {
        killProcess(); // the data are not needed, so do not wait for them to be written
        stopMapper();
        Folders.delete(folder);
    }

    @Override
    protected void choosePorts() {
        stopMapper();
        port = FreePorts.next();
        tlsPort = FreePorts.next();
        distributionPort = FreePorts.next();
        mapperPort = FreePorts.next();
        configure();
    }

    private void stopMapper() {
        if (mapper != null) {
            mapper.kill();
            mapper = null;
        }
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
        Path log = folder.resolve("log");
        if (mapper == null) { // else Erlang starts one that outlives the test
            mapper = ServerProcess.start(
                    List.of(installation.erlang().resolve("bin/epmd").toString()), environment(), folder, log);
        }
        return ServerProcess.start(
                List.of(installation.home().resolve("sbin/rabbitmq-server").toString()), environment(), folder, log);
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
        Map<String, String> environment = new LinkedHashMap<>();
        environment.put("PATH", installation.erlang().resolve("bin") + ":" + System.getenv("PATH"));
        environment.put("HOME", folder.toString());
        environment.put("LANG", "C.UTF-8");
        environment.put("RABBITMQ_HOME", installation.home().toString());
        environment.put("RABBITMQ_CONF_ENV_FILE", "/dev/null");
        environment.put("RABBITMQ_NODENAME", "t" + port + "@localhost");
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
        environment.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq").toString());
        environment.put(
                "RABBITMQ_ENABLED_PLUGINS_FILE",
                folder.resolve("enabled_plugins").toString());
        environment.put("RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString());
        environment.put("RABBITMQ_LOG_BASE", folder.resolve("logs").toString());
        environment.put("RABBITMQ_PID_FILE", folder.resolve("pid").toString());
        // The script then becomes the broker, so that a signal reaches it, and not a shell that waits for it.
        environment.put("RABBITMQ_ALLOW_INPUT", "true");
        environment.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-noinput +sbwt none +S 2:2");
        return environment;
    }
}
