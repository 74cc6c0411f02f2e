package io.sluice.server.config.load;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.key.ClusterKeys;
import io.sluice.server.config.key.FailoverKeys;
import io.sluice.server.config.key.SchemaKeys;
import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.read.EffectiveConfiguration;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.read.ReadRequest;
import io.sluice.server.config.read.TextsReader;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Warning;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The texts of a server on another machine and perhaps of one of its instances, read without anything of this machine: no file, no
 * variable. A setting that needs one is as one that is set to an unknown value. Of many instances that the server's text names, the first
 * are read. Never changes.
 */
public final class TextsElsewhere {
    /** Keys that name a file which is read to check it. */
    private static final Set<String> READ_FILES = Set.of(
            SourceKeys.MASTER.serverKeyFile().name(),
            FailoverKeys.STANDBY.serverKeyFile().name());

    /** The instances of a server's text that are read. */
    private static final int MAX_INSTANCES = 20;

    /** The characters of that text for all of them: each may make a copy of it, as by a placeholder for its name. */
    private static final int MAX_CHARACTERS = 256 * 1024;

    /** A processor more or less changes defaults only. */
    private static final int PROCESSORS = 4;

    /** URLs that name no such file, whatever follows. */
    private static final List<String> HARMLESS_URLS = List.of("jdbc:h2:", "jdbc:sqlite:");

    /** Keys that name a file which is read to connect, besides those of brokers, which their connectors know. */
    private static final Set<String> CONNECT_FILES = Stream.concat(
                    Stream.of(SourceKeys.MASTER, FailoverKeys.STANDBY)
                            .flatMap(host -> Stream.of(host.trustUrl(), host.clientUrl(), host.serverKeyFile())),
                    Stream.of(ClusterKeys.TRUST, ClusterKeys.KEY))
            .map(Key::name)
            .collect(Collectors.toUnmodifiableSet());

    /** Where these texts would be; there is no such directory. */
    private static final Path BASE = Path.of("bin");

    private static final Path FILE = Path.of("canal.properties");

    private final Texts texts;
    private final Environment environment;

    /**
     * Creates them.
     *
     * @param server the {@code canal.properties}
     * @param destination the name of the instance
     * @param instance the {@code instance.properties}; empty: it has none
     * @param overrides values that win over the texts
     */
    public TextsElsewhere(String server, String destination, Optional<String> instance, Map<String, String> overrides) {
        this.texts = new Texts(server, destination, instance);
        this.environment = new Environment(overrides, Map.of(), anyAddress(), PROCESSORS);
    }

    private static Inet4Address anyAddress() {
        try {
            return (Inet4Address) InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are always an address", e);
        }
    }

    /** Reads them. */
    public ReadConfiguration read() {
        return TextsReader.read(new ReadRequest(
                new WithoutFiles(texts),
                FILE,
                BASE,
                environment,
                OutsideValues.none(new LinkedHashSet<>()),
                ProducerCheck.NONE));
    }

    /**
     * The values that count in what was read, and where each was found.
     *
     * @throws ConfigException if something is wrong with the texts
     */
    public EffectiveConfiguration effective(Configuration read) throws ConfigException {
        return EffectiveConfiguration.read(read, texts, environment, OutsideValues.none(new LinkedHashSet<>()));
    }

    /** Hides the settings that name a file which would be opened to check them. */
    static PropertiesFile withoutFiles(PropertiesFile file) {
        return file.hiding((key, value) -> !value.isEmpty() && readsFile(key, value));
    }

    /** Hides the settings that name a file which would be opened to check them, or to connect. */
    static PropertiesFile withoutFilesToConnect(PropertiesFile file) {
        return file.hiding((key, value) -> !value.isEmpty() && (namesFile(key) || readsFile(key, value)));
    }

    /** Whether a key names a file which would be opened to connect. */
    static boolean namesFile(String key) {
        return CONNECT_FILES.contains(key);
    }

    private static boolean readsFile(String key, String value) {
        return READ_FILES.contains(key)
                || (key.equals(SchemaKeys.HISTORY_URL.name())
                        && HARMLESS_URLS.stream().noneMatch(value::startsWith));
    }

    /** The texts as they are. */
    private record Texts(String server, String destination, Optional<String> instance) implements ConfigTexts {
        @Override
        public boolean sayWhere() {
            return true;
        }

        @Override
        public boolean knowsDestinations() {
            return false;
        }

        @Override
        public boolean knowsAddress() {
            return false;
        }

        @Override
        public int mostInstances() {
            return Math.max(1, Math.min(MAX_INSTANCES, MAX_CHARACTERS / Math.max(1, server.length())));
        }

        @Override
        public PropertiesFile server(Set<Problem> problems, Set<Warning> warnings) {
            return PropertiesFile.parse("canal.properties", server, problems, warnings);
        }

        @Override
        public List<String> found(Path confDirectory, Set<Problem> problems) {
            return instance.isPresent() ? List.of(destination) : List.of();
        }

        @Override
        public PropertiesFile instance(Path confDirectory, String name, Set<Problem> problems, Set<Warning> warnings) {
            String text = name.equals(destination) ? instance.orElse("") : "";
            return PropertiesFile.parse("instance.properties", text, problems, warnings);
        }
    }

    /** Texts without the settings that name a file which would be opened to check them. */
    private record WithoutFiles(Texts texts) implements ConfigTexts {
        @Override
        public boolean sayWhere() {
            return texts.sayWhere();
        }

        @Override
        public boolean knowsDestinations() {
            return texts.knowsDestinations();
        }

        @Override
        public boolean knowsAddress() {
            return texts.knowsAddress();
        }

        @Override
        public int mostInstances() {
            return texts.mostInstances();
        }

        @Override
        public PropertiesFile server(Set<Problem> problems, Set<Warning> warnings) {
            return withoutFiles(texts.server(problems, warnings));
        }

        @Override
        public List<String> found(Path confDirectory, Set<Problem> problems) {
            return texts.found(confDirectory, problems);
        }

        @Override
        public PropertiesFile instance(Path confDirectory, String name, Set<Problem> problems, Set<Warning> warnings) {
            return withoutFiles(texts.instance(confDirectory, name, problems, warnings));
        }
    }
}
