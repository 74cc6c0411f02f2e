package io.sluice.connector.kafka.settings;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BATCH_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BUFFER_MEMORY_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.LINGER_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_REQUEST_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.PARTITIONER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRY_BACKOFF_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.SEND_BUFFER_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTION_TIMEOUT_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG;

import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.kafka.produce.ProduceOptions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Reads the options of Kafka's producer from the operator's properties.
 *
 * <p>Each {@code kafka.<option>} is the producer's option; blank ones are as if they were not there. The server has resolved
 * canal's old names of them. The rest is:
 *
 * <ul>
 *   <li>Defaults of Sluice, where the operator has none: {@code acks=all}, {@code enable.idempotence=true},
 *       {@code compression.type=none}, {@code linger.ms=2}, {@code batch.size} by the number of partitions ({@link BatchSizing}), at
 *       most {@code max.request.size}, {@code send.buffer.bytes=-1}, {@code request.timeout.ms=10000}, {@code delivery.timeout.ms=30000},
 *       {@code max.block.ms=10000}, and with tokens {@code sasl.login.connect.timeout.ms} and {@code sasl.login.read.timeout.ms=10000}, which have no limit else. The three before are shorter than Kafka's own, so that a broker that is unreachable becomes a
 *       visible failure. {@code linger.ms}, {@code batch.size} and {@code send.buffer.bytes} save processor time: fewer requests, each written at once into a buffer that the
 *       operating system lets grow.
 *   <li>Corrections, each logged: {@code retries=0}, which canal ships, is left out while the producer is idempotent, because
 *       Kafka rejects that pair; what it should avoid, a changed order, cannot happen then. For the same reason
 *       {@code max.in.flight.requests.per.connection} is 5 at most, and 14 where converters write the batches. A producer that is not idempotent, by its own key or
 *       because of {@code acks}, gets 1 there, or a retry would change the order. Serializers are Sluice's. Lists of servers that only
 *       clients before Kafka 4 take are tidied, and partitioners that it has removed are left out.
 *   <li>{@code kafka.sluice.producer}: {@code batches} has converters write record batches, which is the default; {@code client}
 *       leaves that to the producer of Kafka's client, as transactions, interceptors, and records without idempotence do in any case.
 *   <li>{@code transactional.id} gets the destination's name after it, {@code <id>-<destination>}, when a producer is made. It needs
 *       an idempotent producer.
 * </ul>
 */
public final class KafkaSettingsReader {
    /** The classes that Kafka 4 has removed. */
    private static final Set<String> FORMER_PARTITIONERS = Set.of(
            "org.apache.kafka.clients.producer.internals.DefaultPartitioner",
            "org.apache.kafka.clients.producer.UniformStickyPartitioner");

    private static final Pattern BLANKS = Pattern.compile("\\s++");

    /** How long what gives out tokens may take to accept, and to answer: Kafka's client would wait without limit, under a lock of all its logins. */
    private static final String TOKEN_TIMEOUT_MILLIS = "10000";

    /** Kafka's own default of {@code buffer.memory}. */
    private static final long DEFAULT_BUFFER_BYTES = 33_554_432;

    private final ClientOptions options;
    private boolean hasOwnBatchSize;
    private boolean hasOwnLinger;

    private KafkaSettingsReader(ClientOptions options) {
        this.options = options;
    }

    /**
     * Reads a server's properties.
     *
     * @throws ProducerConfigException if anything is wrong, with all problems
     */
    public static KafkaSettings read(Map<String, String> properties) {
        return new KafkaSettingsReader(new ClientOptions(properties)).read();
    }

    private KafkaSettings read() {
        KerberosFiles kerberos = KerberosFiles.take(options);
        tidyLists();
        tidyServers();
        dropSerializers();
        dropFormerPartitioner();
        DeliveryMode mode = DeliveryMode.of(options);
        fillIn();
        OptionCheck.run(options);
        if (!options.problems().isEmpty()) {
            throw new ProducerConfigException(options.problems());
        }
        if (kerberos.login() != null) {
            options.remove(ClientOptions.SASL_LOGIN); // the file is read for each client
        }
        return new KafkaSettings(
                options.values(),
                kerberos.login(),
                kerberos.krb5(),
                mode.writesBatches(),
                hasOwnBatchSize,
                options.wholeNumber(BATCH_SIZE_CONFIG, BatchSizing.MAX_BYTES),
                options.wholeNumber(BUFFER_MEMORY_CONFIG, DEFAULT_BUFFER_BYTES),
                produceOptions(mode.maxInFlight()),
                options.millis(TRANSACTION_TIMEOUT_CONFIG, 60_000),
                options.millis(MAX_BLOCK_MS_CONFIG, 10_000),
                options.corrections());
    }

    /** Limits for sending record batches. Without a {@code linger.ms} of the operator they do not wait for each other. */
    private ProduceOptions produceOptions(int maxInFlight) {
        return new ProduceOptions(
                (int) options.wholeNumber(MAX_REQUEST_SIZE_CONFIG, 1_048_576),
                maxInFlight,
                options.millis(REQUEST_TIMEOUT_MS_CONFIG, 10_000),
                options.millis(DELIVERY_TIMEOUT_MS_CONFIG, 30_000),
                options.millis(RETRY_BACKOFF_MS_CONFIG, 100),
                options.millis(RETRY_BACKOFF_MAX_MS_CONFIG, 1_000),
                hasOwnLinger ? options.millis(LINGER_MS_CONFIG, 0) : Duration.ZERO);
    }

    private void dropSerializers() {
        for (String option : List.of(KEY_SERIALIZER_CLASS_CONFIG, VALUE_SERIALIZER_CLASS_CONFIG)) {
            if (options.remove(option) != null) {
                options.correction(option, "ignored, records are sent as the bytes that they are");
            }
        }
    }

    /** Takes blanks out of lists: Kafka's client splits them by an expression whose time grows with the square of the blanks in a row. */
    private void tidyLists() {
        for (ConfigDef definition : List.of(ProducerConfig.configDef(), AdminClientConfig.configDef())) {
            definition.configKeys().forEach((option, key) -> {
                if (key.type == ConfigDef.Type.LIST && options.has(option)) {
                    String given = BLANKS.matcher(options.get(option)).replaceAll(" ");
                    options.put(option, given.replace(" ,", ",").replace(", ", ","));
                }
            });
        }
    }

    /** Clients of Kafka before 4 took a list with gaps and repetitions, with which a newer one does not start. */
    private void tidyServers() {
        String given = options.get(BOOTSTRAP_SERVERS_CONFIG);
        String tidy = Arrays.stream(given.split(","))
                .map(String::trim)
                .filter(server -> !server.isEmpty())
                .distinct()
                .collect(Collectors.joining(","));
        if (!tidy.isEmpty() && !tidy.equals(given)) {
            options.put(BOOTSTRAP_SERVERS_CONFIG, tidy);
            options.correction(BOOTSTRAP_SERVERS_CONFIG, "taken for %s, each server once".formatted(tidy));
        }
    }

    /** A partitioner is never asked, since each record has its partition. */
    private void dropFormerPartitioner() {
        String partitioner = options.get(PARTITIONER_CLASS_CONFIG);
        if (FORMER_PARTITIONERS.contains(partitioner)) {
            options.remove(PARTITIONER_CLASS_CONFIG);
            options.correction(
                    PARTITIONER_CLASS_CONFIG,
                    "ignored, Kafka's client does not have %s any more, and each record has its partition"
                            .formatted(partitioner));
        }
    }

    private void fillIn() {
        options.putIfAbsent(ACKS_CONFIG, "all");
        options.putIfAbsent(COMPRESSION_TYPE_CONFIG, "none");
        hasOwnLinger = options.has(LINGER_MS_CONFIG);
        options.putIfAbsent(LINGER_MS_CONFIG, "2");
        hasOwnBatchSize = options.has(BATCH_SIZE_CONFIG);
        options.putIfAbsent(BATCH_SIZE_CONFIG, Long.toString(batchBytes()));
        options.putIfAbsent(SEND_BUFFER_CONFIG, "-1");
        options.putIfAbsent(MAX_BLOCK_MS_CONFIG, "10000");
        fillInTimeouts();
        if (options.get(SaslConfigs.SASL_MECHANISM).equals(OAuthBearerLoginModule.OAUTHBEARER_MECHANISM)) {
            options.putIfAbsent(SaslConfigs.SASL_LOGIN_CONNECT_TIMEOUT_MS, TOKEN_TIMEOUT_MILLIS);
            options.putIfAbsent(SaslConfigs.SASL_LOGIN_READ_TIMEOUT_MS, TOKEN_TIMEOUT_MILLIS);
        }
        options.put(KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        options.put(VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    }

    /** A broker that takes no larger requests takes no larger batches either. */
    private long batchBytes() {
        return Math.min(
                BatchSizing.MAX_BYTES,
                Math.max(0, options.wholeNumber(MAX_REQUEST_SIZE_CONFIG, BatchSizing.MAX_BYTES)));
    }

    /** A delivery may not time out before its one request does, so each of the two limits the other's default. */
    private void fillInTimeouts() {
        long linger = options.wholeNumber(LINGER_MS_CONFIG, 0);
        long delivery = options.wholeNumber(DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
        long request = Math.max(1, Math.min(10_000, delivery - linger));
        options.putIfAbsent(REQUEST_TIMEOUT_MS_CONFIG, Long.toString(request));
        long shortest = Math.min(linger + options.wholeNumber(REQUEST_TIMEOUT_MS_CONFIG, 0), Integer.MAX_VALUE);
        if (options.has(DELIVERY_TIMEOUT_MS_CONFIG) && delivery < shortest) {
            options.problem(
                    DELIVERY_TIMEOUT_MS_CONFIG,
                    "is %d, must not be less than linger.ms + request.timeout.ms, %d".formatted(delivery, shortest));
        }
        options.putIfAbsent(DELIVERY_TIMEOUT_MS_CONFIG, Long.toString(Math.max(delivery, shortest)));
    }
}
