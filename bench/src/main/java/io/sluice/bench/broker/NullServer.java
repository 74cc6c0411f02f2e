package io.sluice.bench.broker;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A {@link NullBroker} in a process of its own. */
public final class NullServer extends RestartableServer {
    private final Path folder = Folders.temporary("sluice-null-broker-");
    private final int advertised;
    private int port;

    private NullServer(int advertised) {
        this.advertised = advertised;
    }

    /**
     * Starts it and returns when it listens.
     *
     * @param advertised the port of 127.0.0.1 to which its clients are sent, such as a proxy's; 0 for its own
     */
    public static NullServer start(int advertised) {
        NullServer server = new NullServer(advertised);
        return startOrClose(server, server::launchOnFreePorts);
    }

    public int port() {
        return port;
    }

    /** What it printed, such as a sequence number that is out of order; empty if there was no error. */
    public String errors() throws IOException {
        return Files.readString(log());
    }

    private Path log() {
        return folder.resolve("log");
    }

    @Override
    protected void choosePorts() {
        port = FreePorts.next();
    }

    @Override
    protected ServerProcess startProcess() {
        return ServerProcess.start(
                List.of(
                        Commands.java(),
                        "-Xmx512m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        NullBroker.class.getName(),
                        Integer.toString(port),
                        Integer.toString(advertised == 0 ? port : advertised)),
                Map.of(),
                folder,
                log());
    }

    @Override
    protected boolean answers() {
        return FreePorts.isListening(port);
    }

    @Override
    protected String description() {
        return "the broker that keeps nothing on port " + port;
    }

    @Override
    public void close() {
        killProcess();
        Folders.delete(folder);
    }
}
