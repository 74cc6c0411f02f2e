package io.sluice.server.config;

import io.sluice.mysql.wire.PasswordOptions;

/**
 * One of the servers that an instance may read.
 *
 * @param address where it listens
 * @param tls how the connection is protected
 * @param passwords in which forms the password may be sent
 * @param start where to begin there without a cursor
 */
public record HostConfig(HostPort address, TlsConfig tls, PasswordOptions passwords, StartPosition start) {}
