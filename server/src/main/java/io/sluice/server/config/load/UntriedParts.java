package io.sluice.server.config.load;

import io.sluice.server.config.key.ClusterKeys;
import io.sluice.server.config.key.FailoverKeys;
import io.sluice.server.config.key.HostKeys;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.sent.TrialPart;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Setting;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Finds what must not be tried of texts that were sent, because a setting that it needs is not known here. */
final class UntriedParts {
    /** What a connection to a source, and the list of its tables, depend on, besides the filters. */
    private static final Set<String> OF_SOURCE = ofSource();

    private static final String FILTERS = "canal.instance.filter.";
    private static final String ROUTES = "canal.mq.";
    private static final String CLUSTER = "canal.zookeeper.";

    private final ServerMode mode;
    private final boolean hasServer;
    private final List<PropertiesFile> texts;
    private final Map<TrialPart, String> sentences = new EnumMap<>(TrialPart.class);

    /**
     * Creates it for some texts.
     *
     * @param hasServer whether they have the server's own keys
     * @param texts as they are written
     */
    UntriedParts(ServerMode mode, boolean hasServer, List<PropertiesFile> texts) {
        this.mode = mode;
        this.hasServer = hasServer;
        this.texts = texts;
    }

    private static Set<String> ofSource() {
        Set<String> names = new HashSet<>();
        for (HostKeys host : List.of(SourceKeys.MASTER, FailoverKeys.STANDBY)) {
            Set<Key<?>> start = Set.of(host.file(), host.offset(), host.time(), host.gtid());
            host.all().stream().filter(key -> !start.contains(key)).forEach(key -> names.add(key.name()));
        }
        Stream.of(
                        SourceKeys.USERNAME,
                        SourceKeys.PASSWORD,
                        SourceKeys.ENCRYPTED_PASSWORD,
                        SourceKeys.PASSWORD_KEY,
                        SourceKeys.DATABASE,
                        FailoverKeys.MORE_HOSTS)
                .forEach(key -> names.add(key.name()));
        return Set.copyOf(names);
    }

    /** Takes a setting whose value was asked for and is not known. */
    void add(Problem unread) {
        String key = unread.key();
        if (OF_SOURCE.contains(key) || key.startsWith(FILTERS)) {
            sentences.putIfAbsent(TrialPart.SOURCE, sentence(key));
        }
        if (isOfBroker(key)) {
            sentences.putIfAbsent(TrialPart.BROKER, sentence(key));
        }
        if (hasServer && (key.equals(ClusterKeys.ZOOKEEPER.name()) || key.startsWith(CLUSTER))) {
            sentences.putIfAbsent(TrialPart.ZOOKEEPER, sentence(key));
        }
    }

    /** Of the server's keys only those that were sent count: its own ones are those of its running connector. */
    private boolean isOfBroker(String key) {
        Key<?> known = Keys.find(key);
        if (key.startsWith(ROUTES) && known != null && known.scope() == Key.Scope.INSTANCE) {
            return true;
        }
        ProducerKeys producer = ProducerKeys.of(mode);
        return hasServer
                && (key.equals(ServerKeys.SERVER_MODE.name())
                        || key.startsWith(ROUTES)
                        || (!producer.prefix().isEmpty() && key.startsWith(producer.prefix()))
                        || producer.besides().contains(key)
                        || producer.aliases().containsKey(key));
    }

    private String sentence(String key) {
        boolean isMasked = texts.stream().anyMatch(text -> {
            Setting setting = text.find(key);
            return setting != null && setting.raw().contains(Secret.MASK);
        });
        if (isMasked) {
            return "%s is masked, so its value is not known".formatted(key);
        }
        return TextsElsewhere.namesFile(key)
                ? "%s names a file, and none is opened for a text that was sent".formatted(key)
                : "%s needs a file, a variable or another value of the server, and none is read for a text that was sent"
                        .formatted(key);
    }

    /** For each part that must not be tried the reason. */
    Map<TrialPart, String> sentences() {
        return Map.copyOf(sentences);
    }
}
