package io.sluice.server.instance;

import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.pace.Pace;
import io.sluice.server.pull.PullClients;
import io.sluice.server.tables.TableTally;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.StoreLevel;
import io.sluice.store.ring.StoreStats;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.source.BinlogSource;
import io.sluice.stream.source.SourceProgress;
import io.sluice.stream.source.SourceState;
import io.sluice.stream.source.schema.FilterChange;
import io.sluice.stream.source.watch.Lag;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * One destination: a source that is read into a store, and what carries the store on: a sender to a broker, or clients that
 * pull.
 *
 * <pre>  MySQL ──▶ BinlogSource ──▶ EntryRing ──▶ BatchSender ──▶ producer, or PullClients ──▶ clients
 *                  ▲                             │ acks
 *                  └── at start ── CursorStore ◀─┘</pre>
 *
 * <p>Started once and stopped once; thread-safe.
 */
public final class Instance {
    private static final Logger LOG = LoggerFactory.getLogger(Instance.class);

    /** What a destination's log lines are sorted by. */
    static final String LOG_KEY = "destination";

    private final InstanceConfig config;
    private final Lifecycle lifecycle;
    private final FailureCounts failures;
    private final EntryStore store;
    private final CursorStore cursors;
    private final BinlogSource source;
    private final Delivery delivery;
    private final DestinationState destination;
    private final long madeMillis;

    /**
     * Makes an instance of parts that are connected with each other already.
     *
     * @param madeMillis now, in milliseconds since the epoch
     */
    Instance(
            InstanceConfig config,
            Lifecycle lifecycle,
            FailureCounts failures,
            EntryStore store,
            CursorStore cursors,
            BinlogSource source,
            Delivery delivery,
            DestinationState destination,
            long madeMillis) {
        this.config = config;
        this.lifecycle = lifecycle;
        this.failures = failures;
        this.store = store;
        this.cursors = cursors;
        this.source = source;
        this.delivery = delivery;
        this.destination = destination;
        this.madeMillis = madeMillis;
    }

    /** The destination's name. */
    public String name() {
        return config.destination();
    }

    /** Its state. */
    public InstanceState state() {
        return lifecycle.state();
    }

    /** Why it cannot continue; null unless {@link InstanceState#FAILED}. */
    public @Nullable Throwable failure() {
        return lifecycle.failure();
    }

    /** How much the store may hold, and what a batch is. */
    public StoreConfig storeConfig() {
        return config.store();
    }

    /** What the store holds and has done. */
    public StoreStats storeStats() {
        return store.stats();
    }

    /** How far the store's verbs have come; costs less than {@link #storeStats}. */
    public StoreLevel storeLevel() {
        return store.level();
    }

    /** What was read since it was made. */
    public SourceProgress sourceProgress() {
        return source.progress();
    }

    /** Whether it is parallel in the sense of canal: the value of {@code canal.instance.parser.parallel}. */
    public boolean parsesInParallel() {
        return config.parsesInParallel();
    }

    /** How many clients have a cursor; a sender counts as one. */
    public int subscriptions() {
        return cursors.subscriptions().size();
    }

    /** What the sender does and has done; empty if clients pull. */
    public Optional<SenderStatus> senderStatus() {
        return delivery.senderStatus();
    }

    /** How fast it delivers; the destination's, which stays when another instance follows. */
    public Pace pace() {
        return destination.pace();
    }

    /** What is delivered of each table; the destination's, which stays when another instance follows. */
    public TableTally tables() {
        return destination.tables();
    }

    /** The clients that pull; empty if a sender sends. */
    public Optional<PullClients> pullClients() {
        return delivery.pullClients();
    }

    /** Ends it, since what clients are to pull cannot be delivered; they get nothing more. */
    public void failDelivery(RuntimeException cause) {
        MDC.put(LOG_KEY, name());
        try {
            lifecycle.fail("the port where clients pull", cause);
            delivery.pullClients().ifPresent(PullClients::close);
        } finally {
            MDC.remove(LOG_KEY);
        }
    }

    /** Ends it, since another process has the right to write its cursors: both would deliver everything. Does not wait for its end. */
    void failCursors(CursorException cause) {
        MDC.put(LOG_KEY, name());
        try {
            lifecycle.fail("the cursor", cause);
        } finally {
            MDC.remove(LOG_KEY);
        }
        new Thread(this::endParts, "end-" + name()).start();
    }

    private void endParts() {
        MDC.put(LOG_KEY, name());
        try {
            try {
                source.close();
            } finally {
                boolean unused = delivery.stop(Duration.ZERO); // whatever fails: the other process delivers already
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "an instance whose cursors another process has did not end in good order: instance={}", name(), e);
        }
    }

    /** What went otherwise than by plain DDL with the table schemas; null before the first connection. */
    public @Nullable SchemaCounts schemaCounts() {
        return source.schemaCounts();
    }

    /** How its filter differs from that of the last run; null if it does not, or that is not known. */
    public @Nullable FilterChange filterChange() {
        return source.filterChange();
    }

    /** When it was made, in milliseconds since the epoch. */
    public long madeMillis() {
        return madeMillis;
    }

    /** When the newest event was written that was read, in milliseconds since the epoch; 0 before the first. */
    public long lastEventMillis() {
        return source.lastEventMillis();
    }

    /** The lag of what was read to the source. */
    public Lag lag() {
        return source.lag();
    }

    /** How often it continued at the newest position since the binlog was gone; changes were lost each time. */
    public long resets() {
        return source.resets();
    }

    /**
     * Why the source is not being read at the moment, also while the next attempt is under way; empty if it is, or has not failed yet. {@link SourceFailure#DUPLICATE_SERVER_ID} also while it
     * is read, until a minute after another replica ended the dump, and {@link SourceFailure#OTHER_SERVER} while a server is read that its address does
     * not lead to any more. {@link SourceFailure#EVENT_TOO_LARGE} also if the message of an event was too large for the clients that pull.
     */
    public Optional<SourceFailure> sourceFailure() {
        if (lifecycle.failure() instanceof StreamException e) {
            return Optional.of(e.failure());
        }
        SourceState now = source.state();
        if (now instanceof SourceState.BackingOff waits) {
            return Optional.of(waits.failure());
        }
        if (now instanceof SourceState.SwitchingHost leaves) {
            return Optional.of(leaves.failure());
        }
        if (now instanceof SourceState.Failed failed) {
            return Optional.of(failed.failure());
        }
        boolean isTriedAgain = now instanceof SourceState.Connecting || now instanceof SourceState.Locating;
        if (isTriedAgain && lifecycle.state() == InstanceState.RETRYING) {
            return failures.newest();
        }
        boolean isDisturbed = !(now instanceof SourceState.Stopped) && source.isServerIdInDoubleUse();
        if (isDisturbed) {
            return Optional.of(SourceFailure.DUPLICATE_SERVER_ID);
        }
        boolean isMoved = now instanceof SourceState.Streaming && source.isAddressMoved();
        return isMoved ? Optional.of(SourceFailure.OTHER_SERVER) : Optional.empty();
    }

    /** How often the source has failed, by kind, since the instance was made. */
    public Map<SourceFailure, Long> sourceFailures() {
        return failures.all();
    }

    /** The position up to which all is delivered and acknowledged; empty before the stream began. */
    public Optional<Cursor> cursor() {
        return Optional.ofNullable(store.cursor());
    }

    /** For how long the newest cursor could not be written; zero if it is, or is about to be. */
    public Duration cursorUnwritten() {
        return cursors.unwritten();
    }

    /** Starts to read, and to send or to let clients pull. */
    public void start() {
        MDC.put(LOG_KEY, name());
        try {
            LOG.info("start CanalInstance successfully: instance={}", name());
            lifecycle.moveTo(InstanceState.CONNECTING);
            XaHolding.clean(config.heldDirectory());
            TransactionSpill.clean(config.spillDirectory());
            delivery.start();
            source.start();
        } finally {
            MDC.remove(LOG_KEY);
        }
    }

    /**
     * Stops reading, lets a sender finish what is in flight, and writes the cursor.
     *
     * @param limit how long the batches in flight may take
     * @return whether nothing that was sent can still arrive
     * @throws IllegalStateException if the producer does not close
     */
    public boolean stop(Duration limit) throws InterruptedException {
        MDC.put(LOG_KEY, name());
        try {
            lifecycle.moveTo(InstanceState.STOPPING);
            boolean finished;
            try {
                try {
                    source.close();
                } finally {
                    finished = delivery.stop(limit);
                }
            } finally {
                try {
                    closeStore();
                } finally {
                    try {
                        delivery.close();
                    } finally { // also if its producer does not close
                        lifecycle.moveTo(InstanceState.STOPPED);
                    }
                }
            }
            LOG.info("stop CanalInstance successfully: instance={} finished={}", name(), finished);
            return finished;
        } finally {
            MDC.remove(LOG_KEY);
        }
    }

    private void closeStore() {
        try {
            store.close();
        } finally {
            pace().detach(store);
            cursors.close(); // else no other instance could open them
        }
    }

    /**
     * Ends at once: nothing more leaves, not even what a producer holds, and the cursor stays as it was written.
     *
     * @return whether nothing that was sent can still arrive
     */
    public boolean abandon() throws InterruptedException {
        MDC.put(LOG_KEY, name());
        try {
            boolean finished;
            try {
                finished = delivery.abandon();
            } finally { // whatever fails: the next owner reads with the same replica id
                try {
                    source.close();
                } finally {
                    closeStore();
                }
            }
            lifecycle.moveTo(InstanceState.STOPPED);
            LOG.info("CanalInstance was abandoned: instance={} finished={}", name(), finished);
            return finished;
        } finally {
            MDC.remove(LOG_KEY);
        }
    }
}
