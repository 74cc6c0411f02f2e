package io.sluice.bench.stage;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import io.sluice.stream.pipeline.EncodingPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The stages of instances that read a file, with pools as a server has them. */
final class FileStages implements Stages {
    private final ExecutorService encoders;
    private final ExecutorService converters;
    private final List<FileInstance> instances = new ArrayList<>();

    FileStages(Configuration configuration, RecordedBinlog binlog, Sink sink) throws IOException {
        encoders = Executors.newFixedThreadPool(
                configuration.instances().get(0).parser().threads());
        converters = Executors.newFixedThreadPool(Math.min(
                configuration.server().mq().buildThreads(), Runtime.getRuntime().availableProcessors()));
        EncodingPool encoding = new EncodingPool(encoders);
        for (InstanceConfig instance : configuration.instances()) {
            instances.add(new FileInstance(
                    instance, configuration.server().mq(), binlog, encoding, converters, sink.producer()));
        }
        instances.forEach(FileInstance::start);
    }

    @Override
    public long rows() throws IOException {
        long rows = 0;
        for (FileInstance instance : instances) {
            rows += instance.rows();
        }
        return rows;
    }

    @Override
    public void close() throws IOException {
        for (FileInstance instance : instances) {
            instance.close();
        }
        encoders.shutdownNow();
        converters.shutdownNow();
    }
}
