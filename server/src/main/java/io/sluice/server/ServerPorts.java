package io.sluice.server;

import io.sluice.protocol.time.Time;
import io.sluice.server.admin.AdminPort;
import io.sluice.server.api.ApiPort;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.metrics.MetricsPort;
import io.sluice.server.metrics.Observed;
import io.sluice.server.tcp.Destinations;
import io.sluice.server.tcp.TcpServer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the ports of a server: opens those that are configured, and closes them. Only where clients pull, a port that cannot be opened is a
 * reason not to run: the others are listed in {@link #closed}.
 *
 * <p>Each is opened once; all methods may be called by any thread.
 */
final class ServerPorts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServerPorts.class);

    private final ServerConfig config;
    private final Time time;
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private volatile @Nullable TcpServer clients;
    private volatile @Nullable MetricsPort metrics;
    private volatile @Nullable AdminPort management;
    private volatile @Nullable ApiPort control;

    ServerPorts(ServerConfig config, Time time) {
        this.config = config;
        this.time = time;
    }

    /** Opens the port where metrics and health are read, if it is configured. */
    void openMetrics(Observed observed) {
        try {
            if (config.metrics().isPresent()) {
                metrics = MetricsPort.open(config.metrics().get(), observed, time);
            }
        } catch (IOException e) {
            LOG.error("metrics and health cannot be read: {}", e.getMessage());
            closed.add("metrics and health cannot be read: " + e.getMessage());
        }
    }

    /** Opens the management port, if it is configured. */
    void openManagement(Operations operations) {
        try {
            if (config.admin().isPresent()) {
                management = AdminPort.open(config.admin().get(), operations, logFiles(), new AuditLog(time), time);
            }
        } catch (IOException e) {
            LOG.error("the server cannot be managed by canal's consoles: {}", e.getMessage());
            closed.add("the server cannot be managed by canal's consoles: " + e.getMessage());
        }
    }

    /**
     * Opens the port of the control API, if it is configured.
     *
     * @param timer runs periodic tasks
     */
    void openControl(Operations operations, ScheduledExecutorService timer) {
        try {
            if (config.control().isPresent()) {
                control = ApiPort.open(config.control().get(), operations, logFiles(), timer, time)
                        .orElse(null);
            }
        } catch (IOException e) {
            LOG.error("the control API cannot be called: {}", e.getMessage());
            closed.add("the control API cannot be called: " + e.getMessage());
        }
    }

    private LogFiles logFiles() {
        return new LogFiles(config.logDirectory());
    }

    /**
     * Opens the port where clients pull.
     *
     * @param workers execute the clients' requests
     * @throws IOException if it cannot be opened
     */
    void openClients(TcpConfig tcp, Destinations destinations, Executor workers) throws IOException {
        clients = TcpServer.open(tcp, destinations, workers, time);
    }

    /** What cannot be done since a port could not be opened without which the server runs, and why. */
    List<String> closed() {
        return List.copyOf(closed);
    }

    /** The port where clients pull; empty if it is not open. */
    Optional<TcpServer> clients() {
        return Optional.ofNullable(clients);
    }

    /** The port where metrics and health are read; empty if it is not open. */
    Optional<MetricsPort> metrics() {
        return Optional.ofNullable(metrics);
    }

    /** The management port; empty if it is not open. */
    Optional<AdminPort> management() {
        return Optional.ofNullable(management);
    }

    /** The port of the control API; empty if it is not open. */
    Optional<ApiPort> control() {
        return Optional.ofNullable(control);
    }

    /** Closes the ports of canal's protocols, where clients pull and consoles manage: the others show how the instances stop. */
    void closeCanalPorts() {
        clients().ifPresent(TcpServer::close);
        management().ifPresent(AdminPort::close);
    }

    /** Closes all ports. */
    @Override
    public void close() {
        closeCanalPorts();
        metrics().ifPresent(MetricsPort::close);
        control().ifPresent(ApiPort::close);
    }
}
