package io.sluice.server.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.instance.Instance;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which destinations a server has, and the runner of each, in the order of the configuration; those that are added later come last.
 *
 * <p>Thread-safe: readers never wait, and see the list before a change or after it.
 */
public final class DestinationRegistry {
    private volatile List<DestinationRunner> runners = List.of();

    @GuardedBy("this") private boolean isClosed;

    /** Creates one without destinations. */
    public DestinationRegistry() {}

    /**
     * Adds a destination that is not there.
     *
     * @return false if the registry is closed; nothing is added then
     */
    public synchronized boolean add(DestinationRunner runner) {
        if (isClosed) {
            return false;
        }
        runners = Stream.concat(runners.stream(), Stream.of(runner)).toList();
        return true;
    }

    /** Removes a destination; its runner is not closed. */
    public synchronized void remove(DestinationRunner runner) {
        runners = runners.stream().filter(one -> one != runner).toList();
    }

    /**
     * Rejects destinations from now on.
     *
     * @return the runners of those that are there, and stay
     */
    public synchronized List<DestinationRunner> close() {
        isClosed = true;
        return runners;
    }

    /** The runners of all destinations. */
    public List<DestinationRunner> runners() {
        return runners;
    }

    /** The runner of a destination; empty if there is no destination of that name. */
    public Optional<DestinationRunner> find(String destination) {
        return runners.stream()
                .filter(runner -> runner.name().equals(destination))
                .findFirst();
    }

    /** The names of all destinations. */
    public List<String> names() {
        return runners.stream().map(DestinationRunner::name).toList();
    }

    /** What is in force for each destination. */
    public List<InstanceConfig> configs() {
        return runners.stream().map(DestinationRunner::config).toList();
    }

    /** The instances that run here now. */
    public List<Instance> instances() {
        return runners.stream().flatMap(runner -> runner.instance().stream()).toList();
    }
}
