package io.sluice.server.config.server;

import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.alarm.AlarmConfig;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.port.AdminConfig;
import io.sluice.server.config.port.ControlConfig;
import io.sluice.server.config.port.MetricsConfig;
import io.sluice.server.config.port.TcpConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Everything that is set for the server as a whole.
 *
 * @param file the file it was read from
 * @param mode where the instances deliver to
 * @param destinations the names of the instances, in the order they start
 * @param confDirectory the directory that holds a directory per instance
 * @param scan how often the configuration is read again, and changes are taken over; empty: only on demand
 * @param cluster how it shares its instances with other servers; empty if it is alone
 * @param tcp the port where clients pull; empty if there is none
 * @param metrics the port where metrics and health are read; empty if there is none
 * @param alarms where alarms are posted, and when
 * @param admin the management port; empty if there is none
 * @param logDirectory the directory that holds a directory of logs per instance, and that of the server, {@code canal}
 * @param control the port of the control API; empty if there is none
 * @param countedTables how many tables of each instance are counted one by one; 0: none are
 * @param stallLimit after how long without progress, while there is work, an instance counts as stalled; zero: never
 * @param mq how entries are handed to the queue
 * @param producerProperties the {@code kafka.} keys, for the producer; may hold passwords
 * @param producers makes producers by these properties; empty if clients pull, if the connector has not read them, or if it found problems
 * @param formerNames of those that are set by an old name of their key, that name by the key
 */
public record ServerConfig(
        Path file,
        ServerMode mode,
        List<String> destinations,
        Path confDirectory,
        Optional<Duration> scan,
        Optional<ClusterConfig> cluster,
        Optional<TcpConfig> tcp,
        Optional<MetricsConfig> metrics,
        AlarmConfig alarms,
        Optional<AdminConfig> admin,
        Path logDirectory,
        Optional<ControlConfig> control,
        int countedTables,
        Duration stallLimit,
        MqConfig mq,
        Map<String, String> producerProperties,
        Optional<MessageProducerFactory> producers,
        Map<String, String> formerNames) {
    public ServerConfig {
        destinations = List.copyOf(destinations);
        formerNames = Map.copyOf(formerNames);
        producerProperties = Collections.unmodifiableMap(new TreeMap<>(producerProperties));
    }

    /** The name by which a property of the producer is in the configuration. */
    public String writtenAs(String producerKey) {
        return formerNames.getOrDefault(producerKey, producerKey);
    }

    /** Names the producer's properties, but not their values: some are passwords. */
    @Override
    public String toString() {
        return "ServerConfig[file=%s, mode=%s, destinations=%s, confDirectory=%s, cluster=%s, mq=%s, producerProperties=%s]"
                .formatted(file, mode, destinations, confDirectory, cluster, mq, producerProperties.keySet());
    }
}
