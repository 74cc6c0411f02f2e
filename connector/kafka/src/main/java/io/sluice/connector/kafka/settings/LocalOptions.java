package io.sluice.connector.kafka.settings;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds the options of Kafka's clients that may open a file, load a class, or use what this process logs in with. Most of the client's options are
 * harmless; one that is not listed as such counts as one that is not, so that an option of a newer client does.
 */
public final class LocalOptions {
    private static final String PROTOCOL = "security.protocol";
    private static final Set<String> WITHOUT_LOGIN = Set.of("PLAINTEXT", "SSL");
    private static final String MECHANISM = "sasl.mechanism";
    private static final String LOGIN = "sasl.jaas.config";

    /** More than a login has. */
    private static final int MAX_LOGIN = 4_000;

    private static final Set<String> MECHANISMS = Set.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512");

    /** One login by a module that has nothing but what is written there. */
    private static final Pattern HARMLESS_LOGIN = Pattern.compile(
            "\\s*+org\\.apache\\.kafka\\.common\\.security\\.(?:plain\\.PlainLoginModule|scram\\.ScramLoginModule)\\s++"
                    + "(?:required|requisite|sufficient|optional)"
                    + "(?:\\s++(?:username|password|tokenauth)\\s*+=\\s*+(?:\"[^\"\\\\\n]*+\"|'[^'\\\\\n]*+'|[\\w.@+-]++))*+\\s*+;\\s*+",
            Pattern.CASE_INSENSITIVE);

    private static final Set<String> HARMLESS = Set.of(
            "acks",
            "batch.size",
            "bootstrap.resolve.timeout.ms",
            "bootstrap.servers",
            "buffer.memory",
            "buffer.memory.allocation.strategy",
            "client.dns.lookup",
            "client.id",
            "client.rack",
            "compression.gzip.level",
            "compression.lz4.level",
            "compression.type",
            "compression.zstd.level",
            "connections.max.idle.ms",
            "delivery.timeout.ms",
            "enable.idempotence",
            "enable.metrics.push",
            "key.serializer", // ignored
            "linger.ms",
            "max.block.ms",
            "max.in.flight.requests.per.connection",
            "max.request.size",
            "metadata.cluster.check.enable",
            "metadata.max.age.ms",
            "metadata.max.idle.ms",
            "metadata.recovery.rebootstrap.trigger.ms",
            "metadata.recovery.strategy",
            "partitioner.rack.aware",
            "receive.buffer.bytes",
            "reconnect.backoff.max.ms",
            "reconnect.backoff.ms",
            "request.timeout.ms",
            "retries",
            "retry.backoff.max.ms",
            "retry.backoff.ms",
            "send.buffer.bytes",
            "sluice.producer",
            "socket.connection.setup.timeout.max.ms",
            "socket.connection.setup.timeout.ms",
            "ssl.cipher.suites",
            "ssl.enabled.protocols",
            "ssl.endpoint.identification.algorithm",
            "ssl.key.password",
            "ssl.keystore.certificate.chain", // these are not files
            "ssl.keystore.key",
            "ssl.keystore.password",
            "ssl.keystore.type",
            "ssl.protocol",
            "ssl.truststore.certificates",
            "ssl.truststore.password",
            "ssl.truststore.type",
            "transaction.timeout.ms",
            "transactional.id",
            "value.serializer"); // ignored

    private LocalOptions() {}

    /** The keys of all options that are not harmless. */
    public static List<String> keysIn(Map<String, String> properties) {
        Map<String, String> options = new HashMap<>();
        properties.forEach((key, value) -> {
            if (!value.isBlank()) {
                options.put(optionOf(key), value.strip());
            }
        });
        Set<String> keys = new TreeSet<>();
        properties.forEach((key, value) -> {
            String option = optionOf(key);
            boolean isOther = option.isEmpty() || value.isBlank();
            if (!isOther && !isHarmless(option, value.strip(), options)) {
                keys.add(key);
            }
        });
        return List.copyOf(keys);
    }

    /** Without the prefix; empty for a key of another part. */
    private static String optionOf(String key) {
        return key.startsWith(ClientOptions.PREFIX) ? key.substring(ClientOptions.PREFIX.length()) : "";
    }

    private static boolean isHarmless(String option, String value, Map<String, String> options) {
        if (option.startsWith(KerberosFiles.PREFIX)) {
            // Its files are not read then.
            return !Boolean.parseBoolean(options.get(KerberosFiles.ENABLE));
        }
        return switch (option) {
            case PROTOCOL ->
                WITHOUT_LOGIN.contains(value.toUpperCase(Locale.ROOT))
                        // Else Kafka takes the login of the file that this process was started with.
                        || (options.containsKey(LOGIN) && options.containsKey(MECHANISM));
            case MECHANISM -> MECHANISMS.contains(value);
            case LOGIN ->
                value.length() <= MAX_LOGIN && HARMLESS_LOGIN.matcher(value).matches();
            default -> HARMLESS.contains(option);
        };
    }
}
