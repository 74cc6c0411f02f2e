package io.sluice.admin.config;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.database.DatabaseKind;
import io.sluice.admin.database.GeneratedId;
import io.sluice.admin.notice.ChangeNotice.What;
import io.sluice.admin.notice.ChangeNotices;
import io.sluice.admin.problem.ProblemException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.jdbc.support.KeyHolder;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * The instances whose configurations are kept here, in canal's table: where each belongs, and whether it is enabled. Their texts are read and saved by
 * {@link ConfigStore}. Thread-safe.
 */
@Repository
public class InstanceStore {
    private final JdbcClient database;
    private final DatabaseKind kind;
    private final ConfigStore texts;
    private final ConfigVersions versions;
    private final AuditLog audit;
    private final ChangeNotices notices;

    InstanceStore(
            JdbcClient database,
            DatabaseKind kind,
            ConfigStore texts,
            ConfigVersions versions,
            AuditLog audit,
            ChangeNotices notices) {
        this.database = database;
        this.kind = kind;
        this.texts = texts;
        this.versions = versions;
        this.audit = audit;
        this.notices = notices;
    }

    /** Returns all instances that are kept here, in alphabetical order. */
    public List<InstanceRow> all() {
        return database.sql("SELECT id, name, cluster_id, server_id, status FROM canal_instance_config ORDER BY name")
                .query(InstanceStore::instanceRow)
                .list();
    }

    /** Finds an instance that is kept here. */
    public Optional<InstanceRow> find(String name) {
        return database
                .sql("SELECT id, name, cluster_id, server_id, status FROM canal_instance_config WHERE name = ?")
                .param(name)
                .query(InstanceStore::instanceRow)
                .list()
                .stream()
                .filter(row -> row.name().equals(name)) // MySQL ignores case
                .findFirst();
    }

    /**
     * Creates an instance. That its parent exists is not checked here.
     *
     * @param parent a cluster or a standalone server
     * @throws ProblemException 409 if there is one of that name
     */
    @Transactional
    public InstanceRow create(String name, Owner parent, String content, boolean enabled, @Nullable String comment) {
        ConfigStore.checkLength(content);
        String md5 = ConfigStore.md5(content);
        KeyHolder key = new GeneratedKeyHolder();
        try {
            database.sql("INSERT INTO canal_instance_config (" + ConfigStore.parentColumn(parent)
                            + ", name, status, content, content_md5) VALUES (?, ?, ?, ?, ?)")
                    .params(parent.id(), name, enabled ? InstanceRow.ENABLED : InstanceRow.DISABLED, content, md5)
                    .update(key);
        } catch (DuplicateKeyException e) {
            throw ProblemException.conflict("There is an instance " + name + ". Choose another name.");
        }
        long id = GeneratedId.of(key);
        Owner owner = Owner.instance(id);
        versions.forget(owner);
        versions.add(owner, 1, content, md5, AuditLog.user(), comment);
        InstanceRow row = row(id, name, parent, enabled);
        audit.done("instance.create", "instance " + name, null, shown(row) + "\n" + ChangedLines.masked(content));
        notices.changed(What.INSTANCES, name);
        return row;
    }

    /**
     * Moves an instance to another cluster or standalone server, and enables or disables it. What is null stays as it is when the change is
     * made, so that two changes at the same time do not undo each other.
     *
     * @throws ProblemException 404 if there is no such instance, 400 if it would belong to nothing
     */
    @Transactional
    public InstanceRow change(InstanceRow known, @Nullable Owner newParent, @Nullable Boolean nowEnabled) {
        return changed(locked(known), newParent, nowEnabled);
    }

    /**
     * Does the same with an instance that is as it was known.
     *
     * @throws ProblemException 409 if it was changed since then
     */
    @Transactional
    public InstanceRow changeKnown(InstanceRow known, @Nullable Owner newParent, @Nullable Boolean nowEnabled) {
        InstanceRow before = locked(known);
        if (!before.equals(known)) {
            throw ProblemException.conflict(
                    "The instance %s was changed by another user meanwhile, and is as that user has left it. Load the page again."
                            .formatted(known.name()));
        }
        return changed(before, newParent, nowEnabled);
    }

    private InstanceRow locked(InstanceRow known) {
        return database.sql("SELECT id, name, cluster_id, server_id, status FROM canal_instance_config WHERE id = ?"
                        + kind.forUpdate())
                .param(known.id())
                .query(InstanceStore::instanceRow)
                .optional()
                .orElseThrow(() -> ProblemException.notFound("There is no instance " + known.name() + " any more."));
    }

    private InstanceRow changed(InstanceRow before, @Nullable Owner newParent, @Nullable Boolean nowEnabled) {
        Owner parent = newParent == null ? before.parent() : newParent;
        if (parent == null) {
            throw ProblemException.badRequest("The instance belongs to no cluster and no server. Name one.");
        }
        boolean enabled = nowEnabled == null ? before.enabled() : nowEnabled;
        InstanceRow after = row(before.id(), before.name(), parent, enabled);
        database.sql("""
                        UPDATE canal_instance_config
                        SET cluster_id = ?, server_id = ?, status = ?, modified_time = CURRENT_TIMESTAMP WHERE id = ?""")
                .params(Arrays.asList(
                        after.clusterId(),
                        after.serverId(),
                        enabled ? InstanceRow.ENABLED : InstanceRow.DISABLED,
                        before.id()))
                .update();
        audit.done("instance.change", "instance " + before.name(), shown(before), shown(after));
        notices.changed(What.INSTANCES, before.name());
        return after;
    }

    /** Deletes an instance's configuration, with all versions; the newest text is kept in the audit log, without secrets. */
    @Transactional
    public void delete(InstanceRow row) {
        String content =
                texts.text(Owner.instance(row.id())).map(StoredText::content).orElse("");
        database.sql("DELETE FROM canal_instance_config WHERE id = ?")
                .param(row.id())
                .update();
        versions.forget(Owner.instance(row.id()));
        audit.done("instance.delete", "instance " + row.name(), shown(row) + "\n" + ChangedLines.masked(content), null);
        notices.changed(What.INSTANCES, row.name());
    }

    private static InstanceRow row(long id, String name, Owner parent, boolean enabled) {
        boolean cluster = parent.kind() == OwnerKind.CLUSTER;
        return new InstanceRow(id, name, cluster ? parent.id() : null, cluster ? null : parent.id(), enabled);
    }

    private static String shown(InstanceRow row) {
        return "cluster=%s, server=%s, enabled=%s"
                .formatted(
                        row.clusterId() == null ? "-" : row.clusterId(),
                        row.serverId() == null ? "-" : row.serverId(),
                        row.enabled());
    }

    private static InstanceRow instanceRow(ResultSet row, int number) throws SQLException {
        return new InstanceRow(
                row.getLong(1), row.getString(2), id(row, 3), id(row, 4), InstanceRow.ENABLED.equals(row.getString(5)));
    }

    /** An id; canal writes 0 for none, too. */
    private static @Nullable Long id(ResultSet row, int column) throws SQLException {
        long id = row.getLong(column);
        return row.wasNull() || id == 0 ? null : id;
    }
}
