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

/** A bookie of a {@link PulsarCluster}, which stores messages for its brokers. For one thread at a time. */
public final class PulsarBookie extends RestartableServer {
    private static final List<String> DIRECTORIES = List.of("journal", "ledger", "index");

    private final PulsarInstallation installation;
    private final String metadata;
    private final List<String> classArchive;
    private final Path folder = Folders.temporary("sluice-bookie-");
    private int port;

    /** @param metadata host and port of the ZooKeeper */
    PulsarBookie(PulsarInstallation installation, String metadata, List<String> classArchive) {
        this.installation = installation;
        this.metadata = metadata;
        this.classArchive = classArchive;
    }

    /** Starts the process and returns when the bookie listens. */
    void begin() {
        launchOnFreePorts();
    }

    @Override
    protected void choosePorts() {
        port = FreePorts.next();
        for (String name : DIRECTORIES) { // they know the bookie by its port
            Folders.delete(folder.resolve(name));
        }
    }

    @Override
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        return !FreePorts.isFree(port);
    }

    @Override
    protected ServerProcess startProcess() {
        Map<String, String> lines = new LinkedHashMap<>();
        lines.put("bookiePort", Integer.toString(port));
        lines.put("advertisedAddress", "127.0.0.1");
        lines.put("allowLoopback", "true");
        lines.put("metadataServiceUri", "zk+hierarchical://" + metadata + PulsarCluster.LEDGERS);
        lines.put("zkTimeout", "10000");
        for (String name : DIRECTORIES) {
            lines.put(name + "Directories", folder.resolve(name).toString());
        }
        lines.put("ledgerStorageClass", "org.apache.bookkeeper.bookie.storage.ldb.DbLedgerStorage");
        lines.put("dbStorage_writeCacheMaxSizeMb", "16");
        lines.put("dbStorage_readAheadCacheMaxSizeMb", "16");
        lines.put("journalMaxSizeMB", "64");
        lines.put("journalPreAllocSizeMB", "1");
        lines.put("journalSyncData", "false"); // the machine does not crash
        lines.put("diskUsageThreshold", "0.99");
        lines.put("diskUsageWarnThreshold", "0.98");
        lines.put("nettyMaxFrameSizeBytes", "5253120"); // a message of 5 MiB, and what is around it
        lines.put("httpServerEnabled", "false");
        Path settings = Folders.writeProperties(folder.resolve("bookie.conf"), lines);
        List<String> jvmOptions = new ArrayList<>(List.of(
                "-Xms64m", "-Xmx192m", "-XX:MaxDirectMemorySize=192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        jvmOptions.addAll(classArchive);
        return installation.start(
                "org.apache.bookkeeper.server.Main", jvmOptions, List.of("--conf", settings.toString()), folder);
    }

    @Override
    protected boolean answers() {
        return FreePorts.isListening(port);
    }

    @Override
    protected String description() {
        return "bookie on port " + port;
    }

    @Override
    public void close() {
        killProcess();
        Folders.delete(folder);
    }
}
