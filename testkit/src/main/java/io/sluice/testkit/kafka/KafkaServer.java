package io.sluice.testkit.kafka;

import io.sluice.testkit.process.ClassArchive;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.OncePerBuild;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.internals.AppInfoParser;

/**
 * A Kafka broker on a free port of 127.0.0.1, its own controller, in a process of its own.
 *
 * <p>It can be stopped, killed and started again on the same port with the same data, which are gone once it is closed.
 * It never outlives this JVM. Its jars are of the same version as the Kafka client on the class path.
 *
 * <p>For one thread at a time.
 */
public final class KafkaServer extends RestartableServer {
    private static final String CLUSTER_ID = "AAAAAAAAAAAAAAAAAAAAAQ";

    /** The node of a broker without others. */
    private static final int ALONE = 1;

    private final KafkaOptions options;
    private final Path home;
    private final Path folder;
    private final int nodeId;
    private int port;
    private int controllerPort;
    private final Map<String, Integer> morePorts = new TreeMap<>();
    private int gatedPort;
    private List<String> classArchive = List.of();

    /** The ports of all controllers of its cluster, by their node; none if it is its own controller. */
    private Map<Integer, Integer> controllerPorts = Map.of();

    private KafkaServer(KafkaOptions options, Path home, int nodeId) {
        this.options = options;
        this.home = home;
        this.folder = Folders.temporary("sluice-kafka-");
        this.nodeId = nodeId;
    }

    /** Starts a broker with the defaults. */
    public static KafkaServer start() {
        return start(KafkaOptions.defaults());
    }

    /** Starts a broker and returns when it answers. */
    public static KafkaServer start(KafkaOptions options) {
        KafkaServer server = new KafkaServer(options, home(), ALONE);
        return startOrClose(server, () -> {
            server.prepare();
            server.launchOnFreePorts();
        });
    }

    private static Path home() {
        Path home = Folders.servers().resolve("kafka-" + AppInfoParser.getVersion());
        if (!Files.isDirectory(home.resolve("lib"))) {
            throw new IllegalStateException(home + " has no broker: build the module testkit first");
        }
        return home;
    }

    /** Chooses ports, and makes what the broker needs besides. */
    private void prepare() {
        choosePorts();
        copyFormatted();
        classArchive = ClassArchive.options(home, "broker", this::startProcess, this::answers);
    }

    private void copyFormatted() {
        Path template = OncePerBuild.folder(home.resolve("data"), this::format);
        Folders.copy(template.resolve("data"), data());
    }

    /** Prepares the brokers of a cluster, numbered from 1 on, each of which {@link #join} starts; to be closed by the caller. */
    static List<KafkaServer> prepareMembers(List<KafkaOptions> options) {
        KafkaServer alone = new KafkaServer(KafkaOptions.defaults(), home(), ALONE);
        try {
            alone.prepare();
            List<KafkaServer> members = new ArrayList<>();
            for (KafkaOptions next : options) {
                KafkaServer member = new KafkaServer(next, alone.home, members.size() + 1);
                members.add(member);
                member.choosePorts();
                Folders.copy(alone.data(), member.data());
                member.writeIdentity(CLUSTER_ID);
                member.classArchive = alone.classArchive;
            }
            Map<Integer, Integer> ports = new TreeMap<>();
            members.forEach(member -> ports.put(member.nodeId, member.controllerPort));
            members.forEach(member -> member.controllerPorts = ports);
            return members;
        } finally {
            alone.close();
        }
    }

    /** Formatting has made the data of the first node. */
    private void writeIdentity(String clusterId) {
        Map<String, String> identity = new LinkedHashMap<>();
        identity.put("version", "1");
        identity.put("cluster.id", clusterId);
        identity.put("node.id", Integer.toString(nodeId));
        identity.put("directory.id", Uuid.randomUuid().toString());
        Path unused = Folders.writeProperties(data().resolve("meta.properties"), identity);
    }

    /** Stops this broker, and starts an empty one of another cluster in its place: at the same address, with the same number. */
    public void replaceByAnotherCluster() {
        stop();
        Folders.delete(data());
        copyFormatted();
        writeIdentity(Uuid.randomUuid().toString());
        restart();
    }

    /** Starts a broker of a cluster, and returns when it answers; that needs most of the others. */
    void join() {
        launch();
    }

    /** Its number in its cluster. */
    public int nodeId() {
        return nodeId;
    }

    /** Host and port; the same for the broker's whole life. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** The class path of Kafka's own command line tools. */
    public String toolsClassPath() {
        return home.resolve("lib") + "/*";
    }

    /** The port of the second listener, whose clients are sent to the gate. */
    public int gatedPort() {
        return gatedPort;
    }

    /**
     * Host and port of a listener of the options. The host is {@code localhost}, by which certificates and tickets know it.
     */
    public String bootstrapServers(String listener) {
        Integer chosen = morePorts.get(listener);
        if (chosen == null) {
            throw new IllegalArgumentException("the broker has no listener " + listener);
        }
        return "localhost:" + chosen;
    }

    /** Makes a topic and returns when the broker has it. */
    public void createTopic(String name, int partitions) {
        createTopic(name, partitions, Map.of());
    }

    /** Makes a topic with settings of its own, such as {@code max.message.bytes}. */
    public void createTopic(String name, int partitions, Map<String, String> settings) {
        try (Admin admin = admin()) {
            NewTopic topic = new NewTopic(name, Optional.of(partitions), Optional.empty()).configs(settings);
            get(admin.createTopics(List.of(topic)).all());
        }
    }

    /** Deletes topics; a moment later the broker does not have them any more. */
    public void deleteTopics(List<String> names) {
        try (Admin admin = admin()) {
            get(admin.deleteTopics(names).all());
        }
    }

    /** A new administration client, to be closed by the caller. */
    public Admin admin() {
        return Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers(),
                AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
                30_000, // asked twice for a topic, a broker that is only slow would answer that there is one
                AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                60_000));
    }

    /** Reads the broker's topics. */
    public KafkaReader reader() {
        return new KafkaReader(bootstrapServers());
    }

    /** Where the broker writes its log. */
    public Path log() {
        return folder.resolve("log");
    }

    /** Ends the broker at once and deletes its data. */
    @Override
    public void close() {
        killProcess(); // the data are not needed, so do not wait for them to be written
        Folders.delete(folder);
    }

    @Override
    protected void choosePorts() {
        port = FreePorts.next();
        controllerPort = FreePorts.next();
        gatedPort = FreePorts.next();
        options.listeners().keySet().forEach(name -> morePorts.put(name, FreePorts.next()));
    }

    @Override
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        return isAnyPortTaken();
    }

    boolean isAnyPortTaken() {
        return Stream.concat(Stream.of(port, controllerPort, gatedPort), morePorts.values().stream())
                .anyMatch(chosen -> !FreePorts.isFree(chosen));
    }

    @Override
    protected ServerProcess startProcess() {
        return startProcess(classArchive);
    }

    private ServerProcess startProcess(List<String> moreOptions) {
        Path properties = writeProperties(folder, data());
        List<String> jvmOptions = new ArrayList<>(options.jvmOptions());
        jvmOptions.addAll(moreOptions);
        return ServerProcess.start(java(jvmOptions, "kafka.Kafka", properties.toString()), Map.of(), folder, log());
    }

    @Override
    protected String description() {
        return "Kafka on port " + port;
    }

    /** Formatting takes a JVM, and the data do not depend on the ports, so it is done once and copied. */
    private void format(Path into) {
        Path properties = writeProperties(into, into.resolve("data"));
        List<String> format = java(
                List.of("-XX:TieredStopAtLevel=1"),
                "kafka.tools.StorageTool",
                "format",
                "-t",
                CLUSTER_ID,
                "-c",
                properties.toString());
        Commands.require(into, Map.of(), format);
    }

    private Path writeProperties(Path into, Path data) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("process.roles", "broker,controller");
        lines.put("node.id", Integer.toString(nodeId));
        lines.put("controller.quorum.voters", voters());
        boolean gated = options.gate() > 0;
        lines.put(
                "listeners",
                "PLAINTEXT://127.0.0.1:%d,CONTROLLER://127.0.0.1:%d".formatted(port, controllerPort)
                        + (gated ? ",GATED://127.0.0.1:" + gatedPort : "")
                        + more("%s://127.0.0.1:%d"));
        lines.put(
                "advertised.listeners",
                "PLAINTEXT://127.0.0.1:" + port + (gated ? ",GATED://127.0.0.1:" + options.gate() : "")
                        + more("%s://localhost:%d"));
        lines.put(
                "listener.security.protocol.map",
                "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT" + (gated ? ",GATED:PLAINTEXT" : "") + protocols());
        lines.put("controller.listener.names", "CONTROLLER");
        lines.put("inter.broker.listener.name", "PLAINTEXT");
        lines.put("log.dirs", data.toString());
        lines.put("broker.session.timeout.ms", "6000"); // for so long a killed broker bars its successor
        lines.put("broker.heartbeat.interval.ms", "500");
        lines.put("num.network.threads", "2");
        lines.put("num.io.threads", "4");
        lines.put("log.retention.ms", "-1");
        lines.put("log.cleaner.dedupe.buffer.size", "4194304");
        lines.put("offsets.topic.replication.factor", "1");
        lines.put("offsets.topic.num.partitions", "1");
        lines.put("transaction.state.log.replication.factor", "1");
        lines.put("transaction.state.log.min.isr", "1");
        lines.put("transaction.state.log.num.partitions", "1");
        lines.put("share.coordinator.state.topic.replication.factor", "1");
        lines.put("share.coordinator.state.topic.min.isr", "1");
        lines.put("share.coordinator.state.topic.num.partitions", "1");
        lines.put("group.initial.rebalance.delay.ms", "0");
        lines.putAll(options.settings());
        return Folders.writeProperties(into.resolve("server.properties"), lines);
    }

    private String voters() {
        if (controllerPorts.isEmpty()) {
            return nodeId + "@127.0.0.1:" + controllerPort;
        }
        return controllerPorts.entrySet().stream()
                .map(next -> next.getKey() + "@127.0.0.1:" + next.getValue())
                .collect(Collectors.joining(","));
    }

    private String protocols() {
        StringBuilder text = new StringBuilder();
        options.listeners().forEach((name, protocol) -> text.append("," + name + ":" + protocol));
        return text.toString();
    }

    private String more(String form) {
        StringBuilder text = new StringBuilder();
        morePorts.forEach((name, chosen) -> text.append(",").append(form.formatted(name, chosen)));
        return text.toString();
    }

    private List<String> java(List<String> jvmOptions, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Commands.java());
        command.addAll(jvmOptions);
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.add("-cp");
        command.add(toolsClassPath());
        command.add(mainClass);
        command.addAll(List.of(arguments));
        return command;
    }

    @Override
    protected boolean answers() {
        if (!FreePorts.isListening(port)) {
            return false;
        }
        try (Admin admin = admin()) {
            return get(admin.describeCluster().nodes()).stream().anyMatch(node -> node.id() == nodeId);
        } catch (IllegalStateException e) {
            return false;
        }
    }

    static <T> T get(KafkaFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker rejected it: " + e.getCause(), e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("the broker does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the broker", e);
        }
    }

    private Path data() {
        return folder.resolve("data");
    }
}
