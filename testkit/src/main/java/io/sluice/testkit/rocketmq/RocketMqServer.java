package io.sluice.testkit.rocketmq;

import io.sluice.testkit.process.ClassArchive;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.TopicConfig;
import org.apache.rocketmq.common.constant.PermName;
import org.jspecify.annotations.Nullable;

/**
 * A RocketMQ broker on free ports of 127.0.0.1, with a name server of its own or that of a {@link RocketMqCluster}, each in a process of its own.
 *
 * <p>The broker can be stopped, killed and started again on the same port with the same data, which are gone once this is
 * closed; the name server stays meanwhile. Neither outlives this JVM. Their jars are of the same version as the client on the
 * class path. All that the broker writes is below one temporary folder.
 *
 * <p>For one thread at a time.
 */
public final class RocketMqServer extends RestartableServer {
    /** What a broker without a cluster calls itself; also the name of a topic that it has. */
    static final String BROKER = "broker-a";

    private static final Duration TOPIC_TIMEOUT = Duration.ofSeconds(90);

    private final RocketMqOptions options;
    private final RocketMqInstallation installation;
    private final RocketMqNameServer names;
    private final boolean ownsNames;
    private final String name;
    private final int id;
    private final Path folder;
    private int port;
    private int replicaPort;
    private @Nullable RocketMqReader client;
    private List<String> classArchive = List.of();

    private RocketMqServer(
            RocketMqOptions options,
            RocketMqInstallation installation,
            RocketMqNameServer names,
            boolean ownsNames,
            String name,
            int id) {
        this.options = options;
        this.installation = installation;
        this.names = names;
        this.ownsNames = ownsNames;
        this.name = name;
        this.id = id;
        this.folder = Folders.temporary("sluice-rocketmq-");
    }

    /** Starts a broker with the defaults. */
    public static RocketMqServer start() {
        return start(RocketMqOptions.defaults());
    }

    /** Starts a name server and a broker, and returns when the broker is registered. */
    public static RocketMqServer start(RocketMqOptions options) {
        RocketMqInstallation installation = RocketMqInstallation.find();
        RocketMqNameServer names = RocketMqNameServer.start(installation);
        return start(new RocketMqServer(options, installation, names, true, BROKER, 0));
    }

    /**
     * Starts a broker of a cluster.
     *
     * @param id 0 for a master, more for a slave of the master with the same name
     */
    static RocketMqServer start(
            RocketMqOptions options, RocketMqInstallation installation, RocketMqNameServer names, String name, int id) {
        return start(new RocketMqServer(options, installation, names, false, name, id));
    }

    private static RocketMqServer start(RocketMqServer server) {
        return startOrClose(server, () -> {
            server.choosePorts();
            server.classArchive =
                    ClassArchive.options(server.installation.home(), "broker", server::startWith, server::answers);
            server.launchOnFreePorts();
        });
    }

    /** The broker's name, which its clients know it by. */
    public String name() {
        return name;
    }

    /** Host and port of the name server; the same for its whole life. */
    public String nameServer() {
        return names.address();
    }

    /** Host and port of the broker; the same for its whole life. */
    public String broker() {
        return "127.0.0.1:" + port;
    }

    /** Makes a topic on this broker and returns when the name server knows it; if there is one, it has so many queues then. */
    public void createTopic(String topic, int queues) {
        createTopic(topic, queues, false);
    }

    /** Makes a topic with one queue that no producer may write to. */
    public void createReadOnlyTopic(String topic) {
        client().createTopic(broker(), name, new TopicConfig(topic, 1, 1, PermName.PERM_READ), TOPIC_TIMEOUT);
    }

    /** @param isOrdered whether the broker knows that its queues are to stay the same, see {@link RocketMqCluster#createOrderedTopic} */
    void createTopic(String topic, int queues, boolean isOrdered) {
        TopicConfig config = new TopicConfig(topic, queues, queues, PermName.PERM_READ | PermName.PERM_WRITE);
        config.setOrder(isOrdered);
        client().createTopic(broker(), name, config, TOPIC_TIMEOUT);
    }

    /** Deletes a topic on this broker. The name server still lists it there. Needs the setting {@code timerWheelEnable}. */
    public void deleteTopic(String topic) {
        client().deleteTopic(broker(), topic);
    }

    /** Makes a user with all rights. Needs {@link RocketMqOptions#withAcl}. */
    public void createUser(String user, String password) {
        client().createUser(broker(), user, password);
    }

    /** Makes a user that may log in, without a right to any topic. Needs {@link RocketMqOptions#withAcl}. */
    public void createUserWithoutRights(String user, String password) {
        client().createUserWithoutRights(broker(), user, password);
    }

    /** Lets a user log in no more. */
    public void disableUser(String user) {
        client().disableUser(broker(), user);
    }

    /** Changes a setting while it runs. */
    public void set(String setting, String value) {
        client().set(broker(), setting, value);
    }

    /** A new reader of the broker's topics, to be closed by the caller. */
    public RocketMqReader reader() {
        return new RocketMqReader(nameServer(), () -> List.of(broker()), options.accessKey(), options.secretKey());
    }

    /** Where all that the broker writes is. */
    public Path folder() {
        return folder;
    }

    /** Ends the broker at once, and a name server of its own, and deletes their data. */
    @Override
    public void close() {
        closeClient();
        killProcess(); // the data are not needed, so do not wait for them to be written
        Folders.delete(folder);
        if (ownsNames) {
            names.close();
        }
    }

    @Override
    protected void choosePorts() {
        closeClient();
        replicaPort = FreePorts.next();
        do {
            port = options.port() > 0 ? options.port() : FreePorts.next();
        } while (options.port() == 0 && !isBrokersPortFree(port));
    }

    @Override
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        return !isBrokersPortFree(port);
    }

    /** The broker listens two ports below its own, too. */
    private static boolean isBrokersPortFree(int port) {
        return FreePorts.isFree(port) && FreePorts.isFree(port - 2);
    }

    @Override
    protected ServerProcess startProcess() {
        return startWith(classArchive);
    }

    private ServerProcess startWith(List<String> moreOptions) {
        Path conf = Folders.writeProperties(folder.resolve("broker.conf"), brokerLines());
        return installation.start(
                "org.apache.rocketmq.broker.BrokerStartup",
                options.jvmOptions(),
                moreOptions,
                folder,
                conf,
                "broker.log");
    }

    @Override
    protected boolean answers() {
        return FreePorts.isListening(port) && isKnown();
    }

    @Override
    protected String description() {
        return "RocketMQ's %s on port %d".formatted(name, port);
    }

    /** A broker's registration at its start may reach no name server, and the next comes ten seconds later; but a setting has it register at once. */
    private boolean isKnown() {
        if (client().isRegistered(name, id)) {
            return true;
        }
        client().trySet(broker(), "brokerPermission", "6"); // to read and to write, as before
        return false;
    }

    /** The server's own client: a new one for each question would cost more than the question. */
    private RocketMqReader client() {
        RocketMqReader kept = client;
        if (kept == null) {
            kept = reader();
            client = kept;
        }
        return kept;
    }

    private void closeClient() {
        if (client != null) {
            client.close();
            client = null;
        }
    }

    private Map<String, String> brokerLines() {
        Path store = folder.resolve("store");
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("brokerClusterName", "DefaultCluster");
        lines.put("brokerName", name);
        lines.put("brokerId", Integer.toString(id));
        lines.put("brokerIP1", "127.0.0.1");
        lines.put("brokerIP2", "127.0.0.1"); // where a slave finds its master
        lines.put("listenPort", Integer.toString(port));
        lines.put("haListenPort", Integer.toString(replicaPort));
        lines.put("namesrvAddr", nameServer());
        lines.put("storePathRootDir", store.toString());
        lines.put("storePathCommitLog", store.resolve("commitlog").toString());
        lines.put("mappedFileSizeCommitLog", "16777216");
        lines.put("mappedFileSizeConsumeQueue", "600000");
        lines.put("maxIndexNum", "10000");
        lines.put("maxHashSlotNum", "5000");
        lines.put("diskMaxUsedSpaceRatio", "98");
        lines.put("autoCreateTopicEnable", "false");
        lines.put("timerWheelEnable", "false"); // for delayed messages, which no test sends
        lines.put("transactionMetricFlushInterval", "100"); // for the first such interval, a thread of the broker spins
        lines.put("enablePropertyFilter", "true");
        lines.put("maxTransferCountOnMessageInMemory", "4096"); // what a reader gets at once
        lines.put("maxTransferBytesOnMessageInMemory", "8388608");
        lines.put("maxTransferCountOnMessageInDisk", "4096");
        lines.put("maxTransferBytesOnMessageInDisk", "8388608");
        lines.putAll(options.settings());
        return lines;
    }
}
