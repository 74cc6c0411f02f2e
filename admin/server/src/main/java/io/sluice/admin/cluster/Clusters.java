package io.sluice.admin.cluster;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.Owner;
import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.config.Templates;
import io.sluice.admin.database.DatabaseKind;
import io.sluice.admin.database.GeneratedId;
import io.sluice.admin.notice.ChangeNotice.What;
import io.sluice.admin.notice.ChangeNotices;
import io.sluice.admin.problem.ProblemException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** The clusters, in canal's table. Thread-safe. */
@Repository
public class Clusters {
    private static final String SELECT = """
            SELECT id, name, zk_hosts, modified_time,
                (SELECT count(*) FROM canal_node_server s WHERE s.cluster_id = c.id) AS servers,
                (SELECT count(*) FROM canal_instance_config i WHERE i.cluster_id = c.id) AS instances
            FROM canal_cluster c""";

    private final JdbcClient database;
    private final DatabaseKind kind;
    private final ConfigStore configs;
    private final Templates templates;
    private final AuditLog audit;
    private final ChangeNotices notices;

    Clusters(
            JdbcClient database,
            DatabaseKind kind,
            ConfigStore configs,
            Templates templates,
            AuditLog audit,
            ChangeNotices notices) {
        this.database = database;
        this.kind = kind;
        this.configs = configs;
        this.templates = templates;
        this.audit = audit;
        this.notices = notices;
    }

    /** Returns all clusters, by name. */
    public List<Cluster> all() {
        return query(" ORDER BY name");
    }

    /** Finds a cluster. */
    public Optional<Cluster> find(long id) {
        return query(" WHERE c.id = ?", id).stream().findFirst();
    }

    /**
     * Returns a cluster.
     *
     * @throws ProblemException 404 if there is none
     */
    public Cluster get(long id) {
        return find(id).orElseThrow(() -> ProblemException.notFound("There is no cluster " + id + "."));
    }

    /** Creates a cluster, with a configuration from the template. */
    @Transactional
    public Cluster create(String name, String zkHosts) {
        checkName(name, 0);
        KeyHolder key = new GeneratedKeyHolder();
        database.sql("INSERT INTO canal_cluster (name, zk_hosts) VALUES (?, ?)")
                .params(name, zkHosts)
                .update(key);
        Cluster cluster = get(GeneratedId.of(key));
        audit.done("cluster.create", "cluster " + name, null, shown(cluster));
        String text = templates.initial(OwnerKind.CLUSTER).replace("${zkHosts}", zkHosts);
        configs.create(Owner.cluster(cluster.id()), text, "from the template");
        notices.changed(What.SERVERS, Long.toString(cluster.id()));
        return cluster;
    }

    /**
     * Changes what is given of a cluster.
     *
     * @param name null: as it is
     * @param zkHosts null: as they are
     */
    @Transactional
    public Cluster change(long id, @Nullable String name, @Nullable String zkHosts) {
        // Other changes wait until the transaction ends. The first statement of it, or it would read what was before.
        database.sql("SELECT id FROM canal_cluster WHERE id = ?" + kind.forUpdate())
                .param(id)
                .query(Long.class)
                .list();
        Cluster before = get(id);
        String newName = name == null ? before.name() : name;
        checkName(newName, id);
        database.sql("UPDATE canal_cluster SET name = ?, zk_hosts = ?, modified_time = CURRENT_TIMESTAMP WHERE id = ?")
                .params(newName, zkHosts == null ? before.zkHosts() : zkHosts, id)
                .update();
        Cluster after = get(id);
        audit.done("cluster.change", "cluster " + before.name(), shown(before), shown(after));
        notices.changed(What.SERVERS, Long.toString(id));
        return after;
    }

    /** Deletes a cluster that has neither servers nor instances, with its configuration. */
    @Transactional
    public void delete(long id) {
        Cluster cluster = get(id);
        if (cluster.servers() > 0 || cluster.instances() > 0) {
            throw ProblemException.conflict("The cluster has %d servers and %d instances. Remove or move these first."
                    .formatted(cluster.servers(), cluster.instances()));
        }
        configs.delete(Owner.cluster(id));
        database.sql("DELETE FROM canal_cluster WHERE id = ?").param(id).update();
        audit.done("cluster.delete", "cluster " + cluster.name(), shown(cluster), null);
        notices.changed(What.SERVERS, Long.toString(id));
    }

    private void checkName(String name, long own) {
        boolean isTaken = all().stream()
                .anyMatch(other -> other.id() != own && other.name().equalsIgnoreCase(name));
        if (isTaken) {
            throw ProblemException.conflict("There is a cluster of that name. Choose another one.");
        }
    }

    private List<Cluster> query(String rest, Object... values) {
        return database.sql(SELECT + rest)
                .params(values)
                .query((row, number) -> new Cluster(
                        row.getLong("id"),
                        row.getString("name"),
                        row.getString("zk_hosts"),
                        row.getLong("servers"),
                        row.getLong("instances"),
                        kind.instant(row, "modified_time")))
                .list();
    }

    private static String shown(Cluster cluster) {
        return "name=" + cluster.name() + ", zkHosts=" + cluster.zkHosts();
    }
}
