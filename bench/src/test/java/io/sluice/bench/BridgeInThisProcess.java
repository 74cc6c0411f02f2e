package io.sluice.bench;

import io.sluice.bench.bridge.Bridge;
import io.sluice.bench.bridge.BridgeJob;
import io.sluice.bench.bridge.PackagedServer;
import io.sluice.connector.api.producer.Connector;
import io.sluice.protocol.time.Time;
import io.sluice.server.SluiceServer;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server in this process, since the package is built after the tests. */
public final class BridgeInThisProcess implements Bridge {
    private @Nullable SluiceServer server;
    private int metricsPort;

    @Override
    public String name() {
        return "here";
    }

    @Override
    public long start(BridgeJob job) throws IOException {
        Path conf = job.folder().resolve("conf");
        job.writeInstance(conf);
        List<String> lines = new ArrayList<>(job.serverSettings());
        metricsPort = FreePorts.next();
        lines.add("canal.metrics.pull.port = " + metricsPort);
        lines.add("canal.instance.tsdb.enable = false");
        Path settings = Files.write(conf.resolve("canal.properties"), lines);
        try {
            ConfigReader reader = new ConfigReader(
                    settings,
                    Files.createDirectories(job.folder().resolve("bin")),
                    Environment.ofThisProcess(),
                    ProducerCheck.NONE,
                    Time.SYSTEM);
            server = SluiceServer.start(
                    reader.load(),
                    reader,
                    Connector.find("kafka", BridgeInThisProcess.class.getClassLoader())
                            .orElseThrow());
        } catch (ConfigException e) {
            throw new IOException(e);
        }
        return ProcessHandle.current().pid();
    }

    @Override
    public long ackedRows() throws IOException {
        return PackagedServer.ackedRows(metricsPort);
    }

    @Override
    public void stop(BridgeJob job) throws IOException {
        if (server != null) {
            server.stop(Duration.ofSeconds(10));
        }
    }

    @Override
    public String logTail(BridgeJob job) {
        return server == null ? "not started" : "running";
    }
}
