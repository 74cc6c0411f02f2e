package io.sluice.bench.stage;

import io.sluice.bench.workload.RecordedBinlog;
import io.sluice.connector.api.convert.Workspaces;
import io.sluice.connector.api.deliver.Backoff;
import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.RejectionPolicy;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.filter.TableFilter;
import io.sluice.server.config.BatchMode;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.MqConfig;
import io.sluice.server.config.StoreConfig;
import io.sluice.server.instance.MessageForms;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.pipeline.EncodingPool;
import io.sluice.stream.pipeline.EventReader;
import io.sluice.stream.pipeline.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import java.io.IOException;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** An instance, but for what talks to a source: wired as the server wires one, and fed from files. */
final class FileInstance implements AutoCloseable {
    private static final int CHUNKS_IN_FLIGHT = 8;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);

    private final EntryRing store;
    private final BatchSender sender;
    private final StreamPipeline pipeline;
    private final EventSource source;
    private final Thread reader;
    private volatile @Nullable Throwable failure;

    FileInstance(
            InstanceConfig config,
            MqConfig mq,
            RecordedBinlog binlog,
            EncodingPool encoders,
            Executor converters,
            MessageProducer producer)
            throws IOException {
        StoreConfig size = config.store();
        store = new EntryRing(new RingConfig(size.slots(), size.bytesPerSlot(), size.ddlIsolation()));
        MemoryCursorStore cursors = new MemoryCursorStore();
        cursors.subscribe(MemoryCursorStore.QUEUE_CLIENT, "");
        BatchLimit limit = size.batchMode() == BatchMode.ITEMSIZE
                ? BatchLimit.entries(mq.batchSize())
                : BatchLimit.bytes((long) mq.batchSize() * size.bytesPerSlot());
        sender = new BatchSender(
                new SenderConfig(config.destination(), limit, mq.getTimeout(), mq.inFlightBatches()),
                store,
                cursors,
                MessageForms.converter(config, mq, producer, new Workspaces(mq.format()), Time.SYSTEM),
                converters,
                producer,
                new Backoff(Backoff.DEFAULT_INITIAL, Backoff.DEFAULT_CAP, new SplittableRandom(1)),
                Time.SYSTEM,
                RejectionPolicy.STOP,
                this::failed);
        pipeline = new StreamPipeline(
                events(config, binlog),
                store,
                size.rawEntry() ? encoders : null,
                CHUNKS_IN_FLIGHT,
                config.filter().dropTransactionEntries(),
                () -> {},
                Time.SYSTEM);
        source = binlog.open();
        reader = new Thread(this::read, config.destination() + "-reader");
    }

    private static EventReader events(InstanceConfig config, RecordedBinlog binlog) throws IOException {
        TableFilter filter = config.filter().tables();
        SchemaTracker tracker = new SchemaTracker(binlog.definitions()::get);
        return new EventReader(
                SourceServer.at("localhost", 3306),
                new BinlogPosition(binlog.file(), binlog.offset()),
                null,
                StreamOptions.DEFAULT,
                tracker,
                filter,
                new ColumnTypes(config.parser().timeZone(), config.parser().exactDecimals(), "utf8mb4"));
    }

    void start() {
        sender.start();
        reader.start();
    }

    /** How many rows were confirmed. */
    long rows() throws IOException {
        Throwable cause = failure;
        if (cause != null) {
            throw new IOException("the stages cannot go on", cause);
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
