package io.sluice.connector.kafka;

import static org.apache.kafka.clients.producer.ProducerConfig.ACKS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BATCH_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BOOTSTRAP_SERVERS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.BUFFER_MEMORY_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.COMPRESSION_TYPE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.INTERCEPTOR_CLASSES_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.LINGER_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_BLOCK_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;
import static org.apache.kafka.clients.producer.ProducerConfig.MAX_REQUEST_SIZE_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.PARTITIONER_CLASS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRIES_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRY_BACKOFF_MAX_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.RETRY_BACKOFF_MS_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.SEND_BUFFER_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTIONAL_ID_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.TRANSACTION_TIMEOUT_CONFIG;
import static org.apache.kafka.clients.producer.ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.kafka.produce.ProduceOptions;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.config.types.Password;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the options of Kafka's producer from the operator's properties.
 *
 * <p>Each {@code kafka.<option>} is the producer's option; blank ones are as if they were not there. The server has resolved
 * canal's old names of them. The rest is:
 *
 * <ul>
 *   <li>Defaults of ours, where the operator has none: {@code acks=all}, {@code enable.idempotence=true},
 *       {@code compression.type=none}, {@code linger.ms=2}, {@code batch.size} by the number of partitions ({@link BatchSizing}), at
 *       most {@code max.request.size}, {@code send.buffer.bytes=-1}, {@code request.timeout.ms=10000}, {@code delivery.timeout.ms=30000},
 *       {@code max.block.ms=10000}. The last three are shorter than Kafka's own, so that a broker that is unreachable becomes a
 *       visible failure. The three before save processor time: fewer requests, each written at once into a buffer that the
 *       operating system lets grow.
 *   <li>Corrections, each logged: {@code retries=0}, which canal ships, is left out while the producer is idempotent, because
 *       Kafka rejects that pair; what it should avoid, a changed order, cannot happen then. For the same reason
 *       {@code max.in.flight.requests.per.connection} is 5 at most, and 10 where converters write the batches. A producer that is not idempotent, by its own key or
 *       because of {@code acks}, gets 1 there, or a retry would change the order. Serializers are ours. Lists of servers that only
 *       clients before Kafka 4 take are tidied, and partitioners that it has removed are left out.
 *   <li>{@code kafka.sluice.producer}: {@code batches} has converters write record batches, which is the default; {@code client}
 *       leaves that to the producer of Kafka's client, as transactions, interceptors, and records without idempotence do in any case.
 *   <li>{@code transactional.id} gets the destination's name after it, {@code <id>-<destination>}, when a producer is made. It needs
 *       an idempotent producer.
 * </ul>
 */
final class KafkaSettingsReader {
    static final String PREFIX = "kafka.";
    static final String KERBEROS = "kerberos.";
    static final String KERBEROS_ENABLE = "kerberos.enable";
    private static final String KRB5_FILE = "kerberos.krb5.file";
    static final String SECURITY_PROTOCOL = "security.protocol";
    static final String SASL_LOGIN = "sasl.jaas.config";
    static final String JAAS_FILE = "kerberos.jaas.file";
    private static final String PRODUCER = "sluice.producer";
    private static final String BATCHES = "batches";
    private static final String CLIENT = "client";

    /** The classes that Kafka 4 has removed. */
    private static final Set<String> FORMER_PARTITIONERS = Set.of(
            "org.apache.kafka.clients.producer.internals.DefaultPartitioner",
            "org.apache.kafka.clients.producer.UniformStickyPartitioner");

    /** With more requests in flight the broker cannot tell a repetition. */
    private static final int MAX_IN_FLIGHT_IDEMPOTENT = 5;

    /** Kafka's own default of {@code buffer.memory}. */
    private static final long DEFAULT_BUFFER_BYTES = 33_554_432;

    /** Option to value, without the prefix. */
    private final Map<String, String> options = new TreeMap<>();

    /** Options that were made of another one, with the key of that one. */
    private final Map<String, String> keys = new HashMap<>();

    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<String> corrections = new ArrayList<>();
    private @Nullable Path krb5File;

    /** Has the login; null if the option has it, or there is none. */
    private @Nullable Path loginFile;

    private boolean hasOwnBatchSize;
    private boolean hasOwnLinger;
    private boolean writesBatches;
    private int inFlight = ProduceOptions.MAX_IN_FLIGHT;

    private KafkaSettingsReader() {}

    /**
     * Reads a server's properties.
     *
     * @throws ProducerConfigException if anything is wrong, with all problems
     */
    static KafkaSettings read(Map<String, String> properties) {
        return new KafkaSettingsReader().settings(properties);
    }

    private KafkaSettings settings(Map<String, String> properties) {
        take(properties);
        takeKerberos();
        tidyServers();
        dropSerializers();
        dropFormerPartitioner();
        keepOrder();
        chooseProducer();
        fillIn();
        validate();
        if (!problems.isEmpty()) {
            throw new ProducerConfigException(problems);
        }
        if (loginFile != null) {
            options.remove(SASL_LOGIN); // the file is read for each client
        }
        return new KafkaSettings(
                options,
                loginFile,
                krb5File,
                writesBatches,
                hasOwnBatchSize,
                wholeNumber(BATCH_SIZE_CONFIG, BatchSizing.MAX_BYTES),
                wholeNumber(BUFFER_MEMORY_CONFIG, DEFAULT_BUFFER_BYTES),
                produceOptions(),
                millis(TRANSACTION_TIMEOUT_CONFIG, 60_000),
                millis(MAX_BLOCK_MS_CONFIG, 10_000),
                corrections);
    }

    /** Limits for sending record batches. Without a {@code linger.ms} of the operator they do not wait for each other. */
    private ProduceOptions produceOptions() {
        return new ProduceOptions(
                (int) wholeNumber(MAX_REQUEST_SIZE_CONFIG, 1_048_576),
                inFlight,
                millis(REQUEST_TIMEOUT_MS_CONFIG, 10_000),
                millis(DELIVERY_TIMEOUT_MS_CONFIG, 30_000),
                millis(RETRY_BACKOFF_MS_CONFIG, 100),
                millis(RETRY_BACKOFF_MAX_MS_CONFIG, 1_000),
                hasOwnLinger ? millis(LINGER_MS_CONFIG, 0) : Duration.ZERO);
    }

    private Duration millis(String option, long otherwise) {
        return Duration.ofMillis(wholeNumber(option, otherwise));
    }

    private void take(Map<String, String> properties) {
        properties.forEach((key, value) -> {
            if (key.startsWith(PREFIX) && !value.isBlank()) {
                options.put(key.substring(PREFIX.length()), value.trim());
            }
        });
    }

    private void takeKerberos() {
        if (options.containsKey(KERBEROS_ENABLE) && !isFlag(KERBEROS_ENABLE)) {
            problem(KERBEROS_ENABLE, "must be true or false"); // Kafka has no such option, so it does not check it
        }
        boolean enabled = flag(KERBEROS_ENABLE, false);
        Path krb5 = enabled ? existingFile(KRB5_FILE) : null;
        Path jaas = enabled ? existingFile(JAAS_FILE) : null;
        options.keySet().removeIf(option -> option.startsWith(KERBEROS));
        if (krb5 != null && jaas != null) {
            krb5File = krb5;
            options.putIfAbsent(SECURITY_PROTOCOL, "SASL_PLAINTEXT");
            options.putIfAbsent("sasl.kerberos.service.name", "kafka");
            options.putIfAbsent("sasl.mechanism", "GSSAPI");
            takeLogin(jaas);
        }
    }

    private void takeLogin(Path jaas) {
        if (options.containsKey(SASL_LOGIN)) {
            correction(SASL_LOGIN, "is taken, and not the login in " + keyOf(JAAS_FILE));
            return;
        }
        try {
            options.put(SASL_LOGIN, JaasFile.clientLogin(jaas));
            keys.put(SASL_LOGIN, keyOf(JAAS_FILE));
            loginFile = jaas;
        } catch (IllegalArgumentException e) {
            problem(JAAS_FILE, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Path existingFile(String option) {
        String name = options.getOrDefault(option, "");
        try {
            Path file = Path.of(name).toAbsolutePath();
            if (!name.isEmpty() && Files.isRegularFile(file) && Files.isReadable(file)) {
                return file;
            }
            problem(option, "needed for Kerberos, but there is no readable file " + (name.isEmpty() ? "given" : file));
        } catch (InvalidPathException e) {
            problem(option, "needed for Kerberos, but is not a path: " + e.getMessage());
        }
        return null;
    }

    private void dropSerializers() {
        for (String option : List.of(KEY_SERIALIZER_CLASS_CONFIG, VALUE_SERIALIZER_CLASS_CONFIG)) {
            if (options.remove(option) != null) {
                correction(option, "ignored, records are sent as the bytes that they are");
            }
        }
    }

    /** Clients of Kafka before 4 took a list with gaps and repetitions, with which a newer one does not start. */
    private void tidyServers() {
        String given = options.getOrDefault(BOOTSTRAP_SERVERS_CONFIG, "");
        String tidy = Arrays.stream(given.split(","))
                .map(String::trim)
                .filter(server -> !server.isEmpty())
                .distinct()
                .collect(Collectors.joining(","));
        if (!tidy.isEmpty() && !tidy.equals(given.replaceAll("\\s*,\\s*", ","))) {
            options.put(BOOTSTRAP_SERVERS_CONFIG, tidy);
            correction(BOOTSTRAP_SERVERS_CONFIG, "taken for %s, each server once".formatted(tidy));
        }
    }

    /** A partitioner is never asked, since each record has its partition. */
    private void dropFormerPartitioner() {
        String partitioner = options.getOrDefault(PARTITIONER_CLASS_CONFIG, "");
        if (FORMER_PARTITIONERS.contains(partitioner)) {
            options.remove(PARTITIONER_CLASS_CONFIG);
            correction(
                    PARTITIONER_CLASS_CONFIG,
                    "ignored, Kafka's client does not have %s any more, and each record has its partition"
                            .formatted(partitioner));
        }
    }

    private void keepOrder() {
        boolean allAcks = isAllAcks(options.getOrDefault(ACKS_CONFIG, "all"));
        boolean idempotent = flag(ENABLE_IDEMPOTENCE_CONFIG, allAcks);
        if (idempotent && !allAcks) {
            problem(ACKS_CONFIG, "must be all, as %s is true".formatted(keyOf(ENABLE_IDEMPOTENCE_CONFIG)));
        }
        if (options.containsKey(TRANSACTIONAL_ID_CONFIG) && !idempotent) {
            problem(
                    TRANSACTIONAL_ID_CONFIG,
                    "needs %s=all and %s=true".formatted(keyOf(ACKS_CONFIG), keyOf(ENABLE_IDEMPOTENCE_CONFIG)));
        }
        if (!allAcks) {
            correction(ACKS_CONFIG, "a broker that fails may lose records that it has confirmed; all is safe");
        }
        if (idempotent) {
            if (wholeNumber(RETRIES_CONFIG, 1) == 0) {
                options.remove(RETRIES_CONFIG);
                correction(
                        RETRIES_CONFIG,
                        "0 is ignored: an idempotent producer needs retries, keeps the order, and ends them after "
                                + DELIVERY_TIMEOUT_MS_CONFIG);
            }
            inFlight = (int) Math.min(inFlight, wholeNumber(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, inFlight));
            if (wholeNumber(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1) > MAX_IN_FLIGHT_IDEMPOTENT) {
                options.put(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, Integer.toString(MAX_IN_FLIGHT_IDEMPOTENT));
                correction(
                        MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                        "set to 5, the most of an idempotent producer of Kafka's client; of batches that Sluice writes "
                                + inFlight + " are in flight if they are large");
            }
        } else {
            correction(
                    ENABLE_IDEMPOTENCE_CONFIG,
                    "a producer that is not idempotent may change the order after a failure: a request that reaches a broker late"
                            + " is stored after its repetition");
            if (!options.containsKey(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION)
                    || wholeNumber(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1) != 1) {
                options.put(MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "1");
                correction(
                        MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                        "set to 1, since a producer that is not idempotent could change the order");
            }
        }
        options.putIfAbsent(ENABLE_IDEMPOTENCE_CONFIG, Boolean.toString(idempotent));
    }

    /** Options that only Kafka's producer has leave the choice to it. */
    private void chooseProducer() {
        String chosen = options.remove(PRODUCER);
        if (chosen != null && !chosen.equals(BATCHES) && !chosen.equals(CLIENT)) {
            problem(PRODUCER, "%s must be %s or %s".formatted(chosen, BATCHES, CLIENT));
            return;
        }
        String needed = options.containsKey(TRANSACTIONAL_ID_CONFIG)
                ? TRANSACTIONAL_ID_CONFIG
                : !flag(ENABLE_IDEMPOTENCE_CONFIG, true)
                        ? ENABLE_IDEMPOTENCE_CONFIG
                        : options.containsKey(INTERCEPTOR_CLASSES_CONFIG) ? INTERCEPTOR_CLASSES_CONFIG : "";
        writesBatches = needed.isEmpty() && !CLIENT.equals(chosen);
        if (!needed.isEmpty() && BATCHES.equals(chosen)) {
            correction(
                    PRODUCER,
                    "%s is ignored, %s needs the producer of Kafka's client".formatted(BATCHES, keyOf(needed)));
        }
    }

    static boolean isAllAcks(String acks) {
        return acks.equals("all") || acks.equals("-1");
    }

    private boolean isFlag(String option) {
        String value = options.getOrDefault(option, "");
        return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
    }

    /** The option as a boolean; {@code otherwise} if it is not set or is none, which is reported elsewhere. */
    private boolean flag(String option, boolean otherwise) {
        return isFlag(option) ? Boolean.parseBoolean(options.get(option)) : otherwise;
    }

    /** The option as a number; {@code otherwise} if it is not set or is none, which the validation reports. */
    private long wholeNumber(String option, long otherwise) {
        String value = options.get(option);
        if (value == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    private void fillIn() {
        options.putIfAbsent(ACKS_CONFIG, "all");
        options.putIfAbsent(COMPRESSION_TYPE_CONFIG, "none");
        hasOwnLinger = options.containsKey(LINGER_MS_CONFIG);
        options.putIfAbsent(LINGER_MS_CONFIG, "2");
        hasOwnBatchSize = options.containsKey(BATCH_SIZE_CONFIG);
        options.putIfAbsent(BATCH_SIZE_CONFIG, Long.toString(batchBytes()));
        options.putIfAbsent(SEND_BUFFER_CONFIG, "-1");
        options.putIfAbsent(MAX_BLOCK_MS_CONFIG, "10000");
        fillInTimeouts();
        options.put(KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
        options.put(VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    }

    /** A broker that takes no larger requests takes no larger batches either. */
    private long batchBytes() {
        return Math.min(
                BatchSizing.MAX_BYTES, Math.max(0, wholeNumber(MAX_REQUEST_SIZE_CONFIG, BatchSizing.MAX_BYTES)));
    }

    /** A delivery may not time out before its one request does, so each of the two limits the other's default. */
    private void fillInTimeouts() {
        long linger = wholeNumber(LINGER_MS_CONFIG, 0);
        long delivery = wholeNumber(DELIVERY_TIMEOUT_MS_CONFIG, 30_000);
        long request = Math.max(1, Math.min(10_000, delivery - linger));
        options.putIfAbsent(REQUEST_TIMEOUT_MS_CONFIG, Long.toString(request));
        long shortest = Math.min(linger + wholeNumber(REQUEST_TIMEOUT_MS_CONFIG, 0), Integer.MAX_VALUE);
        if (options.containsKey(DELIVERY_TIMEOUT_MS_CONFIG) && delivery < shortest) {
            problem(
                    DELIVERY_TIMEOUT_MS_CONFIG,
                    "is %d, must not be less than linger.ms + request.timeout.ms, %d".formatted(delivery, shortest));
        }
        options.putIfAbsent(DELIVERY_TIMEOUT_MS_CONFIG, Long.toString(Math.max(delivery, shortest)));
    }

    private void validate() {
        int before = problems.size();
        if (!options.containsKey(BOOTSTRAP_SERVERS_CONFIG)) {
            problem(BOOTSTRAP_SERVERS_CONFIG, "missing: the brokers, as host:port,host:port");
            options.put(BOOTSTRAP_SERVERS_CONFIG, "missing:1"); // so that Kafka does not report it once more
        }
        ConfigDef definition = ProducerConfig.configDef();
        for (ConfigValue value : definition.validate(options)) {
            if (!value.errorMessages().isEmpty()) { // a second one is about the null in place of what cannot be read
                problem(
                        value.name(),
                        isSecret(value.name(), definition)
                                ? "is not valid"
                                : value.errorMessages().get(0));
            }
        }
        checkLogin();
        if (problems.size() == before) {
            validateTogether();
        }
    }

    /** Kafka reads it when it connects, and its messages quote what it found, which may be a part of a password. */
    private void checkLogin() {
        String login = options.getOrDefault(SASL_LOGIN, "");
        if (login.isEmpty() || options.containsKey(AbstractConfig.CONFIG_PROVIDERS_CONFIG)) {
            return;
        }
        try {
            JaasContext.loadClientContext(Map.of(SASL_LOGIN, new Password(login)));
        } catch (IllegalArgumentException e) {
            problem(
                    SASL_LOGIN,
                    "is not one login: it must be <module> required name=\"value\" …; with values in quotes, and a semicolon");
        }
    }

    /** Kafka's checks of options against each other, which end at the first problem. */
    private void validateTogether() {
        try {
            new ProducerConfig(new HashMap<>(options));
        } catch (ConfigException e) {
            problems.add(new ConfigProblem("kafka.*", String.valueOf(e.getMessage())));
        }
    }

    private static boolean isSecret(String option, ConfigDef definition) {
        ConfigDef.ConfigKey key = definition.configKeys().get(option);
        String name = option.toLowerCase(Locale.ROOT);
        return (key != null && key.type == ConfigDef.Type.PASSWORD)
                || name.contains("password")
                || name.contains("jaas");
    }

    private void problem(String option, String problem) {
        problems.add(new ConfigProblem(keyOf(option), problem));
    }

    private void correction(String option, String what) {
        corrections.add(keyOf(option) + ": " + what);
    }

    private String keyOf(String option) {
        return keys.getOrDefault(option, PREFIX + option);
    }
}
