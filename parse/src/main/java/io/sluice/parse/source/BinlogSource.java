package io.sluice.parse.source;

import io.sluice.parse.filter.TableFilter;
import io.sluice.parse.pipeline.EventReader;
import io.sluice.parse.pipeline.StreamOptions;
import io.sluice.parse.pipeline.StreamPipeline;
import io.sluice.parse.pipeline.StreamPoint;
import io.sluice.parse.pipeline.TableMappings;
import io.sluice.parse.schema.SchemaCounts;
import io.sluice.parse.value.ColumnTypes;
import io.sluice.parse.wire.MySqlConnection;
import io.sluice.parse.wire.ServerErrorException;
import io.sluice.protocol.position.LogPosition;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.StoreClosedException;
import java.io.EOFException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
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

    private final String name;
    private final SourceOptions source;
    private final @Nullable LogPosition cursor;
    private final SourceListener listener;
    private final TableFilter filter;

    private final SourceHosts hosts;
    private final SourceQueries queries;
    private final StreamStages stages;
    private final HostReading reading;
    private final SourceWatch watch;
    private final RetryDelay delay = new RetryDelay(ThreadLocalRandom.current());
    private final AtomicLong resets = new AtomicLong();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean switchAsked;

    /**
     * What a stream is made with.
     *
     * @param options how events become entries
     * @param filter which tables pass
     * @param types how column values are read
     * @param thinsBorders whether begins and ends of transactions are left out, but for one every five seconds
     * @param schema how structures are known
     * @param mappingBytes how much memory may be taken by what is remembered of tables, to decode their rows
     */
    public record Stream(
            StreamOptions options,
            TableFilter filter,
            ColumnTypes types,
            boolean thinsBorders,
            SchemaOptions schema,
            long mappingBytes) {
        /** A stream that may take some memory. */
        public Stream(
                StreamOptions options,
                TableFilter filter,
                ColumnTypes types,
                boolean thinsBorders,
                SchemaOptions schema) {
            this(options, filter, types, thinsBorders, schema, TableMappings.DEFAULT_BYTES);
        }

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
     * @param watches look after the source, and may look after others
     */
    public BinlogSource(
            String name,
            SourceOptions source,
            Stream stream,
            EntryStore store,
            @Nullable LogPosition cursor,
            @Nullable Executor encoders,
            WatchPools watches,
            SourceListener listener) {
        this.name = name;
        this.source = source;
        this.cursor = cursor;
        this.listener = listener;
        this.filter = stream.filter();
        this.hosts = new SourceHosts(source.hosts(), source.failuresBorne());
        this.queries = new SourceQueries(hosts.current().login());
        Structures structures = new Structures(
                name,
                queries,
                stream.filter(),
                stream.schema(),
                source.positions().fallback());
        this.stages = new StreamStages(source, stream, store, encoders, queries, structures);
        this.reading = new HostReading(name, source, cursor, listener, queries, structures, stages);
        this.watch = new SourceWatch(name, source.probe(), hosts::current, new Watched(), watches);
        this.thread = new Thread(this::run, name + "-reader");
        this.thread.setDaemon(true);
    }

    /** Starts to read. */
    public void start() {
        thread.start();
        watch.start();
    }

    /** How far what was read is behind the source; known within seconds, also while nothing comes. */
    public Lag lag() {
        BinlogExtent extent = watch.extent();
        return extent == null ? Lag.UNKNOWN : lag(extent);
    }

    private Lag lag(BinlogExtent binlog) {
        EventReader open = stages.reader();
        if (open == null) {
            return Lag.UNKNOWN;
        }
        StreamPoint read = open.readTo();
        return read == null
                ? Lag.UNKNOWN
                : binlog.lag(read, open.readUpToMillis(), Clock.systemUTC().millis());
    }

    /** What the watch knows of this source, and may do to it. */
    private final class Watched implements SourceWatch.Watched {
        @Override
        public Lag lag(BinlogExtent binlog) {
            return BinlogSource.this.lag(binlog);
        }

        @Override
        public boolean switchHost(SourceHost from, String why) {
            if (!hosts.haveOthers() || !from.equals(hosts.current())) {
                return hosts.haveOthers();
            }
            LOG.warn(
                    "leaving the host: instance={} host={} because={}",
                    name,
                    from.login().address(),
                    why);
            switchAsked = true;
            reading.abort();
            return true;
        }
    }

    /** What went otherwise than by plain DDL with the structures of tables; null before the first connection. */
    public @Nullable SchemaCounts schemaCounts() {
        return stages.schemaCounts();
    }

    /**
     * Lets other tables pass from the next statement on; what is excluded stays excluded, and what is in the store already
     * stays there. May be called before the start.
     *
     * @param tables as {@code canal.instance.filter.regex}; empty lets all pass
     * @throws io.sluice.protocol.pattern.MarkedSyntaxException if an expression cannot be read; nothing has changed then
     */
    public void include(String tables) {
        filter.include(tables);
        LOG.info("the tables that are read have changed: instance={} filter={}", name, tables);
    }

    /** When the newest event was written that was read, in milliseconds since the epoch; 0 before the first. */
    public long lastEventMillis() {
        EventReader open = stages.reader();
        return open == null ? 0 : open.lastEventMillis();
    }

    /** What was read since the source was made. */
    public SourceProgress progress() {
        EventReader open = stages.reader();
        StreamPipeline pipeline = stages.pipeline();
        return open == null || pipeline == null
                ? SourceProgress.NONE
                : new SourceProgress(open.receivedBytes(), open.transactions(), pipeline.waited(), pipeline.chunks());
    }

    private void run() {
        MDC.put("destination", name);
        try {
            if (cursor != null) {
                hosts.choose(cursor.sourceHost(), cursor.sourcePort());
            }
            while (!isStopped()) {
                if (switchAsked) {
                    switchAsked = false;
                    hosts.leave();
                }
                SourceHost host = hosts.current();
                try {
                    reading.read(host, () -> {
                        hosts.reached();
                        delay.reset();
                    });
                } catch (IOException e) {
                    if (isStopped()) {
                        return;
                    }
                    queries.close(); // what broke the one connection has mostly broken the other
                    answer(host, e);
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
            watch.close();
            reading.close();
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Answers what broke: waits, goes to another host, or gives up by an exception. */
    private void answer(SourceHost host, IOException e) throws IOException, InterruptedException {
        IOException cause = e;
        if (e instanceof ServerErrorException || e instanceof EOFException) {
            reading.dumpHasEnded();
        }
        if (e instanceof ServerErrorException refusal) {
            switch (DumpRefusal.of(refusal)) {
                case GONE -> cause = gone(host, refusal);
                case NO_GTIDS -> reading.refuseGtids();
                case TWIN ->
                    cause = new IOException(
                            e.getMessage() + "; another replica goes by our server id " + source.replicaServerId()
                                    + ": give this instance its own by canal.instance.mysql.slaveId",
                            e);
                case TOO_LARGE ->
                    throw new IOException(e.getMessage() + "; raise max_allowed_packet on the source, up to 1G", e);
                default -> {}
            }
        }
        if (cause instanceof BinlogGoneException gone) {
            answerGone(gone);
        }
        boolean isAsked = switchAsked;
        switchAsked = false;
        boolean left = isAsked ? hosts.leave() : hosts.failed();
        if (left) {
            LOG.warn(
                    "going to another host: instance={} from={} to={} cause={}",
                    name,
                    host.login().address(),
                    hosts.current().login().address(),
                    cause.getMessage());
            reading.killDump();
        }
        Duration wait = left && !hosts.areAllFailing() ? Duration.ZERO : delay.next();
        LOG.warn(
                "the source cannot be read, trying again: instance={} in_ms={} cause={}",
                name,
                wait.toMillis(),
                cause.getMessage());
        listener.retrying(cause, wait);
        if (stopped.await(wait.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new InterruptedException("the source was stopped while it waited");
        }
    }

    /** Says what the server still has, if it can be asked. */
    private IOException gone(SourceHost host, ServerErrorException refusal) {
        try (MySqlConnection connection = MySqlConnection.open(host.login())) {
            ServerFacts facts = new ServerFacts(connection);
            if (!hosts.haveOthers() && reading.distrustPosition(facts)) {
                return refusal;
            }
            return HostCheck.gone(reading.place(), refusal, facts);
        } catch (IOException e) {
            return new BinlogGoneException(String.valueOf(refusal.getMessage()), refusal);
        }
    }

    /**
     * Finds a way on where the binlog is gone: another host, or the newest position.
     *
     * @throws IOException if there is none, with the choices that an operator has
     */
    private void answerGone(BinlogGoneException gone) throws IOException {
        if (hosts.haveOthers() && !hosts.areAllFailing()) {
            switchAsked = true;
            return;
        }
        if (!source.positions().resetsToNewest()) {
            throw gone.withChoices();
        }
        reading.jumpToNewest();
        resets.incrementAndGet();
        LOG.error(
                "CHANGES ARE LOST: the binlog is gone, going on at its newest position, as"
                        + " canal.auto.reset.latest.pos.mode=true says: instance={} cause={}",
                name,
                gone.getMessage());
    }

    /** How often it went on at the newest position since the binlog was gone. */
    public long resets() {
        return resets.get();
    }

    /** Stops reading, and waits until the thread has ended. Stopping twice does nothing. */
    @Override
    public void close() {
        stopped.countDown();
        thread.interrupt(); // before the connection is aborted, or one that is just opened would not be
        reading.abortAll();
        watch.close();
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
