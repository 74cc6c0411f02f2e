package io.sluice.admin.fleet.server;

import org.jspecify.annotations.Nullable;

/**
 * What is set of a server, without how its control API is reached.
 *
 * @param ip a host name or an address
 * @param adminPort of canal's management protocol
 * @param tcpPort where clients pull; null if unknown
 * @param metricPort of its metrics; null if unknown
 * @param clusterId null: standalone
 */
public record ServerValues(
        String name,
        String ip,
        int adminPort,
        @Nullable Integer tcpPort,
        @Nullable Integer metricPort,
        @Nullable Long clusterId) {}
