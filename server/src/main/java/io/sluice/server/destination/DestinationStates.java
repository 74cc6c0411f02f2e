package io.sluice.server.destination;

import io.sluice.protocol.time.Time;
import io.sluice.server.instance.DestinationState;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What stays of each destination when its instance ends, and also when it is removed from the configuration and added again. Made at the
 * first use of a name, and never dropped. Thread-safe.
 */
public final class DestinationStates {
    private final int countedTables;
    private final ScheduledExecutorService timer;
    private final Executor writers;
    private final Time time;
    private final Map<String, DestinationState> states = new ConcurrentHashMap<>();
    private final Map<String, PaceHome> paceHomes = new ConcurrentHashMap<>();

    /**
     * Creates them for a server; there are none yet.
     *
     * @param countedTables the number of tables of a destination that are counted one by one; 0 for none
     * @param timer ends waits
     * @param writers may wait for a disk, or for ZooKeeper
     */
    public DestinationStates(int countedTables, ScheduledExecutorService timer, Executor writers, Time time) {
        this.countedTables = countedTables;
        this.timer = timer;
        this.writers = writers;
        this.time = time;
    }

    /** Returns the state of a destination, which is created at its first use. */
    public DestinationState of(String destination) {
        return states.computeIfAbsent(destination, name -> DestinationState.of(name, countedTables, timer, time));
    }

    /** Where it is kept how fast a destination is delivered. */
    PaceHome paceHome(String destination) {
        return paceHomes.computeIfAbsent(destination, name -> new PaceHome(of(name).pace(), writers));
    }
}
