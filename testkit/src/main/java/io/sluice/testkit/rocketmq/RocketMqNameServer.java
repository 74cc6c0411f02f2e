package io.sluice.testkit.rocketmq;

import io.sluice.testkit.process.ClassArchive;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * RocketMQ's name server on a free port of 127.0.0.1, in a process of its own: lists to clients which brokers there are, and which topics they have.
 *
 * <p>It knows that from the brokers alone, so a restarted one has to hear of them again. For one thread at a time.
 */
public final class RocketMqNameServer extends RestartableServer {
    private static final List<String> JVM_OPTIONS =
            List.of("-Xms32m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final RocketMqInstallation installation;
    private final Path folder;
    private int port;
    private List<String> classArchive = List.of();

    private RocketMqNameServer(RocketMqInstallation installation, Path folder) {
        this.installation = installation;
        this.folder = folder;
    }

    static RocketMqNameServer start(RocketMqInstallation installation) {
        RocketMqNameServer server = new RocketMqNameServer(installation, Folders.temporary("sluice-rocketmq-names-"));
        return startOrClose(server, () -> {
            server.choosePorts();
            server.classArchive =
                    ClassArchive.options(installation.home(), "nameserver", server::startWith, server::answers);
            server.launchOnFreePorts();
        });
    }

    /** Host and port; the same for its whole life. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    protected void choosePorts() {
        port = FreePorts.next();
    }

    @Override
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        return !FreePorts.isFree(port);
    }

    @Override
    protected ServerProcess startProcess() {
        return startWith(classArchive);
    }

    private ServerProcess startWith(List<String> moreOptions) {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("listenPort", Integer.toString(port));
        lines.put("kvConfigPath", folder.resolve("kv.json").toString());
        lines.put("configStorePath", folder.resolve("namesrv.properties").toString());
        lines.put("orderMessageEnable", "true"); // else it does not list the queues of ordered topics
        Path conf = Folders.writeProperties(folder.resolve("namesrv.conf"), lines);
        return installation.start(
                "org.apache.rocketmq.namesrv.NamesrvStartup", JVM_OPTIONS, moreOptions, folder, conf, "namesrv.log");
    }

    @Override
    protected boolean answers() {
        return FreePorts.isListening(port);
    }

    @Override
    protected String description() {
        return "RocketMQ's name server on port " + port;
    }

    /** Ends it at once and deletes what it has written. */
    @Override
    public void close() {
        killProcess();
        Folders.delete(folder);
    }
}
