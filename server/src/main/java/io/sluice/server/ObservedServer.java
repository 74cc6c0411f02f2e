package io.sluice.server;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.alarm.AlarmCounts;
import io.sluice.server.alarm.Alarms;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.Instance;
import io.sluice.server.metrics.DestinationStatus;
import io.sluice.server.metrics.Observed;
import io.sluice.server.tcp.TcpServer;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What metrics and the health page show of a server. Thread-safe. */
final class ObservedServer implements Observed {
    private final ServerStatus status;
    private final Alarms alarms;
    private final Supplier<Optional<TcpServer>> clientPort;

    /** @param clientPort the port where clients pull, which is opened later; empty if there is none */
    ObservedServer(ServerStatus status, Alarms alarms, Supplier<Optional<TcpServer>> clientPort) {
        this.status = status;
        this.alarms = alarms;
        this.clientPort = clientPort;
    }

    @Override
    public List<DestinationStatus> destinations() {
        return status.destinations();
    }

    @Override
    public List<Instance> instances() {
        return status.instances();
    }

    @Override
    public List<InstanceHealth> health() {
        return status.health();
    }

    @Override
    public String remedy(String destination, SourceFailure failure) {
        return status.remedy(destination, failure);
    }

    @Override
    public boolean isConfigurationRefused() {
        return status.configurationProblem() != null;
    }

    @Override
    public AlarmCounts alarms() {
        return alarms.counts();
    }

    @Override
    public Optional<TcpServer> clientPort() {
        return clientPort.get();
    }
}
