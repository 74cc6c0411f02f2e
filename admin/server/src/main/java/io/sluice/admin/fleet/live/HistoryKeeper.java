package io.sluice.admin.fleet.live;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the history of all, of each server and of each instance, as long as it exists. Thread-safe. */
final class HistoryKeeper {
    static final int STEP_SECONDS = 5;
    private static final int MAX_SERIES = 10_000;
    private static final int MAX_STEPS_BACK = 2;

    @GuardedBy("this") private final Map<String, Series> instances = new HashMap<>();

    @GuardedBy("this") private final Map<Long, Series> servers = new HashMap<>();

    @GuardedBy("this") private Series all;

    @GuardedBy("this") private long newestStep;

    HistoryKeeper(Instant now) {
        newestStep = stepOf(now);
        all = new Series(newestStep);
    }

    private static long stepOf(Instant time) {
        return time.getEpochSecond() / STEP_SECONDS;
    }

    /** Notes what is reported now. */
    synchronized void add(Fleet fleet) {
        long step = stepOf(fleet.asOf());
        if (step < newestStep - MAX_STEPS_BACK) {
            // The clock was set back: what is kept is of a time that is still to come, and would hide what is reported
            // now.
            instances.clear();
            servers.clear();
            all = new Series(step);
            newestStep = step;
        }
        newestStep = Math.max(newestStep, step);
        instances.keySet().retainAll(fleet.instances().keySet());
        servers.keySet()
                .retainAll(fleet.servers().stream()
                        .map(server -> server.row().id())
                        .toList());
        boolean isAnyAnswering = false;
        for (InstanceView instance : fleet.instances().values()) {
            InstanceSummary summary = instance.summary();
            if (instance.runner() != null && (instances.size() < MAX_SERIES || instances.containsKey(summary.name()))) {
                instances
                        .computeIfAbsent(summary.name(), name -> new Series(step))
                        .add(
                                step,
                                summary.rowsPerSecond(),
                                summary.bytesPerSecond(),
                                value(summary.lagSeconds()),
                                value(summary.deliveryDelaySeconds()));
            }
        }
        long delay = -1;
        for (ServerView server : fleet.servers()) {
            delay = Math.max(delay, server.deliveryDelaySeconds());
            if (server.status().state().isAnswering()) {
                isAnyAnswering = true;
                servers.computeIfAbsent(server.row().id(), id -> new Series(step))
                        .add(
                                step,
                                server.rowsPerSecond(),
                                server.bytesPerSecond(),
                                server.lagSeconds(),
                                server.deliveryDelaySeconds());
            }
        }
        if (isAnyAnswering) {
            Overview overview = fleet.overview();
            all.add(step, overview.rowsPerSecond(), overview.bytesPerSecond(), value(overview.maxLagSeconds()), delay);
        }
    }

    private static long value(@Nullable Long known) {
        return known == null ? -1 : known;
    }

    /** The history of all instances together. */
    synchronized History ofAll() {
        return history(all);
    }

    /** The history of an instance; empty if nothing was reported of it yet. */
    synchronized Optional<History> ofInstance(String name) {
        return Optional.ofNullable(instances.get(name)).map(this::history);
    }

    /** The history of a server; empty if it has not reported yet. */
    synchronized Optional<History> ofServer(long id) {
        return Optional.ofNullable(servers.get(id)).map(this::history);
    }

    /** One without any value. */
    synchronized History ofNothing() {
        return history(new Series(newestStep));
    }

    @GuardedBy("this") private History history(Series series) {
        Series.Values values = series.upTo(newestStep);
        return new History(
                Instant.ofEpochSecond((newestStep - Series.STEPS + 1) * STEP_SECONDS),
                STEP_SECONDS,
                values.rows(),
                values.bytes(),
                values.lag(),
                values.delay());
    }

    /** How many series are kept. */
    synchronized int size() {
        return instances.size() + servers.size() + 1;
    }
}
