package io.sluice.admin.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, as the API shows it.
 *
 * @param zkHosts addresses of ZooKeeper
 * @param servers number of servers
 * @param instances number of instances whose configuration is kept here
 * @param modified when it was changed; null if it is unknown
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Cluster(
        long id,
        String name,
        String zkHosts,
        long servers,
        long instances,
        @Nullable Instant modified) {}
