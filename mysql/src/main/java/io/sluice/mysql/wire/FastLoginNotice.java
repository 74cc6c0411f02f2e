package io.sluice.mysql.wire;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns once that a login succeeds only as long as the server has the account in its cache. Shared by all connections that are
 * made with the same options; all instances are equal, since it is no part of how to connect.
 */
final class FastLoginNotice {
    private static final Logger LOG = LoggerFactory.getLogger(FastLoginNotice.class);

    private final AtomicBoolean given = new AtomicBoolean();

    void give(ServerAddress server, String user) {
        if (given.compareAndSet(false, true)) {
            LOG.warn(
                    "this login works only while the server has the account in its cache, until it restarts or runs FLUSH"
                            + " PRIVILEGES: a full login would send the password over a plain connection, and is rejected; set"
                            + " sslMode, serverRSAPublicKeyFile or allowPublicKeyRetrieval: server={} user={}",
                    server,
                    user);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FastLoginNotice;
    }

    @Override
    public int hashCode() {
        return 1;
    }
}
