package io.sluice.bench.stage;

import io.sluice.bench.e2e.Form;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.ConfigLoader;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.Environment;
import io.sluice.server.config.ProducerCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What a server of the bench is configured with: what must be set, and no more. All else is as shipped. */
final class StageConfiguration {
    private static final int FIRST_REPLICA_ID = 1_000;

    private StageConfiguration() {}

    /**
     * Writes the files, and reads them as a server does.
     *
     * @param home a folder in which no server has run yet, or its cursors would be found
     */
    static Configuration of(StageJob job, RecordedBinlog binlog, Path home) throws IOException, ConfigException {
        Path conf = home.resolve("conf");
        List<String> destinations = new ArrayList<>();
        for (int i = 1; i <= job.instances(); i++) {
            String destination = "bench" + i;
            destinations.add(destination);
            Path folder = Files.createDirectories(conf.resolve(destination));
            Files.write(
                    folder.resolve("instance.properties"),
                    List.of(
                            "canal.instance.master.address = 127.0.0.1:" + Math.max(1, job.port()),
                            "canal.instance.mysql.slaveId = " + (FIRST_REPLICA_ID + i),
                            "canal.instance.dbUsername = " + RecordedBinlog.USER,
                            "canal.instance.dbPassword = " + RecordedBinlog.PASSWORD,
                            "canal.instance.master.journal.name = " + binlog.file(),
                            "canal.instance.master.position = " + binlog.offset(),
                            "canal.instance.filter.regex = " + Tables.SCHEMA + "\\\\..*",
                            "canal.mq.topic = bench",
                            "canal.mq.partition = 0"));
        }
        List<String> lines = new ArrayList<>(List.of(
                "canal.destinations = " + String.join(",", destinations),
                "canal.auto.scan = false",
                "canal.serverMode = kafka", // whose place the sink takes
                "kafka.bootstrap.servers = 127.0.0.1:1",
                "canal.mq.flatMessage = " + (job.form() == Form.FLAT)));
        lines.addAll(job.settings());
        Path file = conf.resolve("canal.properties");
        Files.write(file, lines);
        Path bin = Files.createDirectories(home.resolve("bin"));
        return ConfigLoader.load(file, bin, Environment.ofThisProcess(), ProducerCheck.NONE);
    }
}
