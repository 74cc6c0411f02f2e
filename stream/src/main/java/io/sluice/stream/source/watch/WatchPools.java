package io.sluice.stream.source.watch;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The thread pools that the watches of all sources of a process share, so that an idle watch needs no thread.
 *
 * @param timer starts the checks; its tasks do not block
 * @param lookers runs the checks, which may block; as many threads as sources, or a silent source would delay the checks of others
 */
public record WatchPools(ScheduledExecutorService timer, Executor lookers) {}
