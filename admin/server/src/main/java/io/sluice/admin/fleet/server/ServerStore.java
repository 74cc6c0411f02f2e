package io.sluice.admin.fleet.server;

import io.sluice.admin.database.DatabaseKind;
import io.sluice.admin.database.GeneratedId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Component;

/** The rows of servers. Thread-safe; what belongs together is put into a transaction by the caller. */
@Component
public class ServerStore {
    private static final String SELECT = """
            SELECT s.id, s.name, s.ip, s.admin_port, s.tcp_port, s.metric_port, s.cluster_id, c.name AS cluster_name,
                a.control_url, a.control_token
            FROM canal_node_server s
            LEFT JOIN canal_cluster c ON c.id = s.cluster_id
            LEFT JOIN sluice_server_access a ON a.server_id = s.id
            """;

    private final JdbcClient database;
    private final DatabaseKind kind;

    ServerStore(JdbcClient database, DatabaseKind kind) {
        this.database = database;
        this.kind = kind;
    }

    /** Has other changes of a server wait until the transaction ends. The first statement of it, or it would read what was before. */
    public void lock(long id) {
        database.sql("SELECT id FROM canal_node_server WHERE id = ?" + kind.forUpdate())
                .param(id)
                .query(Long.class)
                .list();
    }

    /** All servers, in the order of their names. */
    public List<ServerRow> all() {
        return database.sql(SELECT + "ORDER BY s.name, s.id")
                .query((row, number) -> read(row))
                .list();
    }

    /** A server; empty if there is none. */
    public Optional<ServerRow> find(long id) {
        return database.sql(SELECT + "WHERE s.id = ?")
                .param(id)
                .query((row, number) -> read(row))
                .optional();
    }

    /** Another server with the same address and management port; empty if there is none. */
    public Optional<ServerRow> findTwin(long id, String ip, int adminPort) {
        return database
                .sql(SELECT + "WHERE s.ip = ? AND s.admin_port = ? AND s.id <> ?")
                .params(ip, adminPort, id)
                .query((row, number) -> read(row))
                .list()
                .stream()
                .findFirst();
    }

    /** Another server with the same control URL; empty if there is none. */
    public Optional<ServerRow> findTwin(long id, String controlUrl) {
        return database
                .sql(SELECT + "WHERE a.control_url = ? AND s.id <> ?")
                .params(controlUrl, id)
                .query((row, number) -> read(row))
                .list()
                .stream()
                .findFirst();
    }

    /** Whether there is a cluster. */
    public boolean hasCluster(long id) {
        return count("SELECT COUNT(*) FROM canal_cluster WHERE id = ?", id) > 0;
    }

    /** How many instances belong to a server. */
    public long instancesOf(long id) {
        return count(
                // canal writes 0 for none, too
                "SELECT COUNT(*) FROM canal_instance_config WHERE server_id = ? AND coalesce(cluster_id, 0) = 0", id);
    }

    private long count(String sql, long id) {
        return database.sql(sql).param(id).query(Long.class).single();
    }

    /** Adds a server, and returns its id. Its token is set after that. */
    public long add(ServerValues values) {
        KeyHolder keys = new GeneratedKeyHolder();
        database.sql("""
                        INSERT INTO canal_node_server
                            (cluster_id, name, ip, admin_port, tcp_port, metric_port, status, modified_time)
                        VALUES (?, ?, ?, ?, ?, ?, ?, CURRENT_TIMESTAMP)""")
                .params(Arrays.asList(
                        values.clusterId(),
                        values.name(),
                        values.ip(),
                        values.adminPort(),
                        values.tcpPort(),
                        values.metricPort(),
                        "0"))
                .update(keys, "id");
        return GeneratedId.of(keys);
    }

    /** Changes a server; its access is changed by {@link #access}. */
    public void update(long id, ServerValues values) {
        database.sql("""
                        UPDATE canal_node_server SET cluster_id = ?, name = ?, ip = ?, admin_port = ?, tcp_port = ?,
                            metric_port = ?, modified_time = CURRENT_TIMESTAMP WHERE id = ?""")
                .params(Arrays.asList(
                        values.clusterId(),
                        values.name(),
                        values.ip(),
                        values.adminPort(),
                        values.tcpPort(),
                        values.metricPort(),
                        id))
                .update();
    }

    /**
     * Sets how the control API of a server is reached.
     *
     * @param url null: it has none
     * @param sealedToken null: there is none
     */
    public void access(long id, @Nullable String url, @Nullable String sealedToken) {
        database.sql("DELETE FROM sluice_server_access WHERE server_id = ?")
                .param(id)
                .update();
        if (url != null) {
            database.sql("INSERT INTO sluice_server_access (server_id, control_url, control_token) VALUES (?, ?, ?)")
                    .params(Arrays.asList(id, url, sealedToken))
                    .update();
        }
    }

    /** Removes a server, and how it is reached. */
    public void delete(long id) {
        database.sql("DELETE FROM sluice_server_access WHERE server_id = ?")
                .param(id)
                .update();
        database.sql("DELETE FROM canal_node_server WHERE id = ?").param(id).update();
    }

    private static ServerRow read(ResultSet row) throws SQLException {
        Integer adminPort = number(row, "admin_port");
        Integer clusterId = number(row, "cluster_id");
        return new ServerRow(
                row.getLong("id"),
                row.getString("name"),
                row.getString("ip"),
                adminPort == null ? 0 : adminPort,
                number(row, "tcp_port"),
                number(row, "metric_port"),
                clusterId == null || clusterId == 0 ? null : Long.valueOf(row.getLong("cluster_id")),
                row.getString("cluster_name"),
                row.getString("control_url"),
                row.getString("control_token"));
    }

    private static @Nullable Integer number(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}
