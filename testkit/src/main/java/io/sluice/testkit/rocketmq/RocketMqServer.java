package io.sluice.testkit.rocketmq;

import io.sluice.testkit.process.ClassArchive;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.Polling;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.common.MQVersion;
import org.jspecify.annotations.Nullable;

/**
 * A RocketMQ broker and its name server on free ports of 127.0.0.1, each in a process of its own.
 *
 * <p>The broker can be stopped, killed and started again on the same port with the same data, which are gone once this is
 * closed; the name server stays meanwhile. Neither outlives this JVM. Their jars are of the same version as the client on the
 * class path. All that they write is below one temporary folder.
 *
 * <p>For one thread at a time.
 */
public final class RocketMqServer extends RestartableServer {
    /** What the broker calls itself; also the name of a topic that each broker has. */
    static final String BROKER = "broker-a";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(90);

    private final RocketMqOptions options;
    private final Path home;
    private final Path folder;
    private int namePort;
    private int port;
    private int replicaPort;
    private @Nullable ServerProcess nameServer;
    private @Nullable RocketMqReader client;
    private List<String> nameServersClassArchive = List.of();
    private List<String> brokersClassArchive = List.of();

    private RocketMqServer(RocketMqOptions options, Path home, Path folder) {
        this.options = options;
        this.home = home;
        this.folder = folder;
    }

    /** Starts a broker with the defaults. */
    public static RocketMqServer start() {
        return start(RocketMqOptions.defaults());
    }

    /** Starts a name server and a broker, and returns when the broker is registered. */
    public static RocketMqServer start(RocketMqOptions options) {
        String version =
                MQVersion.getVersionDesc(MQVersion.CURRENT_VERSION).substring(1).replace('_', '.');
        Path home = Folders.servers().resolve("rocketmq-" + version);
        if (!Files.isDirectory(home.resolve("lib"))) {
            throw new IllegalStateException(home + " has no broker: build the module testkit first");
        }
        RocketMqServer server = new RocketMqServer(options, home, Folders.temporary("sluice-rocketmq-"));
        return startOrClose(server, () -> {
            server.choosePorts();
            server.nameServersClassArchive = ClassArchive.options(
                    home, "nameserver", server::startNameServer, () -> FreePorts.isListening(server.namePort));
            server.brokersClassArchive = ClassArchive.options(home, "broker", server::startBroker, server::answers);
            server.launchOnFreePorts();
        });
    }

    /** Host and port of the name server; the same for its whole life. */
    public String nameServer() {
        return "127.0.0.1:" + namePort;
    }

    /** Host and port of the broker; the same for its whole life. */
    public String broker() {
        return "127.0.0.1:" + port;
    }

    /** Makes a topic and returns when the name server knows it. */
    public void createTopic(String name, int queues) {
        client().createTopic(name, queues, START_TIMEOUT);
    }

    /** A new reader of the broker's topics, to be closed by the caller. */
    public RocketMqReader reader() {
        return new RocketMqReader(nameServer(), broker(), options.accessKey(), options.secretKey());
    }

    /** Where all that the servers write is. */
    public Path folder() {
        return folder;
    }

    /** Ends both servers at once and deletes their data. */
    @Override
    public void close() {
        closeClient();
        killProcess(); // the data are not needed, so do not wait for them to be written
        killNameServer();
        Folders.delete(folder);
    }

    @Override
    protected void choosePorts() {
        closeClient();
        killNameServer();
        namePort = FreePorts.next();
        replicaPort = FreePorts.next();
        do {
            port = options.port() > 0 ? options.port() : FreePorts.next();
        } while (options.port() == 0 && !isBrokersPortFree(port));
    }

    @Override
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        killNameServer();
        return !(FreePorts.isFree(namePort) && isBrokersPortFree(port));
    }

    private void killNameServer() {
        if (nameServer != null) {
            nameServer.kill();
            nameServer = null;
        }
    }

    /** The broker listens two ports below its own, too. */
    private static boolean isBrokersPortFree(int port) {
        return FreePorts.isFree(port) && FreePorts.isFree(port - 2);
    }

    private ServerProcess startNameServer(List<String> moreOptions) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("listenPort", Integer.toString(namePort));
        lines.put("kvConfigPath", folder.resolve("kv.json").toString());
        lines.put("configStorePath", folder.resolve("namesrv.properties").toString());
        Path conf = Folders.writeProperties(folder.resolve("namesrv.conf"), lines);
        List<String> jvm = List.of("-Xms32m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
        return ServerProcess.start(
                java(jvm, moreOptions, "org.apache.rocketmq.namesrv.NamesrvStartup", conf),
                environment(),
                folder,
                folder.resolve("namesrv.log"));
    }

    /** Starts the name server if it does not run, and returns when it listens. */
    private void launchNameServer() {
        if (nameServer != null) {
            return;
        }
        ServerProcess started = startNameServer(nameServersClassArchive);
        nameServer = started;
        boolean answered = Polling.await(START_TIMEOUT, () -> !started.isAlive() || FreePorts.isListening(namePort));
        if (!started.isAlive() || !answered) {
            throw new IllegalStateException(
                    "RocketMQ's name server on port %d did not come up: %s".formatted(namePort, started.logTail()));
        }
    }

    @Override
    protected ServerProcess startProcess() {
        return startBroker(brokersClassArchive);
    }

    private ServerProcess startBroker(List<String> moreOptions) {
        launchNameServer();
        Path conf = Folders.writeProperties(folder.resolve("broker.conf"), brokerLines());
        return ServerProcess.start(
                java(options.jvmOptions(), moreOptions, "org.apache.rocketmq.broker.BrokerStartup", conf),
                environment(),
                folder,
                folder.resolve("broker.log"));
    }

    @Override
    protected boolean answers() {
        return FreePorts.isListening(port) && isKnown();
    }

    @Override
    protected String description() {
        return "RocketMQ on port " + port;
    }

    /** A broker's registration at its start may reach no name server, and the next comes ten seconds later; but a setting has it register at once. */
    private boolean isKnown() {
        if (client().knows(BROKER)) {
            return true;
        }
        client().set("brokerPermission", "6"); // to read and to write, as before
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
        lines.put("brokerName", BROKER);
        lines.put("brokerId", "0");
        lines.put("brokerIP1", "127.0.0.1");
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

    private Map<String, String> environment() {
        return Map.of("ROCKETMQ_HOME", folder.toString());
    }

    private List<String> java(List<String> jvmOptions, List<String> moreOptions, String mainClass, Path conf) {
        List<String> command = new ArrayList<>();
        command.add(Commands.java());
        command.addAll(jvmOptions);
        command.addAll(moreOptions);
        command.add("-Duser.home=" + folder); // where they would write their logs
        command.add("-Dtls.server.mode=disabled"); // else they make an RSA key at each start
        command.add("--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--add-opens=java.base/sun.nio.ch=ALL-UNNAMED");
        command.addAll(List.of("-cp", home.resolve("lib") + "/*", mainClass, "-c", conf.toString()));
        return command;
    }
}
