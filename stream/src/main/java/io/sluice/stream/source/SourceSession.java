package io.sluice.stream.source;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.StoreClosedException;
import io.sluice.stream.failure.MidTransactionException;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.search.DumpStart;
import io.sluice.stream.source.server.DumpError;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.ServerFacts;
import io.sluice.stream.source.server.SourceConnection;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceHosts;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine that reads a source, host after host, in steps; it has no thread, and blocks only on its servers and the store.
 *
 * <pre>
 *                       ┌───────────── the wait is over ─────────────┐
 *                       ▼                                            │
 *   ┌────────────┐ logged in  ┌──────────┐ dump begins ┌───────────┐ │  failure: RETRY…   ┌─────────────┐
 *   │ CONNECTING │ ─────────▶ │ LOCATING │ ──────────▶ │ STREAMING │ ┼──────────────────▶ │ BACKING OFF │
 *   └────────────┘            └──────────┘             └───────────┘ │                    └─────────────┘
 *         ▲                        every one of them may fail ───────┤ failure: NEXT_HOST…, or one too many
 *         │                                                          ▼                           ▲
 *         │                                                 ┌────────────────┐  every host fails │
 *         └─────────────────────────────────────────────────│ SWITCHING HOST │ ──────────────────┘
 *                                                           └────────────────┘
 *   FAILED: a failure whose reaction is STOP, or after which every host is given up.  STOPPED: {@link #close}.
 * </pre>
 *
 * <p>{@link FailureReactions} decide what follows a failure. An attempt counts as successful when the source has sent a new event, or two heartbeats in a
 * row of the same position.
 *
 * <p>For one thread, but for {@link #abort}, {@link #switchHost} and {@link #state}.
 */
final class SourceSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceSession.class);

    /** The interval of the checks that the schema history still exists. */
    private static final Duration HISTORY_CHECK_INTERVAL = Duration.ofSeconds(1);

    private final String name;
    private final SourceServers servers;
    private final SourceHosts hosts;
    private final SourceQueries queries;
    private final StreamStages stages;
    private final Locator locator;
    private final DumpRequests requests;
    private final SourceListener listener;
    private final Time time;
    private final FailureDiagnosis diagnosis;
    private final FailureReactions reactions;
    private final ReconnectRequests reconnects;
    private final AbandonedDump abandoned;
    private final SearchedBytes searched = new SearchedBytes();

    private volatile Doing doing;
    private volatile boolean aborted;
    /** The reason why the watch requested another host; null if it did not. */
    private volatile @Nullable String switchReason;

    /** @param cursor where the last run got to; null if there was none */
    SourceSession(
            String name,
            SourceOptions source,
            SourceServers servers,
            SourceQueries queries,
            StreamStages stages,
            Locator locator,
            @Nullable Cursor cursor,
            SourceListener listener,
            Time time,
            RandomGenerator random) {
        this.name = name;
        this.servers = servers;
        this.queries = queries;
        this.stages = stages;
        this.locator = locator;
        this.requests = new DumpRequests(source);
        this.listener = listener;
        this.time = time;
        this.hosts = new SourceHosts(source.hosts(), source.failuresBorne());
        this.diagnosis = new FailureDiagnosis(name, servers, queries, hosts, locator, source.replicaServerId());
        this.reactions = new FailureReactions(
                name,
                source.positions().resetsToNewest(),
                hosts,
                locator::relocateToNewest,
                locator::relocatePast,
                time,
                random);
        this.reconnects = new ReconnectRequests(name);
        this.abandoned = new AbandonedDump(servers);
        if (cursor != null
                && hosts.choose(cursor.sourceHost(), cursor.sourcePort())
                && (cursor.position().isKnown() || !cursor.gtidSet().isEmpty())) {
            hosts.recordBinlog();
        }
        this.doing = new Connecting(hosts.current());
    }

    /** A state, with the resources that it owns. */
    private abstract static class Doing {
        private final SourceHost host;

        Doing(SourceHost host) {
            this.host = host;
        }

        final SourceHost host() {
            return host;
        }

        /** Performs one step; returns how long to wait before the next one. */
        abstract Duration step() throws IOException, InterruptedException;

        abstract SourceState state();

        /** Ends whatever is waited for, from any thread. */
        void abort() {}

        /** Frees what it holds. */
        void release() {}
    }

    private final class Connecting extends Doing {
        Connecting(SourceHost host) {
            super(host);
        }

        @Override
        Duration step() throws IOException {
            SourceConnection connection = servers.connect(host());
            searched.beginAttempt();
            enter(new Locating(host(), new CountedConnection(connection, searched::add)));
            return Duration.ZERO;
        }

        @Override
        SourceState state() {
            return new SourceState.Connecting(address(host()));
        }
    }

    private final class Locating extends Doing {
        private final SourceConnection connection;

        Locating(SourceHost host, SourceConnection connection) {
            super(host);
            this.connection = connection;
        }

        @Override
        Duration step() throws IOException, InterruptedException {
            ServerFacts facts = connection.facts();
            queries.moveTo(host());
            DumpStart start = locator.locate(host(), connection, SourceSession.this::wake);
            boolean checksummed = facts.writesChecksums();
            DumpRequest request = requests.of(start, facts);
            EventSource events = connection.dump(request);
            abandoned.begun(host(), connection.connectionId());
            EventReader reader = Objects.requireNonNull(stages.reader(), "a start position without a reader");
            reader.onReconnect(checksummed, start.byGtids());
            LOG.info("reading the binlog: instance={} source={} from={}", name, address(host()), start);
            if (request.isBeyondCommand()) {
                LOG.info(
                        "the position is beyond 4 GiB of its file, which no request can state, so the source sends the file from its beginning, and"
                                + " what is before the position is passed over: instance={} position={}",
                        name,
                        start);
            }
            enter(new Streaming(host(), connection, events, reader, start));
            return Duration.ZERO;
        }

        @Override
        SourceState state() {
            return new SourceState.Locating(address(host()));
        }

        @Override
        void abort() {
            connection.abort();
            queries.abort();
        }

        @Override
        void release() {
            connection.close();
        }
    }

    private final class Streaming extends Doing {
        private final SourceConnection connection;
        private final EventSource events;
        private final EventReader reader;
        private final StreamPipeline pipeline;
        private final DumpStart start;
        private final long begun = time.nanos();
        private long schemasKeptNanos = begun;
        private boolean isWell;

        Streaming(
                SourceHost host, SourceConnection connection, EventSource events, EventReader reader, DumpStart start) {
            super(host);
            this.connection = connection;
            this.events = events;
            this.reader = reader;
            this.start = start;
            this.pipeline = Objects.requireNonNull(stages.pipeline(), "a reader without its pipeline");
        }

        @Override
        Duration step() throws IOException, InterruptedException {
            if (!pipeline.readChunk(events)) {
                throw new EOFException(address(host()) + " ended the dump");
            }
            keepSchemas();
            if (!isWell && reader.counters().hasAdvanced()) {
                isWell = true;
                reactions.onProgress(begun);
                searched.onEvents();
            }
            if (reconnects.isAny()
                    && reconnects.take(address(host()), reader.counters().readTo(), start.byGtids())) {
                reconnect();
            }
            return Duration.ZERO;
        }

        private void keepSchemas() {
            long now = time.nanos();
            if (now - schemasKeptNanos >= HISTORY_CHECK_INTERVAL.toNanos()) {
                schemasKeptNanos = now;
                stages.keepSchemas();
            }
        }

        private void reconnect() {
            release();
            queries.close();
            enter(new Connecting(host()));
        }

        @Override
        SourceState state() {
            return new SourceState.Streaming(
                    address(host()), start.position() == null ? reader.resumePosition() : start.position());
        }

        @Override
        void abort() {
            connection.abort();
        }

        @Override
        void release() {
            connection.close();
        }
    }

    private final class BackingOff extends Doing {
        private final SourceFailure failure;
        private final Throwable cause;
        private final Duration wait;
        private final long since;

        BackingOff(SourceHost host, SourceFailure failure, Throwable cause, Duration wait) {
            super(host);
            this.failure = failure;
            this.cause = cause;
            this.wait = wait;
            this.since = time.nanos();
        }

        @Override
        Duration step() {
            Duration left = wait.minusNanos(time.nanos() - since);
            if (!left.isNegative() && !left.isZero()) {
                return left;
            }
            enter(new Connecting(hosts.current()));
            return Duration.ZERO;
        }

        @Override
        SourceState state() {
            return new SourceState.BackingOff(address(host()), failure, cause, wait);
        }
    }

    private final class SwitchingHost extends Doing {
        private final SourceHost next;
        private final SourceFailure failure;
        private final Throwable cause;
        private final Duration wait;

        SwitchingHost(SourceHost left, SourceHost next, SourceFailure failure, Throwable cause, Duration wait) {
            super(left);
            this.next = next;
            this.failure = failure;
            this.cause = cause;
            this.wait = wait;
        }

        @Override
        Duration step() {
            abandoned.kill();
            enter(wait.isZero() ? new Connecting(next) : new BackingOff(host(), failure, cause, wait));
            return Duration.ZERO;
        }

        @Override
        SourceState state() {
            return new SourceState.SwitchingHost(address(host()), address(next), failure, cause);
        }
    }

    /** The end. */
    private static final class Ended extends Doing {
        private final SourceState last;

        Ended(SourceHost host, SourceState last) {
            super(host);
            this.last = last;
        }

        @Override
        Duration step() {
            throw new IllegalStateException("the source has ended: " + last);
        }

        @Override
        SourceState state() {
            return last;
        }
    }

    private static ServerAddress address(SourceHost host) {
        return host.login().address();
    }

    /** The host that is read, or will be next. */
    SourceHost host() {
        return hosts.current();
    }

    SourceState state() {
        return doing.state();
    }

    /** Whether another replica uses the server id of this replica at present, as far as is known. For any thread. */
    boolean isServerIdInDoubleUse() {
        return reactions.isServerIdInDoubleUse();
    }

    /** Whether it has ended. */
    boolean hasEnded() {
        return doing instanceof Ended;
    }

    /** How often it continued at the newest position because the binlog was purged. */
    long resets() {
        return reactions.resets();
    }

    /** How much of the binlog was read to find where the stream begins, without what was read again after a failure; for any thread. */
    long searchedBytes() {
        return searched.count();
    }

    /** Whether the next step would not wait for the store. */
    boolean hasRoom() {
        StreamPipeline open = stages.pipeline();
        return open == null || open.hasRoom();
    }

    /**
     * Performs one step. A failure leads to another state; it is not thrown.
     *
     * @return for how long there is nothing to do
     * @throws InterruptedException if the thread was interrupted while it waited for room in the store
     */
    Duration step() throws InterruptedException {
        Doing current = doing;
        String reason = switchReason;
        if (reason != null) {
            switchReason = null;
            if (hosts.haveOthers()) {
                leave(current, SourceFailure.UNREACHABLE, new SourceException(SourceFailure.UNREACHABLE, reason));
                return Duration.ZERO;
            }
        }
        try {
            return current.step();
        } catch (StoreClosedException e) {
            LOG.debug("the store was closed: instance={}", name, e);
            end(new SourceState.Stopped());
        } catch (IOException | RuntimeException | Error e) {
            failed(current, e);
        }
        return Duration.ZERO;
    }

    /** Ends it by what no step could handle. */
    void fail(Throwable cause) {
        SourceHost host = doing.host();
        SourceState last = aborted
                ? new SourceState.Stopped()
                : new SourceState.Failed(address(host), FailureClassifier.of(cause), cause);
        try {
            doing.release();
        } finally {
            enter(new Ended(host, last));
        }
    }

    private void enter(Doing next) {
        doing = next;
        if (aborted) {
            next.abort();
        }
        listener.onState(next.state());
    }

    private void end(SourceState last) {
        doing.release();
        enter(new Ended(doing.host(), last));
    }

    private void failed(Doing current, Throwable thrown) {
        if (aborted) {
            end(new SourceState.Stopped());
            return;
        }
        current.release();
        queries.close(); // the cause that broke one connection has usually broken the other
        if (thrown instanceof ServerErrorException || thrown instanceof EOFException) {
            abandoned.ended();
        }
        if (switchReason != null && !losesRows(thrown)) {
            return; // the connection was aborted for that
        }
        if (thrown instanceof MidTransactionException within && locator.relocateBefore(within.position())) {
            enter(new Connecting(current.host()));
            return;
        }
        if (thrown instanceof ServerErrorException error && DumpError.of(error) == DumpError.NO_GTIDS) {
            locator.stopUsingGtids();
        }
        FailureDiagnosis.Diagnosis found = diagnosis.diagnose(current.host(), thrown);
        if (aborted) {
            end(new SourceState.Stopped());
            return;
        }
        switch (found.position()) {
            case UNKNOWN -> {}
            case OF_THE_SERVER -> locator.endRelocation();
            case OF_ANOTHER_SERVER -> locator.relocateByTime();
        }
        react(current.host(), FailureClassifier.of(found.cause()), found.cause());
    }

    /** Whether rows that were read, and count as read, could not be kept: no other host sends them again. */
    private static boolean losesRows(Throwable thrown) {
        return thrown instanceof StreamException failed
                && (failed.failure() == SourceFailure.XA_NOT_HELD
                        || failed.failure() == SourceFailure.TRANSACTION_NOT_HELD);
    }

    private void react(SourceHost host, SourceFailure failure, Throwable cause) {
        locator.failed(host, cause);
        FailureReactions.Next next = reactions.after(host, failure, cause);
        if (next instanceof FailureReactions.Next.Reconnect again) {
            enter(new Connecting(again.host()));
        } else if (next instanceof FailureReactions.Next.BackOff off) {
            enter(new BackingOff(host, failure, cause, off.delay()));
        } else if (next instanceof FailureReactions.Next.Switch to) {
            enter(new SwitchingHost(host, to.host(), failure, cause, to.delay()));
        } else {
            end(new SourceState.Failed(address(host), failure, cause));
        }
    }

    /** Leaves a host that has not failed by itself. */
    private void leave(Doing current, SourceFailure failure, Throwable cause) {
        current.release();
        queries.close();
        locator.failed(current.host(), cause);
        FailureReactions.Next.Switch next = reactions.leave(current.host(), failure, cause);
        enter(new SwitchingHost(current.host(), next.host(), failure, cause, next.delay()));
    }

    /**
     * Leaves a host with the next step, from any thread.
     *
     * @return false if there is no other one
     */
    boolean switchHost(SourceHost from, String why) {
        if (!hosts.haveOthers() || !from.equals(hosts.current())) {
            return hosts.haveOthers();
        }
        LOG.warn("leaving the host: instance={} host={} because={}", name, address(from), why);
        switchReason = why;
        doing.abort();
        return true;
    }

    /** The identity of the server that is read; null if that is not known. May be called by any thread. */
    @Nullable String identity() {
        return locator.identity();
    }

    /** Connects again with the next heartbeat, unless something comes after what was read; from any thread. */
    void onReset(BinlogPosition read, BinlogPosition end, boolean isCertain) {
        reconnects.onReset(read, end, isCertain);
    }

    /** Connects again with the next heartbeat, unless something comes after what was read; from any thread. */
    void onMoved(BinlogPosition read) {
        reconnects.onMoved(read);
    }

    /** Wakes the thread that waits for the source, since a later stage has failed. */
    private void wake() {
        doing.abort();
    }

    /** Ends whatever it waits for, from any thread; each step after that leads to the end. */
    void abort() {
        aborted = true;
        doing.abort();
        diagnosis.abort();
        queries.abort();
        stages.abort();
    }

    /** Stops publishing, and releases all resources; an abandoned dump is killed. */
    @Override
    public void close() {
        if (!hasEnded()) {
            end(new SourceState.Stopped());
        }
        stages.close();
        queries.close();
        abandoned.kill();
    }
}
