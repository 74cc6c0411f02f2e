package io.sluice.server.config.read;

import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.config.key.MetricsKeys;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.key.ProducerSettings;
import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.port.AdminConfig;
import io.sluice.server.config.port.MetricsConfig;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.config.remote.ManagerConfig;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key.Scope;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Placeholders;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.ServerLookup;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.ValueType;
import io.sluice.server.config.text.Warning;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads what {@code canal.properties} sets for the server as a whole. */
final class ServerReader {
    private static final String LOGS_PROPERTY = "sluice.logs";
    private static final String DEFAULT_LOGS = "../logs";

    private static final String MODES =
            Arrays.stream(ServerMode.values()).map(ServerMode::spelling).collect(Collectors.joining(", "));

    private final ReadRequest request;
    private final Path baseDirectory;
    private final Environment environment;
    private final Set<Problem> problems;
    private final Set<Warning> warnings;
    private final PropertiesFile file;
    private final ServerLookup lookup;
    private final Settings settings;

    /** The server's file, where a key is missing. */
    private final Origin missing;

    /**
     * Reads the text, of which {@link #read} takes the settings.
     *
     * @param problems gets what is wrong
     * @param warnings gets what was accepted but does not work as written
     */
    ServerReader(ReadRequest request, Set<Problem> problems, Set<Warning> warnings) {
        this.request = request;
        this.baseDirectory = request.baseDirectory();
        this.environment = request.environment();
        this.problems = problems;
        this.warnings = warnings;
        this.file = request.texts().server(problems, warnings);
        this.missing = file.origin();
        this.lookup = new ServerLookup(
                environment,
                file,
                new Placeholders(request.outside(), problems),
                ProducerKeys::leavesPlaceholderToKafka);
        this.settings = new Settings(lookup, problems);
    }

    /** Reads the settings. Where something is wrong the result has a substitute, and must not be used. */
    ReadServer read() {
        Path confDirectory = confDirectory();
        if (request.texts().sayWhere()) {
            Optional<ManagerConfig> unused = new ManagerReader(settings, environment, baseDirectory, missing).read();
        }
        DestinationReader named =
                new DestinationReader(settings, confDirectory, request.texts(), missing, problems, warnings);
        List<String> listed = named.read();
        List<String> destinations =
                listed.stream().filter(ValueType::isDestination).toList();
        Set<String> known = new HashSet<>(named.withoutFile().keySet());
        known.addAll(destinations);
        KeyCheck keys = new KeyCheck(known, request.texts().knowsDestinations(), problems, warnings);

        ServerMode mode = mode();
        QueueReader queue = new QueueReader(settings, mode, warnings);
        ClusterReader clusters =
                new ClusterReader(settings, environment, request.texts().knowsAddress());
        ServerConfig config = config(mode, confDirectory, destinations, keys, queue, clusters);
        keys.checkValues(Scope.SERVER, settings);
        new ListeningPorts(settings, missing, config, request.outside().areRead()).check();
        queue.doubtFormat(config.mq());
        return new ReadServer(
                config,
                file,
                lookup,
                settings,
                listed.stream().filter(name -> !destinations.contains(name)).toList(),
                named.withoutFile(),
                keys,
                queue,
                clusters);
    }

    private ServerConfig config(
            ServerMode mode,
            Path confDirectory,
            List<String> destinations,
            KeyCheck keys,
            QueueReader queue,
            ClusterReader clusters) {
        ProducerCheck producerCheck = request.producerCheck();
        if (request.outside().areRead()) { // else a client has sent the texts, which need not know the files here
            producerCheck.warnings().forEach(warning -> warnings.add(new Warning.General(warning)));
        }
        Optional<TcpConfig> tcp = mode.isQueue() ? Optional.empty() : new TcpReader(settings, missing, warnings).read();
        ProducerSettings producer =
                ProducerKeys.of(mode).read(lookup, file, environment, key -> producerCheck.knows(mode, key));
        keys.warnOfForeign(mode, file, environment, producer);
        Optional<AdminConfig> admin = new AdminReader(settings, warnings).read();
        Optional<MessageProducerFactory> producers = queue.producers(producer, producerCheck, missing, problems);
        return new ServerConfig(
                request.file(),
                mode,
                destinations,
                confDirectory,
                settings.get(ServerKeys.AUTO_SCAN)
                        ? Optional.of(settings.get(ServerKeys.SCAN_INTERVAL))
                        : Optional.empty(),
                clusters.read(mode, warnings),
                tcp,
                metrics(),
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
    }

    private Path confDirectory() {
        try {
            return baseDirectory.resolve(settings.get(ServerKeys.CONF_DIR)).normalize();
        } catch (InvalidPathException e) {
            settings.complain(ServerKeys.CONF_DIR, "must be the path of a directory");
            return baseDirectory;
        }
    }

    private ServerMode mode() {
        if (settings.isBlank(ServerKeys.SERVER_MODE)) {
            settings.complain(missing, ServerKeys.SERVER_MODE, "is required, one of " + MODES);
        }
        // What was meant is unknown, so nothing further of it is checked.
        return settings.find(ServerKeys.SERVER_MODE).orElse(ServerMode.STDOUT);
    }

    private Optional<MetricsConfig> metrics() {
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
}
