package io.sluice.server.pace;

import io.sluice.protocol.time.Time;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;

/** The paces of all destinations, which stay when an instance is removed and added again. Safe for use by several threads. */
public final class Paces {
    private final Map<String, Pace> paces = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer;
    private final Time time;

    /** Makes none; see {@link Pace} for the parameters. */
    public Paces(ScheduledExecutorService timer, Time time) {
        this.timer = timer;
        this.time = time;
    }

    /** That of a destination. */
    public Pace of(String destination) {
        return paces.computeIfAbsent(destination, name -> new Pace(name, timer, time));
    }
}
