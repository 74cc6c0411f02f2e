package io.sluice.server.config.port;

import java.util.Optional;

/**
 * The port where metrics and health are read.
 *
 * @param address what to listen on; blank for all addresses
 * @param port from 1 to 65535; 0 for any that is free is not to be configured
 * @param tls how the port is protected; empty if it is not
 */
public record MetricsConfig(String address, int port, Optional<PortTls> tls) {}
