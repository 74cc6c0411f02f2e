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
 */
record FileHead(@Nullable GtidSet before, List<MariaDbGtid> newestOfServers) {
    FileHead {
        newestOfServers = List.copyOf(newestOfServers);
    }

    /** Whether servers number a domain on their own: the last one of it has a lower number than another one. */
    boolean showsOwnNumbers(long domain) {
        List<MariaDbGtid> ofDomain =
                newestOfServers.stream().filter(gtid -> gtid.domain() == domain).toList();
        return ofDomain.stream()
                .anyMatch(gtid -> Long.compareUnsigned(
                                gtid.sequence(),
                                ofDomain.get(ofDomain.size() - 1).sequence())
                        > 0);
    }
}
