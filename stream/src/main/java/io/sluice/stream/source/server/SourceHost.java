package io.sluice.stream.source.server;

import io.sluice.mysql.wire.ConnectOptions;

/**
 * One of the hosts that a source can be read from.
 *
 * @param login how to connect
 * @param start where to begin there if there is no cursor
 */
public record SourceHost(ConnectOptions login, ConfiguredStart start) {}
