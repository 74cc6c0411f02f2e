package io.sluice.admin.config;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.notice.ChangeNotice.What;
import io.sluice.admin.notice.ChangeNotices;
import io.sluice.admin.web.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Templates: those that are built in, and those that were made or changed here. Thread-safe. */
@Repository
public class Templates {
    private static final Map<String, OwnerKind> BUILT_IN = builtIn();

    private final JdbcClient database;
    private final AuditLog audit;
    private final ChangeNotices notices;

    Templates(JdbcClient database, AuditLog audit, ChangeNotices notices) {
        this.database = database;
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
        BUILT_IN.forEach((name, kind) -> all.put(name, new Template(name, kind, resource(name), true)));
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
     * @throws ProblemException 409 if another kind of template is built in under that name
     */
    @Transactional
    public Template save(String name, OwnerKind kind, String content) {
        if (BUILT_IN.getOrDefault(name, kind) != kind) {
            throw ProblemException.conflict("The template %s is built in, and is one of a %s. Choose another name."
                    .formatted(name, BUILT_IN.getOrDefault(name, kind).text()));
        }
        Optional<Template> before = find(name);
        database.sql("DELETE FROM sluice_template WHERE name = ?").param(name).update();
        database.sql("INSERT INTO sluice_template (name, kind, content) VALUES (?, ?, ?)")
                .params(name, kind.text(), content)
                .update();
        ChangedLines lines = ChangedLines.of(before.map(Template::content).orElse(""), content);
        audit.done("template.save", "template " + name, before.isPresent() ? lines.before() : null, lines.after());
        notices.changed(What.CONFIG, null);
        return new Template(name, kind, content, false);
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

    private List<Template> stored() {
        return database.sql("SELECT name, kind, content FROM sluice_template ORDER BY name")
                .query((row, number) ->
                        new Template(row.getString(1), OwnerKind.of(row.getString(2)), row.getString(3), false))
                .list();
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
