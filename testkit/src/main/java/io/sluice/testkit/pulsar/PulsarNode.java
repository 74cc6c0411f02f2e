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
import java.util.stream.Stream;

/** A broker of a {@link PulsarCluster}, which has neither bookies nor metadata in its process. For one thread at a time. */
public final class PulsarNode extends RestartableServer {
    private final PulsarInstallation installation;
    private final PulsarOptions options;
    private final List<String> classArchive;
    private final Path folder = Folders.temporary("sluice-pulsar-node-");
    private int port;
    private int webPort;

    PulsarNode(PulsarInstallation installation, PulsarOptions options, List<String> classArchive) {
        this.installation = installation;
        this.options = options;
        this.classArchive = classArchive;
    }

    /** Where clients connect to; the same for the broker's whole life after its start. */
    public int port() {
        return port;
    }

    /** The port of its HTTP interface. */
    int webPort() {
        return webPort;
    }

    /** For clients; the same for the broker's whole life after its start. */
    public String serviceUrl() {
        return "pulsar://127.0.0.1:" + port;
    }

    /** For administration; the same for the broker's whole life after its start. */
    public String adminUrl() {
        return "http://127.0.0.1:" + webPort;
    }

    /** Where the broker writes its log. */
    public Path log() {
        return folder.resolve("log");
    }

    PulsarAdministration administration() {
        return new PulsarAdministration(adminUrl(), options.token());
    }

    /** Starts the process and returns when the broker answers. */
    void begin() {
        launchOnFreePorts();
    }

    @Override
    protected void choosePorts() {
        port = FreePorts.next();
        webPort = FreePorts.next();
    }

    @Override
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        return !FreePorts.isFree(port) || !FreePorts.isFree(webPort);
    }

    @Override
    protected ServerProcess startProcess() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("brokerServicePort", Integer.toString(port));
        lines.put("webServicePort", Integer.toString(webPort));
        lines.put("bindAddress", "127.0.0.1");
        lines.put("internalListenerName", "internal");
        lines.put(
                "advertisedListeners",
                "internal:%s,%s:pulsar://127.0.0.1:%d".formatted(serviceUrl(), PulsarOptions.GATE, options.gatePort()));
        lines.putAll(options.settings());
        Path settings = Folders.writeProperties(folder.resolve("broker.conf"), lines);
        return installation.start(
                "org.apache.pulsar.PulsarBrokerStarter",
                Stream.of(options.jvmOptions(), classArchive)
                        .flatMap(List::stream)
                        .toList(),
                new ArrayList<>(List.of("--broker-conf", settings.toString())),
                folder);
    }

    @Override
    protected boolean answers() {
        if (!FreePorts.isListening(port) || !FreePorts.isListening(webPort)) {
            return false;
        }
        try {
            administration().admin("GET", "clusters", "");
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    @Override
    protected String description() {
        return "Pulsar's broker on port " + port;
    }

    @Override
    public void close() {
        killProcess();
        Folders.delete(folder);
    }
}
