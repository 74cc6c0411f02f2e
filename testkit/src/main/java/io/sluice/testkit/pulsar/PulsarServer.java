package io.sluice.testkit.pulsar;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.pulsar.client.api.AuthenticationFactory;
import org.apache.pulsar.client.api.ClientBuilder;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;
import org.opentest4j.TestAbortedException;

/**
 * A Pulsar broker on free ports of 127.0.0.1, with its bookie and its metadata in one process of its own.
 *
 * <p>It can be stopped, killed and started again on the same ports with the same data, which are gone once it is closed. It
 * never outlives this JVM. It keeps messages without a subscription, and topics that are not used.
 *
 * <p>Its jars are there in builds with the profile {@code pulsar} only; otherwise a test that starts it is skipped.
 *
 * <p>For one thread at a time.
 */
public final class PulsarServer extends RestartableServer {
    private final PulsarOptions options;
    private final PulsarInstallation installation;
    private final Path folder;
    private int port;
    private int webPort;
    private int tlsPort;
    private int bookiePort;
    private List<String> classArchive = List.of();

    private PulsarServer(PulsarOptions options, PulsarInstallation installation, Path folder) {
        this.options = options;
        this.installation = installation;
        this.folder = folder;
    }

    /** Starts a broker with the defaults. */
    public static PulsarServer start() {
        return start(PulsarOptions.defaults());
    }

    /**
     * Starts a broker and returns when it answers.
     *
     * @throws TestAbortedException if this build has no broker
     */
    public static PulsarServer start(PulsarOptions options) {
        PulsarInstallation installation = PulsarInstallation.find();
        PulsarServer server = new PulsarServer(options, installation, Folders.temporary("sluice-pulsar-"));
        return startOrClose(server, () -> {
            server.choosePorts();
            server.classArchive = installation.classArchive(server::startProcess, server::answers);
            server.launchOnFreePorts();
        });
    }

    /** The JVM options of the class archive for all programs of an installation. */
    static List<String> classArchive(PulsarInstallation installation) {
        try (PulsarServer server =
                new PulsarServer(PulsarOptions.defaults(), installation, Folders.temporary("sluice-pulsar-"))) {
            server.choosePorts();
            return installation.classArchive(server::startProcess, server::answers);
        }
    }

    /** Where clients connect to; the same for the broker's whole life. */
    public int port() {
        return port;
    }

    /** For clients; the same for the broker's whole life. */
    public String serviceUrl() {
        return "pulsar://127.0.0.1:" + port;
    }

    /** For clients that speak TLS, if the options have it; the same for the broker's whole life. */
    public String tlsServiceUrl() {
        return "pulsar+ssl://127.0.0.1:" + tlsPort;
    }

    /** For administration; the same for the broker's whole life. */
    public String adminUrl() {
        return "http://127.0.0.1:" + webPort;
    }

    /** Makes a topic with partitions in {@code public/default} and returns when the broker has it. */
    public void createTopic(String name, int partitions) {
        admin("PUT", "persistent/public/default/" + name + "/partitions", Integer.toString(partitions));
    }

    /**
     * Sends a request to the broker's administration.
     *
     * @param path the path after {@code /admin/v2/}
     * @param json the body; empty if there is none
     * @return what it answers
     * @throws IllegalStateException if it rejects that; a topic that is there already is no failure
     */
    public String admin(String method, String path, String json) {
        return new PulsarAdministration(adminUrl(), options.token()).admin(method, path, json);
    }

    /** A new client, to be closed by the caller. */
    public PulsarClient client() {
        return client(serviceUrl(), options.token());
    }

    static PulsarClient client(String serviceUrl, String token) {
        ClientBuilder client =
                PulsarClient.builder().serviceUrl(serviceUrl).ioThreads(1).listenerThreads(1);
        if (!token.isEmpty()) {
            client.authentication(AuthenticationFactory.token(token));
        }
        try {
            return client.build();
        } catch (PulsarClientException e) {
            throw new IllegalStateException("no client for " + serviceUrl, e);
        }
    }

    /** Reads the broker's topics. */
    public PulsarReader reader() {
        return new PulsarReader(serviceUrl(), options.token());
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
        webPort = FreePorts.next();
        tlsPort = FreePorts.next();
        bookiePort = FreePorts.next();
        Folders.delete(data()); // they know the bookie by its port
    }

    @Override
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        return !IntStream.of(port, webPort, tlsPort, bookiePort).allMatch(FreePorts::isFree);
    }

    @Override
    protected ServerProcess startProcess() {
        return startProcess(classArchive);
    }

    private ServerProcess startProcess(List<String> moreOptions) {
        List<String> jvmOptions = new ArrayList<>(options.jvmOptions());
        jvmOptions.addAll(moreOptions);
        return installation.start(
                "org.apache.pulsar.PulsarStandaloneStarter", jvmOptions, arguments(writeSettings()), folder);
    }

    @Override
    protected String description() {
        return "Pulsar on port " + port;
    }

    private Path writeSettings() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("brokerServicePort", Integer.toString(port));
        lines.put("webServicePort", Integer.toString(webPort));
        lines.put("bindAddress", "127.0.0.1");
        lines.put("clusterName", "standalone");
        lines.put("managedLedgerDefaultEnsembleSize", "1");
        lines.put("managedLedgerDefaultWriteQuorum", "1");
        lines.put("managedLedgerDefaultAckQuorum", "1");
        lines.put("dbStorage_writeCacheMaxSizeMb", "16");
        lines.put("dbStorage_readAheadCacheMaxSizeMb", "16");
        lines.put("allowLoopback", "true");
        lines.put("diskUsageThreshold", "0.99"); // a full disk of the machine is not what tests are about
        lines.put("diskUsageWarnThreshold", "0.98");
        lines.put("defaultRetentionTimeInMinutes", "-1");
        lines.put("defaultRetentionSizeInMB", "-1");
        lines.put("brokerDeleteInactiveTopicsEnabled", "false");
        lines.put("brokerShutdownTimeoutMs", "5000");
        lines.put("nettyMaxFrameSizeBytes", "5253120"); // of the bookie: a message of 5 MiB, and what is around it
        if (options.isTls()) {
            lines.put("brokerServicePortTls", Integer.toString(tlsPort));
        }
        if (options.gatePort() != 0) {
            String listeners = "internal:%s,%s:pulsar://127.0.0.1:%d"
                    .formatted(serviceUrl(), PulsarOptions.GATE, options.gatePort());
            lines.put("advertisedListeners", options.isTls() ? listeners + ",internal:" + tlsServiceUrl() : listeners);
            lines.put("internalListenerName", "internal");
        }
        lines.putAll(options.settings());
        return Folders.writeProperties(folder.resolve("standalone.conf"), lines);
    }

    private List<String> arguments(Path settings) {
        List<String> arguments = new ArrayList<>(
                List.of("--config", settings.toString(), "--no-functions-worker", "--no-stream-storage"));
        if (options.gatePort() == 0) {
            arguments.addAll(List.of("--advertised-address", "127.0.0.1"));
        }
        arguments.addAll(List.of("--metadata-dir", data().resolve("metadata").toString()));
        arguments.addAll(
                List.of("--bookkeeper-dir", data().resolve("bookkeeper").toString()));
        arguments.addAll(List.of("--bookkeeper-port", Integer.toString(bookiePort)));
        return arguments;
    }

    /** It answers before it has made the namespace that everything is in. */
    @Override
    protected boolean answers() {
        if (!FreePorts.isListening(port) || !FreePorts.isListening(webPort)) {
            return false;
        }
        try {
            return admin("GET", "namespaces/public", "").contains("public/default");
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private Path data() {
        return folder.resolve("data");
    }
}
