package io.sluice.stream.source;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.store.ring.StoreClosedException;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.source.server.FailureClassifier;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceHosts;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.stream.source.server.SourceServers;
import java.io.IOException;
import java.time.Duration;
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
 * <p>A class has the steps of each {@link Phase}; a step leads to a {@link Transition}, and {@link Phases} makes the phase where it leads to. {@link Recovery}
 * determines what follows a failure. An attempt counts as successful when the source has sent a new event, or two heartbeats in a
 * row of the same position.
 *
 * <p>For the thread that reads, except for the methods whose Javadoc says that any thread may call them. {@link #abort} and {@link #switchHost} set a request first, and then abort what the
 * phase waits for: its step fails, and the thread that reads finds the request. No lock is taken.
 */
final class SourceSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SourceSession.class);

    private final String name;
    private final SourceHosts hosts;
    private final SourceQueries queries;
    private final StreamStages stages;
    private final Locator locator;
    private final SourceListener listener;
    private final FailureReactions reactions;
    private final Recovery recovery;
    private final Phases phases;
    private final ReconnectRequests reconnects;
    private final AbandonedDump abandoned;
    private final SearchedBytes searched = new SearchedBytes();
    private final SessionRequests requests = new SessionRequests();

    private volatile Phase phase;

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
        this.queries = queries;
        this.stages = stages;
        this.locator = locator;
        this.listener = listener;
        this.hosts = hosts(source, cursor);
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
        this.recovery = new Recovery(
                requests,
                locator,
                new FailureDiagnosis(name, servers, queries, hosts, locator, source.replicaServerId()),
                reactions,
                abandoned);
        this.phases = new Phases(
                name,
                servers,
                hosts,
                queries,
                stages,
                locator,
                new DumpRequests(source),
                reactions,
                reconnects,
                abandoned,
                searched,
                time,
                this::wake);
        this.phase = phases.of(new Transition.Connect(hosts.current()));
    }

    /** The hosts; that of the cursor is read first. */
    private static SourceHosts hosts(SourceOptions source, @Nullable Cursor cursor) {
        SourceHosts hosts = new SourceHosts(source.hosts(), source.failuresBorne());
        if (cursor != null
                && hosts.choose(cursor.sourceHost(), cursor.sourcePort())
                && (cursor.position().isKnown() || !cursor.gtidSet().isEmpty())) {
            hosts.recordBinlog();
        }
        return hosts;
    }

    /** The host that is read, or will be next. May be called by any thread. */
    SourceHost host() {
        return hosts.current();
    }

    /** May be called by any thread. */
    SourceState state() {
        return phase.state();
    }

    /** Whether another replica uses the server id of this replica at present, as far as is known. May be called by any thread. */
    boolean isServerIdInDoubleUse() {
        return reactions.isServerIdInDoubleUse();
    }

    /** Whether it has ended. */
    boolean hasEnded() {
        return phase instanceof Ended;
    }

    /** How often it continued at the newest position because the binlog was purged. May be called by any thread. */
    long resets() {
        return reactions.resets();
    }

    /** How much of the binlog was read to find where the stream begins, without what was read again after a failure. May be called by any thread. */
    long searchedBytes() {
        return searched.count();
    }

    /** Whether the next step would not wait for the store. */
    boolean hasRoom() {
        StreamPipeline open = stages.pipeline();
        return open == null || open.hasRoom();
    }

    /**
     * Performs one step. A failure leads to another phase; it is not thrown.
     *
     * @return for how long there is nothing to do
     * @throws InterruptedException if the thread was interrupted while it waited for room in the store
     */
    Duration step() throws InterruptedException {
        Phase current = phase;
        String reason = requests.takeSwitch();
        if (reason != null && hosts.haveOthers()) {
            current.release();
            queries.close();
            return follow(recovery.leave(current.host(), reason));
        }
        try {
            return follow(current.step());
        } catch (StoreClosedException e) {
            LOG.debug("the store was closed: instance={}", name, e);
            return follow(stopped());
        } catch (IOException | RuntimeException | Error e) {
            return failed(current, e);
        }
    }

    /** Enters the phase that a transition leads to; returns for how long there is nothing to do. */
    private Duration follow(Transition next) {
        if (next instanceof Transition.Stay stay) {
            return stay.delay();
        }
        if (next instanceof Transition.End) {
            phase.release();
        }
        enter((Transition.ToPhase) next);
        return Duration.ZERO;
    }

    private void enter(Transition.ToPhase next) {
        Phase entered = phases.of(next);
        phase = entered;
        if (requests.isAborted()) {
            entered.abort();
        }
        listener.onState(entered.state());
    }

    private Duration failed(Phase current, Throwable thrown) {
        if (requests.isAborted()) {
            return follow(stopped());
        }
        current.release();
        queries.close(); // the cause that broke one connection has usually broken the other
        return follow(recovery.after(current.host(), thrown));
    }

    private Transition stopped() {
        return new Transition.End(phase.host(), new SourceState.Stopped());
    }

    /** Ends it by what no step could handle. */
    void fail(Throwable cause) {
        SourceHost host = phase.host();
        SourceState last = requests.isAborted()
                ? new SourceState.Stopped()
                : new SourceState.Failed(address(host), FailureClassifier.of(cause), cause);
        try {
            phase.release();
        } finally {
            enter(new Transition.End(host, last));
        }
    }

    /**
     * Leaves a host with the next step. May be called by any thread.
     *
     * @return false if there is no other one
     */
    boolean switchHost(SourceHost from, String why) {
        if (!hosts.haveOthers() || !from.equals(hosts.current())) {
            return hosts.haveOthers();
        }
        LOG.warn("leaving the host: instance={} host={} because={}", name, address(from), why);
        requests.switchHost(why);
        phase.abort();
        return true;
    }

    private static ServerAddress address(SourceHost host) {
        return host.login().address();
    }

    /** The identity of the server that is read; null if that is not known. May be called by any thread. */
    @Nullable String identity() {
        return locator.identity();
    }

    /** Connects again with the next heartbeat, unless something comes after what was read. May be called by any thread. */
    void onReset(BinlogPosition read, BinlogPosition end, boolean isCertain) {
        reconnects.onReset(read, end, isCertain);
    }

    /** Connects again with the next heartbeat, unless something comes after what was read. May be called by any thread. */
    void onMoved(BinlogPosition read) {
        reconnects.onMoved(read);
    }

    /** Wakes the thread that waits for the source, since a later stage has failed. May be called by any thread. */
    private void wake() {
        phase.abort();
    }

    /** Ends whatever it waits for; each step after that leads to the end. May be called by any thread. */
    void abort() {
        requests.abort();
        phase.abort();
        recovery.abort();
        queries.abort();
        stages.abort();
    }

    /** Stops publishing, and releases all resources; an abandoned dump is killed. */
    @Override
    public void close() {
        if (!hasEnded()) {
            follow(stopped());
        }
        stages.close();
        queries.close();
        abandoned.kill();
    }
}
