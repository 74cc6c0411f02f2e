package io.sluice.testkit.zookeeper;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.server.quorum.QuorumPeerMain;

/** One server of an ensemble, in a JVM of its own that runs with this JVM's class path. For one thread at a time. */
final class ZooKeeperMember extends RestartableServer {
    private final Path folder;
    private final int clientPort;

    /**
     * Creates one that is not started.
     *
     * @param folder has its configuration in {@code zoo.cfg}, and its number in {@code data/myid}
     */
    ZooKeeperMember(Path folder, int clientPort) {
        this.folder = folder;
        this.clientPort = clientPort;
    }

    /** Starts the process, and does not wait until it answers: a server alone has no quorum. */
    void begin() {
        launch();
    }

    @Override
    protected ServerProcess startProcess() {
        List<String> command = List.of(
                Commands.java(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dzookeeper.forceSync=no",
                "-Dzookeeper.preAllocSize=1024",
                "-cp",
                System.getProperty("java.class.path"),
                QuorumPeerMain.class.getName(),
                folder.resolve("zoo.cfg").toString());
        return ServerProcess.start(command, Map.of(), folder, folder.resolve("log"));
    }

    /** Whether it listens; it answers requests only as part of a quorum, which the ensemble waits for. */
    @Override
    protected boolean answers() {
        return !ask("srvr").isEmpty();
    }

    /** {@code leader}, {@code follower}, or empty if it is neither or does not answer. */
    String mode() {
        for (String line : ask("srvr").lines().toList()) {
            if (line.startsWith("Mode: ")) {
                return line.substring("Mode: ".length());
            }
        }
        return "";
    }

    /** Whether a client with this session is connected to this server. */
    boolean serves(long session) {
        return ask("cons").contains("sid=0x" + Long.toHexString(session) + ",");
    }

    private String ask(String command) {
        return FourLetterCommand.ask(clientPort, command);
    }

    /** What it has logged. */
    String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected String description() {
        return "ZooKeeper on port " + clientPort;
    }

    @Override
    public void close() {
        killProcess();
    }
}
