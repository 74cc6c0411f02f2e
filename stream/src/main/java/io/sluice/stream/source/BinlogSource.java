package io.sluice.stream.source;

import io.sluice.format.protobuf.EncodingPool;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.history.SchemaHistory;
import io.sluice.store.ring.EntryStore;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReadCounters;
import io.sluice.stream.source.schema.FilterChange;
import io.sluice.stream.source.server.MySqlServers;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.watch.BinlogExtent;
import io.sluice.stream.source.watch.Lag;
import io.sluice.stream.source.watch.SourceWatch;
import io.sluice.stream.source.watch.WatchPools;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Reads one source into one store, on a thread of its own, until it is stopped or cannot continue.
 *
 * <p>{@link SourceSession} has the logic; this class runs it in a thread.
 */
public final class BinlogSource implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogSource.class);

    private final String name;
    private final TableFilter filter;
    private final Time time;
    private final StreamStages stages;
    private final SourceSession session;
    private final SourceWatch watch;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Thread thread;

    /**
     * Makes a source; {@link #start} starts it.
     *
     * @param name the instance's name, for threads and messages
     * @param cursor where the last run got to; null if there was none
     * @param encoders the pool that makes protobuf bytes ahead; null if entries keep their row images
     * @param watches the shared threads that watch the source
     * @param time the clocks of the process
     */
    public BinlogSource(
            String name,
            SourceOptions source,
            SourceStream stream,
            EntryStore store,
            @Nullable Cursor cursor,
            @Nullable EncodingPool encoders,
            WatchPools watches,
            Time time,
            SourceListener listener) {
        this.name = name;
        this.filter = stream.filter();
        this.time = time;
        SourceWiring parts = SourceWiring.of(
                name,
                source,
                stream,
                store,
                cursor,
                encoders,
                listener,
                new SourceWiring.Environment(new MySqlServers(), SchemaHistory::open, time, new SplittableRandom()));
        this.stages = parts.stages();
        this.session = parts.session();
        this.watch = new SourceWatch(name, source.probe(), session::host, new Watched(), watches, time);
        this.thread = new Thread(this::run, name + "-reader");
        this.thread.setDaemon(true);
    }

    /** Starts to read. */
    public void start() {
        thread.start();
        watch.start();
    }

    /** The state of the source. */
    public SourceState state() {
        return session.state();
    }

    /** Whether another replica has ended the dump within the last minute by using the same server id, also if the binlog is being read again. */
    public boolean isServerIdInDoubleUse() {
        return session.isServerIdInDoubleUse();
    }

    /** Whether nothing comes from the server that is read, while another one, to which its address leads now, writes. */
    public boolean isAddressMoved() {
        return watch.isMoved();
    }

    /** The lag of reading behind the source; updated within seconds, also while the source is idle. */
    public Lag lag() {
        BinlogExtent extent = watch.extent();
        return extent == null ? Lag.UNKNOWN : lag(extent);
    }

    private Lag lag(BinlogExtent binlog) {
        EventReader open = stages.reader();
        if (open == null) {
            return Lag.UNKNOWN;
        }
        BinlogPosition read = open.counters().readTo();
        return read == null ? Lag.UNKNOWN : binlog.lag(read, open.reachedMillis(), time.millis());
    }

    /** The view of this source for its watch. */
    private final class Watched implements SourceWatch.Watched {
        @Override
        public Lag lag(BinlogExtent binlog) {
            return BinlogSource.this.lag(binlog);
        }

        @Override
        public @Nullable BinlogPosition readTo() {
            EventReader open = stages.reader();
            return open == null ? null : open.counters().readTo();
        }

        @Override
        public boolean hasExactOffsets() {
            EventReader open = stages.reader();
            return open == null || open.hasExactOffsets();
        }

        @Override
        public void onClock(long millis) {
            EventReader open = stages.reader();
            if (open != null) {
                open.setSourceClock(millis);
            }
        }

        @Override
        public @Nullable String identity() {
            return session.identity();
        }

        @Override
        public boolean isReading() {
            return session.state() instanceof SourceState.Streaming;
        }

        @Override
        public long receivedBytes() {
            EventReader open = stages.reader();
            return open == null ? 0 : open.counters().bytes();
        }

        @Override
        public void onMoved(BinlogPosition read) {
            session.onMoved(read);
        }

        @Override
        public void onReset(BinlogPosition read, BinlogPosition end, boolean isCertain) {
            session.onReset(read, end, isCertain);
        }

        @Override
        public boolean switchHost(SourceHost from, String why) {
            return session.switchHost(from, why);
        }
    }

    /** The counters of table schemas that did not follow from DDL alone; null before the first connection. */
    public @Nullable SchemaCounts schemaCounts() {
        return stages.schemaCounts();
    }

    /** How the filter differs from that of the last run; null if it does not, that is not known, or before the first connection. */
    public @Nullable FilterChange filterChange() {
        return stages.filterChange();
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
        return open == null ? 0 : open.counters().lastEventMillis();
    }

    /** What was read since the source was made. */
    public SourceProgress progress() {
        EventReader open = stages.reader();
        StreamPipeline pipeline = stages.pipeline();
        if (open == null || pipeline == null) {
            return SourceProgress.NONE.withSearchedBytes(session.searchedBytes());
        }
        ReadCounters read = open.counters();
        return new SourceProgress(
                read.bytes(),
                read.events(),
                read.newEvents(),
                read.hasAdvanced(),
                read.transactions(),
                pipeline.waited(),
                pipeline.chunks(),
                open.undecidedTransactions(),
                open.rolledBackDeliveries(),
                open.spilledBytes(),
                session.searchedBytes());
    }

    private void run() {
        MDC.put("destination", name);
        try {
            while (!isStopped() && !session.hasEnded()) {
                Duration idle = session.step();
                if (!idle.isZero() && stopped.await(idle.toNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("the source was stopped: instance={}", name, e);
        } catch (Throwable e) { // the top of the thread: whatever it was, the instance must learn of it
            LOG.error("the source has ended by a defect: instance={}", name, e);
            session.fail(e);
        } finally {
            watch.close();
            session.close();
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** How often it continued at the newest position because the binlog was purged. */
    public long resets() {
        return session.resets();
    }

    /** Stops reading, and waits until the thread has ended. Stopping twice does nothing. */
    @Override
    public void close() {
        stopped.countDown();
        session.abort();
        thread.interrupt();
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
