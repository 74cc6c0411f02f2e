package io.sluice.testkit.zookeeper;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A ZooKeeper 3.4.14 of one node, in a process of its own, with a class path of its own. For one thread at a time. */
public final class OldZooKeeper extends RestartableServer implements RunningZooKeeper {
    private static final String HOME = "zookeeper-3.4.14";

    private final Path lib;
    private final Path folder = Folders.temporary("sluice-old-zookeeper-");
    private int port;

    private OldZooKeeper(Path lib) {
        this.lib = lib;
    }

    /** Starts one without data. */
    public static OldZooKeeper start() {
        Path lib = Folders.servers().resolve(HOME).resolve("lib");
        if (!Files.isDirectory(lib)) {
            throw new IllegalStateException(lib + " has no ZooKeeper: build the module testkit first");
        }
        OldZooKeeper server = new OldZooKeeper(lib);
        return startOrClose(server, server::launchOnFreePorts);
    }

    @Override
    protected void choosePorts() {
        port = FreePorts.next();
    }

    @Override
    protected ServerProcess startProcess() {
        try {
            Files.writeString(folder.resolve("zoo.cfg"), """
                    tickTime=500
                    dataDir=%s
                    clientPort=%d
                    clientPortAddress=127.0.0.1
                    maxClientCnxns=0
                    maxSessionTimeout=60000
                    """.formatted(folder.resolve("data"), port));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = List.of(
                Commands.java(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dzookeeper.jmx.log4j.disable=true",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.preAllocSize=1024",
                "-cp",
                lib + "/*",
                "org.apache.zookeeper.server.ZooKeeperServerMain",
                folder.resolve("zoo.cfg").toString());
        return ServerProcess.start(command, Map.of(), folder, log());
    }

    /** Whether it accepts sessions, a moment after it answers {@code ruok}. */
    @Override
    protected boolean answers() {
        return FourLetterCommand.ask(port, "srvr").contains("Mode: standalone");
    }

    @Override
    public String connectString() {
        return "127.0.0.1:" + port;
    }

    @Override
    public int port() {
        return port;
    }

    /** The lines of its log about requests of a type that it does not know. */
    public List<String> unknownRequests() {
        try {
            return Files.readString(log())
                    .lines()
                    .filter(line -> line.contains("unknown type"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path log() {
        return folder.resolve("log");
    }

    @Override
    protected String description() {
        return "ZooKeeper 3.4.14 on port " + port;
    }

    @Override
    public void close() {
        killProcess();
        Folders.delete(folder);
    }
}
