package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.ConfigProblem;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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
            "subscriptName",
            "getBatchTimeoutSeconds",
            "batchProcessTimeout",
            "redeliveryDelaySeconds",
            "ackTimeoutSeconds",
            "isRetry",
            "isRetryDLQUpperCase",
            "maxRedeliveryCount");

    private final Map<String, String> properties;
    private final Set<String> known = new TreeSet<>();
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<String> corrections = new ArrayList<>();

    PulsarKeys(Map<String, String> properties) {
        this.properties = properties;
    }

    List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }

    List<String> corrections() {
        return List.copyOf(corrections);
    }

    String text(String name, String otherwise) {
        known.add(name);
        String value = properties.getOrDefault(PREFIX + name, "").trim();
        return value.isEmpty() ? otherwise : value;
    }

    /** As canal does: what is not "true" is false. */
    boolean flag(String name, boolean otherwise) {
        String value = text(name, Boolean.toString(otherwise));
        if (!value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            problem(name, "is '%s', must be true or false".formatted(value));
        }
        return Boolean.parseBoolean(value);
    }

    long number(String name, long otherwise, long least, long most) {
        String value = text(name, "");
        if (value.isEmpty()) {
            return otherwise;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        problem(name, "is '%s', must be a whole number from %d to %d".formatted(value, least, most));
        return otherwise;
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
                file(TRUSTED),
                file(CERTIFICATE),
                file(KEY),
                flag("tlsAllowInsecureConnection", false),
                flag("tlsHostnameVerificationEnable", true));
    }

    private @Nullable Path file(String name) {
        String text = text(name, "");
        if (text.isEmpty()) {
            return null;
        }
        try {
            Path file = Path.of(text).toAbsolutePath();
            if (Files.isReadable(file)) {
                return file;
            }
            problem(name, "there is no readable file " + file);
        } catch (InvalidPathException e) {
            problem(name, "is not a path: " + e.getMessage());
        }
        return null;
    }

    /** Whether a key means something; to be called when all known keys were asked for. */
    boolean knows(String key) {
        String name = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : "";
        return known.contains(name) || OF_CONSUMERS.contains(name);
    }

    /** To be called when all known keys were asked for. */
    void reportUnknown() {
        for (String key : new TreeSet<>(properties.keySet())) {
            String name = key.startsWith(PREFIX) ? key.substring(PREFIX.length()) : "";
            if (OF_CONSUMERS.contains(name)) {
                corrections.add(key + ": ignored, it is for consumers");
            } else if (!name.isEmpty() && !known.contains(name)) {
                problem(name, "there is no such key" + hint(name));
            }
        }
    }

    private String hint(String name) {
        String nearest = "";
        int least = Math.max(2, name.length() / 3) + 1;
        for (String candidate : known) {
            int distance = distance(name.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest.isEmpty() ? "" : "; did you mean " + PREFIX + nearest + "?";
    }

    /** How many letters must be put in, left out or changed to make one of the other. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        Arrays.setAll(row, i -> i);
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }

    private void problem(String name, String problem) {
        problems.add(new ConfigProblem(PREFIX + name, problem));
    }
}
