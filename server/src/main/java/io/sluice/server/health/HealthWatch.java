package io.sluice.server.health;

import io.sluice.protocol.time.Time;
import io.sluice.server.instance.Instance;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The watchdog: checks all instances every second, keeps their health, and has it logged when one makes no progress
 * though it has work, and when it does again. Thread-safe.
 */
public final class HealthWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);
    private static final Duration MAX_PERIOD = Duration.ofSeconds(1);
    private static final int SAMPLES_PER_LIMIT = 4;

    private final Supplier<List<Instance>> instances;
    private final Duration limit;
    private final Time time;
    private final ReportingGuard ofAll;
    private final ReportingGuard ofEach;
    private final Future<?> samples;

    /** By instance, which is used once, so that a new one of the same destination starts afresh. */
    private final Map<Instance, Watched> watched = new WeakHashMap<>();

    /** The stalls that the last sample found. */
    private volatile Map<Instance, Stall> stalls = Map.of();

    private static final class Watched {
        private final StallDetector detector;
        private final StallLog log = new StallLog();

        Watched(StallDetector detector) {
            this.detector = detector;
        }
    }

    private HealthWatch(Supplier<List<Instance>> instances, Duration limit, ScheduledExecutorService timer, Time time) {
        this.instances = instances;
        this.limit = limit;
        this.time = time;
        this.ofAll = new ReportingGuard(time, (all, e) -> LOG.error("the health of instances cannot be determined", e));
        this.ofEach = new ReportingGuard(
                time,
                (instance, e) -> LOG.error("the health of an instance cannot be determined: instance={}", instance, e));
        Duration often = limit.isZero() ? MAX_PERIOD : limit.dividedBy(SAMPLES_PER_LIMIT);
        long periodNanos = Math.max(TimeUnit.MILLISECONDS.toNanos(1), Math.min(MAX_PERIOD.toNanos(), often.toNanos()));
        this.samples = timer.scheduleWithFixedDelay(this::sample, 0, periodNanos, TimeUnit.NANOSECONDS);
    }

    /**
     * Begins to watch.
     *
     * @param instances those that run here at the moment
     * @param limit how long one may make no progress while it has work; zero: for ever
     * @param timer takes the samples, which takes no time
     * @param time measures how long one makes no progress
     */
    public static HealthWatch start(
            Supplier<List<Instance>> instances, Duration limit, ScheduledExecutorService timer, Time time) {
        return new HealthWatch(instances, limit, timer, time);
    }

    /** The health of each instance that runs here: its state now, and whether it waited at the last sample. */
    public List<InstanceHealth> health() {
        return instances.get().stream().map(this::health).toList();
    }

    /** The health of one of them. */
    public InstanceHealth health(Instance instance) {
        return new InstanceHealth(
                instance.name(),
                instance.state(),
                stalls.get(instance),
                instance.sourceFailure().orElse(null));
    }

    private void sample() {
        ofAll.run("", () -> stalls = Map.copyOf(sampleAll()));
    }

    private Map<Instance, Stall> sampleAll() {
        Map<Instance, Stall> found = new HashMap<>();
        for (Instance instance : instances.get()) {
            MDC.put("destination", instance.name());
            ofEach.run(instance.name(), () -> {
                Stall stall = sample(instance);
                if (stall != null) {
                    found.put(instance, stall);
                }
            });
            MDC.remove("destination");
        }
        return found;
    }

    private @Nullable Stall sample(Instance instance) {
        Watched known = watched.computeIfAbsent(instance, unknown -> new Watched(new StallDetector(limit)));
        ProgressSample now = ProgressSample.of(instance);
        Stall stall = known.detector.sample(now, time.nanos());
        known.log.add(instance.name(), now.state(), stall);
        return stall;
    }

    /** Ends the watch. */
    @Override
    public void close() {
        samples.cancel(false);
    }
}
