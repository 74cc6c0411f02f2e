package io.sluice.admin.config;

/**
 * What a configuration is of.
 *
 * @param id the row of {@code canal_instance_config}, {@code canal_node_server} or {@code canal_cluster}
 */
public record Owner(OwnerKind kind, long id) {
    public static Owner instance(long id) {
        return new Owner(OwnerKind.INSTANCE, id);
    }

    public static Owner server(long id) {
        return new Owner(OwnerKind.SERVER, id);
    }

    public static Owner cluster(long id) {
        return new Owner(OwnerKind.CLUSTER, id);
    }
}
