package io.sluice.stream.source;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What the watches of all sources of a process share, so that none has a thread while it rests.
 *
 * @param timer says when it is time; nothing that it runs waits
 * @param lookers runs what may wait for a server; as many at a time as there are sources, or one that is silent would keep the
 *     others from being looked after
 */
public record WatchPools(ScheduledExecutorService timer, Executor lookers) {}
