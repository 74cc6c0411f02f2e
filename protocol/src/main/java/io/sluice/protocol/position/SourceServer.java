package io.sluice.protocol.position;

import java.util.Objects;

/**
 * The server that a binlog position is of.
 *
 * @param host its host, as configured or as in a cursor file; empty if canal could not resolve it
 * @param port its TCP port, 1 to 65535
 * @param identity distinguishes it from another server at the same address: MySQL's {@code server_uuid}, or for MariaDB, which has none, its
 *     {@code server_id} and address, and the node's name in a Galera cluster; empty if it is not known, as in cursors of canal
 */
public record SourceServer(String host, int port, String identity) {
    public SourceServer {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(identity, "identity");
    }

    /** A server of which the address is known, and nothing else. */
    public static SourceServer at(String host, int port) {
        return new SourceServer(host, port, "");
    }
}
