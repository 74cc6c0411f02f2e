package io.sluice.server.destination;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.server.instance.DestinationState;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What stays of each destination when its instance ends, and also when it is removed from the configuration and added again. Made at the
 * first use of a name. That of a removed destination is dropped when {@value #MAX_REMOVED} others have been removed after it: a new one continues from
 * what is in files, or in ZooKeeper, as in another process. Thread-safe.
 */
public final class DestinationStates {
    /** Of how many removed destinations something stays. */
    static final int MAX_REMOVED = 100;

    private final int countedTables;
    private final ScheduledExecutorService timer;
    private final Executor writers;
    private final Time time;
    private final Map<String, DestinationState> states = new ConcurrentHashMap<>();
    private final Map<String, PaceHome> paceHomes = new ConcurrentHashMap<>();

    /** The destinations that are removed, the last one at the end. */
    @GuardedBy("removed") private final Set<String> removed = new LinkedHashSet<>();

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

    /** Notes that a destination is there, perhaps again. */
    void added(String destination) {
        synchronized (removed) {
            removed.remove(destination);
        }
    }

    /** Notes that a destination is removed, and its instance has ended. */
    void removed(String destination) {
        synchronized (removed) {
            removed.remove(destination);
            removed.add(destination);
            if (removed.size() > MAX_REMOVED) {
                String oldest = removed.iterator().next();
                removed.remove(oldest);
                states.remove(oldest);
                paceHomes.remove(oldest);
            }
        }
    }

    /** Of how many destinations something is kept. */
    int size() {
        return states.size();
    }
}
