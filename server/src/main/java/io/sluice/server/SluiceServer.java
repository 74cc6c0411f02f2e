package io.sluice.server;

import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import io.sluice.server.admin.AdminPort;
import io.sluice.server.alarm.Alarms;
import io.sluice.server.api.ApiPort;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.config.reload.ConfigSource;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.text.Masking;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Operations;
import io.sluice.server.destination.ClosingRunners;
import io.sluice.server.destination.DelayedStarts;
import io.sluice.server.destination.DestinationRegistry;
import io.sluice.server.destination.DestinationRunner;
import io.sluice.server.destination.DestinationStates;
import io.sluice.server.destination.InstanceMaker;
import io.sluice.server.destination.PullInstanceMaker;
import io.sluice.server.destination.QueueInstanceMaker;
import io.sluice.server.destination.RunnerFactory;
import io.sluice.server.destination.ThroughputMeters;
import io.sluice.server.ha.zookeeper.Cluster;
import io.sluice.server.health.HealthWatch;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.SharedPools;
import io.sluice.server.metrics.MetricsPort;
import io.sluice.server.probe.Trials;
import io.sluice.server.reload.ConfigScan;
import io.sluice.server.reload.Reloads;
import io.sluice.server.tcp.TcpServer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All instances of one process, its listening ports, and the pools of workers that they share. Owns these parts: makes and starts each before
 * those that depend on it, and stops them in the reverse order.
 *
 * <p>An instance that cannot continue does not take the others with it; when none is left that is tried again, the server ends. Safe for
 * use by several threads.
 */
public final class SluiceServer {
    private static final Logger LOG = LoggerFactory.getLogger(SluiceServer.class);
    private static final Pattern LINE_BREAK = Pattern.compile("\\R");

    /** How long a stop waits for alarms that are not posted yet. */
    private static final Duration ALARM_LIMIT = Duration.ofSeconds(3);

    /** The interval of the checks of {@link #awaitStart}. */
    private static final Duration LOOK_PERIOD = Duration.ofMillis(250);

    private final Configuration configuration;
    private final @Nullable Cluster cluster;
    private final Time time;
    private final SharedPools pools;

    /** Runs what waits: changes that come from a timer, or from an instance's own thread. */
    private final ExecutorService changes = Executors.newCachedThreadPool(SluiceServer::changesThread);

    private final PooledTimer later;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final DestinationRegistry registry = new DestinationRegistry();
    private final DelayedStarts delayedStarts;
    private final ThroughputMeters meters;
    private final HealthWatch health;
    private final Alarms alarms;
    private final ConfigurationProblems problems = new ConfigurationProblems();
    private final ServerStatus status;
    private final ServerPorts ports;
    private final Reloads reloads;
    private final ServerOperations operations;
    private boolean stopped;
    private volatile List<String> endProblems = List.of();

    private SluiceServer(
            Configuration configuration,
            ConfigSource source,
            Optional<Connector> connector,
            Optional<MessageProducerFactory> producers,
            Time time) {
        ServerConfig config = configuration.server();
        this.configuration = configuration;
        this.time = time;
        this.cluster =
                config.cluster().map(shared -> Cluster.join(shared, time)).orElse(null);
        this.pools = new SharedPools(configuration, time);
        this.later = new PooledTimer(
                pools.timer(),
                changes,
                failure -> LOG.error("a change of an instance cannot be started, trying again", failure));
        DestinationStates states = new DestinationStates(config.countedTables(), pools.timer(), changes, time);
        this.delayedStarts = new DelayedStarts(registry, states, cluster != null, later, time, ended::countDown);
        RunnerFactory runners = new RunnerFactory(
                states, maker(config, producers, states, delayedStarts), cluster, delayedStarts::instanceNotMade);
        configuration.instances().forEach(instance -> registry.add(runners.make(instance)));
        this.meters = new ThroughputMeters(registry, states, time);
        this.health = HealthWatch.start(registry::instances, config.stallLimit(), pools.timer(), time);
        this.status = new ServerStatus(
                registry, states, meters, health, problems, this::clusterProblem, config.stallLimit(), time);
        this.alarms = Alarms.start(status::standings, config.alarms(), pools.timer(), time);
        this.ports = new ServerPorts(config, time);
        this.reloads = new Reloads(
                source,
                configuration,
                new ReloadApplier(
                        registry, runners, meters, ports, problems, alarms, delayedStarts, pools, cluster != null),
                time);
        this.operations = new ServerOperations(
                configuration,
                registry,
                states,
                status,
                problems,
                alarms,
                delayedStarts,
                new Trials(connector, time),
                reloads);
    }

    private static Thread changesThread(Runnable task) {
        Thread thread = new Thread(task, "instance-changes");
        thread.setDaemon(true);
        return thread;
    }

    private Optional<String> clusterProblem() {
        return Optional.ofNullable(cluster).map(Cluster::problem);
    }

    private InstanceMaker maker(
            ServerConfig config,
            Optional<MessageProducerFactory> producers,
            DestinationStates states,
            DelayedStarts delayedStarts) {
        if (producers.isPresent()) {
            return new QueueInstanceMaker(config.mq(), producers.get(), states, pools, delayedStarts::instanceFailed);
        }
        int maxSubscriptions =
                config.tcp().map(port -> port.limits().subscriptions()).orElse(0);
        return new PullInstanceMaker(maxSubscriptions, states, pools, delayedStarts::instanceFailed);
    }

    /**
     * Starts a server whose entries go to a queue. Alone, it makes and starts all instances of its configuration, but for lazy ones; those that
     * cannot be made have failed, and the others run. In a cluster, it is a candidate for each of them, and starts those that it owns. Changes of the
     * configuration are taken over while it runs: on demand, and regularly if the configuration sets it.
     *
     * @param source reads the configuration again
     * @param connector reads the producers' properties, unless the configuration has what it made of them
     * @throws io.sluice.connector.api.producer.ProducerConfigException if the producer's properties are wrong
     * @throws RuntimeException if all instances have failed, and none will be tried again; nothing is left running. It is that of the first one, such as
     *     a {@link io.sluice.store.cursor.CursorException}, with the others suppressed
     */
    public static SluiceServer start(Configuration configuration, ConfigSource source, Connector connector) {
        ServerConfig config = configuration.server();
        MessageProducerFactory producers =
                config.producers().orElseGet(() -> connector.configure(config.producerProperties()));
        SluiceServer server =
                new SluiceServer(configuration, source, Optional.of(connector), Optional.of(producers), Time.SYSTEM);
        server.run();
        server.scanRegularly();
        return server;
    }

    /**
     * Starts a server whose entries are pulled by clients, as {@link #start(Configuration, ConfigSource, Connector)} does, and
     * opens the port for these. If it throws, nothing is left running.
     *
     * @throws IOException if the port cannot be opened
     * @throws RuntimeException as {@link #start(Configuration, ConfigSource, Connector)} does
     */
    public static SluiceServer start(Configuration configuration, ConfigSource source) throws IOException {
        SluiceServer server = new SluiceServer(configuration, source, Optional.empty(), Optional.empty(), Time.SYSTEM);
        server.run();
        server.openClients();
        server.scanRegularly();
        return server;
    }

    private void openClients() throws IOException {
        Optional<TcpConfig> tcp = configuration.server().tcp();
        if (tcp.isEmpty()) {
            LOG.warn("the port where clients pull is closed, so nothing is delivered: key=canal.withoutNetty");
            return;
        }
        try {
            ports.openClients(tcp.get(), new PulledDestinations(registry, time), pools.converters());
        } catch (IOException | RuntimeException e) {
            stop(Duration.ZERO);
            throw e;
        }
    }

    /** The control API is opened after all instances that are to run do: a start by an operator before that would make one twice. */
    private void run() {
        ports.openMetrics(new ObservedServer(status, alarms, ports::clients));
        if (cluster != null) {
            registry.runners().forEach(DestinationRunner::enterCandidacy);
        } else {
            startAll();
        }
        logStarted();
        ports.openManagement(operations);
        ports.openControl(operations, pools.timer());
        meters.start(pools.timer());
    }

    private void logStarted() {
        List<String> unobstructed = registry.runners().stream()
                .filter(runner -> !runner.isObstructed())
                .map(DestinationRunner::name)
                .toList();
        if (!unobstructed.isEmpty()) {
            LOG.info("start CanalInstances{} successfully", unobstructed);
        }
    }

    /** Starts all instances that are not lazy; one that cannot be started is reported, and keeps no other from starting. */
    private void startAll() {
        RuntimeException failure = null;
        for (DestinationRunner runner : registry.runners()) {
            if (runner.config().lazy()) {
                continue;
            }
            try {
                runner.start();
            } catch (RuntimeException e) {
                LOG.error("an instance cannot be started: instance={}", runner.name(), e);
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null && delayedStarts.areAllLost()) {
            stop(Duration.ZERO);
            throw failure;
        }
    }

    private static String onOneLine(String text) {
        return LINE_BREAK
                .splitAsStream(text)
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining(" "));
    }

    private void scanRegularly() {
        configuration.server().scan().ifPresent(period -> {
            Future<?> unused = later.every(period, new ConfigScan(reloads));
        });
    }

    /**
     * Waits until each instance reads its source, waits for what it needs, is known to run on another server, or has failed, or until the
     * server has ended.
     *
     * @param limit how long at most
     * @return whether the server has not ended
     */
    public boolean awaitStart(Duration limit) throws InterruptedException {
        long deadline = time.nanos() + limit.toNanos();
        while (time.nanos() - deadline < 0 && !startStates().allMatch(StartState::isSettled)) {
            if (ended.await(LOOK_PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
                return false;
            }
        }
        return ended.getCount() > 0;
    }

    /** The names of the instances that it has, or knows and does not have, as one that was removed and did not end in good order. */
    public Set<String> knownInstances() {
        List<DestinationRunner> runners = registry.runners();
        Set<String> all = new HashSet<>(problems.missingBeside(runners).keySet());
        runners.forEach(runner -> all.add(runner.name()));
        return all;
    }

    /** Why instances have failed, a line for each of them, with the remedy. */
    public List<String> failures() {
        return problems(
                status.snapshots().stream().filter(StartState::hasFailed).map(this::startState));
    }

    private static List<String> problems(Stream<StartState> states) {
        return states.map(StartState::problem)
                .filter(Objects::nonNull)
                .map(problem -> Masking.sentence(onOneLine(problem)))
                .toList();
    }

    private Stream<StartState> startStates() {
        return status.snapshots().stream().map(this::startState);
    }

    private StartState startState(InstanceSnapshot snapshot) {
        return StartState.of(
                snapshot,
                registry.find(snapshot.destination())
                        .flatMap(DestinationRunner::absence)
                        .isPresent(),
                snapshot.instance()
                        .filter(instance -> instance.sourceProgress().receivedBytes() > 0)
                        .isPresent(),
                snapshot.instance()
                        .flatMap(Instance::senderStatus)
                        .map(SenderStatus::notAdmitted)
                        .orElse(null));
    }

    /** What an operator can ask and command. */
    public Operations operations() {
        return operations;
    }

    /**
     * What the start could not do, or has not done yet, and why, though the server runs: ports that could not be opened, and instances that do not
     * read their sources, with the remedy. Without line breaks.
     */
    public List<String> problems() {
        return Stream.concat(ports.closed().stream(), problems(startStates()).stream())
                .toList();
    }

    /** Which instances the stop could not end in good order, as when the newest cursors could not be written, and why. Without line breaks; empty before the stop has ended. */
    public List<String> endProblems() {
        return endProblems;
    }

    /** The port where clients pull; empty if there is none. */
    public Optional<TcpServer> port() {
        return ports.clients();
    }

    /** The port where metrics and health are read; empty if there is none. */
    public Optional<MetricsPort> metricsPort() {
        return ports.metrics();
    }

    /** The management port; empty if there is none. */
    public Optional<AdminPort> adminPort() {
        return ports.management();
    }

    /** The port of the control API; empty if there is none. */
    public Optional<ApiPort> controlPort() {
        return ports.control();
    }

    /** The health of the instances that run here, and of those that should and could not be made. */
    public List<InstanceHealth> health() {
        return status.health();
    }

    /** The instances that run here now, in the order of the configuration. */
    public List<Instance> instances() {
        return status.instances();
    }

    /** Waits until the server was stopped, or no instance can continue. */
    public void awaitTermination() throws InterruptedException {
        ended.await();
    }

    /**
     * Stops all instances, then what they share. A second call does nothing.
     *
     * @param limit how long all of them together may finish what is in flight
     */
    public synchronized void stop(Duration limit) {
        if (stopped) {
            return;
        }
        stopped = true;
        List<DestinationRunner> all = registry.close();
        alarms.beginClose(); // before instances stop, which is no reason for an alarm
        ports.closeCanalPorts();
        changes.shutdown();
        endProblems = new ClosingRunners(all, limit, time)
                .run().stream()
                        .map(problem -> Masking.sentence(onOneLine(problem)))
                        .toList();
        if (cluster != null) {
            cluster.close();
        }
        health.close();
        ports.close();
        alarms.awaitEnd(ALARM_LIMIT);
        pools.close();
        ended.countDown();
    }
}
