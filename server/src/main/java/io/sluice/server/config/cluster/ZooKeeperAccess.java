package io.sluice.server.config.cluster;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.text.Secret;
import java.util.Optional;

/**
 * Authentication between this server and ZooKeeper, and the access control of the nodes that this server writes.
 *
 * @param tls how the connection is protected; empty for a plain one, unless ZooKeeper's own system properties set otherwise
 * @param login the login of this server; empty for none
 * @param acl which clients may change its nodes
 */
public record ZooKeeperAccess(Optional<Tls> tls, Optional<Login> login, Acl acl) {
    /** As canal does it. */
    public static final ZooKeeperAccess OPEN = new ZooKeeperAccess(Optional.empty(), Optional.empty(), Acl.OPEN);

    /**
     * A connection over TLS.
     *
     * @param trust the trusted certificates; empty for the JVM's
     * @param key the certificate of this server; empty for none
     * @param hostNames whether a server's certificate must be for its name
     */
    public record Tls(Optional<KeyStoreFile> trust, Optional<KeyStoreFile> key, boolean hostNames) {}

    /** ZooKeeper's scheme {@code digest}. */
    public record Login(String user, Secret password) {}

    /** Which clients may change nodes. */
    public enum Acl {
        /** All clients, as with canal, whose clients write below a destination. */
        OPEN,
        /** Clients with the login of this server; all may read. */
        CREATOR
    }
}
