package io.sluice.server.instance;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;

/**
 * What all instances of a server use together.
 *
 * @param encoders make protobuf bytes before the store
 * @param converters make records of batches
 * @param scheduler writes cursors
 */
public record SharedPools(Executor encoders, Executor converters, ScheduledExecutorService scheduler) {}
