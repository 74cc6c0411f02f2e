package io.sluice.parse.source;

import io.sluice.parse.wire.ConnectOptions;

/**
 * One of the servers that a source may be read from.
 *
 * @param login how to connect
 * @param start where to begin there if there is no cursor
 */
public record SourceHost(ConnectOptions login, StartPosition start) {}
