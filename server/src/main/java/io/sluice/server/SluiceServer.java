package io.sluice.server;

import io.sluice.connector.api.deliver.DeliveryFailure;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.PooledTimer;
import io.sluice.protocol.time.Time;
import io.sluice.server.admin.AdminPort;
import io.sluice.server.alarm.AlarmCounts;
import io.sluice.server.alarm.Alarms;
import io.sluice.server.alarm.Standing;
import io.sluice.server.api.ApiPort;
import io.sluice.server.config.CheckedTexts;
import io.sluice.server.config.ClusterConfig;
import io.sluice.server.config.ConfigSource;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.GivenTexts;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.config.TcpConfig;
import io.sluice.server.config.TrialTexts;
import io.sluice.server.control.AlarmTest;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.ControlRefusedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.control.ReloadReport;
import io.sluice.server.control.Throughput;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.server.ha.Cluster;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.health.HealthWatch;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.DeliveryTap;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.server.instance.SharedPools;
import io.sluice.server.metrics.DestinationStatus;
import io.sluice.server.metrics.MetricsPort;
import io.sluice.server.metrics.Observed;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.RateLimits;
import io.sluice.server.pace.StopPoint;
import io.sluice.server.probe.ConnectReport;
import io.sluice.server.probe.SourceListing;
import io.sluice.server.probe.Trials;
import io.sluice.server.tables.TableTally;
import io.sluice.server.tcp.Destination;
import io.sluice.server.tcp.TcpServer;
import io.sluice.stream.options.Omitted;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All instances of one process, the port where clients pull, and the pools of workers that they share.
 *
 * <p>An instance that cannot continue does not take the others with it; when none is left that is tried again, the server ends. Safe for
 * use by several threads.
 */
public final class SluiceServer {
    private static final Logger LOG = LoggerFactory.getLogger(SluiceServer.class);

    /** How long a destination that was released is left to other servers. */
    private static final Duration DEFERENCE = Duration.ofSeconds(5);

    /** How long a stop waits for alarms that are not posted yet. */
    private static final Duration ALARM_LIMIT = Duration.ofSeconds(3);

    private static final Duration RATE_PERIOD = Duration.ofSeconds(1);

    /** In the order of the configuration; replaced as a whole. */
    private volatile List<DestinationRunner> runners = List.of();

    private final Map<String, ThroughputMeter> meters = new ConcurrentHashMap<>();
    private final Configuration configuration;
    private final Time time;
    private final SharedPools pools;
    private final InstanceSlot.Maker maker;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Runs what waits: changes that come from a timer, or from an instance's own thread. */
    private final ExecutorService changes = Executors.newCachedThreadPool(SluiceServer::changesThread);

    private final PooledTimer later;
    private final AtomicBoolean scanning = new AtomicBoolean();
    private final Trials trials;
    private final Operator operator = new Operator();
    private final Map<String, DestinationState> states = new ConcurrentHashMap<>();
    private final Map<String, PaceHome> homes = new ConcurrentHashMap<>();
    private final List<String> closedPorts = new CopyOnWriteArrayList<>();
    private @Nullable Cluster cluster;
    private boolean stopped;
    private volatile @Nullable ConfigSource source;
    private volatile @Nullable Reloads reloads;
    private volatile @Nullable TcpServer port;
    private volatile @Nullable HealthWatch health;
    private volatile @Nullable Alarms alarms;

    /** Why nothing of the newest configuration is taken over, or it cannot be read; null if it is. */
    private volatile @Nullable String configurationProblem;

    /** What is wrong with instances that are configured, and whose configuration was never right. */
    private volatile Map<String, String> invalid = Map.of();

    private volatile @Nullable MetricsPort metrics;
    private volatile @Nullable AdminPort admin;
    private volatile @Nullable ApiPort control;

    private SluiceServer(
            Configuration configuration,
            Optional<MessageProducerFactory> connector,
            Time time,
            Function<SluiceServer, InstanceSlot.Maker> maker) {
        this.configuration = configuration;
        this.time = time;
        this.trials = new Trials(connector, time);
        this.pools = new SharedPools(configuration, time);
        this.later = new PooledTimer(
                pools.timer(),
                changes,
                failure -> LOG.error("a change of an instance cannot be started, trying again", failure));
        this.maker = maker.apply(this);
    }

    private static Thread changesThread(Runnable task) {
        Thread thread = new Thread(task, "instance-changes");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts a server whose entries go to a queue. Alone, it makes and starts all instances of its configuration; if one
     * cannot be made, none is left running. In a cluster, it is a candidate for each of them, and starts those that it owns.
     *
     * @param factory makes a producer for each instance
     * @throws io.sluice.connector.api.producer.ProducerConfigException if the producer's properties are wrong
     * @throws io.sluice.store.cursor.CursorException if an instance's cursor cannot be read
     */
    public static SluiceServer start(Configuration configuration, MessageProducerFactory factory) {
        ServerConfig config = configuration.server();
        SluiceServer server = new SluiceServer(configuration, Optional.of(factory), Time.SYSTEM, made -> {
            InstanceWiring wiring = new InstanceWiring(made.pools);
            return (instance, term) -> {
                made.home(instance.destination()).keep(instance, term);
                Map<String, String> properties = new HashMap<>(config.producerProperties());
                properties.put(MessageProducerFactory.DESTINATION, instance.destination());
                if (factory.usesDeployment()) {
                    properties.put(
                            MessageProducerFactory.DEPLOYMENT,
                            made.state(instance.destination()).deployment().id(instance.cursor(), term));
                }
                MessageProducer producer = factory.create(properties, term.ownership());
                try {
                    return wiring.sending(
                            instance,
                            config.mq(),
                            term,
                            made.state(instance.destination()),
                            producer,
                            made::instanceFailed);
                } catch (RuntimeException | Error e) {
                    producer.close(Duration.ZERO);
                    throw e;
                }
            };
        });
        server.run();
        return server;
    }

    /**
     * Starts a server whose entries are pulled by clients, as {@link #start(Configuration, MessageProducerFactory)} does, and
     * opens the port for these. If anything fails, nothing is left running.
     *
     * @throws IOException if the port cannot be opened
     * @throws io.sluice.store.cursor.CursorException if an instance's cursors cannot be read
     */
    public static SluiceServer start(Configuration configuration) throws IOException {
        Optional<TcpConfig> tcp = configuration.server().tcp();
        int maxSubscriptions = tcp.map(port -> port.limits().subscriptions()).orElse(0);
        SluiceServer server = new SluiceServer(configuration, Optional.empty(), Time.SYSTEM, made -> {
            InstanceWiring wiring = new InstanceWiring(made.pools);
            return (instance, term) -> {
                made.home(instance.destination()).keep(instance, term);
                return wiring.pulled(
                        instance, maxSubscriptions, term, made.state(instance.destination()), made::instanceFailed);
            };
        });
        server.run();
        if (tcp.isEmpty()) {
            LOG.warn("the port where clients pull is closed, so nothing is delivered: key=canal.withoutNetty");
            return server;
        }
        try {
            server.port = TcpServer.open(tcp.get(), server::destination, server.pools.converters(), server.time);
        } catch (IOException | RuntimeException e) {
            server.stop(Duration.ZERO);
            throw e;
        }
        return server;
    }

    private void run() {
        Optional<ClusterConfig> shared = configuration.server().cluster();
        if (shared.isPresent()) {
            cluster = Cluster.join(shared.get(), time);
        }
        runners = configuration.instances().stream().map(this::runner).toList();
        observe(configuration.server());
        if (cluster != null) {
            runners.forEach(DestinationRunner::enterCandidacy);
        } else {
            startAll();
            LOG.info(
                    "start CanalInstances{} successfully",
                    configuration.server().destinations());
        }
        openManagementPort(configuration.server());
        openControlApi(configuration.server());
        ScheduledFuture<?> unused = pools.timer()
                .scheduleWithFixedDelay(this::measureOrLog, 0, RATE_PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    private DestinationRunner runner(InstanceConfig config) {
        PaceHome home = home(config.destination());
        home.begin(config);
        DestinationState state = state(config.destination());
        if (cluster == null) {
            state.cursors().begin(config.cursor());
        }
        return new DestinationRunner(
                new InstanceSlot(config, maker),
                state.pace(),
                home,
                state.cursors(),
                cluster,
                this::notMade,
                new SplittableRandom());
    }

    /** Where it is kept how fast a destination is delivered, also when it is removed and added again. */
    private PaceHome home(String destination) {
        return homes.computeIfAbsent(
                destination, name -> new PaceHome(state(name).pace(), changes));
    }

    /** What stays of a destination, also when it is removed and added again. */
    private DestinationState state(String destination) {
        int tables = configuration.server().countedTables();
        return states.computeIfAbsent(destination, name -> DestinationState.of(name, tables, pools.timer(), time));
    }

    private void measureOrLog() {
        try {
            measure();
        } catch (Throwable e) { // the top of the task: one that got out would end the measuring in silence
            LOG.error("the throughput of instances cannot be measured", e);
        }
    }

    private void measure() {
        for (DestinationRunner runner : runners) {
            DeliveryFailure failure = meters.computeIfAbsent(runner.name(), name -> new ThroughputMeter(time))
                    .look(runner.slot().instance().orElse(null));
            if (failure != null) {
                state(runner.name()).errors().addOfDelivery(failure.cause());
            }
        }
    }

    /**
     * Has changes of the configuration taken over while the server runs: on demand, and regularly if the configuration says so.
     * To be called once.
     */
    public void reloadFrom(ConfigSource source) {
        this.source = source;
        reloads = new Reloads(source, configuration, new Destinations());
        configuration.server().scan().ifPresent(period -> {
            Future<?> unused = later.every(period, this::scan);
        });
    }

    private void scan() {
        if (scanning.compareAndSet(false, true)) {
            try {
                operator.look();
            } catch (Throwable e) { // the top of the task
                LOG.error("changes of the configuration cannot be taken over", e);
            } finally {
                scanning.set(false);
            }
        }
    }

    /** What cannot be done since a port could not be opened without which the server runs, and why. */
    public List<String> closedPorts() {
        return List.copyOf(closedPorts);
    }

    /** What an operator can ask and command. */
    public Operations operations() {
        return operator;
    }

    /** Begins to watch, and lets others see. A port that cannot be opened is no reason not to deliver. */
    private void observe(ServerConfig config) {
        HealthWatch watch = HealthWatch.start(this::instances, config.stallLimit(), pools.timer(), time);
        health = watch;
        alarms = Alarms.start(this::standings, config.alarms(), pools.timer(), time);
        try {
            if (config.metrics().isPresent()) {
                metrics = MetricsPort.open(config.metrics().get(), new OurState(), time);
            }
        } catch (IOException e) {
            LOG.error("metrics and health cannot be read: {}", e.getMessage());
            closedPorts.add("metrics and health cannot be read: " + e.getMessage());
        }
    }

    /** Opens the control API, after all instances that are to run do: a start by an operator before that would make one twice. */
    private void openControlApi(ServerConfig config) {
        try {
            if (config.control().isPresent()) {
                control = ApiPort.open(
                                config.control().get(),
                                operator,
                                new LogFiles(config.logDirectory()),
                                pools.timer(),
                                time)
                        .orElse(null);
            }
        } catch (IOException e) {
            LOG.error("the control API cannot be called: {}", e.getMessage());
            closedPorts.add("the control API cannot be called: " + e.getMessage());
        }
    }

    /** Opens the management port, if there is to be one. One that cannot be opened is no reason not to deliver. */
    private void openManagementPort(ServerConfig config) {
        if (config.admin().isEmpty()) {
            return;
        }
        try {
            admin = AdminPort.open(
                    config.admin().get(), operator, new LogFiles(config.logDirectory()), new AuditLog(time), time);
        } catch (IOException e) {
            LOG.error("the server cannot be managed by canal's consoles: {}", e.getMessage());
            closedPorts.add("the server cannot be managed by canal's consoles: " + e.getMessage());
        }
    }

    private List<Standing> standings() {
        List<Standing> all = new ArrayList<>();
        all.add(Standing.ofServer(configurationProblem));
        operator.snapshots().forEach(snapshot -> all.add(Standing.of(snapshot)));
        return all;
    }

    private final class OurState implements Observed {
        @Override
        public AlarmCounts alarms() {
            Alarms known = alarms;
            return known == null ? new AlarmCounts(0, 0, 0) : known.counts();
        }

        @Override
        public List<DestinationStatus> destinations() {
            List<DestinationRunner> known = runners;
            List<DestinationStatus> all = new ArrayList<>();
            known.forEach(runner -> all.add(DestinationStatus.of(
                    runner.name(), runner.isStopped(), runner.problem() != null, runner.paceStatus())));
            invalidBeside(known).forEach((name, problem) -> all.add(DestinationStatus.ofInvalid(name)));
            return all;
        }

        @Override
        public boolean isConfigurationRefused() {
            return configurationProblem != null;
        }

        @Override
        public List<Instance> instances() {
            return SluiceServer.this.instances();
        }

        @Override
        public List<InstanceHealth> health() {
            return SluiceServer.this.health();
        }

        @Override
        public Optional<TcpServer> clientPort() {
            return port();
        }
    }

    private List<String> names() {
        return runners.stream().map(DestinationRunner::name).toList();
    }

    /** What is wrong with instances that are none of these: one may just have been corrected and added. */
    private Map<String, String> invalidBeside(List<DestinationRunner> known) {
        Map<String, String> others = new TreeMap<>(invalid);
        known.forEach(runner -> others.remove(runner.name()));
        return others;
    }

    private Optional<DestinationRunner> find(String destination) {
        return runners.stream()
                .filter(runner -> runner.name().equals(destination))
                .findFirst();
    }

    /** What clients find under a name; null if no such instance runs here. */
    private @Nullable Destination destination(String name) {
        DestinationRunner runner = find(name).orElse(null);
        if (runner == null) {
            return null;
        }
        if (runner.slot().isLazy()) {
            runner.awaken();
        }
        return runner.slot().instance().flatMap(SluiceServer::destination).orElse(null);
    }

    private static Optional<Destination> destination(Instance instance) {
        return instance.pullClients()
                .map(clients -> new Destination(clients, instance.storeConfig(), instance::failDelivery));
    }

    private void startAll() {
        List<InstanceSlot> eager = runners.stream()
                .map(DestinationRunner::slot)
                .filter(slot -> !slot.isLazy())
                .toList();
        try {
            eager.forEach(slot -> slot.fill(OwnershipTerm.sole()));
        } catch (RuntimeException | Error e) {
            stop(Duration.ZERO);
            throw e;
        }
        eager.forEach(InstanceSlot::begin);
    }

    /** Among others, a failed instance is left to them, and tried again here after a while; alone, its policy decides. */
    private void instanceFailed(String instance, Throwable cause) {
        if (cluster != null) {
            return;
        }
        Optional<DestinationRunner> runner = find(instance);
        Duration rest = runner.map(one -> one.failed(time.millis())).orElse(null);
        if (rest != null) {
            retryIn(rest, runner.get());
        } else if (runners.stream().allMatch(DestinationRunner::isLost)) {
            LOG.error("all instances have failed, the server ends: instances={}", runners.size());
            ended.countDown();
        }
    }

    /** No instance could be made, which is a failure as that of one that runs. */
    private void notMade(String instance, Throwable cause) {
        state(instance).errors().addOfInstance("its start", cause);
        instanceFailed(instance, cause);
    }

    private void retryIn(Duration rest, DestinationRunner runner) {
        Future<?> unused = later.schedule(() -> retry(runner), rest);
    }

    private void retry(DestinationRunner runner) {
        try {
            runner.retry();
        } catch (Throwable e) { // the top of the task: without the next one it would never be started again
            LOG.error("a failed instance cannot be started again: instance={}", runner.name(), e);
            Duration rest = runner.failed(time.millis());
            if (rest != null) {
                retryIn(rest, runner);
            }
        }
    }

    /** Makes this server a candidate again for what it has released. */
    private void enterCandidacyLater(DestinationRunner runner) {
        Future<?> unused = later.schedule(
                () -> {
                    try {
                        runner.enterCandidacy();
                    } catch (
                            Throwable
                                    e) { // the top of the task: without the next one it would not be a candidate again
                        LOG.error("this server is no candidate again yet, trying again: instance={}", runner.name(), e);
                        enterCandidacyLater(runner);
                    }
                },
                DEFERENCE);
    }

    /** The port where clients pull; empty if there is none. */
    public Optional<TcpServer> port() {
        return Optional.ofNullable(port);
    }

    /** The health of the instances that run here, and of those that should and could not be made. */
    public List<InstanceHealth> health() {
        HealthWatch watch = health;
        List<InstanceHealth> all = new ArrayList<>(watch == null ? List.of() : watch.health());
        for (DestinationRunner runner : runners) {
            if (runner.slot().obstacle() != null && runner.slot().instance().isEmpty()) {
                all.add(new InstanceHealth(runner.name(), InstanceState.FAILED, null, null));
            }
        }
        return all;
    }

    /** The port where metrics and health are read; empty if there is none. */
    public Optional<MetricsPort> metricsPort() {
        return Optional.ofNullable(metrics);
    }

    /** The management port; empty if there is none. */
    public Optional<AdminPort> adminPort() {
        return Optional.ofNullable(admin);
    }

    /** The port of the control API; empty if there is none. */
    public Optional<ApiPort> controlPort() {
        return Optional.ofNullable(control);
    }

    /** The instances that run here now, in the order of the configuration. */
    public List<Instance> instances() {
        return runners.stream()
                .flatMap(runner -> runner.slot().instance().stream())
                .toList();
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
        Alarms known = alarms;
        if (known != null) {
            known.beginClose(); // before instances stop, which is no reason for an alarm
        }
        TcpServer open = port;
        if (open != null) {
            open.close();
        }
        if (admin != null) {
            admin.close();
        }
        long deadline = time.nanos() + limit.toNanos();
        changes.shutdown();
        List<DestinationRunner> all = runners;
        all.forEach(runner -> runner.beginClose(limit));
        for (DestinationRunner runner : all) {
            runner.close(Duration.ofNanos(Math.max(0, deadline - time.nanos())));
        }
        if (cluster != null) {
            cluster.close();
        }
        if (health != null) {
            health.close();
        }
        if (metrics != null) {
            metrics.close();
        }
        if (control != null) {
            control.close();
        }
        if (known != null) {
            known.awaitEnd(ALARM_LIMIT);
        }
        pools.close();
        ended.countDown();
    }

    /** Adds, changes and removes instances. */
    private final class Destinations implements Reloads.Targets {
        @Override
        public List<String> destinations() {
            return names();
        }

        @Override
        public @Nullable String add(InstanceConfig config) {
            DestinationRunner added = runner(config);
            synchronized (SluiceServer.this) {
                if (stopped) {
                    return "the server is stopping";
                }
                List<DestinationRunner> next = new ArrayList<>(runners);
                next.add(added);
                runners = List.copyOf(next);
                shareAmongRunners();
            }
            LOG.info("an instance was added to the configuration: instance={}", config.destination());
            if (cluster != null) {
                added.enterCandidacy();
            } else if (!config.lazy()) {
                try {
                    added.start();
                } catch (RuntimeException e) {
                    LOG.error("an added instance cannot be started: instance={}", config.destination(), e);
                    return "it cannot be started: " + e.getMessage();
                }
            }
            return null;
        }

        @Override
        public @Nullable String change(InstanceConfig config) {
            String failure = find(config.destination())
                    .map(runner -> runner.reload(config, DestinationRunner.STOP_LIMIT))
                    .orElse(null);
            shareAmongRunners();
            return failure;
        }

        private void shareAmongRunners() {
            pools.setInstances(
                    runners.stream().map(runner -> runner.slot().config()).toList());
        }

        @Override
        public void remove(String destination) {
            Optional<DestinationRunner> runner = find(destination);
            if (runner.isEmpty()) {
                return;
            }
            synchronized (SluiceServer.this) {
                runners = runners.stream().filter(one -> one != runner.get()).toList();
                shareAmongRunners();
            }
            LOG.info("an instance was removed from the configuration: instance={}", destination);
            runner.get().close(DestinationRunner.STOP_LIMIT);
            meters.remove(destination);
        }

        @Override
        public void setProblem(String destination, @Nullable String problem) {
            find(destination).ifPresent(runner -> runner.setProblem(problem));
        }

        @Override
        public Optional<InstanceConfig> inForce(String destination) {
            return find(destination).map(runner -> runner.slot().config());
        }

        @Override
        public void setInvalid(Map<String, String> problems) {
            invalid = Collections.unmodifiableMap(new TreeMap<>(problems));
        }

        @Override
        public void setServerProblem(@Nullable String problem) {
            configurationProblem = problem;
        }

        @Override
        public void setServer(ServerConfig config) {
            Alarms known = alarms;
            if (known != null) {
                known.configure(config.alarms());
            }
        }
    }

    /** Tries something, unless something else is being tried. */
    @FunctionalInterface
    private interface Trial<T> {
        Optional<T> run() throws InterruptedException;
    }

    /** Carries out what an operator wants. */
    private final class Operator implements Operations {
        private final Object reloading = new Object();

        @Override
        public Configuration configuration() {
            List<InstanceConfig> inForce =
                    runners.stream().map(runner -> runner.slot().config()).toList();
            return new Configuration(configuration.server(), inForce, configuration.warnings());
        }

        @Override
        public List<String> destinations() {
            return names();
        }

        private DestinationRunner known(String destination) {
            Optional<DestinationRunner> runner = find(destination);
            String problem = invalid.get(destination);
            if (runner.isEmpty() && problem != null) {
                throw new ControlRefusedException(
                        "%s does not run, since its configuration was never right: %s; correct it, and reload it"
                                .formatted(destination, problem));
            }
            return runner.orElseThrow(() -> new UnknownDestinationException(
                    "there is no destination " + destination + ", there are " + String.join(", ", names())));
        }

        @Override
        public @Nullable String configurationProblem() {
            return configurationProblem;
        }

        @Override
        public InstanceSnapshot snapshot(String destination) {
            String problem = invalid.get(destination);
            if (problem != null && find(destination).isEmpty()) {
                return InstanceSnapshot.ofInvalid(destination, problem);
            }
            DestinationRunner runner = known(destination);
            return snapshot(
                    runner,
                    health().stream()
                            .filter(one -> one.destination().equals(destination))
                            .findFirst());
        }

        @Override
        public List<InstanceSnapshot> snapshots() {
            Map<String, InstanceHealth> known = new HashMap<>();
            health().forEach(one -> known.put(one.destination(), one));
            List<DestinationRunner> now = runners;
            List<InstanceSnapshot> all = new ArrayList<>();
            now.forEach(runner -> all.add(snapshot(runner, Optional.ofNullable(known.get(runner.name())))));
            invalidBeside(now).forEach((name, problem) -> all.add(InstanceSnapshot.ofInvalid(name, problem)));
            return all;
        }

        private InstanceSnapshot snapshot(DestinationRunner runner, Optional<InstanceHealth> known) {
            String destination = runner.name();
            ThroughputMeter meter = meters.get(destination);
            return new InstanceSnapshot(
                    destination,
                    runner.isStopped(),
                    runner.slot().instance(),
                    known,
                    runner.paceStatus(),
                    state(destination).errors().newest(),
                    meter == null ? Throughput.NONE : meter.throughput(),
                    runner.problem(),
                    runner.retryAt());
        }

        @Override
        public DeliveryTap tap(String destination) {
            known(destination);
            return state(destination).tap();
        }

        @Override
        public TableTally tables(String destination) {
            known(destination);
            return state(destination).tables();
        }

        @Override
        public boolean start(String destination) {
            try {
                return known(destination).start();
            } catch (UnknownDestinationException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new ControlRefusedException(destination + " cannot be started: " + e.getMessage(), e);
            }
        }

        @Override
        public boolean stop(String destination) {
            return known(destination).stop(DestinationRunner.STOP_LIMIT);
        }

        @Override
        public void restart(String destination) {
            DestinationRunner runner = known(destination);
            boolean isRestarted;
            try {
                isRestarted = runner.restart(DestinationRunner.STOP_LIMIT);
            } catch (RuntimeException e) {
                throw new ControlRefusedException(destination + " cannot be started again: " + e.getMessage(), e);
            }
            if (!isRestarted) {
                throw new ControlRefusedException(
                        destination + " does not run here, so it cannot be restarted: start it");
            }
        }

        @Override
        public void release(String destination) {
            DestinationRunner runner = known(destination);
            if (!runner.release(DestinationRunner.STOP_LIMIT)) {
                throw new ControlRefusedException(destination + " was stopped, so there is nothing to release");
            }
            enterCandidacyLater(runner);
        }

        @Override
        public void pause(String destination, String reason) {
            known(destination).changePace(pace -> pace.pause(reason));
        }

        @Override
        public void pauseAt(String destination, StopPoint point) {
            DestinationRunner runner = known(destination);
            if (runner.paceStatus().paused()) {
                throw new ControlRefusedException(
                        destination + " is paused already: resume it first, or at a point with the same call");
            }
            if (runner.slot().config().stream().omitted().contains(Omitted.TRANSACTION_BOUNDARIES)) {
                throw new ControlRefusedException(destination
                        + " leaves out where transactions begin and end, so it cannot pause between them:"
                        + " canal.instance.filter.transaction.entry");
            }
            Cursor cursor = runner.slot().instance().flatMap(Instance::cursor).orElse(null);
            String obstacle = point.obstacleAt(cursor);
            if (obstacle != null) {
                throw new ControlRefusedException(destination + ": " + obstacle);
            }
            runner.changePace(pace -> pace.pauseAt(point.at(cursor)));
        }

        @Override
        public void whileStopped(String destination, Runnable work) {
            if (!known(destination).whileStopped(work, DestinationRunner.STOP_LIMIT)) {
                throw new ControlRefusedException("in a cluster another server would take " + destination
                        + " meanwhile: stop it on all servers, do it, and start it on them");
            }
        }

        @Override
        public void resume(String destination) {
            known(destination).changePace(Pace::resume);
        }

        @Override
        public void limit(String destination, RateLimits limits) {
            known(destination).changePace(pace -> pace.limit(limits));
        }

        @Override
        public ReloadReport reload(String destination) {
            if (!invalid.containsKey(destination)) {
                known(destination);
            }
            return reloadOnly(destination);
        }

        @Override
        public ReloadReport reload() {
            return reloadOnly(null);
        }

        @Override
        public List<AlarmTest> testAlarm() {
            Alarms known = alarms;
            if (known == null) {
                throw new ControlRefusedException("the server is still starting");
            }
            return known.test();
        }

        @Override
        public CheckedTexts check(GivenTexts texts) {
            return knownSource().check(texts);
        }

        @Override
        public TrialTexts forTrial(GivenTexts texts) {
            return knownSource().forTrial(texts);
        }

        private ConfigSource knownSource() {
            ConfigSource current = source;
            if (current == null) {
                throw new ControlRefusedException("this server does not read its configuration again");
            }
            return current;
        }

        @Override
        public ConnectReport connect(TrialTexts texts) {
            return once(() -> trials.connect(texts, configuration()));
        }

        @Override
        public SourceListing sourceTables(TrialTexts texts) {
            return once(() -> trials.tables(texts));
        }

        private static <T> T once(Trial<T> trial) {
            try {
                return trial.run()
                        .orElseThrow(
                                () -> new ControlRefusedException(
                                        "another configuration is being tried, and only one is at a time: try again in a minute"));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new ControlRefusedException("the server is stopping");
            }
        }

        private void look() {
            Reloads current = reloads;
            if (current != null) {
                synchronized (reloading) {
                    current.look();
                }
            }
        }

        private ReloadReport reloadOnly(@Nullable String destination) {
            Reloads current = reloads;
            if (current == null) {
                throw new ControlRefusedException("this server does not read its configuration again");
            }
            synchronized (reloading) {
                return current.reload(destination);
            }
        }
    }
}
