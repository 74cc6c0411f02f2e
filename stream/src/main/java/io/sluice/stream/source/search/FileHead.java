package io.sluice.stream.source.search;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the head of a binlog file states.
 *
 * @param before the transactions before the file; null if it does not state them
 * @param newestOfServers of MariaDB, the newest one of each server in each domain, the last one of the domain last; empty for MySQL
 * @param startsServer whether the server began the file when it was started, and not by a rotation
 */
record FileHead(@Nullable GtidSet before, List<MariaDbGtid> newestOfServers, boolean startsServer) {
    FileHead {
        newestOfServers = List.copyOf(newestOfServers);
    }

    /** Of a file of which is not known when it was begun. */
    FileHead(@Nullable GtidSet before, List<MariaDbGtid> newestOfServers) {
        this(before, newestOfServers, false);
    }
}
