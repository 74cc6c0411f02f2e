package io.sluice.server.config.read;

import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.AdminConfig;
import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.CursorKind;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ManagerConfig;
import io.sluice.server.config.MetricsConfig;
import io.sluice.server.config.ReadConfiguration;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.config.ServerMode;
import io.sluice.server.config.TcpConfig;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.key.MetricsKeys;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.key.ProducerSettings;
import io.sluice.server.config.key.QueueKeys;
import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.key.SourceKeys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.InstanceLookup;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Key.Scope;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.ServerLookup;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.ValueType;
import io.sluice.server.config.unread.UnreadFiles;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads a server's configuration: {@code canal.properties}, and {@code <conf dir>/<destination>/instance.properties}
 * of every instance, or other texts in their place, below what the environment says. {@link ConfigReader} finds out which texts these
 * are.
 *
 * <p>It reads on where something is wrong, so that one attempt shows everything.
 */
public final class ConfigLoader {
    private static final String LOGS_PROPERTY = "sluice.logs";
    private static final String DEFAULT_LOGS = "../logs";

    private static final String MODES =
            Arrays.stream(ServerMode.values()).map(ServerMode::spelling).collect(Collectors.joining(", "));

    private final Environment environment;
    private final Path baseDirectory;
    private final Set<Problem> problems = new LinkedHashSet<>();
    private final Set<String> warnings = new LinkedHashSet<>();

    private final KeyStoreCheck stores;

    private ConfigLoader(Environment environment, Path baseDirectory, KeyStoreCheck stores) {
        this.stores = stores;
        this.environment = environment;
        this.baseDirectory = baseDirectory;
    }

    /**
     * Reads it.
     *
     * @param file the server's file
     * @param baseDirectory what relative paths in it start from: {@code bin/}, the scripts' working directory
     * @param producerCheck finds what is wrong with the producer's properties
     * @throws ConfigException if anything is wrong, with all that is
     */
    public static Configuration load(
            Path file, Path baseDirectory, Environment environment, ProducerCheck producerCheck)
            throws ConfigException {
        return complete(read(file, baseDirectory, environment, producerCheck), file);
    }

    /**
     * Reads it again while a server runs: what is wrong with one instance keeps none of the others from being taken over.
     *
     * @param file see {@link #load}, as for the other parameters
     */
    public static ReadConfiguration read(
            Path file, Path baseDirectory, Environment environment, ProducerCheck producerCheck) {
        return read(
                new FileTexts(file),
                file,
                baseDirectory,
                environment,
                new OutsideValues(environment, baseDirectory),
                producerCheck);
    }

    /**
     * Reads some texts.
     *
     * @param file the server's file, which relative names in messages are about
     * @param outside reads what placeholders name outside of the texts
     */
    static ReadConfiguration read(
            ConfigTexts texts,
            Path file,
            Path baseDirectory,
            Environment environment,
            OutsideValues outside,
            ProducerCheck producerCheck) {
        return read(texts, file, baseDirectory, environment, outside, producerCheck, new KeyStoreCheck());
    }

    /**
     * Reads some texts.
     *
     * @param stores remembers the key stores of former readings
     */
    static ReadConfiguration read(
            ConfigTexts texts,
            Path file,
            Path baseDirectory,
            Environment environment,
            OutsideValues outside,
            ProducerCheck producerCheck,
            KeyStoreCheck stores) {
        return new ConfigLoader(environment, baseDirectory, stores).read(texts, file, outside, producerCheck);
    }

    /**
     * What was read, if nothing is wrong with it.
     *
     * @throws ConfigException if anything is, with all problems
     */
    static Configuration complete(ReadConfiguration read, Path path) throws ConfigException {
        Set<Problem> all = new LinkedHashSet<>(read.serverProblems());
        read.instanceProblems().values().forEach(all::addAll);
        if (!all.isEmpty()) {
            throw new ConfigException(all.stream()
                    .sorted(Comparator.comparingInt((Problem problem) -> rank(problem, path))
                            .thenComparing(problem -> whereabouts(problem.origin())))
                    .toList());
        }
        return read.configuration();
    }

    private ReadConfiguration read(ConfigTexts texts, Path path, OutsideValues outside, ProducerCheck producerCheck) {
        PropertiesFile file = texts.server(problems, warnings);
        Origin missing = file.origin();
        ServerLookup lookup =
                new ServerLookup(environment, file, outside, ProducerKeys::leavesPlaceholderToKafka, problems);
        Settings settings = new Settings(lookup, problems);
        Path confDirectory = confDirectory(settings);
        if (texts.sayWhere()) {
            Optional<ManagerConfig> unused = new ManagerReader(settings, environment, baseDirectory, missing).read();
        }
        DestinationReader named = new DestinationReader(settings, confDirectory, texts, missing, problems, warnings);
        List<String> listed = named.read();
        List<String> destinations =
                listed.stream().filter(ValueType::isDestination).toList();
        Set<String> known = new HashSet<>(named.withoutFile().keySet());
        known.addAll(destinations);
        KeyCheck check = new KeyCheck(known, texts.knowsDestinations(), problems, warnings);

        ServerMode mode = mode(settings, missing);
        QueueReader queue = new QueueReader(settings, mode, warnings);
        ClusterReader clusters = new ClusterReader(settings, environment);
        Optional<TcpConfig> tcp = mode.isQueue() ? Optional.empty() : new TcpReader(settings, missing, warnings).read();
        ProducerSettings producer =
                ProducerKeys.of(mode).read(lookup, file, environment, key -> producerCheck.knows(mode, key));
        check.warnOfForeign(mode, file, environment, producer);
        Optional<AdminConfig> admin = new AdminReader(settings, warnings).read();
        Optional<MessageProducerFactory> producers = queue.producers(producer, producerCheck, missing, problems);
        ServerConfig server = new ServerConfig(
                path,
                mode,
                destinations,
                confDirectory,
                settings.get(ServerKeys.AUTO_SCAN)
                        ? Optional.of(settings.get(ServerKeys.SCAN_INTERVAL))
                        : Optional.empty(),
                clusters.read(mode, warnings),
                tcp,
                metrics(settings),
                new AlarmReader(settings, warnings).read(),
                admin,
                logDirectory(),
                new ControlReader(settings, baseDirectory, missing).read(),
                settings.get(MetricsKeys.TABLES),
                settings.get(MetricsKeys.STALL_LIMIT),
                queue.read(),
                producer.properties(),
                producers,
                producer.formerNames());
        check.checkValues(Scope.SERVER, settings);
        new ListeningPorts(settings, missing, server, outside.areRead()).check();
        queue.doubtFormat(server.mq());

        UnreadFiles unread = new UnreadFiles(texts, path, file, baseDirectory, environment, warnings);
        List<PropertiesFile> instanceFiles = new ArrayList<>();
        List<InstanceConfig> instances = new ArrayList<>();
        Map<String, Set<Problem>> ofInstances = new LinkedHashMap<>();
        Map<String, String> documents = new HashMap<>();
        listed.stream()
                .filter(name -> !destinations.contains(name))
                .forEach(name -> ofInstances.put(name, unusable(name, texts.origin(confDirectory, name))));
        Map<String, String> digests = new HashMap<>();
        Map<String, Instant> modified = new HashMap<>();
        Set<String> secretReplicas = new HashSet<>();
        for (String destination : destinations) {
            Set<Problem> found = new LinkedHashSet<>();
            ofInstances.put(destination, found);
            texts.modified(confDirectory, destination).ifPresent(time -> modified.put(destination, time));
            PropertiesFile instanceFile = texts.instance(confDirectory, destination, found, warnings);
            instanceFiles.add(instanceFile);
            documents.put(instanceFile.origin().document(), destination);
            Settings own = new Settings(
                    instanceLookup(environment, texts, file, instanceFile, destination, outside, found), found);
            if (texts.isManaged()) {
                warnOfHidden(instanceFile, file);
            }
            Origin origin = instanceFile.origin();
            WiringReader wiring = new WiringReader(destination, lookup, new Settings(lookup, found), warnings);
            if (!texts.isManaged()) {
                wiring.checkMode();
            }
            CursorKind cursorKind = wiring.cursorKind();
            unread.check(confDirectory, destination, cursorKind, instanceFile);
            if (cursorKind == CursorKind.ZOOKEEPER) {
                clusters.doubtOwnServers(destination, own, instanceFile, warnings);
            }
            RoutingReader routing = new RoutingReader(own, mode, settings.get(QueueKeys.HASH_SCHEMA), origin);
            instances.add(new InstanceReader(destination, own, environment, baseDirectory, origin)
                    .read(
                            cursorKind,
                            wiring.isLazy(mode.isQueue()),
                            mode.isQueue(),
                            !server.mq().inPackets(),
                            mode.isQueue() && server.mq().format().hasExactJson(),
                            texts.isManaged(),
                            routing,
                            stores,
                            new DeliveryReader(settings, own, mode)));
            check.checkValues(Scope.INSTANCE, own);
            if (own.isSecret(SourceKeys.REPLICA_ID)) {
                secretReplicas.add(destination);
            }
            warnings.addAll(new FilterReader(own)
                    .doubts(!mode.isQueue() || server.mq().format().hasStatements()));
            warnings.addAll(new HostReader(own, origin, baseDirectory).doubts());
            warnings.addAll(new SchemaReader(destination, own, baseDirectory, baseDirectory).doubts());
            queue.doubtEncoders(own);
            warnings.addAll(routing.doubts());
            digests.put(destination, DigestReader.ofInstance(destination, own, lookup));
        }
        unread.warnOfServer();
        check.checkNames(file, instanceFiles, environment);
        check.warnOfSemiSync(environment);
        check.warnOfKeysWithoutEffect();
        checkTogether(instances, ofInstances, secretReplicas);
        clusters.check(server.cluster(), instances, missing, warnings);
        return result(
                server,
                instances,
                ofInstances,
                documents,
                DigestReader.of(settings, server, digests, modified),
                named.withoutFile());
    }

    /** Problems of an instance's own file are the instance's, whoever has found them. */
    private ReadConfiguration result(
            ServerConfig server,
            List<InstanceConfig> instances,
            Map<String, Set<Problem>> ofInstances,
            Map<String, String> documents,
            ConfigDigests digests,
            Map<String, Path> withoutFile) {
        List<Problem> ofServer = new ArrayList<>();
        for (Problem problem : problems) {
            String destination = documents.get(problem.origin().document());
            Set<Problem> found = destination == null ? null : ofInstances.get(destination);
            if (found == null) {
                ofServer.add(problem);
            } else {
                found.add(problem);
            }
        }
        Map<String, List<Problem>> wrong = new HashMap<>();
        ofInstances.forEach((destination, found) -> {
            if (!found.isEmpty()) {
                wrong.put(destination, List.copyOf(found));
            }
        });
        List<InstanceConfig> right = instances.stream()
                .filter(instance -> !wrong.containsKey(instance.destination()))
                .toList();
        Map<String, String> named = new HashMap<>();
        documents.forEach((document, destination) -> named.put(destination, document));
        return new ReadConfiguration(
                new Configuration(server, right, List.copyOf(warnings), digests, withoutFile),
                ofServer,
                wrong,
                named,
                "");
    }

    /** The lookup for one instance; with an admin server, what the server's text says wins, as with canal. */
    static InstanceLookup instanceLookup(
            Environment environment,
            ConfigTexts texts,
            PropertiesFile server,
            PropertiesFile own,
            String destination,
            OutsideValues outside,
            Set<Problem> problems) {
        return texts.isManaged()
                ? new InstanceLookup(environment, own, server, destination, outside, problems)
                : new InstanceLookup(environment, server, own, destination, outside, problems);
    }

    private void warnOfHidden(PropertiesFile instance, PropertiesFile server) {
        Set<String> hidden = instance.hiddenBy(server);
        hidden.removeIf(name -> {
            Key<?> key = Keys.find(name);
            return key == null || key.scope() != Scope.INSTANCE;
        });
        if (!hidden.isEmpty()) {
            warnings.add(
                    "%s: these keys have no effect, since canal.properties sets them to other values, and with an admin server that one wins, as with canal: %s"
                            .formatted(instance.origin(), String.join(", ", hidden)));
        }
    }

    private static Set<Problem> unusable(String name, Origin origin) {
        Set<Problem> found = new LinkedHashSet<>();
        found.add(new Problem(
                origin,
                "",
                "",
                "no instance can be named \"%s\": a name has letters, digits, '.', '-' and '_', and does not begin with '.'"
                        .formatted(name)));
        return found;
    }

    /** The server's file comes first, then those of the instances, then what is in no file. */
    private static int rank(Problem problem, Path serverFile) {
        String document = problem.origin().document();
        if (document.isEmpty()) {
            return 2;
        }
        return document.equals(serverFile.toString()) ? 0 : 1;
    }

    private static String whereabouts(Origin origin) {
        return origin.document().isEmpty() ? "" : "%s:%9d".formatted(origin.document(), origin.lineNumber());
    }

    private Path confDirectory(Settings settings) {
        try {
            return baseDirectory.resolve(settings.get(ServerKeys.CONF_DIR)).normalize();
        } catch (InvalidPathException e) {
            settings.complain(ServerKeys.CONF_DIR, "must be the path of a directory");
            return baseDirectory;
        }
    }

    private static ServerMode mode(Settings settings, Origin missing) {
        if (settings.isBlank(ServerKeys.SERVER_MODE)) {
            settings.complain(missing, ServerKeys.SERVER_MODE, "is required, one of " + MODES);
        }
        // What was meant is unknown, so nothing further of it is checked.
        return settings.find(ServerKeys.SERVER_MODE).orElse(ServerMode.STDOUT);
    }

    private static Optional<MetricsConfig> metrics(Settings settings) {
        int port = settings.get(MetricsKeys.PORT);
        return port <= 0
                ? Optional.empty()
                : Optional.of(
                        new MetricsConfig(settings.get(MetricsKeys.ADDRESS), port, MetricsKeys.TLS.read(settings)));
    }

    /** Where {@code logback.xml} puts the logs: beside {@code bin/}, unless a system property names another directory. */
    private Path logDirectory() {
        String own = environment.systemProperties().getOrDefault(LOGS_PROPERTY, DEFAULT_LOGS);
        try {
            return baseDirectory.resolve(own).normalize();
        } catch (InvalidPathException e) {
            return baseDirectory.resolve(DEFAULT_LOGS).normalize();
        }
    }

    private static void checkTogether(
            List<InstanceConfig> instances, Map<String, Set<Problem>> ofInstances, Set<String> secretReplicas) {
        Map<String, String> replicas = new HashMap<>();
        for (InstanceConfig instance : instances) {
            long replicaId = instance.source().replicaServerId();
            String other = replicas.put(instance.login().address() + "#" + replicaId, instance.destination());
            if (other != null) {
                Problem problem = new Problem(
                        new Origin.BuiltIn(),
                        SourceKeys.REPLICA_ID.name(),
                        secretReplicas.contains(instance.destination()) ? Secret.MASK : Long.toString(replicaId),
                        "is that of %s and of %s, which read the same server: MySQL would cut one of them off"
                                .formatted(other, instance.destination()));
                for (String destination : List.of(other, instance.destination())) { // so one that runs stays as it is
                    ofInstances.getOrDefault(destination, new LinkedHashSet<>()).add(problem);
                }
            }
        }
    }
}
