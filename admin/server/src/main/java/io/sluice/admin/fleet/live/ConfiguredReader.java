package io.sluice.admin.fleet.live;

import io.sluice.admin.config.InstanceStore;
import io.sluice.admin.fleet.server.ServerStore;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Reads what is configured here, without the contents. Thread-safe. */
@Component
class ConfiguredReader {
    private final JdbcClient database;
    private final ServerStore servers;
    private final InstanceStore instances;

    ConfiguredReader(JdbcClient database, ServerStore servers, InstanceStore instances) {
        this.database = database;
        this.servers = servers;
        this.instances = instances;
    }

    Configured read() {
        Map<Long, String> clusters = new HashMap<>();
        database.sql("SELECT id, name FROM canal_cluster")
                .query((row, number) -> Map.entry(row.getLong(1), row.getString(2)))
                .list()
                .forEach(cluster -> clusters.put(cluster.getKey(), cluster.getValue()));
        return new Configured(servers.all(), instances.all(), Map.copyOf(clusters));
    }
}
