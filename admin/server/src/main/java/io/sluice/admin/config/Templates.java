package io.sluice.admin.config;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.database.DatabaseKind;
import io.sluice.admin.notice.ChangeNotice.What;
import io.sluice.admin.notice.ChangeNotices;
import io.sluice.admin.problem.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Templates: those that are built in, and those that were made or changed here. Thread-safe. */
@Repository
public class Templates {
    private static final Map<String, OwnerKind> BUILT_IN = builtIn();

    private final JdbcClient database;
    private final DatabaseKind databaseKind;
    private final AuditLog audit;
    private final ChangeNotices notices;

    Templates(JdbcClient database, DatabaseKind databaseKind, AuditLog audit, ChangeNotices notices) {
        this.database = database;
        this.databaseKind = databaseKind;
        this.audit = audit;
        this.notices = notices;
    }

    private static Map<String, OwnerKind> builtIn() {
        Map<String, OwnerKind> all = new LinkedHashMap<>();
        all.put("cluster", OwnerKind.CLUSTER);
        all.put("server", OwnerKind.SERVER);
        for (String broker : List.of("kafka", "rocketmq", "rabbitmq", "pulsar", "tcp")) {
            all.put("instance-" + broker, OwnerKind.INSTANCE);
        }
        return all;
    }

    /** Returns all: those that are built in first. */
    public List<Template> all() {
        Map<String, Template> all = new LinkedHashMap<>();
        BUILT_IN.forEach((name, kind) -> all.put(name, Template.of(name, kind, resource(name), true)));
        stored().forEach(template -> all.put(template.name(), template));
        return List.copyOf(all.values());
    }

    /** Returns the text that a new cluster, server or instance begins with. */
    public String initial(OwnerKind kind) {
        String name = kind == OwnerKind.INSTANCE ? "instance-kafka" : kind.text();
        return find(name).map(Template::content).orElseGet(() -> resource(name));
    }

    /**
     * Creates or changes a template. One that is built in is replaced, until the new one is deleted.
     *
     * @param create whether one of that name, other than one that is built in, must not be there yet
     * @param basedOnMd5 of the content that was edited; null: not compared
     * @throws ProblemException 409 if another kind of template is built in under that name, one to create is there, or the one that was edited is
     *     not there any more
     */
    @Transactional
    public Template save(String name, OwnerKind kind, String content, boolean create, @Nullable String basedOnMd5) {
        if (BUILT_IN.getOrDefault(name, kind) != kind) {
            throw ProblemException.conflict("The template %s is built in, and is one of a %s. Choose another name."
                    .formatted(name, BUILT_IN.getOrDefault(name, kind).text()));
        }
        Optional<Template> before = locked(name);
        if (create && before.isPresent()) {
            throw nameIsTaken(name);
        }
        if (basedOnMd5 != null
                && before.filter(template -> template.md5().equals(basedOnMd5)).isEmpty()) {
            throw ProblemException.conflict(
                    "The template %s was %s meanwhile. Copy your text, and open the template again."
                            .formatted(name, before.isPresent() ? "changed" : "deleted"));
        }
        if (before.isPresent()) {
            database.sql("UPDATE sluice_template SET kind = ?, content = ? WHERE name = ?")
                    .params(kind.text(), content, name)
                    .update();
        } else {
            insert(name, kind, content);
        }
        ChangedLines lines = ChangedLines.of(before.map(Template::content).orElse(""), content);
        audit.done("template.save", "template " + name, before.isPresent() ? lines.before() : null, lines.after());
        notices.changed(What.CONFIG, null);
        return Template.of(name, kind, content, false);
    }

    private void insert(String name, OwnerKind kind, String content) {
        try {
            database.sql("INSERT INTO sluice_template (name, kind, content) VALUES (?, ?, ?)")
                    .params(name, kind.text(), content)
                    .update();
        } catch (DuplicateKeyException e) {
            throw nameIsTaken(name); // MySQL takes names for the same that differ in case
        }
    }

    private static ProblemException nameIsTaken(String name) {
        return ProblemException.conflict("There is a template %s. Choose another name.".formatted(name));
    }

    /**
     * Deletes a template.
     *
     * @throws ProblemException 404 if there is none, 409 if it is built in
     */
    @Transactional
    public void delete(String name) {
        Template before = find(name)
                .orElseThrow(() -> BUILT_IN.containsKey(name)
                        ? ProblemException.conflict("This template is built in, and cannot be deleted.")
                        : ProblemException.notFound("There is no such template."));
        database.sql("DELETE FROM sluice_template WHERE name = ?").param(name).update();
        audit.done("template.delete", "template " + name, ChangedLines.masked(before.content()), null);
        notices.changed(What.CONFIG, null);
    }

    private Optional<Template> find(String name) {
        return stored().stream()
                .filter(template -> template.name().equals(name))
                .findFirst();
    }

    /** Finds a stored template, which changes no more until the transaction ends. */
    private Optional<Template> locked(String name) {
        return database
                .sql("SELECT name, kind, content FROM sluice_template WHERE name = ?" + databaseKind.forUpdate())
                .param(name)
                .query(Templates::template)
                .list()
                .stream()
                .filter(template -> template.name().equals(name)) // MySQL ignores case
                .findFirst();
    }

    private List<Template> stored() {
        return database.sql("SELECT name, kind, content FROM sluice_template ORDER BY name")
                .query(Templates::template)
                .list();
    }

    private static Template template(ResultSet row, int number) throws SQLException {
        return Template.of(row.getString(1), OwnerKind.of(row.getString(2)), row.getString(3), false);
    }

    private static String resource(String name) {
        try (InputStream in = Templates.class.getResourceAsStream("templates/" + name + ".properties")) {
            if (in == null) {
                throw new IllegalStateException("the template " + name + " is missing in this program");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
