package io.sluice.bench.stage;

import io.sluice.bench.bridge.BridgeJob;
import io.sluice.bench.record.Format;
import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
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
        /** {@link #READ}, and encoding of entries ahead of the store as for raw records. */
        ENCODE,
        /** All up to a producer that acknowledges at once. */
        SEND
    }

    /** The configuration of a server with one instance; all settings that the bench does not need are as shipped. */
    Configuration configuration(RecordedBinlog recorded) throws IOException, ConfigException {
        Path conf = work.resolve("conf");
        // The binlog's files replace MySQL, and the sink replaces Kafka.
        BridgeJob bridge = BridgeJob.single("127.0.0.1", 1, recorded, "127.0.0.1:1", "bench", format, work);
        bridge.writeInstance(conf);
        List<String> lines = new ArrayList<>(bridge.serverSettings());
        lines.addAll(settings);
        Path file = conf.resolve("canal.properties");
        Files.write(file, lines);
        Path bin = Files.createDirectories(work.resolve("bin"));
        return ConfigLoader.load(file, bin, Environment.ofThisProcess(), ProducerCheck.NONE);
    }
}
