package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.ProducerOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.pulsar.client.api.CompressionType;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.jspecify.annotations.Nullable;

/** Reads the keys below {@code pulsarmq.}, and collects the problems. Blank values count as not set. */
final class PulsarKeys {
    static final String PREFIX = "pulsarmq.";

    /** The key of the token, which may be in a file. */
    static final String TOKEN = PREFIX + "roleToken";

    private static final String TRUSTED = "tlsTrustCertsFilePath";
    private static final String CERTIFICATE = "tlsCertificateFilePath";
    private static final String KEY = "tlsKeyFilePath";

    /** The keys that name a file. */
    static final Set<String> FILES = Set.of(PREFIX + TRUSTED, PREFIX + CERTIFICATE, PREFIX + KEY);

    private static final Pattern SERVICE_URL =
            Pattern.compile("(pulsar|pulsar\\+ssl|http|https)://[^\\s/,@?#]+(,[^\\s/,@?#]+)*/?");

    /** Names of containers may have an underscore, for which {@link URI} has no host, and with which connections work. */
    private static final Pattern HOST_WITH_UNDERSCORE = Pattern.compile("[\\w.-]+(:\\d{1,5})?");

    private static final Pattern TOPIC_PREFIX =
            Pattern.compile("((persistent|non-persistent)://)?[-=:.\\w]+/[-=:.\\w]+");

    /** What canal's consumers read, from a file of their own. */
    private static final Set<String> OF_CONSUMERS = Set.of(
            PREFIX + "subscriptName",
            PREFIX + "getBatchTimeoutSeconds",
            PREFIX + "batchProcessTimeout",
            PREFIX + "redeliveryDelaySeconds",
            PREFIX + "ackTimeoutSeconds",
            PREFIX + "isRetry",
            PREFIX + "isRetryDLQUpperCase",
            PREFIX + "maxRedeliveryCount");

    private final Map<String, String> properties;
    private final ProducerOptions options;
    private final List<String> corrections = new ArrayList<>();

    PulsarKeys(Map<String, String> properties) {
        this.properties = properties;
        this.options = new ProducerOptions(PREFIX, properties);
    }

    List<ConfigProblem> problems() {
        return options.problems();
    }

    List<String> corrections() {
        return List.copyOf(corrections);
    }

    String text(String name, String otherwise) {
        String value = options.text(PREFIX + name);
        return value.isEmpty() ? otherwise : value;
    }

    boolean flag(String name, boolean otherwise) {
        return options.flag(PREFIX + name, otherwise);
    }

    int number(String name, int otherwise, int least, int most) {
        return options.number(PREFIX + name, otherwise, least, most);
    }

    String serviceUrl() {
        String url = text("serverUrl", "");
        if (url.isEmpty()) {
            problem("serverUrl", "missing: the brokers, as pulsar://host:6650 or pulsar+ssl://host:6651");
        } else if (!SERVICE_URL.matcher(url).matches()) {
            problem("serverUrl", "must be like pulsar://host:6650 or pulsar+ssl://host:6651,host:6651");
        } else if (url.contains("_")) {
            problem(
                    "serverUrl",
                    "has a _ in the name of a host, which Pulsar's client does not accept: use another name of the host, such as"
                            + " an alias of the container, or its address");
        }
        return url;
    }

    /** Without it canal asks for a topic "/name", which no broker has; here a topic is in Pulsar's default namespace then. */
    String topicPrefix() {
        String prefix = text("topicTenantPrefix", "");
        while (prefix.endsWith("/") && !prefix.endsWith("//")) {
            prefix = prefix.substring(0, prefix.length() - 1);
        }
        if (!prefix.isEmpty() && !TOPIC_PREFIX.matcher(prefix).matches()) {
            problem(
                    "topicTenantPrefix",
                    "is '%s', must be like public/default: a tenant and a namespace".formatted(prefix));
        }
        if (prefix.startsWith("non-persistent")) {
            corrections.add(
                    PREFIX + "topicTenantPrefix: the broker does not store messages of such topics, it may lose them");
        }
        return prefix;
    }

    @Nullable String adminUrl() {
        String url = text("adminServerUrl", "");
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
        problem("adminServerUrl", "must be like http://host:8080");
        return null;
    }

    /** canal treats unknown values as none. */
    CompressionType compression() {
        String name = text("compressionType", "none").toUpperCase(Locale.ROOT);
        try {
            return CompressionType.valueOf(name);
        } catch (IllegalArgumentException e) {
            corrections.add(
                    "%scompressionType: taken for none, since it is none of lz4, zlib, zstd, snappy".formatted(PREFIX));
            return CompressionType.NONE;
        }
    }

    ProducerAccessMode accessMode() {
        String name = text("accessMode", ProducerAccessMode.Shared.name());
        List<ProducerAccessMode> modes = List.of(
                ProducerAccessMode.Shared, ProducerAccessMode.Exclusive, ProducerAccessMode.ExclusiveWithFencing);
        for (ProducerAccessMode mode : modes) {
            if (mode.name().equalsIgnoreCase(name)) {
                return mode;
            }
        }
        String names = modes.stream().map(Enum::name).collect(Collectors.joining(", "));
        problem("accessMode", "is '%s', must be one of %s".formatted(name, names));
        return ProducerAccessMode.Shared;
    }

    /** Empty, unless the operator chooses it. */
    String producerName(String destination) {
        return text("producerName", "").replace("${destination}", destination);
    }

    PulsarSettings.Tls tls() {
        return new PulsarSettings.Tls(
                options.file(PREFIX + TRUSTED),
                options.file(PREFIX + CERTIFICATE),
                options.file(PREFIX + KEY),
                flag("tlsAllowInsecureConnection", false),
                flag("tlsHostnameVerificationEnable", true));
    }

    /** Whether a key means something; to be called when all known keys were asked for. */
    boolean knows(String key) {
        return options.knows(key) || OF_CONSUMERS.contains(key);
    }

    /** To be called when all known keys were asked for. */
    void reportUnknown() {
        for (String key : new TreeSet<>(properties.keySet())) {
            if (OF_CONSUMERS.contains(key)) {
                corrections.add(key + ": ignored, it is for consumers");
            }
        }
        options.refuseUnknown(OF_CONSUMERS);
    }

    private void problem(String name, String problem) {
        options.problem(PREFIX + name, problem);
    }
}
