package io.sluice.admin.config;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.database.DatabaseKind;
import io.sluice.admin.notice.ChangeNotices;
import io.sluice.admin.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * The texts of configurations, in canal's tables, and their versions.
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
    private static final String SERVER_FILE = "canal.properties";

    private final JdbcClient database;
    private final DatabaseKind kind;
    private final ConfigVersions versions;
    private final AuditLog audit;
    private final ChangeNotices notices;

    ConfigStore(
            JdbcClient database, DatabaseKind kind, ConfigVersions versions, AuditLog audit, ChangeNotices notices) {
        this.database = database;
        this.kind = kind;
        this.versions = versions;
        this.audit = audit;
        this.notices = notices;
    }

    /** Returns the newest text of a cluster, a standalone server or an instance, as servers get it. */
    public Optional<StoredText> text(Owner owner) {
        return first(owner, "");
    }

    /** Returns the newest text of an enabled instance, as servers get it. */
    public Optional<StoredText> enabledInstance(String name) {
        return database
                .sql("SELECT id, name, content FROM canal_instance_config WHERE name = ? AND status = ?")
                .params(name, InstanceRow.ENABLED)
                .query(ConfigStore::storedText)
                .list()
                .stream()
                .filter(text -> text.name().equals(name)) // MySQL ignores case
                .findFirst();
    }

    /** Returns the names of the enabled instances of a cluster or a standalone server, in alphabetical order. */
    public List<String> enabledInstances(Owner parent) {
        // one of a cluster is the cluster's, whatever server it names; canal writes 0 for none, too
        String ofServer = parent.kind() == OwnerKind.SERVER ? " AND coalesce(cluster_id, 0) = 0" : "";
        return database.sql("SELECT name FROM canal_instance_config WHERE " + parentColumn(parent) + " = ?" + ofServer
                        + " AND status = ? ORDER BY name")
                .params(parent.id(), InstanceRow.ENABLED)
                .query(String.class)
                .list();
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
        return versions.all(owner);
    }

    /** Returns a version. */
    public Optional<Config> version(Owner owner, long version) {
        return versions.find(owner, version);
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
            Config first = create(owner, content, comment);
            notices.configurationChanged(owner.kind().text(), Long.toString(owner.id()));
            return first;
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
        Config after = versions.add(owner, before.version() + 1, content, md5, AuditLog.user(), comment);
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
        versions.forget(owner);
        audit.done("config.create", owner.kind().text() + " " + owner.id(), null, ChangedLines.masked(content));
        return versions.add(owner, 1, content, md5, AuditLog.user(), comment);
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
        versions.forget(owner);
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
        Optional<Config> newest = versions.newest(owner);
        if (newest.isPresent() && newest.get().content().equals(row.content())) {
            return newest.get();
        }
        database.sql("UPDATE " + table(owner.kind()) + " SET content_md5 = ? WHERE id = ?")
                .params(row.md5(), row.id())
                .update();
        return versions.add(
                owner,
                newest.map(Config::version).orElse(0L) + 1,
                row.content(),
                row.md5(),
                FOUND,
                newest.isPresent() ? "changed in the database" : "found in the database");
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

    /** The column of canal's tables that has the id of a cluster or a standalone server. */
    static String parentColumn(Owner parent) {
        return switch (parent.kind()) {
            case CLUSTER -> "cluster_id";
            case SERVER -> "server_id";
            case INSTANCE -> throw new IllegalArgumentException("nothing belongs to an instance");
        };
    }

    private static String target(Owner owner, StoredText row) {
        return owner.kind().text() + " " + (owner.kind() == OwnerKind.INSTANCE ? row.name() : owner.id());
    }

    static void checkLength(String content) {
        if (content.length() > MAX_LENGTH) {
            throw ProblemException.badRequest(
                    "The text has %d characters, and may have %d at most.".formatted(content.length(), MAX_LENGTH));
        }
    }

    private static StoredText storedText(ResultSet row, int number) throws SQLException {
        String content = row.getString(3);
        return new StoredText(row.getLong(1), row.getString(2), content, md5(content));
    }
}
