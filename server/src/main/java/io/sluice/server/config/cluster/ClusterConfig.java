package io.sluice.server.config.cluster;

import java.time.Duration;

/**
 * How this server shares its destinations with others.
 *
 * @param connectString the ZooKeeper servers, {@code host:port}, separated by commas
 * @param address what other servers and clients know this one by, {@code ip:port}
 * @param sessionTimeout how long ZooKeeper waits for a sign of life before it gives this server's destinations to others; the servers
 *     may allow less or ask for more
 * @param balanceDelay how long another server must have been ready to take its share before it gets it; zero for never
 * @param access how ZooKeeper is talked to
 */
public record ClusterConfig(
        String connectString, String address, Duration sessionTimeout, Duration balanceDelay, ZooKeeperAccess access) {}
