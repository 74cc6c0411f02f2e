package io.sluice.server;

import io.sluice.server.alarm.Alarms;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.control.Outcome;
import io.sluice.server.destination.DelayedStarts;
import io.sluice.server.destination.DestinationRegistry;
import io.sluice.server.destination.DestinationRunner;
import io.sluice.server.destination.RunnerFactory;
import io.sluice.server.destination.ThroughputMeters;
import io.sluice.server.instance.SharedPools;
import io.sluice.server.reload.ReloadTarget;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies what a reload changes while the server runs: adds, changes and removes destinations, shares the heap among those that are there
 * then, and notes what is wrong. Thread-safe; a destination is added, changed or removed by one thread at a time. The server may be stopped meanwhile.
 */
final class ReloadApplier implements ReloadTarget {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadApplier.class);

    private final DestinationRegistry registry;
    private final RunnerFactory runners;
    private final ThroughputMeters meters;
    private final ServerPorts ports;
    private final ConfigurationProblems problems;
    private final Alarms alarms;
    private final DelayedStarts delayedStarts;
    private final SharedPools pools;
    private final boolean isClustered;

    /** @param isClustered whether destinations are shared with other servers */
    ReloadApplier(
            DestinationRegistry registry,
            RunnerFactory runners,
            ThroughputMeters meters,
            ServerPorts ports,
            ConfigurationProblems problems,
            Alarms alarms,
            DelayedStarts delayedStarts,
            SharedPools pools,
            boolean isClustered) {
        this.registry = registry;
        this.runners = runners;
        this.meters = meters;
        this.ports = ports;
        this.problems = problems;
        this.alarms = alarms;
        this.delayedStarts = delayedStarts;
        this.pools = pools;
        this.isClustered = isClustered;
    }

    @Override
    public List<String> destinations() {
        return registry.names();
    }

    @Override
    public @Nullable String add(InstanceConfig config) {
        DestinationRunner added = runners.make(config);
        if (!registry.add(added)) {
            return "the server is stopping";
        }
        problems.hasEnded(config.destination());
        shareAmongDestinations();
        LOG.info("an instance was added to the configuration: instance={}", config.destination());
        if (isClustered) {
            delayedStarts.enterCandidacy(added);
        } else if (!config.lazy()) {
            try {
                added.start();
            } catch (RuntimeException e) {
                LOG.error("an added instance cannot be started: instance={}", config.destination(), e);
                return "it cannot be started: " + e.getMessage();
            }
        }
        return null;
    }

    @Override
    public Outcome change(InstanceConfig config) {
        Outcome outcome = registry.find(config.destination())
                .map(runner -> runner.reload(config, DestinationRunner.STOP_LIMIT))
                .orElse(new Outcome.Done(false));
        shareAmongDestinations();
        return outcome;
    }

    @Override
    public void started() {
        shareAmongDestinations();
    }

    @Override
    public void remove(String destination) {
        DestinationRunner runner = registry.find(destination).orElse(null);
        if (runner == null) {
            return;
        }
        registry.remove(runner);
        LOG.info("an instance was removed from the configuration: instance={}", destination);
        try {
            runner.close(DestinationRunner.STOP_LIMIT);
            problems.hasEnded(destination);
        } catch (RuntimeException | Error e) {
            problems.notEnded(
                    destination,
                    "it was removed from the configuration, and did not end in good order, so that a part of it may run until the server is restarted: "
                            + (e.getMessage() == null ? e.toString() : e.getMessage()));
            throw e;
        } finally {
            meters.forget(destination);
            runners.removed(destination);
            ports.clients().ifPresent(port -> port.counts().retain(registry.names()));
            shareAmongDestinations();
        }
    }

    @Override
    public void instancesRemoved() {
        delayedStarts.instancesRemoved();
    }

    private synchronized void shareAmongDestinations() {
        pools.setInstances(registry.configs());
    }

    @Override
    public void setProblem(String destination, @Nullable String problem) {
        registry.find(destination).ifPresent(runner -> runner.setProblem(problem));
    }

    @Override
    public Optional<InstanceConfig> inForce(String destination) {
        return registry.find(destination).map(DestinationRunner::config);
    }

    @Override
    public boolean hasFailed(String destination) {
        return registry.find(destination).filter(DestinationRunner::hasFailed).isPresent();
    }

    @Override
    public void setInvalid(Map<String, String> invalid) {
        problems.setOfInvalid(invalid);
    }

    @Override
    public void setPending(Map<String, String> pending) {
        problems.setOfPending(pending);
    }

    @Override
    public void setServerProblem(@Nullable String problem) {
        problems.setOfServer(problem);
    }

    @Override
    public void setRestartKeys(List<String> keys) {
        problems.setRestartKeys(keys);
    }

    @Override
    public void setServer(ServerConfig config) {
        alarms.configure(config.alarms());
    }
}
