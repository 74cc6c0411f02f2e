package io.sluice.parse.source;

import io.sluice.parse.filter.TableFilter;
import io.sluice.parse.gtid.ExecutedGtids;
import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.gtid.GtidSetBytes;
import io.sluice.parse.pipeline.EventReader;
import io.sluice.parse.pipeline.StatementReader;
import io.sluice.parse.pipeline.StreamOptions;
import io.sluice.parse.pipeline.StreamPipeline;
import io.sluice.parse.pipeline.StreamPoint;
import io.sluice.parse.pipeline.TableMappings;
import io.sluice.parse.schema.SchemaCounts;
import io.sluice.parse.schema.SchemaTracker;
import io.sluice.parse.value.ColumnTypes;
import io.sluice.parse.wire.BinlogStream;
import io.sluice.parse.wire.ConnectOptions;
import io.sluice.parse.wire.DumpRequest;
import io.sluice.parse.wire.KnownTransactions;
import io.sluice.parse.wire.MySqlConnection;
import io.sluice.parse.wire.ServerAddress;
import io.sluice.parse.wire.ServerErrorException;
import io.sluice.protocol.position.LogPosition;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.StoreClosedException;
import java.io.EOFException;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
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
    private final SourceWatch watch;
    private final SourceHosts hosts;
    private final RetryDelay delay = new RetryDelay(ThreadLocalRandom.current());
    private final AtomicLong resets = new AtomicLong();
    private volatile @Nullable SchemaCounts schemaCounts;
    private volatile @Nullable MySqlConnection dump;
    private volatile @Nullable BinlogScan scan;
    private volatile @Nullable EventReader reader;
    private volatile boolean switchAsked;

    // For the thread alone.
    private @Nullable StreamPipeline pipeline;
    private @Nullable Place place;
    private @Nullable String readIdentity;
    private boolean gtidsRefused;
    private boolean jumps;
    private long abandoned;
    private ConnectOptions abandonedLogin;

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
        this.hosts = new SourceHosts(source.hosts(), source.failuresBorne());
        this.abandonedLogin = hosts.current().login();
        this.queries = new SourceQueries(abandonedLogin);
        this.structures = new Structures(name, queries, stream.filter(), stream.schema());
        this.watch = new SourceWatch(name, source.probe(), hosts::current, new Watched());
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
        EventReader open = reader;
        StreamPoint read = open == null ? null : open.readTo();
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
            abortDump();
            return true;
        }
    }

    /** What went otherwise than by plain DDL with the structures of tables; null before the first connection. */
    public @Nullable SchemaCounts schemaCounts() {
        return schemaCounts;
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
                    read(host);
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
            close(pipeline);
            queries.close();
            structures.close();
            killAbandoned();
        }
    }

    private static void close(@Nullable StreamPipeline pipeline) {
        if (pipeline != null) {
            pipeline.close();
        }
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    /** Connects to a host and reads it until that breaks. */
    private void read(SourceHost host) throws IOException, InterruptedException {
        try (MySqlConnection connection = MySqlConnection.open(host.login())) {
            dump = connection;
            if (isStopped()) {
                return;
            }
            ServerFacts facts = new ServerFacts(connection);
            queries.moveTo(host.login());
            Place place = place(host, facts);
            structures.reading(facts.identity());
            EventReader open = Objects.requireNonNull(reader, "a place without a reader");
            if (place.byGtids() && place.executed() != null) {
                HostCheck.require(place.executed(), facts);
            }
            boolean checksummed = facts.writesChecksums();
            BinlogStream stream = connection.dump(request(place, facts));
            abandoned = connection.connectionId();
            abandonedLogin = host.login();
            open.reconnected(checksummed);
            LOG.info("reading the binlog: instance={} source={} from={}", name, connection.address(), place);
            listener.reading(place.point() == null ? open.resumePoint() : place.point());
            Objects.requireNonNull(pipeline, "a reader without its pipeline")
                    .read(new DumpSource(connection, stream, () -> {
                        hosts.reached();
                        delay.reset();
                    }));
        } finally {
            dump = null;
        }
    }

    private DumpRequest request(Place place, ServerFacts facts) {
        StreamPoint point = place.point();
        ExecutedGtids executed = place.executed();
        DumpRequest request;
        if (!place.byGtids() && point != null) {
            request = DumpRequest.from(point.file(), point.offset(), source.replicaServerId());
        } else {
            String known = executed == null ? "" : executed.text();
            request = DumpRequest.behind(
                    facts.mariaDb()
                            ? new KnownTransactions.MariaDbPosition(known)
                            : new KnownTransactions.MySqlSet(GtidSetBytes.encode(GtidSet.parse(known))),
                    source.replicaServerId());
        }
        return request.withReplicaUuid(replicaUuid).withHeartbeatPeriod(source.heartbeatPeriod());
    }

    /** Where to read a host from; the reader stands there then. */
    private Place place(SourceHost host, ServerFacts facts) throws IOException {
        StartFinder finder = new StartFinder(name, source.positions(), host, facts, scan(host));
        String identity = facts.identity();
        EventReader open = reader;
        if (open == null) {
            Place start = jumps ? finder.newest() : cursor == null ? finder.fromConfiguration() : finder.from(cursor);
            pipeline = open(start);
            jumps = false;
            return stand(host, identity, start);
        }
        if (jumps) {
            Place newest = finder.newest();
            jumps = false;
            return stand(host, identity, newest);
        }
        ExecutedGtids executed = open.executed();
        boolean isSame = identity.equals(readIdentity);
        if (executed != null && facts.hasGtids() && !gtidsRefused) {
            Place behind = new Place(isSame ? resumePoint(open) : null, executed, true);
            return isSame ? kept(behind) : stand(host, identity, behind);
        }
        StreamPoint point = resumePoint(open);
        if (isSame && point != null) {
            return open.resumePoint().equals(point)
                    ? kept(Place.at(point))
                    : stand(host, identity, new Place(point, executed, false));
        }
        long knownMillis = open.readUpToMillis() > 0 || cursor == null
                ? open.readUpToMillis()
                : cursor.position().timestamp();
        return stand(
                host,
                identity,
                knownMillis == 0 && cursor == null
                        ? finder.fromConfiguration()
                        : finder.since(knownMillis, "the server is not the one that was read before"));
    }

    /** Where the open transaction begins; null if not even its file is known. */
    private @Nullable StreamPoint resumePoint(EventReader open) {
        StreamPoint point = open.resumePoint();
        return point.file().isEmpty() && place != null ? place.point() : point;
    }

    private Place kept(Place next) {
        place = next;
        return next;
    }

    /** Moves the reader to a place at which nothing was read yet. */
    private Place stand(SourceHost host, String identity, Place next) {
        ServerAddress address = host.login().address();
        Objects.requireNonNull(reader, "a place without a reader")
                .startAt(
                        address.host(),
                        address.port(),
                        next.byGtids() ? null : next.point(),
                        next.executed(),
                        source.positions().showsGtids());
        readIdentity = identity;
        return kept(next);
    }

    private BinlogScan scan(SourceHost host) {
        BinlogScan next = new BinlogScan(host.login(), source.replicaServerId());
        scan = next;
        return next;
    }

    /** Answers what broke: waits, goes to another host, or gives up by an exception. */
    private void answer(SourceHost host, IOException e) throws IOException, InterruptedException {
        IOException cause = e;
        if (e instanceof ServerErrorException || e instanceof EOFException) {
            abandoned = 0; // it was the server that ended it
        }
        if (e instanceof ServerErrorException refusal) {
            switch (DumpRefusal.of(refusal)) {
                case GONE -> cause = gone(host, refusal);
                case NO_GTIDS -> gtidsRefused = true;
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
            killAbandoned();
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
            return HostCheck.gone(place, refusal, new ServerFacts(connection));
        } catch (IOException e) {
            return new BinlogGoneException(refusal.getMessage(), refusal);
        }
    }

    /**
     * Finds a way on where the binlog is gone: another server at the same address, another host, or the newest position.
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
        jumps = true;
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

    private void killAbandoned() {
        long id = abandoned;
        abandoned = 0;
        if (id != 0) {
            AbandonedDump.kill(abandonedLogin, id);
        }
    }

    /** Finds the structures of all tables, and makes the stages. */
    private StreamPipeline open(Place start) throws IOException {
        check("binlog_format", source.acceptedFormats(), "canal.instance.binlog.format");
        check("binlog_row_image", source.acceptedImages(), "canal.instance.binlog.image");
        StreamPoint point = start.point();
        SchemaTracker tracker = structures.at(start, cursor);
        schemaCounts = tracker.counts();
        ServerAddress address = hosts.current().login().address();
        EventReader opened = new EventReader(
                address.host(),
                address.port(),
                point == null ? new StreamPoint("", DumpRequest.FIRST_POSITION) : point,
                null,
                options,
                new TableMappings(tracker, filter, types, options.dropped().unknownTables(), queries.hiddenColumns()),
                new StatementReader(tracker, filter, options));
        reader = opened;
        return new StreamPipeline(name, opened, store, encoders, CHUNKS_IN_FLIGHT, thinsBorders, this::abortDump);
    }

    private void check(String variable, List<String> accepted, String key) throws IOException {
        String value = queries.variable(variable);
        if (value != null && !accepted.isEmpty() && !accepted.contains(value.toUpperCase(Locale.ROOT))) {
            throw new IOException("%s has %s=%s, but %s allows only %s"
                    .formatted(hosts.current().login().address(), variable, value, key, String.join(",", accepted)));
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
        BinlogScan searching = scan;
        if (searching != null) {
            searching.abort();
        }
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
