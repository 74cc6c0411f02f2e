package io.sluice.server.instance;

import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.ddl.SchemaCounts;
import io.sluice.server.config.CursorConfig;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.MqConfig;
import io.sluice.server.config.StoreConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.pull.PullClients;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.FileCursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.RingConfig;
import io.sluice.store.ring.StoreLevel;
import io.sluice.store.ring.StoreStats;
import io.sluice.stream.pipeline.LargeEventPolicy;
import io.sluice.stream.source.BinlogSource;
import io.sluice.stream.source.Lag;
import io.sluice.stream.source.SmallestCursor;
import io.sluice.stream.source.SourceListener;
import io.sluice.stream.source.SourceProgress;
import io.sluice.stream.source.SourceState;
import io.sluice.stream.source.SourceStream;
import io.sluice.stream.source.WatchPools;
import io.sluice.stream.xa.HeldSpace;
import java.io.IOException;
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
 * <p>Started once and stopped once; safe for use by several threads.
 */
public final class Instance {
    private static final Logger LOG = LoggerFactory.getLogger(Instance.class);

    /** What a destination's log lines are sorted by. */
    private static final String LOG_KEY = "destination";

    private final InstanceConfig config;
    private final EntryStore store;
    private final CursorStore cursors;
    private final BinlogSource source;
    private final Delivery delivery;
    private final FailureListener onFailure;
    private final FailureCounts failures = new FailureCounts();
    private volatile InstanceState state = InstanceState.NEW;
    private volatile @Nullable Throwable failure;

    /** Learns that an instance cannot continue; called once at most, by one of its threads. */
    @FunctionalInterface
    public interface FailureListener {
        void failed(Instance instance, Throwable cause);
    }

    private Instance(
            InstanceConfig config,
            SharedPools pools,
            OwnershipTerm term,
            boolean flat,
            LargeEventPolicy large,
            DeliveryFactory deliveries,
            FailureListener onFailure) {
        this.config = config;
        this.onFailure = onFailure;
        this.store = new EntryRing(ring(config.store()), pools.time());
        this.cursors = cursors(config, pools, term);
        SourceStream stream = SourceSettings.stream(
                config,
                flat,
                large,
                HeapShares.ofThisProcess().tablesOf(pools.instances()),
                SourceSettings.xa(config, pools.instances(), pools.time()));
        this.source = new BinlogSource(
                config.destination(),
                SourceSettings.source(config),
                stream,
                store,
                SmallestCursor.of(cursors.subscriptions()),
                config.store().rawEntry() ? pools.encoders() : null,
                new WatchPools(pools.timer(), pools.watches()),
                pools.time(),
                new Listener());
        this.delivery = deliveries.make(new DeliveryFactory.Parts(
                config, store, cursors, source, stream.filter(), cause -> fail("the sender", cause)));
    }

    /**
     * Makes an instance that sends to a broker; it opens its cursor, and nothing else.
     *
     * @param term the time in which it may deliver and write
     * @param producer its own, which it closes: one that failed for good must not take other instances with it
     * @throws io.sluice.store.cursor.CursorException if there is a cursor, and it cannot be read
     */
    public static Instance sending(
            InstanceConfig config,
            MqConfig mq,
            SharedPools pools,
            OwnershipTerm term,
            MessageProducer producer,
            FailureListener onFailure) {
        return new Instance(
                config,
                pools,
                term,
                !mq.inPackets(),
                HeapShares.ofThisProcess().whenSent(),
                parts -> new QueueDelivery(parts, mq, pools, producer),
                onFailure);
    }

    /**
     * Makes an instance whose entries clients pull; it opens its cursors, and nothing else.
     *
     * @param maxSubscriptions how many clients may be subscribed
     * @param term the time in which it may deliver and write
     * @throws io.sluice.store.cursor.CursorException if there are cursors, and they cannot be read
     */
    public static Instance pulled(
            InstanceConfig config,
            int maxSubscriptions,
            SharedPools pools,
            OwnershipTerm term,
            FailureListener onFailure) {
        return new Instance(
                config,
                pools,
                term,
                false,
                HeapShares.ofThisProcess().whenPulled(),
                parts -> new PullDelivery(parts, pools, maxSubscriptions, term.ownership()),
                onFailure);
    }

    private static RingConfig ring(StoreConfig store) {
        return new RingConfig(store.slots(), store.bytesPerSlot(), store.ddlIsolation());
    }

    private static CursorStore cursors(InstanceConfig config, SharedPools pools, OwnershipTerm term) {
        CursorConfig cursor = config.cursor();
        return switch (cursor.kind()) {
            case MEMORY -> new MemoryCursorStore();
            case FILE ->
                FileCursorStore.open(
                        cursor.directory().resolve("..").normalize(),
                        config.destination(),
                        pools.flushes(),
                        cursor.flushPeriod());
            case ZOOKEEPER -> term.openCursors(config.destination(), pools.flushes(), cursor.flushPeriod());
        };
    }

    /** The destination's name. */
    public String name() {
        return config.destination();
    }

    /** Its state. */
    public InstanceState state() {
        return state;
    }

    /** Why it cannot continue; null unless {@link InstanceState#FAILED}. */
    public @Nullable Throwable failure() {
        return failure;
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

    /** Whether protobuf bytes are made ahead, by other threads than the reader. */
    public boolean encodesAhead() {
        return config.store().rawEntry();
    }

    /** How many clients have a cursor; a sender counts as one. */
    public int subscriptions() {
        return cursors.subscriptions().size();
    }

    /** What the sender does and has done; empty if clients pull. */
    public Optional<SenderStatus> senderStatus() {
        return delivery instanceof QueueDelivery queue ? Optional.of(queue.status()) : Optional.empty();
    }

    /** The clients that pull; empty if a sender sends. */
    public Optional<PullClients> pullClients() {
        return delivery instanceof PullDelivery pull ? Optional.of(pull.clients()) : Optional.empty();
    }

    /** What went otherwise than by plain DDL with the table schemas; null before the first connection. */
    public @Nullable SchemaCounts schemaCounts() {
        return source.schemaCounts();
    }

    /** When the newest event was written that was read, in milliseconds since the epoch; 0 before the first. */
    public long lastEventMillis() {
        return source.lastEventMillis();
    }

    /** How far what was read is behind the source. */
    public Lag lag() {
        return source.lag();
    }

    /** How often it continued at the newest position since the binlog was gone; changes were lost each time. */
    public long resets() {
        return source.resets();
    }

    /** Why the source is not being read at the moment; empty if it is, or was never tried. */
    public Optional<SourceFailure> sourceFailure() {
        SourceState now = source.state();
        if (now instanceof SourceState.BackingOff waits) {
            return Optional.of(waits.failure());
        }
        if (now instanceof SourceState.SwitchingHost leaves) {
            return Optional.of(leaves.failure());
        }
        return now instanceof SourceState.Failed failed ? Optional.of(failed.failure()) : Optional.empty();
    }

    /** How often the source has failed, by kind, since the instance was made. */
    public Map<SourceFailure, Long> sourceFailures() {
        return failures.all();
    }

    /** Starts to read, and to send or to let clients pull. */
    public void start() {
        MDC.put(LOG_KEY, name());
        try {
            LOG.info("start CanalInstance successfully: instance={}", name());
            moveTo(InstanceState.CONNECTING);
            HeldSpace.clean(SourceSettings.xaDirectory(config));
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
     */
    public void stop(Duration limit) throws InterruptedException {
        MDC.put(LOG_KEY, name());
        try {
            source.close();
            boolean finished = delivery.stop(limit);
            store.close();
            cursors.close();
            delivery.close();
            moveTo(InstanceState.STOPPED);
            LOG.info("stop CanalInstance successfully: instance={} finished={}", name(), finished);
        } finally {
            MDC.remove(LOG_KEY);
        }
    }

    /** Ends at once: nothing more leaves, not even what a producer holds, and the cursor stays as it was written. */
    public void abandon() throws InterruptedException {
        MDC.put(LOG_KEY, name());
        try {
            boolean finished = delivery.abandon();
            source.close();
            store.close();
            cursors.close();
            moveTo(InstanceState.STOPPED);
            LOG.info("CanalInstance was abandoned: instance={} finished={}", name(), finished);
        } finally {
            MDC.remove(LOG_KEY);
        }
    }

    /** Changes the state; false if it is one of those that nothing follows, or is there already. */
    private synchronized boolean moveTo(InstanceState next) {
        boolean isLast = state == InstanceState.FAILED || state == InstanceState.STOPPED;
        if (isLast || state == next) {
            return false;
        }
        state = next;
        return true;
    }

    private void fail(String part, Throwable cause) {
        failure = failure == null ? cause : failure;
        if (moveTo(InstanceState.FAILED)) {
            failure = cause;
            LOG.error("the instance cannot go on: instance={} part={} cause={}", name(), part, cause.getMessage());
            onFailure.failed(this, cause);
        }
    }

    /** Turns what the source says into the instance's state. */
    private final class Listener implements SourceListener {
        @Override
        public void onStart(Cursor first) throws IOException {
            try {
                store.begin(first);
                cursors.begin(first);
            } catch (CursorException e) {
                throw new SourceException(
                        SourceFailure.CURSOR_NOT_STORED,
                        "the position where the stream begins cannot be stored: " + e.getMessage(),
                        e);
            }
        }

        @Override
        public void onState(SourceState state) {
            if (state instanceof SourceState.Streaming) {
                moveTo(InstanceState.RUNNING);
            } else if (state instanceof SourceState.BackingOff waits) {
                failures.add(waits.failure());
                moveTo(InstanceState.RETRYING);
            } else if (state instanceof SourceState.SwitchingHost leaves) {
                failures.add(leaves.failure());
                moveTo(InstanceState.RETRYING);
            } else if (state instanceof SourceState.Failed failed) {
                failures.add(failed.failure());
                fail("the source", failed.cause());
            }
        }
    }
}
