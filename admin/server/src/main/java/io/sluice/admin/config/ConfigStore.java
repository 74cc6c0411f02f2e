package io.sluice.admin.config;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.database.DatabaseKind;
import io.sluice.admin.notice.ChangeNotice.What;
import io.sluice.admin.notice.ChangeNotices;
import io.sluice.admin.web.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
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
 * The configurations, in canal's tables, and their versions.
 *
 * <p>A save writes canal's row, the version and the audit log in one transaction, so after a crash all of them are there or none. The
 * newest version equals canal's row: one that was changed by other means gets a version when it is read here. Whether a text is a good
 * configuration is not known here. Thread-safe.
 */
@Repository
public class ConfigStore {
    /** The largest content, in characters. */
    public static final int MAX_LENGTH = 1024 * 1024;

    private static final String FOUND = "(database)";
    private static final String ENABLED = "1";
    private static final String DISABLED = "0";
    private static final String SERVER_FILE = "canal.properties";

    private final JdbcClient database;
    private final DatabaseKind kind;
    private final AuditLog audit;
    private final ChangeNotices notices;
    private final Clock clock;

    ConfigStore(JdbcClient database, DatabaseKind kind, AuditLog audit, ChangeNotices notices, Clock clock) {
        this.database = database;
        this.kind = kind;
        this.audit = audit;
        this.notices = notices;
        this.clock = clock;
    }

    /** Returns the newest text of a cluster, a standalone server or an instance, as servers get it. */
    public Optional<StoredText> text(Owner owner) {
        return first(owner, "");
    }

    /** Returns the newest text of an enabled instance, as servers get it. */
    public Optional<StoredText> enabledInstance(String name) {
        return database
                .sql("SELECT id, name, content FROM canal_instance_config WHERE name = ? AND status = ?")
                .params(name, ENABLED)
                .query(ConfigStore::storedText)
                .list()
                .stream()
                .filter(text -> text.name().equals(name)) // MySQL ignores case
                .findFirst();
    }

    /** Returns the names of the enabled instances of a cluster or a standalone server, in alphabetical order. */
    public List<String> enabledInstances(Owner parent) {
        return database.sql("SELECT name FROM canal_instance_config WHERE " + parentColumn(parent)
                        + " = ? AND status = ? ORDER BY name")
                .params(parent.id(), ENABLED)
                .query(String.class)
                .list();
    }

    /** Returns all instances that are kept here, in alphabetical order. */
    public List<InstanceRow> instances() {
        return database.sql("SELECT id, name, cluster_id, server_id, status FROM canal_instance_config ORDER BY name")
                .query(ConfigStore::instanceRow)
                .list();
    }

    /** Finds an instance that is kept here. */
    public Optional<InstanceRow> instance(String name) {
        return database
                .sql("SELECT id, name, cluster_id, server_id, status FROM canal_instance_config WHERE name = ?")
                .param(name)
                .query(ConfigStore::instanceRow)
                .list()
                .stream()
                .filter(row -> row.name().equals(name)) // MySQL ignores case
                .findFirst();
    }

    /** Returns the newest configuration; empty if there is none. What was changed by other means becomes a version. */
    @Transactional
    public Optional<Config> current(Owner owner) {
        return locked(owner).map(row -> noticed(owner, row));
    }

    /** Returns all versions, newest first; empty if there is no configuration. */
    @Transactional
    public List<ConfigVersion> history(Owner owner) {
        if (current(owner).isEmpty()) {
            return List.of();
        }
        return database.sql("""
                        SELECT version, saved_at, user_name, comment, md5, %s FROM sluice_config_version
                        WHERE owner_kind = ? AND owner_id = ? ORDER BY version DESC""".formatted(kind.byteLength("content")))
                .params(owner.kind().text(), owner.id())
                .query((row, number) -> new ConfigVersion(
                        row.getLong(1),
                        Instant.ofEpochMilli(row.getLong(2)),
                        row.getString(3),
                        row.getString(4),
                        row.getString(5),
                        row.getLong(6)))
                .list();
    }

    /** Returns a version. */
    public Optional<Config> version(Owner owner, long version) {
        return database.sql("""
                        SELECT content, md5, version, saved_at, user_name FROM sluice_config_version
                        WHERE owner_kind = ? AND owner_id = ? AND version = ?""")
                .params(owner.kind().text(), owner.id(), version)
                .query(ConfigStore::config)
                .optional();
    }

    /**
     * Saves a text as a new version.
     *
     * @param basedOn what was edited
     * @param comment why; null if not given
     * @throws ProblemException 409 if that is not the newest version
     */
    @Transactional
    public Config save(Owner owner, String content, BasedOn basedOn, @Nullable String comment) {
        checkLength(content);
        Optional<StoredText> row = locked(owner);
        if (row.isEmpty()) {
            if (basedOn.version() != 0 || owner.kind() == OwnerKind.INSTANCE) {
                throw ProblemException.conflict(
                        "The configuration was deleted meanwhile. Copy your changes, and load the page again.");
            }
            return create(owner, content, comment);
        }
        Config before = noticed(owner, row.get());
        if (!basedOn.is(before)) {
            String how = basedOn.version() == before.version()
                    ? "was deleted meanwhile, and created again by %s: its version %d is another text than the one that was edited."
                            .formatted(before.modifiedBy(), before.version())
                    : "was changed by %s meanwhile: version %d was edited, and version %d is the newest."
                            .formatted(before.modifiedBy(), basedOn.version(), before.version());
            throw ProblemException.changedMeanwhile(
                    "The configuration " + how + " Compare them, and save again.", before.version());
        }
        String md5 = md5(content);
        database.sql("UPDATE " + table(owner.kind()) + " SET content = ?, content_md5 = ?, modified_time = "
                        + "CURRENT_TIMESTAMP WHERE id = ?")
                .params(content, md5, row.get().id())
                .update();
        Config after = addVersion(owner, before.version() + 1, content, md5, AuditLog.user(), comment);
        ChangedLines lines = ChangedLines.of(before.content(), content);
        audit.done(
                "config.save",
                target(owner, row.get()),
                "version " + before.version() + "\n" + lines.before(),
                "version " + after.version() + "\n" + lines.after());
        notices.configurationChanged(
                owner.kind().text(),
                owner.kind() == OwnerKind.INSTANCE ? row.get().name() : Long.toString(owner.id()));
        return after;
    }

    /** Creates the configuration of a cluster or of a standalone server that has none. */
    @Transactional
    public Config create(Owner owner, String content, @Nullable String comment) {
        checkLength(content);
        String md5 = md5(content);
        String column = parentColumn(owner);
        database.sql("INSERT INTO canal_config (" + column + ", name, content, content_md5) VALUES (?, ?, ?, ?)")
                .params(owner.id(), SERVER_FILE, content, md5)
                .update();
        forgetVersions(owner);
        audit.done("config.create", owner.kind().text() + " " + owner.id(), null, ChangedLines.masked(content));
        return addVersion(owner, 1, content, md5, AuditLog.user(), comment);
    }

    /**
     * Deletes the configuration of a cluster or of a server, with its versions, as a part of deleting these; the newest text is kept in the
     * audit log, without secrets.
     */
    @Transactional
    public void delete(Owner owner) {
        text(owner)
                .ifPresent(text ->
                        audit.done("config.delete", target(owner, text), ChangedLines.masked(text.content()), null));
        database.sql("DELETE FROM canal_config WHERE " + ownedBy(owner.kind()))
                .param(owner.id())
                .update();
        forgetVersions(owner);
    }

    /**
     * Creates an instance. That its parent exists is not checked here.
     *
     * @param parent a cluster or a standalone server
     * @throws ProblemException 409 if there is one of that name
     */
    @Transactional
    public InstanceRow createInstance(
            String name, Owner parent, String content, boolean enabled, @Nullable String comment) {
        checkLength(content);
        String md5 = md5(content);
        KeyHolder key = new GeneratedKeyHolder();
        try {
            database.sql("INSERT INTO canal_instance_config (" + parentColumn(parent)
                            + ", name, status, content, content_md5) VALUES (?, ?, ?, ?, ?)")
                    .params(parent.id(), name, enabled ? ENABLED : DISABLED, content, md5)
                    .update(key);
        } catch (DuplicateKeyException e) {
            throw ProblemException.conflict("There is an instance " + name + ". Choose another name.");
        }
        long id = idOf(key);
        Owner owner = Owner.instance(id);
        forgetVersions(owner);
        addVersion(owner, 1, content, md5, AuditLog.user(), comment);
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
    public InstanceRow changeInstance(InstanceRow known, @Nullable Owner newParent, @Nullable Boolean nowEnabled) {
        InstanceRow before = database.sql(
                        "SELECT id, name, cluster_id, server_id, status FROM canal_instance_config WHERE id = ?"
                                + kind.forUpdate())
                .param(known.id())
                .query(ConfigStore::instanceRow)
                .optional()
                .orElseThrow(() -> ProblemException.notFound("There is no instance " + known.name() + " any more."));
        Owner parent = newParent == null ? before.parent() : newParent;
        if (parent == null) {
            throw ProblemException.badRequest("The instance belongs to no cluster and no server. Name one.");
        }
        boolean enabled = nowEnabled == null ? before.enabled() : nowEnabled;
        InstanceRow after = row(before.id(), before.name(), parent, enabled);
        database.sql("""
                        UPDATE canal_instance_config
                        SET cluster_id = ?, server_id = ?, status = ?, modified_time = CURRENT_TIMESTAMP WHERE id = ?""")
                .params(Arrays.asList(after.clusterId(), after.serverId(), enabled ? ENABLED : DISABLED, before.id()))
                .update();
        audit.done("instance.change", "instance " + before.name(), shown(before), shown(after));
        notices.changed(What.INSTANCES, before.name());
        return after;
    }

    /** Deletes an instance's configuration, with all versions; the newest text is kept in the audit log, without secrets. */
    @Transactional
    public void deleteInstance(InstanceRow row) {
        String content = text(Owner.instance(row.id())).map(StoredText::content).orElse("");
        database.sql("DELETE FROM canal_instance_config WHERE id = ?")
                .param(row.id())
                .update();
        forgetVersions(Owner.instance(row.id()));
        audit.done("instance.delete", "instance " + row.name(), shown(row) + "\n" + ChangedLines.masked(content), null);
        notices.changed(What.INSTANCES, row.name());
    }

    /** Computes the MD5 of a text as servers compare it: of its UTF-8 bytes, in lower case hex. */
    public static String md5(String content) {
        try {
            // The hash is part of canal's protocol, and protects nothing.
            MessageDigest digest = MessageDigest.getInstance("MD5");
            return HexFormat.of().formatHex(digest.digest(content.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    private Optional<StoredText> locked(Owner owner) {
        return first(owner, kind.forUpdate());
    }

    /** canal's tables do not rule out that a cluster has several rows: the first one counts. */
    private Optional<StoredText> first(Owner owner, String lock) {
        return database
                .sql(select(owner.kind()) + " ORDER BY id" + lock)
                .param(owner.id())
                .query(ConfigStore::storedText)
                .list()
                .stream()
                .findFirst();
    }

    /** Returns the newest version, which is made if the row is not like it. */
    private Config noticed(Owner owner, StoredText row) {
        Optional<Config> newest = database.sql("""
                        SELECT content, md5, version, saved_at, user_name FROM sluice_config_version
                        WHERE owner_kind = ? AND owner_id = ? ORDER BY version DESC LIMIT 1""")
                .params(owner.kind().text(), owner.id())
                .query(ConfigStore::config)
                .optional();
        if (newest.isPresent() && newest.get().content().equals(row.content())) {
            return newest.get();
        }
        database.sql("UPDATE " + table(owner.kind()) + " SET content_md5 = ? WHERE id = ?")
                .params(row.md5(), row.id())
                .update();
        return addVersion(
                owner,
                newest.map(Config::version).orElse(0L) + 1,
                row.content(),
                row.md5(),
                FOUND,
                newest.isPresent() ? "changed in the database" : "found in the database");
    }

    private Config addVersion(
            Owner owner, long version, String content, String md5, String user, @Nullable String comment) {
        Instant now = Instant.ofEpochMilli(clock.millis());
        database.sql("""
                        INSERT INTO sluice_config_version
                            (owner_kind, owner_id, version, content, md5, user_name, comment, saved_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?)""")
                .params(Arrays.asList(
                        owner.kind().text(), owner.id(), version, content, md5, user, comment, now.toEpochMilli()))
                .update();
        return new Config(content, md5, version, now, user);
    }

    /** Rows that were deleted by other means leave versions, which are not those of a new row with the same id. */
    private void forgetVersions(Owner owner) {
        database.sql("DELETE FROM sluice_config_version WHERE owner_kind = ? AND owner_id = ?")
                .params(owner.kind().text(), owner.id())
                .update();
    }

    private static String select(OwnerKind kind) {
        return "SELECT id, name, content FROM " + table(kind) + " WHERE " + ownedBy(kind);
    }

    private static String table(OwnerKind kind) {
        return kind == OwnerKind.INSTANCE ? "canal_instance_config" : "canal_config";
    }

    private static String ownedBy(OwnerKind kind) {
        return switch (kind) {
            case INSTANCE -> "id = ?";
            case SERVER -> "server_id = ?";
            case CLUSTER -> "cluster_id = ? AND coalesce(server_id, 0) = 0";
        };
    }

    private static String parentColumn(Owner parent) {
        return switch (parent.kind()) {
            case CLUSTER -> "cluster_id";
            case SERVER -> "server_id";
            case INSTANCE -> throw new IllegalArgumentException("nothing belongs to an instance");
        };
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

    private static String target(Owner owner, StoredText row) {
        return owner.kind().text() + " " + (owner.kind() == OwnerKind.INSTANCE ? row.name() : owner.id());
    }

    private static void checkLength(String content) {
        if (content.length() > MAX_LENGTH) {
            throw ProblemException.badRequest(
                    "The text has %d characters, and may have %d at most.".formatted(content.length(), MAX_LENGTH));
        }
    }

    private static long idOf(KeyHolder key) {
        Number id = key.getKey();
        if (id == null) {
            throw new IllegalStateException("the database gave no id");
        }
        return id.longValue();
    }

    private static StoredText storedText(ResultSet row, int number) throws SQLException {
        String content = row.getString(3);
        return new StoredText(row.getLong(1), row.getString(2), content, md5(content));
    }

    private static InstanceRow instanceRow(ResultSet row, int number) throws SQLException {
        return new InstanceRow(
                row.getLong(1), row.getString(2), id(row, 3), id(row, 4), ENABLED.equals(row.getString(5)));
    }

    /** An id; canal writes 0 for none, too. */
    private static @Nullable Long id(ResultSet row, int column) throws SQLException {
        long id = row.getLong(column);
        return row.wasNull() || id == 0 ? null : id;
    }

    private static Config config(ResultSet row, int number) throws SQLException {
        return new Config(
                row.getString(1),
                row.getString(2),
                row.getLong(3),
                Instant.ofEpochMilli(row.getLong(4)),
                row.getString(5));
    }
}
