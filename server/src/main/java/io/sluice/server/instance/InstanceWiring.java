package io.sluice.server.instance;

import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.SenderListener;
import io.sluice.connector.api.deliver.failure.DeadLetters;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.value.ColumnTypes;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Backoff;
import io.sluice.schema.filter.TableFilter;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.FailureConfig;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.server.MqConfig;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.pace.PauseTarget;
import io.sluice.server.pull.ClientFilters;
import io.sluice.server.pull.PullClients;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorStore;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.EntryStore;
import io.sluice.stream.options.LargeEventPolicy;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.options.XaHolding;
import io.sluice.stream.source.BinlogSource;
import io.sluice.stream.source.SourceListener;
import io.sluice.stream.source.SourceStream;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.SmallestCursor;
import io.sluice.stream.source.watch.WatchPools;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Wires instances: makes the parts of one from its options, and connects them.
 *
 * <p>The options are those of the modules. What they cannot know is added here: shares of the heap, shared pools, and what depends
 * on the broker.
 */
public final class InstanceWiring {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceWiring.class);

    private final SharedPools pools;
    private final HeapShares heap = HeapShares.ofThisProcess();

    public InstanceWiring(SharedPools pools) {
        this.pools = pools;
    }

    /**
     * Makes an instance that sends to a broker; it opens its cursor, and nothing else.
     *
     * @param term the time in which it may deliver and write
     * @param state of its destination
     * @param producer its own, which it closes: one that failed for good must not take other instances with it
     * @throws io.sluice.store.cursor.CursorException if there is a cursor, and it cannot be read, or another instance uses it
     */
    public Instance sending(
            InstanceConfig config,
            MqConfig mq,
            OwnershipTerm term,
            DestinationState state,
            MessageProducer producer,
            FailureListener onFailure) {
        FailureCounts failures = new FailureCounts();
        EntryRing store = store(config);
        return withCursors(config, term, state, cursors -> {
            Lifecycle lifecycle = lifecycle(config, state, cursors, onFailure);
            SourceEvents events = new SourceEvents(
                    store, cursors, lifecycle, failures, state.errors(), newest -> moveOthers(cursors, newest));
            BinlogSource source = source(config, stream(config, mq), store, cursors, null, events);
            subscribeSender(cursors); // after the source has taken the smallest cursor
            warnOfOtherClients(config.destination(), cursors);
            ClientFilters.warnOfUnused(config.destination(), config.filter().include(), cursors);
            BatchSender sender =
                    sender(config, mq, store, cursors, producer, cause -> lifecycle.fail("the sender", cause));
            state.pace().requireFindable(target -> obstacleTo(target, config));
            state.pace()
                    .attach(
                            store,
                            SmallestCursor.of(cursors.kept()),
                            () -> sender.status().ackedBytes());
            Delivery delivery = new QueueDelivery(config.destination(), sender, producer);
            return new Instance(config, lifecycle, failures, store, cursors, source, delivery, state, nowMillis());
        });
    }

    private static Lifecycle lifecycle(
            InstanceConfig config, DestinationState state, CursorStore cursors, FailureListener onFailure) {
        return new Lifecycle(config.destination(), state.errors(), (instance, cause) -> {
            cursors.leaveToOperator();
            onFailure.failed(instance, cause);
        });
    }

    /** Makes an instance with its cursors; if that fails they are closed, or no other instance could open them. */
    private Instance withCursors(
            InstanceConfig config, OwnershipTerm term, DestinationState state, Function<CursorStore, Instance> making) {
        CursorStore cursors = state.cursors()
                .open(
                        config.cursor(),
                        term,
                        config.source().hosts(),
                        place -> cursors(config.destination(), place, term));
        try {
            Instance made = making.apply(cursors);
            cursors.onLoss(made::failCursors);
            cursors.onRestored(() -> {
                state.pace().keepIfGone();
                state.deployment().keepIfGone(config.cursor(), term);
            });
            return made;
        } catch (RuntimeException | Error e) {
            try {
                cursors.close();
            } catch (RuntimeException | Error also) {
                e.addSuppressed(also);
            }
            throw e;
        }
    }

    /**
     * Makes an instance whose entries clients pull; it opens its cursors, and nothing else.
     *
     * @param maxSubscriptions how many clients may be subscribed
     * @param term the time in which it may deliver and write
     * @param state of its destination
     * @throws io.sluice.store.cursor.CursorException if there are cursors, and they cannot be read, or another instance uses
     *     them
     */
    public Instance pulled(
            InstanceConfig config,
            int maxSubscriptions,
            OwnershipTerm term,
            DestinationState state,
            FailureListener onFailure) {
        FailureCounts failures = new FailureCounts();
        EntryRing store = store(config);
        return withCursors(config, term, state, cursors -> {
            Lifecycle lifecycle = lifecycle(config, state, cursors, onFailure);
            SourceStream stream = stream(config, false, heap.whenPulled());
            EncodingPool encoders = config.store().rawEntry() ? pools.encoders() : null;
            ClientFilters filters = new ClientFilters(config.destination(), stream.filter(), cursors);
            PullClients clients = new PullClients(
                    config.destination(),
                    store,
                    cursors,
                    pools.converters(),
                    pools.timer(),
                    filters,
                    state.batchNumbers(),
                    maxSubscriptions,
                    term.ownership()::isHeld);
            SourceEvents events = new SourceEvents(
                    store, cursors, lifecycle, failures, state.errors(), newest -> clients.streamWasReset());
            BinlogSource source = source(config, stream, store, cursors, encoders, events);
            restore(filters, config.destination());
            state.pace().requireFindable(target -> obstacleTo(target, config));
            state.pace().attach(store, SmallestCursor.of(cursors.kept()), null);
            Delivery delivery = new PullDelivery(clients);
            return new Instance(config, lifecycle, failures, store, cursors, source, delivery, state, nowMillis());
        });
    }

    /** Why an instance of a configuration cannot pause at a target, which may have been set with another one; null if it can. */
    private static @Nullable String obstacleTo(PauseTarget target, InstanceConfig config) {
        if (config.stream().omitted().contains(Omitted.TRANSACTION_BOUNDARIES)) {
            return "canal.instance.filter.transaction.entry leaves out where transactions begin and end";
        }
        return target instanceof PauseTarget.Transactions
                        && !config.source().positions().keepsGtids()
                ? "its source is not read by GTIDs (canal.instance.position.gtid)"
                : null;
    }

    private long nowMillis() {
        return pools.time().millis();
    }

    /** Before a client can find the instance: one that subscribes without a filter would lose the one that is stored for it. */
    private static void restore(ClientFilters filters, String destination) {
        MDC.put(Instance.LOG_KEY, destination);
        try {
            filters.restore();
        } finally {
            MDC.remove(Instance.LOG_KEY);
        }
    }

    /** Makes the store of an instance. */
    public EntryRing store(InstanceConfig config) {
        long share = heap.storeOf(pools.instances());
        return new EntryRing(config.store().ring().within(share), pools.time());
    }

    private CursorStore cursors(String destination, CursorConfig cursor, OwnershipTerm term) {
        return switch (cursor.kind()) {
            case MEMORY -> new MemoryCursorStore();
            case FILE ->
                FileCursorStore.open(
                        cursor.directory().resolve("..").normalize(),
                        destination,
                        pools.flushes(),
                        cursor.flushPeriod(),
                        pools.time());
            case ZOOKEEPER -> term.openCursors(destination, pools.flushes(), cursor.flushPeriod(), pools.time());
        };
    }

    /** What the stream of an instance is made with that sends to a broker. */
    public SourceStream stream(InstanceConfig config, MqConfig mq) {
        return stream(config, !mq.inPackets(), heap.whenSent());
    }

    private SourceStream stream(InstanceConfig config, boolean flat, LargeEventPolicy large) {
        TableFilter filter = config.filter().tables();
        XaHolding held = config.stream().xa();
        StreamOptions options = config.stream()
                .with(large)
                .with(new PartialImageRules(config, flat).images())
                .with(held == null ? null : held.withMemory(heap.heldOf(held.memoryBytes(), pools.instances())));
        return new SourceStream(
                options, filter, new ColumnTypes(config.values()), config.schema(), heap.tablesOf(pools.instances()));
    }

    /**
     * Makes the source of an instance.
     *
     * @param encoders the pool that encodes entries ahead of the store; null if they keep their row images until they are converted
     */
    private BinlogSource source(
            InstanceConfig config,
            SourceStream stream,
            EntryStore store,
            CursorStore cursors,
            @Nullable EncodingPool encoders,
            SourceListener listener) {
        List<Subscription> clients = cursors.kept();
        warnOfDoubt(config.destination(), clients);
        return new BinlogSource(
                config.destination(),
                config.cursor().isEmptied()
                        ? config.source().with(config.source().positions().with(LostCursor.NONE))
                        : config.source(),
                stream.with(clients),
                store,
                SmallestCursor.of(clients),
                encoders,
                new WatchPools(pools.timer(), pools.watches()),
                pools.time(),
                listener);
    }

    /**
     * Moves the cursors of clients that are not served here to where the stream continues after changes were lost: the next start would begin at
     * the smallest one, and be a further reset. That of the sender follows when all that came before is acked.
     */
    static void moveOthers(CursorStore cursors, Cursor newest) {
        for (Subscription client : cursors.subscriptions()) {
            if (client.clientId() != Subscription.QUEUE_CLIENT) {
                cursors.save(client.clientId(), newest);
            }
        }
    }

    /** The start is at the smallest cursor; nothing but the binlogs tells whether one in doubt is earlier. */
    static void warnOfDoubt(String destination, List<Subscription> clients) {
        List<Subscription> inDoubt = SmallestCursor.inDoubt(clients);
        Cursor smallest = SmallestCursor.of(clients);
        if (smallest != null && !inDoubt.isEmpty()) {
            LOG.warn(
                    "it is not certain which cursor is the smallest, since their GTIDs are of several servers in one domain, and numbers and times"
                            + " contradict each other; the start is at the one with the lower number: instance={} start={} others={}",
                    destination,
                    text(smallest),
                    inDoubt.stream()
                            .map(client -> "client %d: %s".formatted(client.clientId(), text(client.cursor())))
                            .toList());
        }
    }

    private static String text(@Nullable Cursor cursor) {
        return cursor == null
                ? "none"
                : "%s after %s of %s:%d, written %s"
                        .formatted(
                                cursor.position(),
                                cursor.gtidSet(),
                                cursor.sourceHost(),
                                cursor.sourcePort(),
                                Instant.ofEpochMilli(cursor.timestampMillis()));
    }

    /** The sender has no filter, and leaves the one in force that a client with its id has subscribed with, as with canal. */
    private static void subscribeSender(CursorStore cursors) {
        if (cursors.subscription(Subscription.QUEUE_CLIENT).isEmpty()) {
            cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        }
    }

    /** Clients other than the sender are not served here, so their cursors never move, and the start is at the smallest of all. */
    private static void warnOfOtherClients(String destination, CursorStore cursors) {
        Cursor own = cursors.load(Subscription.QUEUE_CLIENT);
        Cursor smallest = SmallestCursor.of(cursors.subscriptions());
        if (smallest != null && !smallest.equals(own)) {
            LOG.warn(
                    "the cursor of a client that is not served here holds the start back, delete it with sluice.sh cursor"
                            + " if it is not needed any more: instance={} clients={}",
                    destination,
                    cursors.subscriptions().stream().map(Subscription::clientId).toList());
        }
    }

    /**
     * Makes the sender of an instance.
     *
     * @param cursors has a subscription of {@link Subscription#QUEUE_CLIENT}
     */
    public BatchSender sender(
            InstanceConfig config,
            MqConfig mq,
            EntryStore store,
            CursorStore cursors,
            MessageProducer producer,
            SenderListener listener) {
        FailureConfig failure = config.failure();
        return new BatchSender(
                config.sender(),
                store,
                cursors,
                MessageForms.converter(config, mq, producer, pools.workspaces(), pools.askers(), pools.time()),
                pools.converters(),
                producer,
                new Backoff(failure.firstPause(), failure.longestPause(), new SplittableRandom()),
                pools.time(),
                rejections(failure, producer),
                listener);
    }

    private static RejectionPolicy rejections(FailureConfig failure, MessageProducer producer) {
        RejectionPolicy deadLetters = new DeadLetters(failure.deadLetterTopic(), producer.maxValueBytes());
        RejectionPolicy forMessages = switch (failure.onReject()) {
            case STOP -> RejectionPolicy.STOP;
            case SKIP -> RejectionPolicy.SKIP;
            case DEAD_LETTER -> deadLetters;
        };
        RejectionPolicy forTopics = switch (failure.onTopicUnavailable()) {
            case RETRY -> RejectionPolicy.RETRY;
            case STOP -> RejectionPolicy.STOP;
            case SKIP -> RejectionPolicy.SKIP;
            case DEAD_LETTER -> deadLetters;
        };
        return RejectionPolicy.of(forMessages, forTopics);
    }
}
