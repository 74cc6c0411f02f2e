package io.sluice.server.probe;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.protocol.time.Time;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.schema.table.TableName;
import io.sluice.server.check.StoredState;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.key.ProducerKeys;
import io.sluice.server.config.sent.TrialPart;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Masking;
import io.sluice.server.cursor.CursorAdmin;
import io.sluice.server.cursor.CursorRejectedException;
import io.sluice.server.cursor.InstanceCursors;
import io.sluice.server.ha.zookeeper.ClusterView;
import io.sluice.stream.source.search.SmallestCursor;
import io.sluice.stream.source.server.SourceHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Tries everything that some instances of a configuration need: each host of their sources, a schema history in MySQL, the broker, ZooKeeper, and the ports of a server that does not run. Changes nothing
 * on any of these. Used once, by one thread.
 */
public final class ConnectCheck {
    /** What to do about what is not tried of a text. */
    static final String ELSEWHERE = "run sluice.sh check --connect on the server that is to run the instance";

    private static final int MOST_KEYS = 5;

    /** So that a text cannot have the server connect to whole networks. */
    private static final int MOST_HOSTS = 8;

    /** A login that ZooKeeper's client would use, whatever the texts set. */
    private static final String PROCESS_LOGIN = "java.security.auth.login.config";

    private final Configuration configuration;
    private final Optional<Connector> connector;
    private final Optional<String> runner;
    private final Optional<Sent> sent;
    private final Duration limit;
    private final Time time;

    /**
     * What is different for texts that a client has sent: no file that they name is opened.
     *
     * @param texts the texts
     * @param own the configuration of this server, whose cursors may be read
     */
    private record Sent(TrialTexts texts, Configuration own) {
        Optional<String> untried(TrialPart part) {
            return Optional.ofNullable(texts.untried().get(part));
        }

        Optional<String> processLogin() {
            return texts.hasServer() && System.getProperty(PROCESS_LOGIN) != null
                    ? Optional.of("this server has a login of its own (%s), which is not for a text that was sent"
                            .formatted(PROCESS_LOGIN))
                    : Optional.empty();
        }

        boolean isOurs(InstanceConfig instance) {
            return own.instances().stream()
                    .anyMatch(known -> known.destination().equals(instance.destination())
                            && known.cursor().kind() == CursorKind.FILE);
        }
    }

    /**
     * Makes it.
     *
     * @param connector that of the server's mode; empty if there is none, or clients pull
     * @param runner the server that runs on this machine with this configuration, for messages; empty if none is known to
     * @param limit how long each server may be tried; what it has not answered by then is unknown
     */
    public ConnectCheck(
            Configuration configuration,
            Optional<Connector> connector,
            Optional<String> runner,
            Duration limit,
            Time time) {
        this(configuration, connector, runner, Optional.empty(), limit, time);
    }

    private ConnectCheck(
            Configuration configuration,
            Optional<Connector> connector,
            Optional<String> runner,
            Optional<Sent> sent,
            Duration limit,
            Time time) {
        this.configuration = configuration;
        this.connector = connector;
        this.runner = runner;
        this.sent = sent;
        this.limit = limit;
        this.time = time;
    }

    /**
     * Makes it for texts that a client has sent. What they need of this machine's files is not tried, and a finding states that; broker and
     * ZooKeeper are those of this server if the texts have no {@code canal.properties}.
     *
     * @param own the configuration of this server
     * @param connector that of this server; empty if clients pull from it
     * @param limit as above
     */
    static ConnectCheck ofSentTexts(
            TrialTexts texts, Configuration own, Optional<Connector> connector, Duration limit, Time time) {
        Configuration given = texts.checked().configuration();
        ServerConfig server = texts.hasServer() ? given.server() : own.server();
        Optional<String> runner = given.instances().stream()
                        .anyMatch(instance -> own.server().destinations().contains(instance.destination())
                                || own.instances().stream()
                                        .anyMatch(known -> known.destination().equals(instance.destination())))
                ? Optional.of("this server")
                : Optional.empty();
        return new ConnectCheck(
                new Configuration(server, given.instances(), List.of()),
                connector.filter(
                        one -> one.name().equalsIgnoreCase(server.mode().spelling())),
                runner,
                Optional.of(new Sent(texts, own)),
                limit,
                time);
    }

    /**
     * Tries everything, all instances at once.
     *
     * @param instances those that are of interest
     * @param progress gets a line when a server begins to be tried, and when that has ended; from several threads
     * @throws InterruptedException if this thread was interrupted
     */
    public ConnectReport run(List<InstanceConfig> instances, Consumer<String> progress) throws InterruptedException {
        Optional<ClusterConfig> configured = configuration.server().cluster();
        Optional<String> untried = sent.flatMap(one -> one.untried(TrialPart.ZOOKEEPER)
                .or(() -> configured.isPresent() ? one.processLogin() : Optional.empty()));
        Optional<ClusterConfig> cluster = untried.isPresent() ? Optional.empty() : configured;
        Optional<ClusterView> view = cluster.map(ClusterView::open);
        try (ProbeThreads threads = new ProbeThreads(limit, progress)) {
            List<TargetReport> server = new ArrayList<>();
            boolean isConnected = false;
            untried.ifPresent(why -> server.add(untried("ZooKeeper", why)));
            if (cluster.isPresent() && view.isPresent()) {
                ClusterProbe probe =
                        new ClusterProbe(cluster.get(), instances, view.get(), sent.isPresent() || runner.isPresent());
                server.add(threads.run("", "ZooKeeper", probe));
                isConnected = probe.isConnected();
            }
            if (sent.isEmpty() && runner.isEmpty()) {
                server.add(threads.run("", "ports", new PortProbe(configuration.server())));
            }
            Optional<ClusterView> usable = isConnected ? view : Optional.empty();
            CursorAdmin cursors = new CursorAdmin(configuration, runner, usable);
            List<Future<ConnectReport.Instance>> running = new ArrayList<>();
            for (InstanceConfig instance : instances) {
                StoredCursor cursor = cursor(instance, cursors, usable.isPresent());
                Optional<String> owner = runner.or(() -> usable.flatMap(any -> owner(any, instance)));
                running.add(threads.submit(() -> tryInstance(instance, cursor, owner, threads)));
            }
            List<ConnectReport.Instance> reports = new ArrayList<>();
            for (Future<ConnectReport.Instance> one : running) {
                reports.add(get(one));
            }
            return new ConnectReport(server, reports);
        } finally {
            view.ifPresent(ClusterView::close);
        }
    }

    /** The server that runs an instance; empty also if ZooKeeper does not answer, which is a finding elsewhere. */
    private static Optional<String> owner(ClusterView cluster, InstanceConfig instance) {
        try {
            return cluster.owner(instance.destination());
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
    }

    private static TargetReport untried(String target, String why) {
        return new TargetReport(
                target, List.of(new Finding("configuration", Verdict.UNKNOWN, "not tried: " + why, ELSEWHERE)));
    }

    private StoredCursor cursor(InstanceConfig instance, CursorAdmin admin, boolean hasCluster) {
        CursorKind kind = instance.cursor().kind();
        if (kind == CursorKind.MEMORY) {
            return new StoredCursor("memory", null, "");
        }
        if (kind == CursorKind.ZOOKEEPER && !hasCluster) {
            return new StoredCursor("ZooKeeper", null, "the cursor is in ZooKeeper, which does not answer");
        }
        if (kind == CursorKind.FILE && sent.isPresent() && !sent.get().isOurs(instance)) {
            return new StoredCursor(
                    "", null, "the cursor is in a file of the server that runs the instance, which is not read here");
        }
        CursorAdmin files = sent.isPresent() && kind == CursorKind.FILE
                ? new CursorAdmin(sent.get().own(), runner, Optional.empty())
                : admin;
        try {
            InstanceCursors cursors = files.of(instance.destination());
            return new StoredCursor(cursors.place(), SmallestCursor.of(cursors.clients()), "");
        } catch (CursorRejectedException | RuntimeException e) {
            return new StoredCursor("", null, String.valueOf(e.getMessage()));
        }
    }

    private ConnectReport.Instance tryInstance(
            InstanceConfig instance, StoredCursor cursor, Optional<String> owner, ProbeThreads threads)
            throws InterruptedException {
        ServerConfig server = configuration.server();
        Optional<String> untried = sent.flatMap(one -> one.untried(TrialPart.SOURCE));
        boolean flat = server.mode().isQueue() && !server.mq().inPackets();
        List<SourceProbe> probes = new ArrayList<>();
        List<Future<TargetReport>> sources = new ArrayList<>();
        List<SourceHost> all =
                untried.isPresent() ? List.of() : instance.source().hosts();
        List<SourceHost> hosts = sent.isPresent() ? all.subList(0, Math.min(all.size(), MOST_HOSTS)) : all;
        for (SourceHost host : hosts) {
            SourceProbe probe = new SourceProbe(instance, host, flat, cursor, owner, time);
            String target = "source " + host.login().address();
            probes.add(probe);
            sources.add(threads.submit(() -> threads.run(instance.destination(), target, probe)));
        }
        List<TargetReport> targets = new ArrayList<>();
        List<String> obstacles = new ArrayList<>();
        if (sent.isEmpty()) {
            obstacles.addAll(StoredState.obstacles(instance));
            if (owner.isEmpty()) {
                obstacles.addAll(StoredState.unwritable(instance));
            }
        }
        if (!obstacles.isEmpty()) {
            targets.add(new TargetReport(
                    "files",
                    obstacles.stream()
                            .map(obstacle -> new Finding("stored state", Verdict.FAILED, obstacle, ""))
                            .toList()));
        }
        untried.ifPresent(why -> targets.add(untried("source", why)));
        for (Future<TargetReport> source : sources) {
            targets.add(get(source));
        }
        if (hosts.size() < all.size()) {
            targets.add(untried("other sources", "only the first %d hosts of a text are".formatted(MOST_HOSTS)));
        }
        List<TableName> tables = probes.stream()
                .map(SourceProbe::tables)
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
        HistoryConfig history = instance.schema().history();
        if (history != null && history.location() instanceof HistoryLocation.MySql location) {
            String target = "schema history " + location.address() + "/" + location.schema();
            targets.add(
                    sent.isPresent()
                            ? untried(target, "its account is not used for a text that was sent")
                            : threads.run(
                                    instance.destination(),
                                    target,
                                    new HistoryProbe(history, location, tables.size())));
        }
        if (server.mode().isQueue()) {
            targets.add(tryBroker(instance, tables, threads));
        }
        return new ConnectReport.Instance(instance.destination(), targets);
    }

    private TargetReport tryBroker(InstanceConfig instance, List<TableName> tables, ProbeThreads threads)
            throws InterruptedException {
        ServerConfig server = configuration.server();
        String mode = server.mode().spelling();
        Optional<String> untried = sent.flatMap(one -> untriedBroker(one, mode, server.producerProperties()));
        if (untried.isPresent()) {
            return untried(mode, untried.get());
        }
        return threads.run(instance.destination(), mode, findings -> {
            if (connector.isEmpty()) {
                findings.failed(
                        "connector", "there is no connector for canal.serverMode=" + mode, "put it into plugin/");
                return;
            }
            Optional<MessageProducerFactory> producers = server.producers();
            if (producers.isEmpty()) {
                producers = configure(connector.get(), server, findings);
            }
            if (producers.isPresent()) {
                producers.get().probe(instance.destination(), TopicNeeds.of(instance, tables), limit, findings);
            }
        });
    }

    /** Why the broker of texts that were sent must not be tried; empty if it may. */
    private Optional<String> untriedBroker(Sent texts, String mode, Map<String, String> properties) {
        Optional<String> unknown = texts.untried(TrialPart.BROKER);
        if (unknown.isPresent()) {
            return unknown;
        }
        if (connector.isEmpty()) {
            return Optional.of("this server has not loaded the connector for canal.serverMode=" + mode);
        }
        if (!texts.texts().hasServer()) {
            return Optional.empty(); // these are its own
        }
        List<String> local = connector.get().localKeys(properties).stream()
                .map(configuration.server()::writtenAs)
                .toList();
        return local.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "%s may name a file, a class or a login of the server, and none is used for a text that was sent"
                                .formatted(String.join(", ", local.subList(0, Math.min(local.size(), MOST_KEYS)))));
    }

    /** Reads properties that no connector has read yet, since a client has sent them; what is wrong with them is a finding each. */
    private static Optional<MessageProducerFactory> configure(
            Connector connector, ServerConfig server, Findings findings) {
        try {
            return Optional.of(connector.configure(server.producerProperties()));
        } catch (ProducerConfigException e) {
            for (ConfigProblem problem : e.problems()) {
                findings.failed(
                        server.writtenAs(problem.key()),
                        masked(problem.problem(), server),
                        "correct it in canal.properties");
            }
            return Optional.empty();
        } catch (RuntimeException e) {
            findings.failed(
                    ProducerKeys.of(server.mode()).prefix() + "*",
                    masked("the connector fails: " + e, server),
                    "correct it in canal.properties");
            return Optional.empty();
        }
    }

    private static String masked(String text, ServerConfig server) {
        String sentence = text;
        for (Map.Entry<String, String> property : server.producerProperties().entrySet()) {
            if (Key.isSecret(property.getKey())) {
                sentence = Masking.about(property.getValue(), sentence);
            }
        }
        return Masking.sentence(sentence);
    }

    private static <T> T get(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
