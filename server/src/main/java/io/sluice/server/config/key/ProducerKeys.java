package io.sluice.server.config.key;

import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Lookup;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.ServerLookup;
import io.sluice.server.config.text.Setting;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The keys that the connector of a server mode is given: all below a prefix, and a few besides.
 *
 * @param prefix what its own keys begin with
 * @param besides keys that are its, too
 * @param aliases keys of canal up to 1.1.4, with the ones that they overwrite
 * @param required the key that must be there; empty if none must
 * @param meaning what the required key sets
 */
public record ProducerKeys(
        String prefix, List<String> besides, Map<String, String> aliases, String required, String meaning) {
    private static final String CONFIG_PROVIDERS = "kafka.config.providers";

    private static final List<String> ALIYUN =
            List.of("canal.aliyun.accessKey", "canal.aliyun.secretKey", "canal.aliyun.uid");

    private static final ProducerKeys KAFKA = new ProducerKeys(
            "kafka.",
            List.of(),
            Map.ofEntries(
                    Map.entry("canal.mq.servers", "kafka.bootstrap.servers"),
                    Map.entry("canal.mq.retries", "kafka.retries"),
                    Map.entry("canal.mq.acks", "kafka.acks"),
                    Map.entry("canal.mq.compressionType", "kafka.compression.type"),
                    Map.entry("canal.mq.batchSize", "kafka.batch.size"),
                    Map.entry("canal.mq.lingerMs", "kafka.linger.ms"),
                    Map.entry("canal.mq.maxRequestSize", "kafka.max.request.size"),
                    Map.entry("canal.mq.bufferMemory", "kafka.buffer.memory"),
                    Map.entry("canal.mq.kafka.kerberos.enable", "kafka.kerberos.enable"),
                    Map.entry("canal.mq.kafka.kerberos.krb5.file", "kafka.kerberos.krb5.file"),
                    Map.entry("canal.mq.kafka.kerberos.jaas.file", "kafka.kerberos.jaas.file")),
            "kafka.bootstrap.servers",
            "host:port of the brokers");

    private static final ProducerKeys ROCKETMQ = new ProducerKeys(
            "rocketmq.",
            with(ALIYUN, "canal.mq.accessChannel"),
            Map.of(
                    "canal.mq.servers", "rocketmq.namesrv.addr",
                    "canal.mq.retries", "rocketmq.retry.times.when.send.failed",
                    "canal.mq.producerGroup", "rocketmq.producer.group",
                    "canal.mq.namespace", "rocketmq.namespace"),
            "rocketmq.namesrv.addr",
            "host:port of the name servers, separated by semicolons");

    private static final ProducerKeys RABBITMQ = new ProducerKeys(
            "rabbitmq.",
            ALIYUN,
            Map.of("canal.mq.servers", "rabbitmq.host"),
            "rabbitmq.host",
            "the broker's host, host:port, or amqp URI");

    private static final ProducerKeys PULSAR = new ProducerKeys(
            "pulsarmq.", List.of(), Map.of(), "pulsarmq.serverUrl", "the broker's URL, such as pulsar://host:6650");

    private static final ProducerKeys STDOUT = new ProducerKeys("stdout.", List.of(), Map.of(), "", "");

    private static final ProducerKeys NONE = new ProducerKeys("", List.of(), Map.of(), "", "");

    private static final List<ProducerKeys> ALL = List.of(KAFKA, ROCKETMQ, RABBITMQ, PULSAR, STDOUT);

    public static ProducerKeys of(ServerMode mode) {
        return switch (mode) {
            case TCP -> NONE;
            case KAFKA -> KAFKA;
            case ROCKETMQ -> ROCKETMQ;
            case RABBITMQ -> RABBITMQ;
            case PULSARMQ -> PULSAR;
            case STDOUT -> STDOUT;
        };
    }

    /** Whether a key is some connector's, and no other's to judge. */
    public static boolean isOfAConnector(String name) {
        return ALL.stream().anyMatch(keys -> name.startsWith(keys.prefix));
    }

    /** What the keys of connectors begin with. */
    public static List<String> prefixes() {
        return ALL.stream().map(ProducerKeys::prefix).toList();
    }

    /** All old names of keys, in their order, with the keys that each of them overwrites. */
    public static Map<String, List<String>> allAliases() {
        Map<String, List<String>> names = new TreeMap<>();
        for (ProducerKeys keys : ALL) {
            keys.aliases.forEach((old, name) ->
                    names.computeIfAbsent(old, any -> new ArrayList<>()).add(name));
        }
        return names;
    }

    /**
     * Whether a placeholder of the server's file is Kafka's: its config providers read <code>${file:path:key}</code> and
     * <code>${env:NAME}</code>, and where there are any, all placeholders of its keys are theirs.
     *
     * @param inside what is between the braces
     * @param raw gives values as they are written
     */
    public static boolean leavesPlaceholderToKafka(String key, String inside, Lookup raw) {
        if (!key.startsWith(KAFKA.prefix) && !KAFKA.aliases.containsKey(key)) {
            return false;
        }
        Setting providers = raw.find(CONFIG_PROVIDERS);
        boolean ofFile = inside.startsWith("file:") && inside.indexOf(':', "file:".length()) >= 0;
        return ofFile || (providers != null && !providers.isBlank());
    }

    /**
     * What is set by these keys, wherever it is set; then by those that go by an old name, which win.
     *
     * @param known whether a key that is set outside of the file is the connector's; an option of the JVM may begin in the same way
     */
    public ProducerSettings read(
            ServerLookup lookup, PropertiesFile file, Environment environment, Predicate<String> known) {
        return new ProducerSettings(find(lookup, file, environment, known));
    }

    /** Reads the settings with where each value was found; blank ones are not among them, those that cannot be used are. */
    public Map<String, ProducerSettings.Found> find(
            ServerLookup lookup, PropertiesFile file, Environment environment, Predicate<String> known) {
        Map<String, ProducerSettings.Found> properties = new TreeMap<>();
        if (prefix.isEmpty()) {
            return properties;
        }
        Set<String> names = new LinkedHashSet<>(besides);
        file.settings().keySet().stream()
                .filter(name -> name.startsWith(prefix))
                .forEach(names::add);
        Stream.of(environment.systemProperties(), environment.variables())
                .flatMap(layer -> layer.keySet().stream())
                .filter(name -> name.startsWith(prefix) && known.test(name))
                .forEach(names::add);
        names.forEach(name -> put(properties, name, name, lookup));
        aliases.forEach((old, name) -> put(properties, name, old, lookup));
        return properties;
    }

    private static void put(
            Map<String, ProducerSettings.Found> properties, String name, String as, ServerLookup lookup) {
        Setting setting = lookup.find(as);
        if (setting != null && (!setting.isBlank() || setting.isUnusable())) {
            properties.put(name, new ProducerSettings.Found(as, setting));
        }
    }

    private static List<String> with(List<String> names, String more) {
        List<String> all = new ArrayList<>(names);
        all.add(more);
        return List.copyOf(all);
    }
}
