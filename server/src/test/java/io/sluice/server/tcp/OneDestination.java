package io.sluice.server.tcp;

import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.filter.TableVerdict;
import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.config.text.Secret;
import io.sluice.server.pull.BatchNumbers;
import io.sluice.server.pull.ClientFilters;
import io.sluice.server.pull.PullClients;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.ring.BatchMode;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.RingConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A server on a free port, with one destination whose entries the test puts. */
final class OneDestination implements AutoCloseable {
    static final TcpConfig.Limits LIMITS = new TcpConfig.Limits(
            2_000, 500, 10_000, 1 << 20, Duration.ofMinutes(1), Duration.ofHours(1), Duration.ofMinutes(5), 100);

    private static final StoreConfig STORE =
            new StoreConfig(new RingConfig(1024, 1024, false), BatchMode.MEMSIZE, true);

    final CursorStore cursors = new MemoryCursorStore();
    final TableFilter tables = new TableFilter("", "");
    final TcpServer server;
    final Queue<RuntimeException> damages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger requestsLeft = new AtomicInteger(Integer.MAX_VALUE);
    private final AtomicInteger looksUntilStart = new AtomicInteger();
    private volatile boolean isElsewhere;
    volatile EntryRing store;
    volatile PullClients clients;
    private final TcpConfig config;
    private final StoreConfig storeConfig;
    private final ExecutorService workers = Executors.newFixedThreadPool(2);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final BatchNumbers numbers = new BatchNumbers();

    private OneDestination(TcpConfig config, StoreConfig storeConfig, LateAnswers lateAnswers, Time time)
            throws IOException {
        this.config = config;
        this.storeConfig = storeConfig;
        this.store = new EntryRing(storeConfig.ring());
        this.clients = clientsOf(store);
        this.server = TcpServer.open(config, new Example(), this::work, lateAnswers, time);
    }

    private final class Example implements Destinations {
        @Override
        public @Nullable Destination find(String name) {
            return name.equals("example") && looksUntilStart.decrementAndGet() < 0
                    ? new Destination(clients, storeConfig, damages::add)
                    : null;
        }

        @Override
        public boolean isStarting(String name) {
            return name.equals("example") && !isElsewhere;
        }
    }

    /** Has it be found only after some looks for it. */
    void startAfter(int looks) {
        looksUntilStart.set(looks);
    }

    /** Has it not be found for a while, and not start here. */
    void leave() {
        isElsewhere = true;
        looksUntilStart.set(Integer.MAX_VALUE);
    }

    /** Lets no worker take one of the next requests: the first one is number 1. */
    void failAtRequest(int number) {
        requestsLeft.set(number);
    }

    private void work(Runnable task) {
        if (requestsLeft.decrementAndGet() == 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        workers.execute(task);
    }

    private PullClients clientsOf(EntryRing ring) {
        return new PullClients(
                "example",
                ring,
                cursors,
                workers,
                timer,
                new ClientFilters("example", tables, cursors),
                numbers,
                config.limits().subscriptions(),
                () -> true);
    }

    /** Ends the instance, and lets the next one, with an empty store, take its place, as a reload does. */
    void replaceInstance() {
        clients.close();
        store.close();
        store = new EntryRing(storeConfig.ring());
        clients = clientsOf(store);
    }

    static OneDestination start() throws IOException {
        return start(config("", "", LIMITS));
    }

    static OneDestination start(TcpConfig config) throws IOException {
        return start(config, LateAnswers.standard(Time.SYSTEM));
    }

    static OneDestination start(TcpConfig config, LateAnswers lateAnswers) throws IOException {
        return new OneDestination(config, STORE, lateAnswers, Time.SYSTEM);
    }

    static OneDestination start(TcpConfig config, Time time) throws IOException {
        return new OneDestination(config, STORE, LateAnswers.standard(time), time);
    }

    static OneDestination start(TcpConfig config, StoreConfig store) throws IOException {
        return new OneDestination(config, store, LateAnswers.standard(Time.SYSTEM), Time.SYSTEM);
    }

    static TcpConfig config(String user, String storedPassword, TcpConfig.Limits limits) {
        return new TcpConfig("127.0.0.1", 0, user, new Secret(storedPassword), limits, Optional.empty());
    }

    /** The filter in force; empty if there is none. */
    String filter() {
        return tables.explain("shop", "orders") instanceof TableVerdict.Included included ? included.by() : "?";
    }

    InetSocketAddress address() {
        return server.address();
    }

    @Override
    public void close() {
        server.close();
        clients.close();
        store.close();
        workers.shutdownNow();
        timer.shutdownNow();
    }
}
