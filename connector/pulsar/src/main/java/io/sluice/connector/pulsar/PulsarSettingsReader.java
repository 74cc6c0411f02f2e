package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.OptionKeys;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.jspecify.annotations.Nullable;

/** Reads the keys below {@code pulsarmq.}. */
final class PulsarSettingsReader {
    private static final String PREFIX = "pulsarmq.";
    private static final String SERVER_URL = PREFIX + "serverUrl";
    private static final String TOKEN = PREFIX + "roleToken";
    private static final String TOPIC_PREFIX = PREFIX + "topicTenantPrefix";
    private static final String ADMIN_URL = PREFIX + "adminServerUrl";
    private static final String LISTENER = PREFIX + "listenerName";
    private static final String CHUNKING = PREFIX + "enableChunking";
    private static final String COMPRESSION = PREFIX + "compressionType";
    private static final String ACCESS_MODE = PREFIX + "accessMode";
    private static final String MAX_MESSAGE = PREFIX + "maxMessageSize";
    private static final String BUFFER = PREFIX + "memoryLimitBytes";
    private static final String SEND_TIMEOUT = PREFIX + "sendTimeoutMs";
    private static final String BATCHING_DELAY = PREFIX + "batchingMaxPublishDelayMs";
    private static final String PRODUCER_NAME = PREFIX + "producerName";
    private static final String TRUSTED = PREFIX + "tlsTrustCertsFilePath";
    private static final String CERTIFICATE = PREFIX + "tlsCertificateFilePath";
    private static final String KEY = PREFIX + "tlsKeyFilePath";
    private static final String ANY_CERTIFICATE = PREFIX + "tlsAllowInsecureConnection";
    private static final String HOST_VERIFICATION = PREFIX + "tlsHostnameVerificationEnable";

    /** All keys; canal's consumers read theirs from a file of their own. */
    static final OptionKeys KEYS = new OptionKeys(
            PREFIX,
            Set.of(
                    SERVER_URL,
                    TOKEN,
                    TOPIC_PREFIX,
                    ADMIN_URL,
                    LISTENER,
                    CHUNKING,
                    COMPRESSION,
                    ACCESS_MODE,
                    MAX_MESSAGE,
                    BUFFER,
                    SEND_TIMEOUT,
                    BATCHING_DELAY,
                    PRODUCER_NAME,
                    TRUSTED,
                    CERTIFICATE,
                    KEY,
                    ANY_CERTIFICATE,
                    HOST_VERIFICATION),
            Set.of(
                    PREFIX + "subscriptName",
                    PREFIX + "getBatchTimeoutSeconds",
                    PREFIX + "batchProcessTimeout",
                    PREFIX + "redeliveryDelaySeconds",
                    PREFIX + "ackTimeoutSeconds",
                    PREFIX + "isRetry",
                    PREFIX + "isRetryDLQUpperCase",
                    PREFIX + "maxRedeliveryCount"));

    /** The keys that name a file. */
    private static final Set<String> FILES = Set.of(TRUSTED, CERTIFICATE, KEY);

    private static final Pattern SERVICE_URL =
            Pattern.compile("(pulsar|pulsar\\+ssl|http|https)://[^\\s/,@?#]++(?:,[^\\s/,@?#]++)*+/?");

    /** Names of containers may have an underscore, for which {@link URI} has no host, and with which connections work. */
    private static final Pattern HOST_WITH_UNDERSCORE = Pattern.compile("[\\w.-]+(:\\d{1,5})?");

    private static final Pattern TENANT_AND_NAMESPACE =
            Pattern.compile("((persistent|non-persistent)://)?[-=:.\\w]+/[-=:.\\w]+");

    private final ProducerOptions options;

    private PulsarSettingsReader(ProducerOptions options) {
        this.options = options;
    }

    /**
     * Reads a server's properties.
     *
     * @throws ProducerConfigException if anything is wrong, with all problems
     */
    static PulsarSettings read(Map<String, String> properties) {
        return new PulsarSettingsReader(new ProducerOptions(KEYS, properties)).read();
    }

    /** The keys that name a file. */
    static List<String> localKeys(Map<String, String> properties) {
        return properties.entrySet().stream()
                .filter(property -> FILES.contains(property.getKey())
                        ? !property.getValue().isBlank()
                        : property.getKey().equals(TOKEN)
                                && property.getValue().strip().startsWith(PulsarSettings.TOKEN_FILE))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    private PulsarSettings read() {
        PulsarSettings settings = new PulsarSettings(
                serviceUrl(),
                options.text(TOKEN),
                topicPrefix(),
                adminUrl(),
                options.text(LISTENER),
                options.flag(CHUNKING, false),
                compression(),
                accessMode(),
                options.number(MAX_MESSAGE, 5 * 1024 * 1024, 2 * PulsarSettings.OVERHEAD_BYTES, 1 << 30),
                options.number(BUFFER, 32 * 1024 * 1024, 1024, Integer.MAX_VALUE),
                options.millis(SEND_TIMEOUT, 30_000, 100, 3_600_000),
                options.millis(BATCHING_DELAY, 1, 1, 60_000),
                options.text(PRODUCER_NAME),
                tls(),
                options.corrections());
        options.requireValid();
        return settings;
    }

    private String serviceUrl() {
        String url = options.text(SERVER_URL);
        if (url.isEmpty()) {
            options.problem(SERVER_URL, "missing: the brokers, as pulsar://host:6650 or pulsar+ssl://host:6651");
        } else if (!SERVICE_URL.matcher(url).matches()) {
            options.problem(SERVER_URL, "must be like pulsar://host:6650 or pulsar+ssl://host:6651,host:6651");
        } else if (url.contains("_")) {
            options.problem(
                    SERVER_URL,
                    "has a _ in the name of a host, which Pulsar's client does not accept: use another name of the host, such as"
                            + " an alias of the container, or its address");
        }
        return url;
    }

    /** Without it canal asks for a topic "/name", which no broker has; here a topic is in Pulsar's default namespace then. */
    private String topicPrefix() {
        String prefix = options.text(TOPIC_PREFIX);
        while (prefix.endsWith("/") && !prefix.endsWith("//")) {
            prefix = prefix.substring(0, prefix.length() - 1);
        }
        if (!prefix.isEmpty() && !TENANT_AND_NAMESPACE.matcher(prefix).matches()) {
            options.problem(
                    TOPIC_PREFIX, "is '%s', must be like public/default: a tenant and a namespace".formatted(prefix));
        }
        if (prefix.startsWith("non-persistent")) {
            options.correction(TOPIC_PREFIX, "the broker does not store messages of such topics, it may lose them");
        }
        return prefix;
    }

    private @Nullable String adminUrl() {
        String url = options.text(ADMIN_URL);
        while (url.endsWith("/")) {
            url = url.substring(0, url.length() - 1);
        }
        if (url.isEmpty()) {
            return null;
        }
        try {
            URI uri = new URI(url);
            boolean hasHost = uri.getHost() != null
                    || HOST_WITH_UNDERSCORE
                            .matcher(String.valueOf(uri.getRawAuthority()))
                            .matches();
            if (hasHost && Set.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
                return url;
            }
        } catch (URISyntaxException e) {
            // reported below
        }
        options.problem(ADMIN_URL, "must be like http://host:8080");
        return null;
    }

    /** canal treats unknown values as none. */
    private CompressionType compression() {
        String name = options.text(COMPRESSION).toUpperCase(Locale.ROOT);
        if (name.isEmpty()) {
            return CompressionType.NONE;
        }
        try {
            return CompressionType.valueOf(name);
        } catch (IllegalArgumentException e) {
            options.correction(COMPRESSION, "taken for none, since it is none of lz4, zlib, zstd, snappy");
            return CompressionType.NONE;
        }
    }

    private ProducerAccessMode accessMode() {
        String name = options.text(ACCESS_MODE);
        if (name.isEmpty()) {
            return ProducerAccessMode.Shared;
        }
        List<ProducerAccessMode> modes = List.of(
                ProducerAccessMode.Shared, ProducerAccessMode.Exclusive, ProducerAccessMode.ExclusiveWithFencing);
        for (ProducerAccessMode mode : modes) {
            if (mode.name().equalsIgnoreCase(name)) {
                return mode;
            }
        }
        String names = modes.stream().map(Enum::name).collect(Collectors.joining(", "));
        options.problem(ACCESS_MODE, "is '%s', must be one of %s".formatted(name, names));
        return ProducerAccessMode.Shared;
    }

    private PulsarSettings.Tls tls() {
        return new PulsarSettings.Tls(
                options.file(TRUSTED),
                options.file(CERTIFICATE),
                options.file(KEY),
                options.flag(ANY_CERTIFICATE, false),
                options.flag(HOST_VERIFICATION, true));
    }
}
