package io.sluice.server.api;

import io.sluice.format.entry.Entry;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.config.text.Environment;
import io.sluice.server.control.AlarmTest;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Operations;
import io.sluice.server.control.Outcome;
import io.sluice.server.control.ReloadReport;
import io.sluice.server.control.Throughput;
import io.sluice.server.control.UnknownDestinationException;
import io.sluice.server.instance.DeliveryTap;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.PauseTarget;
import io.sluice.server.pace.RateLimits;
import io.sluice.server.probe.ConnectReport;
import io.sluice.server.probe.SourceListing;
import io.sluice.server.probe.Trials;
import io.sluice.server.tables.TableTally;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server with the one destination {@code shop} that does nothing but note what it is asked to do. */
final class RecordingOperations implements Operations {
    private final DeliveryTap tap = new DeliveryTap();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final AtomicInteger snapshots = new AtomicInteger();
    private final Trials trials = new Trials(Optional.empty(), Time.SYSTEM);
    private final TableTally tables = new TableTally(1, Time.SYSTEM);
    private volatile RateLimits limits = RateLimits.NONE;
    private volatile boolean refuses;
    private volatile boolean isBroken;
    private volatile boolean overflows;
    private volatile @Nullable Hold hold;

    private record Hold(Semaphore begun, CountDownLatch end) {}

    /** What it was asked to do, in order. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    /** Counts entries that were delivered. */
    void deliver(List<Entry> entries) {
        tables.delivered(entries);
    }

    /** Has what follows be refused. */
    void refuse() {
        refuses = true;
    }

    /** Has what follows fail by a fault of ours. */
    void breakDown() {
        isBroken = true;
    }

    /** Has what follows fail by an Error. */
    void overflow() {
        overflows = true;
    }

    /**
     * Has what follows wait.
     *
     * @param begun has a permit for each that waits, or has waited
     * @param end until when
     */
    void hold(Semaphore begun, CountDownLatch end) {
        hold = new Hold(begun, end);
    }

    private void await() {
        Hold current = hold;
        if (current != null) {
            current.begun.release();
            try {
                current.end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("the test has ended", e);
            }
        }
    }

    private void note(String call, String destination) {
        if (!destination.equals("shop")) {
            throw new UnknownDestinationException("there is no destination " + destination + ", there are shop");
        }
        await();
        if (overflows) {
            throw new StackOverflowError();
        }
        if (isBroken) {
            throw new IllegalStateException("a secret of the inside");
        }
        if (refuses) {
            throw new CommandRejectedException("it cannot be done now: try later");
        }
        calls.add(call);
    }

    @Override
    public Configuration configuration() {
        await();
        throw new UnsupportedOperationException("no test needs it");
    }

    @Override
    public List<String> destinations() {
        return List.of("shop");
    }

    @Override
    public List<InstanceSnapshot> snapshots() {
        snapshots.incrementAndGet();
        return List.of(snapshot("shop"));
    }

    /** How often the state of all instances was asked for. */
    int snapshotCount() {
        return snapshots.get();
    }

    @Override
    public List<AlarmTest> testAlarm() {
        note("alarm test", "shop");
        return List.of(new AlarmTest(1, "slack", false, "status 403: no"));
    }

    @Override
    public @Nullable String configurationProblem() {
        return "a bad key";
    }

    @Override
    public @Nullable String clusterProblem() {
        return "another server has the address";
    }

    @Override
    public List<String> restartKeys() {
        return List.of("kafka.acks");
    }

    @Override
    public InstanceSnapshot snapshot(String destination) {
        if (!destination.equals("shop")) {
            throw new UnknownDestinationException("there is no destination " + destination + ", there are shop");
        }
        return new InstanceSnapshot(
                "shop",
                true,
                Optional.empty(),
                Optional.empty(),
                new PaceStatus(true, "a test", Instant.EPOCH, null, limits),
                List.of(),
                new Throughput(12.4, 99.6),
                "a bad line",
                null);
    }

    /** What any destination delivers. */
    DeliveryTap tap() {
        return tap;
    }

    @Override
    public DeliveryTap tap(String destination) {
        note("tap", destination);
        return tap;
    }

    @Override
    public TableTally tables(String destination) {
        note("tables", destination);
        return tables;
    }

    @Override
    public boolean start(String destination) {
        note("start", destination);
        return true;
    }

    @Override
    public boolean stop(String destination) {
        note("stop", destination);
        return false;
    }

    @Override
    public void restart(String destination) {
        note("restart", destination);
    }

    @Override
    public void release(String destination) {
        note("release", destination);
    }

    @Override
    public void pause(String destination, String reason) {
        note("pause " + reason, destination);
    }

    @Override
    public void pauseAt(String destination, PauseTarget target) {
        note("pauseAt " + target.text(), destination);
    }

    @Override
    public Outcome whileStopped(String destination, Function<InstanceConfig, Runnable> plan) {
        note("whileStopped", destination);
        plan.apply(configuration().instances().get(0)).run();
        return new Outcome.Done(true);
    }

    @Override
    public void resume(String destination) {
        note("resume", destination);
    }

    @Override
    public void limit(String destination, RateLimits next) {
        note("limit " + next.rowsPerSecond() + " " + next.bytesPerSecond(), destination);
        limits = next;
    }

    @Override
    public ReloadReport reload(String destination) {
        note("reload", destination);
        return report();
    }

    @Override
    public ReloadReport reload() {
        note("reload all", "shop");
        return report();
    }

    @Override
    public CheckedTexts check(GivenTexts texts) {
        calls.add("check " + texts.destination());
        return reader().check(texts);
    }

    @Override
    public TrialTexts forTrial(GivenTexts texts) {
        return reader().forTrial(texts);
    }

    @Override
    public ConnectReport connect(TrialTexts texts) {
        note("connect", "shop");
        return tried(() -> trials.connect(texts, texts.checked().configuration()));
    }

    @Override
    public SourceListing sourceTables(TrialTexts texts) {
        note("source tables", "shop");
        return tried(() -> trials.tables(texts));
    }

    private static <T> T tried(Callable<Optional<T>> trial) {
        try {
            return trial.call().orElseThrow();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static ConfigReader reader() {
        return new ConfigReader(
                Path.of("none/canal.properties"),
                Path.of("none"),
                Environment.ofThisProcess(),
                ProducerCheck.NONE,
                Time.SYSTEM);
    }

    private static ReloadReport report() {
        return new ReloadReport(
                List.of("new"),
                List.of(),
                List.of(),
                Map.of("shop", List.of("a bad line")),
                List.of("till"),
                List.of(),
                List.of("a blank in a filter"),
                List.of("canal.port"));
    }
}
