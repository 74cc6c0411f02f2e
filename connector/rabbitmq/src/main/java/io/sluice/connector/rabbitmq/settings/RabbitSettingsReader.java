package io.sluice.connector.rabbitmq.settings;

import io.sluice.connector.api.producer.OptionKeys;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerOptions;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads the keys below {@code rabbitmq.}, and those of Aliyun's login. */
public final class RabbitSettingsReader {
    private static final String HOST = "rabbitmq.host";
    private static final String USERNAME = "rabbitmq.username";
    private static final String PASSWORD = "rabbitmq.password";
    private static final String VIRTUAL_HOST = "rabbitmq.virtual.host";
    private static final String TLS = "rabbitmq.tls.enable";
    private static final String EXCHANGE = "rabbitmq.exchange";
    private static final String QUEUE = "rabbitmq.queue";
    private static final String TYPE = "rabbitmq.deliveryMode";
    private static final String ROUTING_KEY = "rabbitmq.routingKey";
    private static final String MANDATORY = "rabbitmq.mandatory";
    private static final String FENCE = "rabbitmq.fence";
    private static final String CHANNELS = "rabbitmq.channels";
    private static final String IN_FLIGHT = "rabbitmq.inflight.messages";
    private static final String MAX_MESSAGE = "rabbitmq.max.message.bytes";
    private static final String HEARTBEAT = "rabbitmq.heartbeat.seconds";
    private static final String CONNECT_TIMEOUT = "rabbitmq.connect.timeout.ms";
    private static final String CONFIRM_TIMEOUT = "rabbitmq.confirm.timeout.ms";
    private static final String BLOCK_TIMEOUT = "rabbitmq.block.timeout.ms";
    private static final String ALIYUN_ACCESS_KEY = "canal.aliyun.accessKey";
    private static final String ALIYUN_SECRET_KEY = "canal.aliyun.secretKey";
    private static final String ALIYUN_UID = "canal.aliyun.uid";

    /** All keys. */
    public static final OptionKeys KEYS = new OptionKeys(
            "rabbitmq.",
            Set.of(
                    HOST,
                    USERNAME,
                    PASSWORD,
                    VIRTUAL_HOST,
                    TLS,
                    TlsOptions.TRUSTSTORE,
                    TlsOptions.TRUSTSTORE_PASSWORD,
                    TlsOptions.KEYSTORE,
                    TlsOptions.KEYSTORE_PASSWORD,
                    TlsOptions.VERIFY_HOST,
                    EXCHANGE,
                    QUEUE,
                    TYPE,
                    ROUTING_KEY,
                    MANDATORY,
                    FENCE,
                    RabbitSettings.FENCE_NAME,
                    CHANNELS,
                    IN_FLIGHT,
                    MAX_MESSAGE,
                    HEARTBEAT,
                    CONNECT_TIMEOUT,
                    CONFIRM_TIMEOUT,
                    BLOCK_TIMEOUT,
                    ALIYUN_ACCESS_KEY,
                    ALIYUN_SECRET_KEY,
                    ALIYUN_UID));

    private static final Set<String> TYPES = Set.of("direct", "topic", "fanout", "headers");
    private static final int DEFAULT_MESSAGE_BYTES = 16 << 20;
    private static final int MAX_MESSAGE_BYTES = 512 << 20;
    private static final int HOUR_MILLIS = 3_600_000;

    private final ProducerOptions options;

    private RabbitSettingsReader(ProducerOptions options) {
        this.options = options;
    }

    /**
     * Reads a server's properties.
     *
     * @throws ProducerConfigException if anything is wrong, with all problems
     */
    public static RabbitSettings read(Map<String, String> properties) {
        return new RabbitSettingsReader(new ProducerOptions(KEYS, properties)).read();
    }

    private RabbitSettings read() {
        refuseAliyun();
        List<Address> addresses = addresses(options.flag(TLS, false));
        TlsOptions tls = TlsOptions.read(options);
        Topology topology = topology();
        boolean mandatory = options.flag(MANDATORY, true);
        boolean fenced = options.flag(FENCE, true);
        String fenceName = options.text(RabbitSettings.FENCE_NAME);
        if (RabbitSettings.isTooLong(fenceName.replace(RabbitSettings.DESTINATION, ""))) {
            options.problem(RabbitSettings.FENCE_NAME, RabbitSettings.TOO_LONG);
        }
        int channels = options.number(CHANNELS, 4, 1, 256);
        int mostInFlight = options.number(IN_FLIGHT, 1_000, 1, 1_000_000);
        int maxBytes = options.number(MAX_MESSAGE, DEFAULT_MESSAGE_BYTES, 1_024, MAX_MESSAGE_BYTES);
        int heartbeat = options.number(HEARTBEAT, 10, 1, 3_600);
        Duration connect = options.millis(CONNECT_TIMEOUT, 10_000, 100, HOUR_MILLIS);
        Duration confirm = options.millis(CONFIRM_TIMEOUT, 30_000, 100, HOUR_MILLIS);
        Duration block = options.millis(BLOCK_TIMEOUT, 30_000, 100, HOUR_MILLIS);
        options.requireValid();
        return new RabbitSettings(
                addresses,
                tls,
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

    private void refuseAliyun() {
        boolean asked = !options.text(ALIYUN_ACCESS_KEY).isEmpty()
                && !options.text(ALIYUN_SECRET_KEY).isEmpty()
                && !options.text(ALIYUN_UID).isEmpty();
        if (asked) {
            options.problem(
                    ALIYUN_UID,
                    "a login that is made of Aliyun's access key, secret key and uid is not supported: make a static user"
                            + " name and password in Aliyun's console, set them as rabbitmq.username and"
                            + " rabbitmq.password, and remove canal.aliyun.uid");
        }
    }

    /** Empty if there is a problem with them. */
    private List<Address> addresses(boolean tls) {
        String username = options.text(USERNAME);
        String password = options.text(PASSWORD);
        String virtualHost = options.text(VIRTUAL_HOST);
        String host = options.text(HOST);
        if (host.isEmpty()) {
            options.problem(
                    HOST,
                    "missing: the broker's host, host:port, or amqp URI; those of a cluster, separated by commas");
            return List.of();
        }
        try {
            List<Address> addresses = Address.parse(host, tls).stream()
                    .map(address -> address.with(username, password, virtualHost))
                    .toList();
            if (addresses.stream().map(Address::virtualHost).distinct().count() > 1) {
                options.problem(
                        HOST, "has several virtual hosts: all addresses must be nodes of one cluster, with one");
            }
            return addresses;
        } catch (IllegalArgumentException e) {
            options.problem(HOST, String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    private Topology topology() {
        String type = options.text(TYPE).toLowerCase(Locale.ROOT);
        if (!type.isEmpty() && !TYPES.contains(type) && !type.startsWith("x-")) {
            options.problem(
                    TYPE, type + " must be the type of the exchange: direct, topic, fanout, headers, or one of x-…");
        }
        return new Topology(options.text(EXCHANGE), options.text(QUEUE), type, options.text(ROUTING_KEY));
    }
}
