package io.sluice.admin.fleet.api;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.Owner;
import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.config.Templates;
import io.sluice.admin.fleet.action.Sentences;
import io.sluice.admin.fleet.control.ControlUrl;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.server.ServerStore;
import io.sluice.admin.fleet.server.ServerValues;
import io.sluice.admin.fleet.server.TokenVault;
import io.sluice.admin.notice.ChangeNotice.What;
import io.sluice.admin.notice.ChangeNotices;
import io.sluice.admin.problem.ProblemException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.node.ObjectNode;

/** Adds, changes and removes servers. A token is never shown, and goes to no other URL than the one it was entered for. Thread-safe. */
@Component
class Servers {
    private final ServerStore store;
    private final ConfigStore configurations;
    private final Templates templates;
    private final ServerPatch patch;
    private final TokenVault vault;
    private final AuditLog audit;
    private final ChangeNotices notices;

    Servers(
            ServerStore store,
            ConfigStore configurations,
            Templates templates,
            ServerPatch patch,
            TokenVault vault,
            AuditLog audit,
            ChangeNotices notices) {
        this.store = store;
        this.configurations = configurations;
        this.templates = templates;
        this.patch = patch;
        this.vault = vault;
        this.audit = audit;
        this.notices = notices;
    }

    /**
     * A server.
     *
     * @throws ProblemException 404 if there is none
     */
    ServerRow get(long id) {
        return store.find(id).orElseThrow(() -> ProblemException.notFound("There is no such server."));
    }

    @Transactional
    ServerRow add(ServerInput input) {
        ServerValues values = checked(0, input.values());
        ControlUrl url = url(input);
        requireOnly(0, url, null);
        long id = store.add(values);
        String token = input.controlToken();
        store.access(
                id,
                url == null ? null : url.toString(),
                url == null || token == null || token.isBlank() ? null : vault.seal(id, token.strip()));
        ServerRow after = get(id);
        audit.done("server.create", "server " + after.name(), null, shown(after, token != null && !token.isBlank()));
        giveConfiguration(after);
        notices.changed(What.SERVERS, Long.toString(id));
        return after;
    }

    /** A standalone server begins with the template; in a cluster it has that of the cluster. */
    private void giveConfiguration(ServerRow server) {
        Owner owner = Owner.server(server.id());
        if (server.clusterId() == null && configurations.text(owner).isEmpty()) {
            configurations.create(owner, templates.initial(OwnerKind.SERVER), "from the template");
        }
    }

    @Transactional
    ServerRow update(long id, ServerInput input) {
        store.lock(id);
        return update(get(id), input);
    }

    /** Changes the fields that are given. */
    @Transactional
    ServerRow change(long id, ObjectNode changed) {
        store.lock(id);
        ServerRow before = get(id);
        return update(before, patch.applied(before, changed));
    }

    private ServerRow update(ServerRow before, ServerInput input) {
        long id = before.id();
        ServerValues values = checked(id, input.values());
        if (!Objects.equals(before.clusterId(), values.clusterId()) && store.instancesOf(id) > 0) {
            throw ProblemException.conflict(
                    "Instances belong to this server alone. Move or delete them before it joins another cluster.");
        }
        ControlUrl url = url(input);
        requireOnly(id, url, before.controlUrl());
        String sealed = sealed(before, url, input.controlToken());
        store.update(id, values);
        store.access(id, url == null ? null : url.toString(), sealed);
        ServerRow after = get(id);
        boolean isTokenNew = !Objects.equals(before.sealedToken(), sealed);
        audit.done("server.change", "server " + before.name(), shown(before, false), shown(after, isTokenNew));
        giveConfiguration(after);
        notices.changed(What.SERVERS, Long.toString(id));
        if (!Objects.equals(before.clusterId(), after.clusterId())) {
            notices.configurationChanged(OwnerKind.SERVER.text(), Long.toString(id)); // it has another one from now on
        }
        return after;
    }

    /**
     * The token that is kept after a change.
     *
     * @param entered null: as it is; empty: none
     */
    private @Nullable String sealed(ServerRow before, @Nullable ControlUrl url, @Nullable String entered) {
        if (url == null) {
            return null;
        }
        if (entered != null) {
            return entered.isBlank() ? null : vault.seal(before.id(), entered.strip());
        }
        if (before.sealedToken() != null && !url.toString().equals(before.controlUrl())) {
            throw ProblemException.badRequest(
                    "The control URL has changed. Enter the token again: it is not sent to another URL than the one it was entered for.");
        }
        return before.sealedToken();
    }

    /**
     * The token to try a server with.
     *
     * @param id whose token is taken if none is entered; null: none
     * @throws ProblemException 400 if it would go to another URL
     */
    String tokenToTry(@Nullable Long id, ControlUrl url, @Nullable String entered) {
        if (entered != null || id == null) {
            return entered == null ? "" : entered.strip();
        }
        ServerRow row = get(id);
        String sealed = sealed(row, url, null);
        String token = sealed == null ? null : vault.open(id, sealed);
        return token == null ? "" : token;
    }

    @Transactional
    void delete(long id) {
        ServerRow before = get(id);
        if (store.instancesOf(id) > 0) {
            throw ProblemException.conflict("Instances belong to this server. Move or delete them before.");
        }
        configurations.delete(Owner.server(id));
        store.delete(id);
        audit.done("server.delete", "server " + before.name(), shown(before, false), null);
        notices.changed(What.SERVERS, Long.toString(id));
    }

    private ServerValues checked(long id, ServerValues values) {
        store.findTwin(id, values.ip(), values.adminPort()).ifPresent(twin -> {
            throw ProblemException.conflict("%s has this address and port already.".formatted(twin.name()));
        });
        Long cluster = values.clusterId();
        if (cluster != null && !store.hasCluster(cluster)) {
            throw ProblemException.badRequest("There is no such cluster.");
        }
        return values;
    }

    /**
     * Rejects the control URL of another server: one process would be watched, and commanded, as two.
     *
     * @param before what it was; one that is kept is not rejected, so that a server that was added twice can be changed
     */
    private void requireOnly(long id, @Nullable ControlUrl url, @Nullable String before) {
        if (url != null && !url.toString().equals(before)) {
            store.findTwin(id, url.toString()).ifPresent(twin -> {
                throw ProblemException.conflict("%s has this control URL already.".formatted(twin.name()));
            });
        }
    }

    static @Nullable ControlUrl url(ServerInput input) {
        String text = input.controlUrl();
        if (text == null || text.isBlank()) {
            return null;
        }
        try {
            return ControlUrl.parse(text);
        } catch (IllegalArgumentException e) {
            throw ProblemException.badRequest(Sentences.of(String.valueOf(e.getMessage())));
        }
    }

    private static String shown(ServerRow row, boolean isTokenNew) {
        return "name=%s, ip=%s, adminPort=%d, tcpPort=%s, metricPort=%s, cluster=%s, controlUrl=%s, token=%s"
                .formatted(
                        row.name(),
                        row.ip(),
                        row.adminPort(),
                        row.tcpPort(),
                        row.metricPort(),
                        row.clusterId(),
                        row.controlUrl(),
                        row.sealedToken() == null ? "none" : isTokenNew ? "new" : "set");
    }
}
