package io.sluice.testkit.pulsar;

import io.sluice.testkit.process.Polling;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.proxy.Gate;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Two Pulsar brokers, two bookies, both of which must store a message, and a ZooKeeper. Each broker, bookie and the ZooKeeper can fail by itself, and
 * each broker has a {@link Gate} in front of it, for clients that use the listener {@link PulsarOptions#GATE}. A broker whose process has ended, or is
 * frozen, loses its topics after some seconds. Topics move only when that happens, or a test moves them.
 *
 * <p>Topics are in {@code public/default}. Users need tokens. For one thread at a time.
 */
public final class PulsarCluster implements AutoCloseable {
    /** Makes the tokens of users. */
    public static final PulsarTokens TOKENS = new PulsarTokens("sluice");

    /** The tenant and namespace of topics that are named without them, and a slash. */
    private static final String NAMESPACE = "public/default/";

    /** The node of ZooKeeper that the bookies have their metadata in. */
    static final String LEDGERS = "/ledgers";

    private static final int BROKERS = 2;
    private static final int BOOKIES = 2;
    private static final int SESSION_MILLIS = 5_000;
    private static final Logger LOG = LoggerFactory.getLogger(PulsarCluster.class);
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Duration MOVE_LIMIT = Duration.ofSeconds(5);
    private static final String CLUSTER = "test";
    private static final Pattern BROKER_ID = Pattern.compile("\"([^\"]+:\\d+)\"");
    private static final Pattern OWNER = Pattern.compile("\"brokerUrl\"\\s*:\\s*\"([^\"]+)\"");

    private final ZooKeeperNode zookeeper = ZooKeeperNode.start();
    private final List<PulsarBookie> bookies = new ArrayList<>();
    private final List<PulsarNode> brokers = new ArrayList<>();
    private final List<Gate> gates = new ArrayList<>();
    private final Set<RestartableServer> paused = new HashSet<>();

    private PulsarCluster() {}

    /** Starts a cluster, and returns when each broker answers. */
    public static PulsarCluster start() {
        return start(Map.of());
    }

    /**
     * Starts a cluster, and returns when each broker answers.
     *
     * @param settings lines of {@code broker.conf}; they win over the defaults
     * @throws org.opentest4j.TestAbortedException if this build has no broker
     */
    public static PulsarCluster start(Map<String, String> settings) {
        PulsarInstallation installation = PulsarInstallation.find();
        List<String> archive = PulsarServer.classArchive(installation);
        PulsarCluster cluster = new PulsarCluster();
        try {
            cluster.startAll(installation, archive, settings);
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll(PulsarInstallation installation, List<String> archive, Map<String, String> settings) {
        prepareMetadata();
        for (int i = 0; i < BOOKIES; i++) {
            bookies.add(new PulsarBookie(installation, zookeeper.connectString(), archive));
        }
        for (int i = 0; i < BROKERS; i++) {
            int index = i;
            Gate gate = new Gate(() -> brokers.get(index).port());
            gates.add(gate);
            PulsarOptions options = PulsarOptions.defaults().withTokens(TOKENS).viaGate(gate.port());
            for (Map.Entry<String, String> line : lines(settings).entrySet()) {
                options = options.with(line.getKey(), line.getValue());
            }
            brokers.add(new PulsarNode(installation, options, archive));
        }
        inParallel(bookies, PulsarBookie::begin);
        inParallel(brokers, PulsarNode::begin);
        admin("PUT", "clusters/" + CLUSTER, clusterJson());
        admin("PUT", "tenants/public", "{\"allowedClusters\":[\"%s\"]}".formatted(CLUSTER));
        createNamespace("public/default");
    }

    private Map<String, String> lines(Map<String, String> settings) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("clusterName", CLUSTER);
        lines.put("metadataStoreUrl", "zk:" + zookeeper.connectString());
        lines.put("configurationMetadataStoreUrl", "zk:" + zookeeper.connectString());
        lines.put("metadataStoreSessionTimeoutMillis", Integer.toString(SESSION_MILLIS));
        for (String quorum : List.of("EnsembleSize", "WriteQuorum", "AckQuorum")) {
            lines.put("managedLedgerDefault" + quorum, Integer.toString(BOOKIES));
        }
        lines.put("managedLedgerCacheSizeMB", "32");
        lines.put("loadManagerClassName", "org.apache.pulsar.broker.loadbalance.impl.ModularLoadManagerImpl");
        lines.put("loadBalancerAutoBundleSplitEnabled", "false");
        lines.put("loadBalancerSheddingEnabled", "false");
        lines.put("defaultRetentionTimeInMinutes", "-1");
        lines.put("defaultRetentionSizeInMB", "-1");
        lines.put("brokerDeleteInactiveTopicsEnabled", "false");
        lines.put("brokerShutdownTimeoutMs", "5000");
        lines.put("backlogQuotaCheckIntervalInSeconds", "1");
        lines.put("webSocketServiceEnabled", "false");
        lines.putAll(settings);
        return lines;
    }

    /** What BookKeeper's own program writes before the first bookie starts. */
    private void prepareMetadata() {
        try {
            CountDownLatch connected = new CountDownLatch(1);
            ZooKeeper client = new ZooKeeper(zookeeper.connectString(), 30_000, event -> connected.countDown());
            try {
                if (!connected.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                    throw new IllegalStateException("ZooKeeper does not answer");
                }
                create(client, LEDGERS, "");
                create(client, LEDGERS + "/available", "");
                create(client, LEDGERS + "/available/readonly", "");
                create(client, LEDGERS + "/cookies", "");
                create(client, LEDGERS + "/INSTANCEID", UUID.randomUUID().toString());
            } finally {
                client.close();
            }
        } catch (IOException | KeeperException e) {
            throw new IllegalStateException("the metadata of the bookies could not be written", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while writing to ZooKeeper", e);
        }
    }

    private static void create(ZooKeeper client, String path, String text)
            throws KeeperException, InterruptedException {
        client.create(path, text.getBytes(StandardCharsets.UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    private static <S> void inParallel(List<S> servers, Consumer<S> task) {
        List<CompletableFuture<Void>> all = servers.stream()
                .map(server -> CompletableFuture.runAsync(
                        () -> task.accept(server), run -> new Thread(run, "pulsar-cluster").start()))
                .toList();
        try {
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).join();
        } catch (CompletionException e) {
            throw new IllegalStateException("the cluster did not start", e.getCause());
        }
    }

    private String clusterJson() {
        return "{\"serviceUrl\":\"%s\",\"brokerServiceUrl\":\"%s\"}"
                .formatted(brokers.get(0).adminUrl(), serviceUrl());
    }

    /** All brokers, for clients. */
    public String serviceUrl() {
        return brokers.stream()
                .map(broker -> "127.0.0.1:" + broker.port())
                .collect(Collectors.joining(",", "pulsar://", ""));
    }

    /** The gates of all brokers, for clients that use the listener {@link PulsarOptions#GATE}. */
    public String gatedServiceUrl() {
        return gates.stream().map(gate -> "127.0.0.1:" + gate.port()).collect(Collectors.joining(",", "pulsar://", ""));
    }

    /** A broker, by its number from 0 on. */
    public PulsarNode broker(int index) {
        return brokers.get(index);
    }

    /** The gate in front of a broker. */
    public Gate gate(int index) {
        return gates.get(index);
    }

    /** All gates. */
    public List<Gate> gates() {
        return List.copyOf(gates);
    }

    /** A bookie, by its number from 0 on. */
    public PulsarBookie bookie(int index) {
        return bookies.get(index);
    }

    /** Where brokers and bookies have their metadata. */
    public ZooKeeperNode zookeeper() {
        return zookeeper;
    }

    /** Freezes a broker or a bookie: its connections stay open, and nothing answers. */
    public void pause(RestartableServer server) {
        paused.add(server);
        server.pause();
    }

    /** Continues one that is paused. */
    public void resume(RestartableServer server) {
        server.resume();
        paused.remove(server);
    }

    /** Continues and starts all that do not run, and thaws the gates. */
    public void restore() {
        gates.forEach(Gate::thaw);
        zookeeper.resume();
        List.copyOf(paused).forEach(this::resume);
        bookies.stream().filter(bookie -> !bookie.isRunning()).forEach(RestartableServer::restart);
        brokers.stream().filter(broker -> !broker.isRunning()).forEach(RestartableServer::restart);
    }

    /** Sends a request to a broker that runs, see {@link PulsarServer#admin}. */
    public String admin(String method, String path, String json) {
        return administration().admin(method, path, json);
    }

    private PulsarAdministration administration() {
        return brokers.stream()
                .filter(broker -> broker.isRunning() && !paused.contains(broker))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no broker runs"))
                .administration();
    }

    /** Makes a namespace whose topics are in one bundle, and so move together. */
    public void createNamespace(String name) {
        admin(
                "PUT",
                "namespaces/" + name,
                "{\"bundles\":{\"numBundles\":1},\"replication_clusters\":[\"%s\"]}".formatted(CLUSTER));
    }

    /** Makes a topic with partitions. */
    public void createTopic(String topic, int partitions) {
        admin("PUT", "persistent/" + full(topic) + "/partitions", Integer.toString(partitions));
    }

    /** The topic with its tenant and namespace. */
    private static String full(String topic) {
        return topic.contains("/") ? topic : NAMESPACE + topic;
    }

    /** The broker that has a topic or partition, which one of them gets by this question if none has. */
    public int ownerOf(String topic) {
        String answer = administration().lookup(full(topic));
        Matcher url = OWNER.matcher(answer);
        if (!url.find()) {
            throw new IllegalStateException("no owner of %s: %s".formatted(topic, answer));
        }
        return IntStream.range(0, brokers.size())
                .filter(index -> brokers.get(index).serviceUrl().equals(url.group(1)))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("unknown owner of %s: %s".formatted(topic, answer)));
    }

    /** Waits until a broker has a topic. */
    public void awaitOwner(String topic, int broker) {
        if (!Polling.await(TIMEOUT, () -> isOwner(topic, broker))) {
            throw new IllegalStateException("broker %d does not get %s".formatted(broker, topic));
        }
    }

    private boolean isOwner(String topic, int broker) {
        try {
            return ownerOf(topic) == broker;
        } catch (IllegalStateException e) { // while it moves
            return false;
        }
    }

    /** Moves the bundle of a topic, with all topics in it, to a broker, and returns when that has it. */
    public void move(String topic, int broker) {
        if (!Polling.await(TIMEOUT, () -> isOwner(topic, broker) || isMoved(topic, broker))) {
            throw new IllegalStateException("broker %d does not get %s".formatted(broker, topic));
        }
    }

    /** Once more if another broker was quicker to take it, or one of them was not ready. */
    private boolean isMoved(String topic, int broker) {
        String name = full(topic);
        String namespace = name.substring(0, name.lastIndexOf('/'));
        try {
            String bundle = administration().bundleOf(name);
            admin("PUT", "namespaces/%s/%s/unload?destinationBroker=%s".formatted(namespace, bundle, idOf(broker)), "");
        } catch (IllegalStateException e) {
            LOG.debug("{} is not unloaded yet", topic, e);
        }
        return Polling.await(MOVE_LIMIT, () -> isOwner(topic, broker));
    }

    /** As the brokers know each other: by the name of the machine, and the port of the HTTP interface. */
    private String idOf(int broker) {
        String wanted = ":" + brokers.get(broker).webPort();
        Matcher id = BROKER_ID.matcher(admin("GET", "brokers/" + CLUSTER, ""));
        while (id.find()) {
            if (id.group(1).endsWith(wanted)) {
                return id.group(1);
            }
        }
        throw new IllegalStateException("broker %d is not a member of the cluster".formatted(broker));
    }

    /** Splits the bundle that a topic is in, and has its topics loaded again. */
    public void splitBundle(String topic) {
        String name = full(topic);
        String namespace = name.substring(0, name.lastIndexOf('/'));
        admin(
                "PUT",
                "namespaces/%s/%s/split?unload=true"
                        .formatted(namespace, administration().bundleOf(name)),
                "");
    }

    /** Reads the topics; with a full name also those of other namespaces. */
    public PulsarReader reader() {
        return new PulsarReader(serviceUrl(), TOKENS.token(PulsarTokens.SUPERUSER));
    }

    /** A new client that may do everything, to be closed by the caller. */
    public PulsarClient client() {
        return PulsarServer.client(serviceUrl(), TOKENS.token(PulsarTokens.SUPERUSER));
    }

    /** Settings of a producer that may do everything. */
    public Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("pulsarmq.serverUrl", serviceUrl());
        settings.put("pulsarmq.topicTenantPrefix", "public/default");
        settings.put("pulsarmq.roleToken", TOKENS.token(PulsarTokens.SUPERUSER));
        return settings;
    }

    @Override
    public void close() {
        List<Runnable> parts = new ArrayList<>();
        brokers.forEach(broker -> parts.add(broker::close));
        bookies.forEach(bookie -> parts.add(bookie::close));
        gates.forEach(gate -> parts.add(gate::close));
        parts.add(zookeeper::close);
        RuntimeException failure = null;
        for (Runnable part : parts) {
            try {
                part.run();
            } catch (RuntimeException e) { // those after it must end all the same
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
