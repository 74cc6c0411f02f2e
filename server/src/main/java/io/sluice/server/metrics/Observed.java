package io.sluice.server.metrics;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.alarm.AlarmCounts;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.Instance;
import io.sluice.server.tcp.TcpServer;
import java.util.List;
import java.util.Optional;

/** The source of metrics and health. Thread-safe: metrics and health are read by a thread each; must not wait. */
public interface Observed {
    /** All instances that are configured, and what is wanted of each. */
    List<DestinationStatus> destinations();

    /** The instances that run here now. */
    List<Instance> instances();

    /** The health of each, and of those that should run here and could not be made, or run on no server that is known. */
    List<InstanceHealth> health();

    /** What an operator can do about a failure of the source of a destination; it may name the account. */
    String remedy(String destination, SourceFailure failure);

    /** Whether nothing of the newest configuration is in force, or it cannot be read. */
    boolean isConfigurationRefused();

    /** How many alarms were posted, and were not. */
    AlarmCounts alarms();

    /** The port where clients pull; empty if there is none. */
    Optional<TcpServer> clientPort();
}
