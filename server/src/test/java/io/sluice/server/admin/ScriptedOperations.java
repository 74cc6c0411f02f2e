package io.sluice.server.admin;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialTexts;
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
import io.sluice.server.tables.TableTally;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server of destinations without instances, which only remembers which of them were stopped. */
final class ScriptedOperations implements Operations {
    /** By destination, whether it is stopped. */
    final Map<String, Boolean> stopped = new TreeMap<>();

    /** What was asked for, in order. */
    final List<String> calls = new ArrayList<>();

    /** Why the destination cannot be started; blank if it can. */
    final Map<String, String> rejections = new TreeMap<>();

    /** What fails when the destination is started, if it is not refused. */
    final Map<String, Error> defects = new TreeMap<>();

    /** A stop waits for it. */
    volatile CountDownLatch mayStop = new CountDownLatch(0);

    ScriptedOperations(String... destinations) {
        for (String destination : destinations) {
            stopped.put(destination, false);
        }
    }

    private synchronized boolean set(String destination, boolean value, String call) {
        if (!stopped.containsKey(destination)) {
            throw new UnknownDestinationException("there is no destination " + destination);
        }
        calls.add(call + " " + destination);
        String refusal = rejections.get(destination);
        if (refusal != null && !value) {
            throw new CommandRejectedException(refusal);
        }
        Error defect = defects.get(destination);
        if (defect != null && !value) {
            throw defect;
        }
        return stopped.put(destination, value) != value;
    }

    @Override
    public CheckedTexts check(GivenTexts texts) {
        throw new UnsupportedOperationException("the management port checks no texts");
    }

    @Override
    public TrialTexts forTrial(GivenTexts texts) {
        throw new UnsupportedOperationException("the management port tries no texts");
    }

    @Override
    public ConnectReport connect(TrialTexts texts) {
        throw new UnsupportedOperationException("the management port tries no texts");
    }

    @Override
    public SourceListing sourceTables(TrialTexts texts) {
        throw new UnsupportedOperationException("the management port tries no texts");
    }

    @Override
    public synchronized List<String> destinations() {
        return List.copyOf(stopped.keySet());
    }

    @Override
    public synchronized List<InstanceSnapshot> snapshots() {
        return destinations().stream().map(this::snapshot).toList();
    }

    @Override
    public List<AlarmTest> testAlarm() {
        return List.of();
    }

    @Override
    public @Nullable String configurationProblem() {
        return null;
    }

    @Override
    public @Nullable String clusterProblem() {
        return null;
    }

    @Override
    public List<String> restartKeys() {
        return List.of();
    }

    @Override
    public synchronized InstanceSnapshot snapshot(String destination) {
        Boolean isStopped = stopped.get(destination);
        if (isStopped == null) {
            throw new UnknownDestinationException("there is no destination " + destination);
        }
        return new InstanceSnapshot(
                destination,
                isStopped,
                Optional.empty(),
                Optional.empty(),
                new PaceStatus(false, null, null, null, RateLimits.NONE),
                List.of(),
                Throughput.NONE,
                null,
                null);
    }

    @Override
    public DeliveryTap tap(String destination) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean start(String destination) {
        return set(destination, false, "start");
    }

    @Override
    public boolean stop(String destination) {
        try {
            mayStop.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return set(destination, true, "stop");
    }

    @Override
    public void restart(String destination) {
        set(destination, false, "restart");
    }

    @Override
    public void release(String destination) {
        set(destination, false, "release");
    }

    @Override
    public Configuration configuration() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void pause(String destination, String reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void pauseAt(String destination, PauseTarget target) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Outcome whileStopped(String destination, Function<InstanceConfig, Runnable> plan) {
        throw new UnsupportedOperationException("not a call of the management port");
    }

    @Override
    public TableTally tables(String destination) {
        throw new UnsupportedOperationException("not a call of the management port");
    }

    @Override
    public void resume(String destination) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void limit(String destination, RateLimits limits) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ReloadReport reload(String destination) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ReloadReport reload() {
        throw new UnsupportedOperationException();
    }
}
