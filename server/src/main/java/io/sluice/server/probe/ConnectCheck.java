package io.sluice.server.probe;

import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.TableName;
import io.sluice.server.config.ClusterConfig;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.CursorKind;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ServerConfig;
import io.sluice.server.cursor.CursorAdmin;
import io.sluice.server.cursor.CursorRefusedException;
import io.sluice.server.cursor.InstanceCursors;
import io.sluice.server.ha.ClusterView;
import io.sluice.stream.source.SmallestCursor;
import io.sluice.stream.source.SourceHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Tries everything that some instances of a configuration need: each host of their sources, the broker, and ZooKeeper. Changes nothing
 * on any of these. Used once, by one thread.
 */
public final class ConnectCheck {
    private final Configuration configuration;
    private final Optional<MessageProducerFactory> connector;
    private final Optional<String> runner;
    private final Duration limit;
    private final Time time;

    /**
     * Makes it.
     *
     * @param connector that of the server's mode; empty if there is none, or clients pull
     * @param runner the server that runs on this machine with this configuration, for messages; empty if none is known to
     * @param limit how long each server may be tried; what it has not answered by then is unknown
     */
    public ConnectCheck(
            Configuration configuration,
            Optional<MessageProducerFactory> connector,
            Optional<String> runner,
            Duration limit,
            Time time) {
        this.configuration = configuration;
        this.connector = connector;
        this.runner = runner;
        this.limit = limit;
        this.time = time;
    }

    /**
     * Tries everything, all instances at once.
     *
     * @param instances those that are of interest
     * @param progress gets a line when a server begins to be tried, and when that has ended; from several threads
     * @throws InterruptedException if this thread was interrupted
     */
    public ConnectReport run(List<InstanceConfig> instances, Consumer<String> progress) throws InterruptedException {
        Optional<ClusterConfig> cluster = configuration.server().cluster();
        Optional<ClusterView> view = cluster.map(ClusterView::open);
        try (ProbeThreads threads = new ProbeThreads(limit, progress)) {
            List<TargetReport> server = new ArrayList<>();
            boolean isConnected = false;
            if (cluster.isPresent() && view.isPresent()) {
                ClusterProbe probe = new ClusterProbe(cluster.get(), instances, view.get());
                server.add(threads.run("", "ZooKeeper", probe));
                isConnected = probe.isConnected();
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

    /** The server that runs an instance; empty also if ZooKeeper does not tell, which is a finding elsewhere. */
    private static Optional<String> owner(ClusterView cluster, InstanceConfig instance) {
        try {
            return cluster.owner(instance.destination());
        } catch (IllegalStateException e) {
            return Optional.empty();
        }
    }

    private static StoredCursor cursor(InstanceConfig instance, CursorAdmin admin, boolean hasCluster) {
        CursorKind kind = instance.cursor().kind();
        if (kind == CursorKind.MEMORY) {
            return new StoredCursor("memory", null, "");
        }
        if (kind == CursorKind.ZOOKEEPER && !hasCluster) {
            return new StoredCursor("ZooKeeper", null, "the cursor is in ZooKeeper, which does not answer");
        }
        try {
            InstanceCursors cursors = admin.of(instance.destination());
            return new StoredCursor(cursors.place(), SmallestCursor.of(cursors.clients()), "");
        } catch (CursorRefusedException | RuntimeException e) {
            return new StoredCursor("", null, String.valueOf(e.getMessage()));
        }
    }

    private ConnectReport.Instance tryInstance(
            InstanceConfig instance, StoredCursor cursor, Optional<String> owner, ProbeThreads threads)
            throws InterruptedException {
        ServerConfig server = configuration.server();
        boolean flat = server.mode().isQueue() && !server.mq().inPackets();
        List<SourceProbe> probes = new ArrayList<>();
        List<Future<TargetReport>> sources = new ArrayList<>();
        for (SourceHost host : instance.source().hosts()) {
            SourceProbe probe = new SourceProbe(instance, host, flat, cursor, owner, time);
            String target = "source " + host.login().address();
            probes.add(probe);
            sources.add(threads.submit(() -> threads.run(instance.destination(), target, probe)));
        }
        List<TargetReport> targets = new ArrayList<>();
        for (Future<TargetReport> source : sources) {
            targets.add(get(source));
        }
        if (server.mode().isQueue()) {
            List<TableName> tables = probes.stream()
                    .map(SourceProbe::tables)
                    .filter(found -> !found.isEmpty())
                    .findFirst()
                    .orElse(List.of());
            targets.add(tryBroker(instance, tables, threads));
        }
        return new ConnectReport.Instance(instance.destination(), targets);
    }

    private TargetReport tryBroker(InstanceConfig instance, List<TableName> tables, ProbeThreads threads)
            throws InterruptedException {
        ServerConfig server = configuration.server();
        String mode = server.mode().spelling();
        Map<String, String> properties = new HashMap<>(server.producerProperties());
        properties.put(MessageProducerFactory.DESTINATION, instance.destination());
        return threads.run(instance.destination(), mode, findings -> {
            if (connector.isEmpty()) {
                findings.failed(
                        "connector", "there is no connector for canal.serverMode=" + mode, "put it into plugin/");
            } else {
                connector.get().probe(properties, TopicNeeds.of(instance, tables), limit, findings);
            }
        });
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
