package io.sluice.parse.source;

import io.sluice.parse.filter.TableFilter;
import io.sluice.parse.gtid.SeenTransactions;
import io.sluice.parse.pipeline.EventReader;
import io.sluice.parse.pipeline.StatementReader;
import io.sluice.parse.pipeline.StreamOptions;
import io.sluice.parse.pipeline.StreamPipeline;
import io.sluice.parse.pipeline.StreamPoint;
import io.sluice.parse.pipeline.TableMappings;
import io.sluice.parse.schema.SchemaTracker;
import io.sluice.parse.value.ColumnTypes;
import io.sluice.parse.wire.DumpRequest;
import io.sluice.parse.wire.MySqlConnection;
import io.sluice.parse.wire.ServerErrorException;
import io.sluice.protocol.position.LogPosition;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.StoreClosedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Reads one source into one store, on a thread of its own, until it is stopped or cannot go on.
 *
 * <p>Whatever breaks the connection, it connects again, waits longer each time, and goes on exactly behind the last event
 * that it handed on. What connecting again cannot mend ends it: the listener is told.
 */
public final class BinlogSource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogSource.class);
    private static final int CHUNKS_IN_FLIGHT = 8;

    private final String name;
    private final SourceOptions source;
    private final StreamOptions options;
    private final TableFilter filter;
    private final ColumnTypes types;
    private final boolean thinsBorders;
    private final EntryStore store;
    private final @Nullable LogPosition cursor;
    private final @Nullable Executor encoders;
    private final SourceListener listener;

    private final SourceQueries queries;
    private final Structures structures;
    private final UUID replicaUuid = UUID.randomUUID();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile @Nullable MySqlConnection dump;
    private volatile @Nullable EventReader reader;

    /**
     * What a stream is made with.
     *
     * @param options how events become entries
     * @param filter which tables pass
     * @param types how column values are read
     * @param thinsBorders whether begins and ends of transactions are left out, but for one every five seconds
     * @param schema how structures are known
     */
    public record Stream(
            StreamOptions options, TableFilter filter, ColumnTypes types, boolean thinsBorders, SchemaOptions schema) {
        /** A stream without a schema history. */
        public Stream(StreamOptions options, TableFilter filter, ColumnTypes types, boolean thinsBorders) {
            this(options, filter, types, thinsBorders, SchemaOptions.WITHOUT_HISTORY);
        }
    }

    /**
     * Makes a source; {@link #start} starts it.
     *
     * @param name the instance's name, for threads and messages
     * @param cursor where the last run got to; null if there was none
     * @param encoders the pool that makes protobuf bytes ahead; null if entries keep their row images
     */
    public BinlogSource(
            String name,
            SourceOptions source,
            Stream stream,
            EntryStore store,
            @Nullable LogPosition cursor,
            @Nullable Executor encoders,
            SourceListener listener) {
        this.name = name;
        this.source = source;
        this.options = stream.options();
        this.filter = stream.filter();
        this.types = stream.types();
        this.thinsBorders = stream.thinsBorders();
        this.store = store;
        this.cursor = cursor;
        this.encoders = encoders;
        this.listener = listener;
        this.queries = new SourceQueries(source.login());
        this.structures = new Structures(name, queries, stream.filter(), stream.schema());
        this.thread = new Thread(this::run, name + "-reader");
        this.thread.setDaemon(true);
    }

    /** Starts to read. */
    public void start() {
        thread.start();
    }

    /**
     * Lets other tables pass from the next statement on; what is excluded stays excluded, and what is in the store already
     * stays there. May be called before the start.
     *
     * @param tables as {@code canal.instance.filter.regex}; empty lets all pass
     * @throws io.sluice.parse.filter.FilterSyntaxException if an expression cannot be read; nothing has changed then
     */
    public void include(String tables) {
        filter.include(tables);
        LOG.info("the tables that are read have changed: instance={} filter={}", name, tables);
    }

    /** When the newest event was written that was read, in milliseconds since the epoch; 0 before the first. */
    public long lastEventMillis() {
        EventReader open = reader;
        return open == null ? 0 : open.lastEventMillis();
    }

    private void run() {
        RetryDelay delay = new RetryDelay(ThreadLocalRandom.current());
        StreamPipeline pipeline = null;
        MDC.put("destination", name);
        try {
            while (!isStopped()) {
                try {
                    if (pipeline == null) {
                        pipeline = open();
                    }
                    read(pipeline, delay);
                } catch (IOException e) {
                    if (isStopped()) {
                        return;
                    }
                    if (e instanceof ServerErrorException error && error.isBinlogUnreadable()) {
                        throw new IOException(
                                e.getMessage() + "; the binlog from there on may be purged: set another start position"
                                        + " (canal.instance.master.journal.name and .position) and remove the cursor, or"
                                        + " load the tables again",
                                e);
                    }
                    queries.close(); // what broke the one connection has mostly broken the other
                    Duration wait = delay.next();
                    LOG.warn(
                            "the source cannot be read, trying again: instance={} in_ms={} cause={}",
                            name,
                            wait.toMillis(),
                            e.getMessage());
                    listener.retrying(e, wait);
                    if (stopped.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            }
        } catch (InterruptedException | StoreClosedException e) {
            LOG.debug("the source was stopped: instance={}", name, e);
        } catch (IOException | RuntimeException | Error e) {
            if (!isStopped()) {
                LOG.error("the source cannot be read any more: instance={} cause={}", name, e.getMessage(), e);
                listener.failed(e);
            }
        } finally {
            if (pipeline != null) {
                pipeline.close();
            }
            queries.close();
            structures.close();
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Finds the start and the structures of all tables. */
    private StreamPipeline open() throws IOException {
        check("binlog_format", source.acceptedFormats(), "canal.instance.binlog.format");
        check("binlog_row_image", source.acceptedImages(), "canal.instance.binlog.image");
        StreamPoint start = startPoint();
        SchemaTracker tracker = structures.at(start, cursor);
        EventReader opened = new EventReader(
                source.login().address().host(),
                source.login().address().port(),
                start,
                gtidSet(),
                options,
                new TableMappings(tracker, filter, types, options.dropped().unknownTables()),
                new StatementReader(tracker, filter, options));
        reader = opened;
        return new StreamPipeline(name, opened, store, encoders, CHUNKS_IN_FLIGHT, thinsBorders, this::abortDump);
    }

    private StreamPoint startPoint() throws IOException {
        if (cursor != null) {
            StreamPoint start = new StreamPoint(
                    cursor.position().journalName(), cursor.position().position());
            LOG.info("find start position successfully, at the cursor: instance={} start={}", name, start);
            return start;
        }
        if (source.start() != null) {
            LOG.info("find start position successfully, as configured: instance={} start={}", name, source.start());
            return source.start();
        }
        StreamPoint end = queries.binlogEnd();
        LOG.info(
                "find start position successfully, at the end of the binlog, since there is neither a cursor nor a"
                        + " configured position: instance={} start={}",
                name,
                end);
        return end;
    }

    private @Nullable SeenTransactions gtidSet() {
        if (cursor != null && !cursor.position().gtid().isEmpty()) {
            return SeenTransactions.parse(cursor.position().gtid());
        }
        return source.startGtidSet() == null ? null : SeenTransactions.parse(source.startGtidSet());
    }

    private void check(String variable, List<String> accepted, String key) throws IOException {
        String value = queries.variable(variable);
        if (value != null && !accepted.isEmpty() && !accepted.contains(value.toUpperCase(Locale.ROOT))) {
            throw new IOException("%s has %s=%s, but %s allows only %s"
                    .formatted(source.login().address(), variable, value, key, String.join(",", accepted)));
        }
    }

    private void read(StreamPipeline pipeline, RetryDelay delay) throws IOException, InterruptedException {
        EventReader open = reader;
        if (open == null) {
            throw new IllegalStateException("a pipeline without its reader");
        }
        boolean checksummed = "CRC32".equalsIgnoreCase(queries.variable("binlog_checksum"));
        StreamPoint from = open.resumePoint();
        try (MySqlConnection connection = MySqlConnection.open(source.login())) {
            dump = connection;
            if (isStopped()) {
                return;
            }
            DumpSource events = new DumpSource(
                    connection,
                    connection.dump(DumpRequest.from(from.file(), from.offset(), source.replicaServerId())
                            .withReplicaUuid(replicaUuid)
                            .withHeartbeatPeriod(source.heartbeatPeriod())));
            open.reconnected(checksummed);
            LOG.info("reading the binlog: instance={} source={} from={}", name, connection.address(), from);
            listener.reading(from);
            delay.reset();
            pipeline.read(events);
        } finally {
            dump = null;
        }
    }

    private void abortDump() {
        MySqlConnection open = dump;
        if (open != null) {
            open.abort();
        }
    }

    /** Stops reading, and waits until the thread has ended. Stopping twice does nothing. */
    @Override
    public void close() {
        stopped.countDown();
        abortDump();
        queries.abort();
        structures.abort();
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
