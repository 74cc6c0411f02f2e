package io.sluice.bench.latency;

import io.sluice.bench.e2e.Bridge;
import io.sluice.bench.e2e.BridgeJob;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.server.SluiceServer;
import io.sluice.server.config.read.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The server in this process, since the package is built after the tests. */
final class BridgeInThisProcess implements Bridge {
    private @Nullable SluiceServer server;

    @Override
    public String name() {
        return "here";
    }

    @Override
    public long start(BridgeJob job) throws IOException {
        Path instance = Files.createDirectories(job.folder().resolve("conf/bench"));
        Path settings = job.folder().resolve("conf/canal.properties");
        Files.write(
                settings,
                List.of(
                        "canal.destinations = bench",
                        "canal.serverMode = kafka",
                        job.format().configLine(),
                        "kafka.bootstrap.servers = " + job.bootstrapServers()));
        Files.write(
                instance.resolve("instance.properties"),
                List.of(
                        "canal.instance.master.address = %s:%d".formatted(job.host(), job.port()),
                        "canal.instance.dbUsername = " + RecordedBinlog.USER,
                        "canal.instance.dbPassword = " + RecordedBinlog.PASSWORD,
                        "canal.instance.master.journal.name = " + job.binlog().file(),
                        "canal.instance.master.position = " + job.binlog().offset(),
                        "canal.instance.tsdb.enable = false",
                        "canal.mq.topic = " + job.topic()));
        try {
            server = SluiceServer.start(
                    ConfigLoader.load(
                            settings,
                            Files.createDirectories(job.folder().resolve("bin")),
                            Environment.ofThisProcess(),
                            ProducerCheck.NONE),
                    MessageProducerFactory.find("kafka", BridgeInThisProcess.class.getClassLoader())
                            .orElseThrow());
        } catch (ConfigException e) {
            throw new IOException(e);
        }
        return ProcessHandle.current().pid();
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
