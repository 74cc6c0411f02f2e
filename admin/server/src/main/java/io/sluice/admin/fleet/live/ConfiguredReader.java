package io.sluice.admin.fleet.live;

import io.sluice.admin.config.ConfigStore;
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
    private final ConfigStore configurations;

    ConfiguredReader(JdbcClient database, ServerStore servers, ConfigStore configurations) {
        this.database = database;
        this.servers = servers;
        this.configurations = configurations;
    }

    Configured read() {
        Map<Long, String> clusters = new HashMap<>();
        database.sql("SELECT id, name FROM canal_cluster")
                .query((row, number) -> Map.entry(row.getLong(1), row.getString(2)))
                .list()
                .forEach(cluster -> clusters.put(cluster.getKey(), cluster.getValue()));
        return new Configured(servers.all(), configurations.instances(), Map.copyOf(clusters));
    }
}
