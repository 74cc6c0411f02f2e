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
    /**
     * The end of the identity of a server whose GTIDs mean nothing on any other one: of a node of a Galera cluster with {@code wsrep_gtid_mode=OFF}, which
     * numbers what the cluster commits by itself.
     */
    public static final String OWN_GTIDS = ", with GTIDs of its own";

    public SourceServer {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(identity, "identity");
    }

    /** Whether its GTIDs may be other transactions on another server. */
    public boolean hasGtidsOfItsOwn() {
        return identity.endsWith(OWN_GTIDS);
    }

    /** A server of which the address is known, and nothing else. */
    public static SourceServer at(String host, int port) {
        return new SourceServer(host, port, "");
    }
}
