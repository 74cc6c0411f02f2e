package io.sluice.server.destination;

import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.protocol.time.Time;
import io.sluice.server.control.Throughput;
import io.sluice.server.health.ReportingGuard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures every second how much each destination delivers, and adds the failures of its delivery to its errors. Thread-safe.
 */
public final class ThroughputMeters {
    private static final Logger LOG = LoggerFactory.getLogger(ThroughputMeters.class);
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final DestinationRegistry registry;
    private final DestinationStates states;
    private final Time time;
    private final ReportingGuard failures;
    private final Map<String, ThroughputMeter> meters = new ConcurrentHashMap<>();

    /** Creates them; nothing is measured before {@link #start}. */
    public ThroughputMeters(DestinationRegistry registry, DestinationStates states, Time time) {
        this.registry = registry;
        this.states = states;
        this.time = time;
        this.failures = new ReportingGuard(
                time,
                (instance, e) -> LOG.error("the throughput of instances cannot be measured: instance={}", instance, e));
    }

    /** Begins to measure, until the timer ends. */
    public void start(ScheduledExecutorService timer) {
        ScheduledFuture<?> unused = timer.scheduleWithFixedDelay(
                () -> failures.run("all", this::measure), 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void measure() {
        List<DestinationRunner> runners = registry.runners();
        for (DestinationRunner runner : runners) {
            failures.run(runner.name(), () -> measure(runner));
        }
        if (meters.size()
                > runners.size()) { // one was removed while it was measured: its meter would keep the instance
            meters.keySet()
                    .retainAll(runners.stream().map(DestinationRunner::name).collect(Collectors.toSet()));
        }
    }

    private void measure(DestinationRunner runner) {
        DeliveryFailure failure = meters.computeIfAbsent(runner.name(), name -> new ThroughputMeter(time))
                .look(runner.instance().orElse(null));
        if (failure != null) {
            states.of(runner.name()).errors().addOfDelivery(failure.cause());
        }
    }

    /** The throughput of a destination; none if it was not measured yet. */
    public Throughput of(String destination) {
        ThroughputMeter meter = meters.get(destination);
        return meter == null ? Throughput.NONE : meter.throughput();
    }

    /** Drops what was measured of a destination that was removed. */
    public void forget(String destination) {
        meters.remove(destination);
    }
}
