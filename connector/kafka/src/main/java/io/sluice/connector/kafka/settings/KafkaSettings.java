package io.sluice.connector.kafka.settings;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BATCH_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.INTERCEPTOR_CLASSES_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTIONAL_ID_CONFIG;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.kafka.produce.ProduceOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;

/**
 * What the operator's properties make of Kafka's producer: valid, and complete but for the name of a destination.
 *
 * @param options those of Kafka's client, without the prefix {@code kafka.}; some are secret
 * @param loginFile the JAAS file with the login, read again for each client; null if an option has it, or there is none
 * @param krb5File the configuration of Kerberos, which can be given to the whole JVM only; null without Kerberos
 * @param writesBatches whether record batches are written by converters, and not by the producer of Kafka's client
 * @param hasOwnBatchSize whether the operator has set {@code batch.size}
 * @param batchBytes the largest record batch of several records, without compression
 * @param bufferBytes {@code buffer.memory}
 * @param produceOptions limits for sending record batches
 * @param transactionTimeout after which the brokers abort a transaction by themselves
 * @param maxBlock how long a call of the producer may wait for the brokers
 * @param corrections options that were changed, or are a risk, as sentences that begin with the key
 */
public record KafkaSettings(
        Map<String, String> options,
        @Nullable Path loginFile,
        @Nullable Path krb5File,
        boolean writesBatches,
        boolean hasOwnBatchSize,
        long batchBytes,
        long bufferBytes,
        ProduceOptions produceOptions,
        Duration transactionTimeout,
        Duration maxBlock,
        List<String> corrections) {
    /** What a record of one value, and the request around it, take besides the value; an upper bound. */
    private static final int OVERHEAD_BYTES = 512;

    public KafkaSettings {
        options = Map.copyOf(options);
        corrections = List.copyOf(corrections);
    }

    /**
     * Returns these settings with the destination's name in the transactional id: two producers of one id would fence each other.
     */
    public KafkaSettings forDestination(String destination) {
        Map<String, String> own = new HashMap<>(options);
        own.computeIfPresent(TRANSACTIONAL_ID_CONFIG, (option, id) -> id + "-" + destination);
        return new KafkaSettings(
                own,
                loginFile,
                krb5File,
                writesBatches,
                hasOwnBatchSize,
                batchBytes,
                bufferBytes,
                produceOptions,
                transactionTimeout,
                maxBlock,
                corrections);
    }

    /**
     * The producer's options.
     *
     * @throws ProducerConfigException if the file with the login cannot be used any more
     */
    public Map<String, Object> config() {
        Map<String, Object> config = new HashMap<>(options);
        if (loginFile != null) {
            try {
                config.put(ClientOptions.SASL_LOGIN, JaasFile.clientLogin(loginFile));
            } catch (IllegalArgumentException e) {
                throw new ProducerConfigException(List.of(new ConfigProblem(
                        ClientOptions.PREFIX + KerberosFiles.JAAS_FILE, String.valueOf(e.getMessage()))));
            }
        }
        return config;
    }

    /** The producer's options, with batches of a size. */
    public Map<String, Object> config(long bytes) {
        Map<String, Object> config = config();
        config.put(BATCH_SIZE_CONFIG, Long.toString(bytes));
        return config;
    }

    /** The producer's options as Kafka's client parses them, to look at: a producer of them would have the client id of all others. */
    public ProducerConfig parsed() {
        return ParsedOptions.of(config());
    }

    /** What is secret in the producer's options; for a login that Kafka's client could read. */
    public Secrets secrets() {
        return Secrets.of(config());
    }

    /** The options that a client has which asks the brokers: connection, login and timeouts. */
    public Map<String, Object> adminConfig(Duration limit) {
        Map<String, Object> config = config();
        config.keySet().retainAll(AdminClientConfig.configNames());
        for (String plugin : List.of(INTERCEPTOR_CLASSES_CONFIG, AdminClientConfig.METRIC_REPORTER_CLASSES_CONFIG)) {
            config.remove(plugin);
        }
        long millis = Math.max(1, Math.min(limit.toMillis(), Integer.MAX_VALUE));
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Long.toString(millis));
        config.put(
                REQUEST_TIMEOUT_MS_CONFIG,
                Long.toString(Math.min(millis, produceOptions.requestTimeout().toMillis())));
        return config;
    }

    /** After how long without an answer brokers are unreachable; more than any time if a question for metadata ends before. */
    public Duration silence() {
        Duration silence = produceOptions.silence();
        return maxBlock.compareTo(silence) > 0 ? silence : Duration.ofSeconds(Long.MAX_VALUE);
    }

    /** Sizes batches, within what the operator has set. */
    public BatchSizing batchSizing() {
        return hasOwnBatchSize ? BatchSizing.fixed(batchBytes, bufferBytes) : BatchSizing.upTo(batchBytes, bufferBytes);
    }

    /** The largest record batch of several records, in bytes without compression, for those that converters write. */
    public int maxBatchBytes() {
        return (int) Math.min(batchBytes, Integer.MAX_VALUE);
    }

    /** The largest request, and so the largest record, in bytes. */
    public int maxRequestBytes() {
        return produceOptions.maxRequestBytes();
    }

    /** The largest value that surely fits into {@code max.request.size}, and into {@code buffer.memory}. */
    public int maxValueBytes() {
        return (int) Math.max(1, Math.min(maxRequestBytes(), bufferBytes) - OVERHEAD_BYTES);
    }

    /** The brokers as configured, {@code host:port,host:port}. */
    public String bootstrapServers() {
        return option(BOOTSTRAP_SERVERS_CONFIG);
    }

    /** The brokers as configured, {@code host:port} each. */
    public List<String> bootstrapAddresses() {
        return List.of(bootstrapServers().split("\\s*,\\s*"));
    }

    /** In upper case; {@code PLAINTEXT} by default. */
    public String securityProtocol() {
        return options.getOrDefault(ClientOptions.SECURITY_PROTOCOL, "PLAINTEXT")
                .toUpperCase(Locale.ROOT);
    }

    /** Whether a record counts as sent only when all replicas in sync have it. */
    public boolean waitsForAllReplicas() {
        return DeliveryMode.isAllAcks(option(ACKS_CONFIG));
    }

    /** Whether records are compressed by a codec, as Kafka spells it. */
    public boolean compresses(String codec) {
        return codec.equals(option(COMPRESSION_TYPE_CONFIG));
    }

    public boolean isTransactional() {
        return options.containsKey(TRANSACTIONAL_ID_CONFIG);
    }

    /** Empty without transactions. */
    public String transactionalId() {
        return option(TRANSACTIONAL_ID_CONFIG);
    }

    private String option(String name) {
        return options.getOrDefault(name, "");
    }

    /** Nothing but the brokers: it may be logged. */
    @Override
    public String toString() {
        return "KafkaSettings[" + bootstrapServers() + "]";
    }
}
