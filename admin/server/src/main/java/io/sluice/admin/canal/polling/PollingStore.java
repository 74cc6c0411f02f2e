package io.sluice.admin.canal.polling;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.Owner;
import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.config.Templates;
import io.sluice.admin.notice.ChangeNotice.What;
import io.sluice.admin.notice.ChangeNotices;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Finds servers by their addresses, and adds those that register themselves. Thread-safe. */
@Component
class PollingStore {
    private final JdbcClient database;
    private final ConfigStore configurations;
    private final Templates templates;
    private final AuditLog audit;
    private final ChangeNotices notices;

    PollingStore(
            JdbcClient database,
            ConfigStore configurations,
            Templates templates,
            AuditLog audit,
            ChangeNotices notices) {
        this.database = database;
        this.configurations = configurations;
        this.templates = templates;
        this.audit = audit;
        this.notices = notices;
    }

    /** Where the configuration of a server is: its cluster, or itself; empty if it is not known. */
    Optional<Owner> find(String ip, int port) {
        return database
                .sql("SELECT id, cluster_id FROM canal_node_server WHERE ip = ? AND admin_port = ? ORDER BY id")
                .params(ip, port)
                .query((row, number) -> {
                    long cluster = row.getLong(2);
                    return row.wasNull() || cluster == 0 ? Owner.server(row.getLong(1)) : Owner.cluster(cluster);
                })
                .list()
                .stream()
                .findFirst();
    }

    /**
     * The ids of the servers with an address and without a control URL; at most one, unless canal-admin has let several be added. Those with a
     * control URL report by it whether what they read is in force.
     */
    List<Long> serversWithoutControlUrl(String ip, int port) {
        return database.sql("""
                        SELECT s.id FROM canal_node_server s
                        LEFT JOIN sluice_server_access a ON a.server_id = s.id
                        WHERE s.ip = ? AND s.admin_port = ? AND a.control_url IS NULL""").params(ip, port).query(Long.class).list();
    }

    /** The id of a cluster; empty if there is none of that name. */
    Optional<Long> cluster(String name) {
        return database
                .sql("SELECT id FROM canal_cluster WHERE name = ? ORDER BY id")
                .param(name)
                .query(Long.class)
                .list()
                .stream()
                .findFirst();
    }

    /**
     * Adds a server, unless it was added concurrently.
     *
     * @param cluster null: standalone
     */
    @Transactional
    Owner register(String ip, int port, String name, @Nullable Long cluster) {
        Optional<Owner> known = find(ip, port);
        if (known.isPresent()) {
            return known.get();
        }
        database.sql("""
                        INSERT INTO canal_node_server (cluster_id, name, ip, admin_port, tcp_port, metric_port, status)
                        VALUES (?, ?, ?, ?, ?, ?, ?)""")
                .params(Arrays.asList(cluster, name, ip, port, port + 1, port + 2, "0"))
                .update();
        List<Long> ids = database.sql("SELECT id FROM canal_node_server WHERE ip = ? AND admin_port = ?")
                .params(ip, port)
                .query(Long.class)
                .list();
        audit.doneBy(
                "(" + ip + ")",
                "server.register",
                "server " + name,
                null,
                "ip=%s, adminPort=%d, cluster=%s".formatted(ip, port, cluster));
        if (cluster == null) {
            configurations.create(
                    Owner.server(ids.get(0)), templates.initial(OwnerKind.SERVER), "registered, from the template");
        }
        notices.changed(What.SERVERS, Long.toString(ids.get(0)));
        return cluster == null ? Owner.server(ids.get(0)) : Owner.cluster(cluster);
    }
}
