package io.sluice.server.config;

/**
 * One of the servers that an instance may read.
 *
 * @param address where it listens
 * @param tls how the connection is protected
 * @param start where to begin there without a cursor
 */
public record HostConfig(HostPort address, TlsConfig tls, StartPosition start) {}
