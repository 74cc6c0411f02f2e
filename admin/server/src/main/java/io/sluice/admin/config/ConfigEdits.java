package io.sluice.admin.config;

import io.sluice.admin.account.Caller;
import io.sluice.admin.account.Role;
import io.sluice.admin.problem.ProblemException;
import io.sluice.server.config.text.ValueType;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Changes configurations after they were checked. Thread-safe. */
@Component
public class ConfigEdits {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    private final ConfigStore store;
    private final InstanceStore instances;
    private final ConfigCheck check;
    private final JdbcClient database;

    ConfigEdits(ConfigStore store, InstanceStore instances, ConfigCheck check, JdbcClient database) {
        this.store = store;
        this.instances = instances;
        this.check = check;
        this.database = database;
    }

    /**
     * Returns the instance of a name.
     *
     * @throws ProblemException 404 if its configuration is not kept here
     */
    public InstanceRow instance(String name) {
        return instances
                .find(name)
                .orElseThrow(() -> ProblemException.notFound("No configuration of an instance " + shown(name)
                        + " is kept here. If a server has it in files, edit it there."));
    }

    /**
     * Returns a standalone server as the owner of its configuration.
     *
     * @throws ProblemException 404 if there is no such server, 409 if it has that of its cluster
     */
    public Owner standaloneServer(long id) {
        Long cluster = database.sql("SELECT coalesce(cluster_id, 0) FROM canal_node_server WHERE id = ?")
                .param(id)
                .query(Long.class)
                .optional()
                .orElseThrow(() -> ProblemException.notFound("There is no server " + id + "."));
        if (cluster != 0) {
            throw ProblemException.notFound(
                    "The server has the configuration of its cluster, number " + cluster + ". Open that one.");
        }
        return Owner.server(id);
    }

    /**
     * Returns a cluster as the owner of its configuration.
     *
     * @throws ProblemException 404 if there is none
     */
    public Owner cluster(long id) {
        boolean isThere = database.sql("SELECT id FROM canal_cluster WHERE id = ?")
                .param(id)
                .query(Long.class)
                .optional()
                .isPresent();
        if (!isThere) {
            throw ProblemException.notFound("There is no cluster " + id + ".");
        }
        return Owner.cluster(id);
    }

    /**
     * Saves a configuration that has no errors.
     *
     * @param basedOn what was edited
     * @param force save although there are errors, which only administrators may
     * @throws ProblemException 422 if there are errors, 403 if that must not be forced, 409 if what was edited is not the newest version
     */
    public Config save(
            Caller caller, Owner owner, String content, BasedOn basedOn, @Nullable String comment, boolean force) {
        CheckResult result = owner.kind() == OwnerKind.INSTANCE
                ? instances.all().stream()
                        .filter(row -> row.id() == owner.id())
                        .findFirst()
                        .map(row -> check.checkInstance(row.name(), content, textOf(row.clusterId(), row.serverId())))
                        .orElseThrow(() -> ProblemException.notFound("The instance was deleted meanwhile."))
                : check.checkServer(content);
        checkForce(caller, result, force);
        return store.save(owner, content, basedOn, comment);
    }

    /**
     * Creates an instance.
     *
     * @param clusterId the cluster it belongs to; null if it belongs to a server
     * @param serverId the standalone server it belongs to; null if it belongs to a cluster
     * @throws ProblemException 400 for a bad name or parent, 409 if there is one of that name, 422 if the text has errors
     */
    public InstanceRow createInstance(
            String name,
            @Nullable Long clusterId,
            @Nullable Long serverId,
            String content,
            boolean enabled,
            @Nullable String comment) {
        if (!NAME.matcher(name).matches() || !ValueType.isDestination(name) || name.equalsIgnoreCase("spring")) {
            throw ProblemException.badRequest(
                    "The name must have 1 to 100 letters, digits, dots, underscores and hyphens, must not begin with a dot, and must not be spring.");
        }
        Owner parent = parent(clusterId, serverId);
        CheckResult result = check.checkInstance(name, content, textOf(clusterId, serverId));
        if (result.hasErrors()) {
            throw ProblemException.unusable("The configuration has errors. Correct them first.", result.problems());
        }
        return instances.create(name, parent, content, enabled, comment);
    }

    /**
     * Enables, disables or moves an instance; what is null stays.
     *
     * @throws ProblemException 400 for a bad parent, 404 if there is no such instance
     */
    public InstanceRow changeInstance(
            String name, @Nullable Long clusterId, @Nullable Long serverId, @Nullable Boolean enabled) {
        InstanceRow before = instance(name);
        Owner parent = clusterId == null && serverId == null ? null : parent(clusterId, serverId);
        return instances.change(before, parent, enabled);
    }

    /**
     * Enables, disables or moves an instance that is as it was known; what is null stays.
     *
     * @throws ProblemException 409 if it is another one now
     */
    public InstanceRow changeInstance(InstanceRow known, @Nullable Owner parent, @Nullable Boolean enabled) {
        return instances.changeKnown(known, parent, enabled);
    }

    /**
     * Deletes an instance's configuration, with its versions.
     *
     * @throws ProblemException 404 if there is none
     */
    public void deleteInstance(String name) {
        instances.delete(instance(name));
    }

    /** Returns the text of the cluster, or of the server or its cluster; null if there is none. */
    @Nullable String textOf(@Nullable Long clusterId, @Nullable Long serverId) {
        Owner owner = clusterId != null ? Owner.cluster(clusterId) : serverId != null ? configOf(serverId) : null;
        return owner == null ? null : store.text(owner).map(StoredText::content).orElse(null);
    }

    private Owner configOf(long serverId) {
        long cluster = database.sql("SELECT coalesce(cluster_id, 0) FROM canal_node_server WHERE id = ?")
                .param(serverId)
                .query(Long.class)
                .optional()
                .orElse(0L);
        return cluster == 0 ? Owner.server(serverId) : Owner.cluster(cluster);
    }

    /**
     * Returns what an instance is to belong to.
     *
     * @throws ProblemException 400 unless one of them is given and exists
     */
    public Owner parent(@Nullable Long clusterId, @Nullable Long serverId) {
        if ((clusterId == null) == (serverId == null)) {
            throw ProblemException.badRequest(
                    "An instance belongs either to a cluster or to a standalone server. Name one of them.");
        }
        try {
            return clusterId != null ? cluster(clusterId) : standaloneServer(Objects.requireNonNull(serverId));
        } catch (ProblemException e) {
            throw ProblemException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private static void checkForce(Caller caller, CheckResult result, boolean force) {
        if (!result.hasErrors()) {
            return;
        }
        if (!force) {
            throw ProblemException.unusable(
                    "The configuration has errors: a server would reject it. Nothing was saved.", result.problems());
        }
        if (caller.role() != Role.ADMINISTRATOR) {
            throw ProblemException.forbidden("Only administrators may save a configuration that has errors.");
        }
    }

    /** A name as it may be shown: it came with the request. */
    private static String shown(String name) {
        return NAME.matcher(name).matches() ? name : "of that name";
    }
}
