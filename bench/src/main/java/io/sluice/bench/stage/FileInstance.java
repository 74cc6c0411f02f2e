package io.sluice.bench.stage;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.server.MqConfig;
import io.sluice.server.instance.InstanceWiring;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.EntryRing;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.pipeline.StreamPipeline;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An instance without its source: wired by the server, and fed from files. */
final class FileInstance implements AutoCloseable {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final EntryRing store;
    private final BatchSender sender;
    private final StreamPipeline pipeline;
    private final EventSource source;
    private final Thread reader;
    private volatile @Nullable Throwable failure;

    FileInstance(
            InstanceConfig config, MqConfig mq, RecordedBinlog binlog, InstanceWiring wiring, MessageProducer producer)
            throws IOException {
        store = wiring.store(config);
        MemoryCursorStore cursors = new MemoryCursorStore();
        cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        sender = wiring.sender(config, mq, store, cursors, producer, this::failed);
        pipeline = wiring.stream(config, mq)
                .stages(
                        SourceServer.at("localhost", 3306),
                        new BinlogPosition(binlog.file(), binlog.offset()),
                        new SchemaTracker(binlog.definitions()::get),
                        HiddenColumns.NONE,
                        store,
                        null,
                        () -> {},
                        Time.SYSTEM)
                .pipeline();
        source = binlog.open();
        reader = new Thread(this::read, config.destination() + "-reader");
    }

    void start() {
        sender.start();
        reader.start();
    }

    /** How many rows were confirmed. */
    long rows() throws IOException {
        Throwable cause = failure;
        if (cause != null) {
            throw new IOException("the stages cannot continue", cause);
        }
        return store.stats().acked().rows();
    }

    private void read() {
        try {
            pipeline.read(source);
            pipeline.drain();
        } catch (InterruptedException e) {
            // closed before its end
        } catch (Throwable e) { // the top of the thread
            failed(e);
        }
    }

    private void failed(Throwable cause) {
        failure = cause;
    }

    @Override
    public void close() throws IOException {
        boolean interrupted = false;
        reader.interrupt();
        try {
            reader.join();
            pipeline.close();
            sender.stop(STOP_LIMIT);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        store.close();
        source.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
