package io.sluice.server.instance;

import io.sluice.connector.api.convert.Workspaces;
import io.sluice.protocol.time.Time;
import io.sluice.stream.pipeline.EncodingPool;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What all instances of a server use together.
 *
 * @param encoders make protobuf bytes before the store
 * @param converters make records of batches
 * @param workspaces what they work with, for the format of this server
 * @param watches query the state of sources, and may wait for them
 * @param flushes writes cursors, and may wait for a disk or for ZooKeeper
 * @param timer ends waits; nothing that it runs waits itself
 * @param time is told by the clocks of the process
 * @param instances how many instances there are
 */
public record SharedPools(
        EncodingPool encoders,
        Executor converters,
        Workspaces workspaces,
        Executor watches,
        ScheduledExecutorService flushes,
        ScheduledExecutorService timer,
        Time time,
        int instances) {}
