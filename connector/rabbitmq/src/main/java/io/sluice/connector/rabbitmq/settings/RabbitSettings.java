package io.sluice.connector.rabbitmq.settings;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * What the operator's properties make of the producer.
 *
 * @param addresses of one node of the broker, or of several of its cluster; all with the same virtual host
 * @param tls how TLS is used with an address that asks for it
 * @param mandatory whether a message that no queue takes is rejected, and not dropped
 * @param channels over how many channels topics are spread
 * @param mostInFlight how many messages may be unconfirmed
 * @param maxMessageBytes up to which size a message is sent
 * @param fenced whether a new connection waits until the broker has let go of the one before
 * @param fenceName what the producers of a destination have in common at the broker, with {@link #DESTINATION} for its name; empty
 *     for the default
 * @param heartbeat after about twice this time without a sign of life the connection is given up
 * @param connectTimeout for each step of connecting
 * @param confirmTimeout how long a confirmation may take
 * @param blockTimeout how long a full window or a blocked broker is waited for
 */
public record RabbitSettings(
        List<Address> addresses,
        TlsOptions tls,
        Topology topology,
        boolean mandatory,
        int channels,
        int mostInFlight,
        int maxMessageBytes,
        boolean fenced,
        String fenceName,
        Duration heartbeat,
        Duration connectTimeout,
        Duration confirmTimeout,
        Duration blockTimeout) {
    /** The key of the fence's name. */
    static final String FENCE_NAME = "rabbitmq.fence.name";

    /** The placeholder for the destination's name. */
    static final String DESTINATION = "${destination}";

    private static final int MAX_FENCE_NAME_BYTES = 200;

    /** The message for a fence name that is too long. */
    static final String TOO_LONG = "is longer than %d bytes".formatted(MAX_FENCE_NAME_BYTES);

    private static final Duration LEAST_FENCE_LIMIT = Duration.ofMinutes(2);

    static boolean isTooLong(String name) {
        return name.getBytes(StandardCharsets.UTF_8).length > MAX_FENCE_NAME_BYTES;
    }

    /**
     * What the producers of a destination have in common at the broker.
     *
     * @throws ProducerConfigException if it is too long with the name of the destination
     */
    public String fenceName(ProducerContext context) {
        if (fenceName.isEmpty()) {
            return context.identity();
        }
        String name = fenceName.replace(DESTINATION, context.destination());
        if (isTooLong(name)) {
            throw new ProducerConfigException(List.of(new ConfigProblem(FENCE_NAME, TOO_LONG)));
        }
        return name;
    }

    /** All nodes but one, each once. */
    public List<Address> others(Address node) {
        return addresses.stream()
                .filter(other -> !other.equals(node))
                .distinct()
                .toList();
    }

    /** Whether so many nodes are more than half of all. */
    public boolean isMoreThanHalf(int nodes) {
        return nodes > addresses.stream().distinct().count() / 2;
    }

    /** How long the connection of an earlier producer is waited for: the broker finds by heartbeats that its client is gone. */
    public Duration fenceLimit() {
        Duration missed = heartbeat.multipliedBy(3);
        return missed.compareTo(LEAST_FENCE_LIMIT) > 0 ? missed : LEAST_FENCE_LIMIT;
    }

    /**
     * Makes what connects to an address. Key stores are read each time.
     *
     * @param observer sees each socket before it connects
     * @throws SendException if the key stores cannot be used; the next connection reads them again
     */
    public ConnectionFactory factory(Address address, SocketConfigurator observer) throws SendException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(address.host());
        factory.setPort(address.port());
        factory.setUsername(address.username());
        factory.setPassword(address.password());
        factory.setVirtualHost(address.virtualHost());
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setRequestedHeartbeat((int) heartbeat.toSeconds());
        int timeout = (int) connectTimeout.toMillis();
        factory.setConnectionTimeout(timeout);
        factory.setHandshakeTimeout(timeout);
        factory.setChannelRpcTimeout(timeout);
        factory.setShutdownTimeout(timeout);
        factory.setExceptionHandler(new QuietExceptions());
        if (address.tls()) {
            try {
                factory.useSslProtocol(tls.context());
            } catch (IOException e) {
                throw new SendException(FailureKind.PASSING, "rabbitmq.tls.*: " + e.getMessage(), e);
            }
        }
        factory.setSocketConfigurator(socket -> {
            socket.setTcpNoDelay(true);
            if (socket instanceof SSLSocket ssl && tls.verifiesHost()) {
                SSLParameters parameters = ssl.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                ssl.setSSLParameters(parameters);
            }
            observer.configure(socket);
        });
        return factory;
    }
}
