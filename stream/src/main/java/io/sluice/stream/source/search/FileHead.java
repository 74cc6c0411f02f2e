package io.sluice.stream.source.search;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.mysql.gtid.MariaDbGtid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the head of a binlog file states of the transactions before it.
 *
 * @param before these transactions; null if it does not state them
 * @param newestOfServers of MariaDB, the newest one of each server in each domain, the last one of the domain last; empty for MySQL
 */
record FileHead(@Nullable GtidSet before, List<MariaDbGtid> newestOfServers) {
    FileHead {
        newestOfServers = List.copyOf(newestOfServers);
    }
}
