package io.sluice.bench.stage;

import io.sluice.bench.e2e.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.bench.workload.Tables;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.read.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The work of one process of the bench.
 *
 * @param until the last stage that runs
 * @param binlog the folder of the recorded binlog
 * @param check whether the rows that arrive are read and checked, which costs more than all stages
 * @param settings lines for {@code canal.properties} in addition to those that the bench needs
 * @param work an empty folder
 */
record StageJob(Stage until, Format format, Path binlog, boolean check, List<String> settings, Path work) {
    /** The stages in their order. */
    enum Stage {
        /** Framing of events, table maps, statements: entries with row images. */
        READ,
        /** The same, and encoding of entries ahead of the store as for raw records. */
        ENCODE,
        /** All up to a producer that acknowledges at once. */
        SEND
    }

    /** The configuration of a server with one instance; all settings that the bench does not need are as shipped. */
    Configuration configuration(RecordedBinlog recorded) throws IOException, ConfigException {
        Path conf = work.resolve("conf");
        Path instance = Files.createDirectories(conf.resolve("bench"));
        Files.write(
                instance.resolve("instance.properties"),
                List.of(
                        "canal.instance.master.address = 127.0.0.1:1",
                        "canal.instance.dbUsername = " + RecordedBinlog.USER,
                        "canal.instance.dbPassword = " + RecordedBinlog.PASSWORD,
                        "canal.instance.master.journal.name = " + recorded.file(),
                        "canal.instance.master.position = " + recorded.offset(),
                        "canal.instance.filter.regex = " + Tables.SCHEMA + "\\\\..*",
                        "canal.mq.topic = bench",
                        "canal.mq.partition = 0"));
        List<String> lines = new ArrayList<>(List.of(
                "canal.destinations = bench",
                "canal.auto.scan = false",
                "canal.serverMode = kafka", // the sink takes the place of Kafka
                "kafka.bootstrap.servers = 127.0.0.1:1",
                format.configLine()));
        lines.addAll(settings);
        Path file = conf.resolve("canal.properties");
        Files.write(file, lines);
        Path bin = Files.createDirectories(work.resolve("bin"));
        return ConfigLoader.load(file, bin, Environment.ofThisProcess(), ProducerCheck.NONE);
    }
}
