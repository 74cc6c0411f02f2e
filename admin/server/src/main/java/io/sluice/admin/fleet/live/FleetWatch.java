package io.sluice.admin.fleet.live;

import io.sluice.admin.address.AddressResolver;
import io.sluice.admin.canal.ManagementClient;
import io.sluice.admin.config.UnreadChanges;
import io.sluice.admin.fleet.control.ControlClient;
import io.sluice.admin.fleet.control.ControlTarget;
import io.sluice.admin.fleet.control.ControlUrl;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.server.TokenVault;
import io.sluice.admin.fleet.watch.CanalWatch;
import io.sluice.admin.fleet.watch.ControlWatch;
import io.sluice.admin.fleet.watch.ServerStatus;
import io.sluice.admin.fleet.watch.ServerWatch;
import io.sluice.admin.fleet.watch.TokenMissingWatch;
import io.sluice.admin.notice.ChangeNotice;
import io.sluice.admin.time.RepeatedWork;
import io.sluice.admin.time.SteadyClock;
import jakarta.annotation.PreDestroy;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Watches all servers, and merges what they report every two seconds. One thread reads the database, one does all that is due; what is read here
 * never waits. Thread-safe.
 */
@Component
public class FleetWatch {
    private static final Logger LOG = LoggerFactory.getLogger(FleetWatch.class);
    private static final int READ_SECONDS = 5;
    private static final int MERGE_SECONDS = 2;

    private final ConfiguredReader reader;
    private final TokenVault vault;
    private final ControlClient control;
    private final ManagementClient management;
    private final AddressResolver resolver;
    private final UnreadChanges unread;
    private final Clock clock;

    /** What is due is not put off when the clock of the machine is set. */
    private final Clock waits = new SteadyClock();

    private final ScheduledExecutorService timer = thread("fleet-timer");
    private final ScheduledExecutorService database = thread("fleet-database");
    private final AtomicBoolean isReadWanted = new AtomicBoolean();
    private final Map<Long, Watched> watched = new ConcurrentHashMap<>();
    private final List<Consumer<Fleet>> listeners = new CopyOnWriteArrayList<>();
    private final HistoryKeeper history;
    private final ProblemMemory problems = new ProblemMemory();
    private volatile Configured configured = Configured.NOTHING;
    private volatile Fleet fleet;

    /** A server and its watch. */
    private record Watched(ServerRow row, ServerWatch watch) {}

    FleetWatch(
            ConfiguredReader reader,
            TokenVault vault,
            ControlClient control,
            ManagementClient management,
            AddressResolver resolver,
            UnreadChanges unread,
            Clock clock) {
        this.reader = reader;
        this.vault = vault;
        this.control = control;
        this.management = management;
        this.resolver = resolver;
        this.unread = unread;
        this.clock = clock;
        this.fleet = Fleet.empty(clock.instant());
        this.history = new HistoryKeeper(clock.instant());
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Begins, when the server is ready. */
    @EventListener(ApplicationReadyEvent.class)
    void start() {
        every(database, READ_SECONDS, this::read);
        every(timer, 1, this::tick);
        every(timer, MERGE_SECONDS, this::merge);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails is logged
    private static void every(ScheduledExecutorService thread, int seconds, Runnable work) {
        thread.scheduleWithFixedDelay(repeated(work), 0, seconds, TimeUnit.SECONDS);
    }

    private static RepeatedWork repeated(Runnable work) {
        return new RepeatedWork(
                work, failure -> LOG.error("something that is done regularly has failed, it is tried again", failure));
    }

    /** Takes over what was changed here. */
    @EventListener
    void changed(ChangeNotice notice) {
        if (notice.what() != ChangeNotice.What.USERS && isReadWanted.compareAndSet(false, true)) {
            database.execute(() -> {
                isReadWanted.set(false);
                readOrLog();
            });
        }
    }

    private void readOrLog() {
        new RepeatedWork(
                        this::read, failure -> LOG.error("what was changed cannot be read, it is tried again", failure))
                .run();
    }

    private void read() {
        Configured read = reader.read();
        configured = read;
        timer.execute(repeated(() -> {
            reconcile(read.servers());
            tick();
            merge();
        }));
    }

    /** Watches what is configured, and nothing else. */
    private void reconcile(List<ServerRow> rows) {
        Map<Long, ServerRow> wanted = new HashMap<>();
        rows.forEach(row -> wanted.put(row.id(), row));
        watched.forEach((id, one) -> {
            ServerRow row = wanted.get(id);
            if (row == null || !row.isReachedLike(one.row())) {
                watched.remove(id);
                one.watch().close();
            }
        });
        for (ServerRow row : rows) {
            watched.computeIfAbsent(row.id(), id -> new Watched(row, watch(row)));
        }
    }

    private ServerWatch watch(ServerRow row) {
        if (row.controlUrl() == null) {
            return new CanalWatch(row.name(), row.ip(), row.adminPort(), resolver, management, clock, waits);
        }
        return target(row)
                .<ServerWatch>map(target -> new ControlWatch(row.name(), target, control, clock, waits))
                .orElseGet(
                        () -> new TokenMissingWatch(
                                "there is no token that can be used: make one with `sluice.sh token add` on the server, and enter it here"));
    }

    /** Where the control API of a server is, with its token; empty if it has none that can be used. */
    public Optional<ControlTarget> target(ServerRow row) {
        String url = row.controlUrl();
        String sealed = row.sealedToken();
        String token = sealed == null ? null : vault.open(row.id(), sealed);
        if (url == null || token == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ControlTarget(ControlUrl.parse(url), token));
        } catch (IllegalArgumentException e) {
            LOG.warn("the control URL of a server cannot be used: server={} reason={}", row.name(), e.getMessage());
            return Optional.empty();
        }
    }

    private void tick() {
        watched.values().forEach(one -> one.watch().tick());
    }

    private void merge() {
        Map<Long, ServerStatus> statuses = new HashMap<>();
        watched.forEach((id, one) -> statuses.put(id, one.watch().status()));
        Instant now = clock.instant();
        Fleet merged = Merger.merge(configured, statuses, now);
        Fleet ordered = new Fleet(
                merged.asOf(),
                merged.servers(),
                merged.instances(),
                merged.clusters(),
                problems.ordered(UnreadProblems.added(merged.overview(), merged.servers(), unread::of, now)));
        fleet = ordered;
        history.add(ordered);
        for (Consumer<Fleet> listener : listeners) {
            try {
                listener.accept(ordered);
            } catch (RuntimeException e) {
                LOG.error("what was merged cannot be passed on", e);
            }
        }
    }

    /**
     * Reads what is configured again, and merges.
     *
     * @return completes when that is done; never fails
     */
    public CompletableFuture<Fleet> refresh() {
        CompletableFuture<Fleet> done = new CompletableFuture<>();
        try {
            database.execute(() -> {
                readOrLog();
                timer.execute(() -> done.complete(fleet));
            });
        } catch (RejectedExecutionException e) {
            done.complete(fleet); // this server is stopping
        }
        return done;
    }

    /** All servers and instances, as they were merged last. */
    public Fleet now() {
        return fleet;
    }

    /**
     * Passes on each merged state.
     *
     * @param listener must neither block nor fail
     */
    public void onMerged(Consumer<Fleet> listener) {
        listeners.add(listener);
    }

    /** The history of all instances together. */
    public History history() {
        return history.ofAll();
    }

    /** The history of an instance; without values if nothing was reported of it. */
    public History historyOfInstance(String name) {
        return history.ofInstance(name).orElseGet(history::ofNothing);
    }

    /** The history of a server; without values if it has not reported. */
    public History historyOfServer(long id) {
        return history.ofServer(id).orElseGet(history::ofNothing);
    }

    /** Has a server asked as soon as possible, since a request has changed it. */
    public void hurry(long serverId) {
        Watched one = watched.get(serverId);
        if (one != null) {
            one.watch().hurry();
        }
    }

    @PreDestroy
    void close() {
        database.shutdownNow();
        timer.shutdownNow();
        watched.values().forEach(one -> one.watch().close());
    }
}
