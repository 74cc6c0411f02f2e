package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * What the operator's properties make of the producer.
 *
 * @param destination the name of the instance; may be empty
 * @param deployment the id of the deployment; may be empty
 * @param tls null for a connection in the clear
 * @param mandatory whether a message that no queue takes is refused, and not dropped
 * @param channels over how many channels topics are spread
 * @param mostInFlight how many messages may be unconfirmed
 * @param maxMessageBytes up to which size a message is sent
 * @param fenced whether a new connection waits until the broker has let go of the one before
 * @param fenceName what the producers of the destination have in common at the broker; empty for the default
 * @param heartbeat after about twice this time without a sign of life the connection is given up
 * @param connectTimeout for each step of connecting
 * @param confirmTimeout how long a confirmation may take
 * @param blockTimeout how long a full window or a blocked broker is waited for
 */
record RabbitSettings(
        String destination,
        String deployment,
        Address address,
        @Nullable TlsOptions tls,
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
    private static final String HOST = "rabbitmq.host";
    private static final String FENCE_NAME = "rabbitmq.fence.name";
    private static final int MAX_FENCE_NAME_BYTES = 200;
    private static final Duration LEAST_FENCE_LIMIT = Duration.ofMinutes(2);
    private static final String TYPE = "rabbitmq.deliveryMode";
    private static final Set<String> TYPES = Set.of("direct", "topic", "fanout", "headers");
    private static final int DEFAULT_MESSAGE_BYTES = 16 << 20;
    private static final int MAX_MESSAGE_BYTES = 512 << 20;
    private static final int HOUR_MILLIS = 3_600_000;

    /** Reads all keys; null, and problems in {@code options}, if they cannot be used. */
    static @Nullable RabbitSettings read(ProducerOptions options) {
        refuseAliyun(options);
        boolean tlsAsked = options.flag("rabbitmq.tls.enable", false);
        Address address = address(options, tlsAsked);
        TlsOptions tls = TlsOptions.read(options);
        Topology topology = topology(options);
        boolean mandatory = options.flag("rabbitmq.mandatory", true);
        boolean fenced = options.flag("rabbitmq.fence", true);
        String destination = options.text(MessageProducerFactory.DESTINATION);
        String fenceName = fenceName(options, destination);
        int channels = options.number("rabbitmq.channels", 4, 1, 256);
        int mostInFlight = options.number("rabbitmq.inflight.messages", 1_000, 1, 1_000_000);
        int maxBytes = options.number("rabbitmq.max.message.bytes", DEFAULT_MESSAGE_BYTES, 1_024, MAX_MESSAGE_BYTES);
        int heartbeat = options.number("rabbitmq.heartbeat.seconds", 10, 1, 3_600);
        Duration connect = millis(options, "rabbitmq.connect.timeout.ms", 10_000);
        Duration confirm = millis(options, "rabbitmq.confirm.timeout.ms", 30_000);
        Duration block = millis(options, "rabbitmq.block.timeout.ms", 30_000);
        options.refuseUnknown();
        if (address == null || (address.tls() && tls == null)) {
            return null;
        }
        return new RabbitSettings(
                destination,
                options.exactText(MessageProducerFactory.DEPLOYMENT), // trimmed, it would be another id
                address,
                address.tls() ? tls : null,
                topology,
                mandatory,
                channels,
                mostInFlight,
                maxBytes,
                fenced,
                fenceName,
                Duration.ofSeconds(heartbeat),
                connect,
                confirm,
                block);
    }

    private static void refuseAliyun(ProducerOptions options) {
        boolean asked = !options.text("canal.aliyun.accessKey").isEmpty()
                && !options.text("canal.aliyun.secretKey").isEmpty()
                && !options.text("canal.aliyun.uid").isEmpty();
        if (asked) {
            options.problem(
                    "canal.aliyun.uid",
                    "a login that is made of Aliyun's access key, secret key and uid is not supported: make a static user"
                            + " name and password in Aliyun's console, set them as rabbitmq.username and"
                            + " rabbitmq.password, and remove canal.aliyun.uid");
        }
    }

    private static @Nullable Address address(ProducerOptions options, boolean tls) {
        String username = options.text("rabbitmq.username");
        String password = options.text("rabbitmq.password");
        String virtualHost = options.text("rabbitmq.virtual.host");
        String host = options.text(HOST);
        if (host.isEmpty()) {
            options.problem(HOST, "missing: the broker's host, host:port, or amqp URI");
            return null;
        }
        try {
            return Address.parse(host, tls).with(username, password, virtualHost);
        } catch (IllegalArgumentException e) {
            options.problem(HOST, String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static Topology topology(ProducerOptions options) {
        String type = options.text(TYPE).toLowerCase(Locale.ROOT);
        if (!type.isEmpty() && !TYPES.contains(type) && !type.startsWith("x-")) {
            options.problem(
                    TYPE, type + " must be the type of the exchange: direct, topic, fanout, headers, or one of x-…");
        }
        return new Topology(
                options.text("rabbitmq.exchange"),
                options.text("rabbitmq.queue"),
                type,
                options.text("rabbitmq.routingKey"));
    }

    private static String fenceName(ProducerOptions options, String destination) {
        String name = options.text(FENCE_NAME).replace("${destination}", destination);
        if (name.getBytes(StandardCharsets.UTF_8).length > MAX_FENCE_NAME_BYTES) {
            options.problem(FENCE_NAME, "is longer than %d bytes".formatted(MAX_FENCE_NAME_BYTES));
        }
        return name;
    }

    /** How long the connection of an earlier producer is waited for: the broker finds by heartbeats that its client is gone. */
    Duration fenceLimit() {
        Duration missed = heartbeat.multipliedBy(3);
        return missed.compareTo(LEAST_FENCE_LIMIT) > 0 ? missed : LEAST_FENCE_LIMIT;
    }

    private static Duration millis(ProducerOptions options, String key, int standard) {
        return Duration.ofMillis(options.number(key, standard, 100, HOUR_MILLIS));
    }

    /**
     * What makes one connection.
     *
     * @param observer sees each socket before it connects
     */
    ConnectionFactory factory(SocketConfigurator observer) {
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
        TlsOptions secure = tls;
        if (secure != null) {
            factory.useSslProtocol(secure.context());
        }
        factory.setSocketConfigurator(socket -> {
            socket.setTcpNoDelay(true);
            if (socket instanceof SSLSocket ssl && secure != null && secure.verifiesHost()) {
                SSLParameters parameters = ssl.getSSLParameters();
                parameters.setEndpointIdentificationAlgorithm("HTTPS");
                ssl.setSSLParameters(parameters);
            }
            observer.configure(socket);
        });
        return factory;
    }
}
