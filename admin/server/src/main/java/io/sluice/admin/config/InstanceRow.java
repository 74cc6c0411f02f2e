package io.sluice.admin.config;

import org.jspecify.annotations.Nullable;

/**
 * An instance whose configuration is kept here, without it.
 *
 * @param id the row of {@code canal_instance_config}
 * @param clusterId the cluster it belongs to; null if it belongs to a server
 * @param serverId the server it belongs to; null if it belongs to a cluster
 * @param enabled whether servers get its configuration
 */
public record InstanceRow(
        long id,
        String name,
        @Nullable Long clusterId,
        @Nullable Long serverId,
        boolean enabled) {
    /** What canal has in the column {@code status} of an instance that is enabled. */
    static final String ENABLED = "1";

    static final String DISABLED = "0";

    /** Returns the cluster or server it belongs to; null if the database names neither. */
    public @Nullable Owner parent() {
        if (clusterId != null) {
            return Owner.cluster(clusterId);
        }
        return serverId == null ? null : Owner.server(serverId);
    }
}
