package io.sluice.admin.fleet.api;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlClient;
import io.sluice.admin.fleet.live.Fleet;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.InstanceSummary;
import io.sluice.admin.fleet.live.InstanceView;
import io.sluice.admin.fleet.live.ServerView;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.notice.ChangeNotice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Has Sluice servers read their configuration when it was changed here, so that it is in force at once. What fails here does no harm: servers
 * ask for it regularly. Thread-safe.
 */
@Component
class ReloadAfterSave {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadAfterSave.class);

    private final FleetWatch fleet;
    private final ControlClient control;

    /** Servers that are being told, and whether they have to be told again after that. */
    private final Map<Long, Boolean> reloading = new HashMap<>();

    ReloadAfterSave(FleetWatch fleet, ControlClient control) {
        this.fleet = fleet;
        this.control = control;
    }

    /** Tells the servers that a change is for: those that had the instance, and those that have it now. */
    @EventListener
    @SuppressWarnings("FutureReturnValueIgnored") // what fails is logged
    void changed(ChangeNotice notice) {
        String id = notice.id();
        OwnerKind kind = switch (notice.what()) {
            case INSTANCES -> OwnerKind.INSTANCE;
            case CONFIG -> notice.of() == null ? null : OwnerKind.of(notice.of()); // null: a template
            case SERVERS, USERS -> null;
        };
        if (kind == null || id == null) {
            return;
        }
        String user = AuditLog.user();
        List<ServerRow> before = concerned(fleet.now(), kind, id);
        fleet.refresh().thenAccept(now -> {
            Map<Long, ServerRow> all = new HashMap<>();
            before.forEach(server -> all.put(server.id(), server));
            concerned(now, kind, id).forEach(server -> all.put(server.id(), server));
            all.values().forEach(server -> reload(server, user));
        });
    }

    /** The servers that use a configuration; its id is the name of an instance, or the id of a server or a cluster. */
    private static List<ServerRow> concerned(Fleet now, OwnerKind kind, String id) {
        List<ServerRow> servers = new ArrayList<>();
        for (ServerView view : now.servers()) {
            ServerRow row = view.row();
            boolean isMeant = switch (kind) {
                case INSTANCE -> isOf(now.instances().get(id), row);
                case SERVER -> id.equals(Long.toString(row.id()));
                case CLUSTER -> row.clusterId() != null && id.equals(Long.toString(row.clusterId()));
            };
            if (isMeant && row.controlUrl() != null && view.status().state().isAnswering()) {
                servers.add(row);
            }
        }
        return servers;
    }

    private static boolean isOf(@Nullable InstanceView instance, ServerRow server) {
        if (instance == null) {
            return false;
        }
        InstanceSummary summary = instance.summary();
        return Objects.equals(summary.serverId(), server.id())
                || summary.clusterId() != null && Objects.equals(summary.clusterId(), server.clusterId());
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails is logged
    private void reload(ServerRow server, String user) {
        synchronized (reloading) {
            if (reloading.containsKey(server.id())) {
                reloading.put(server.id(), true);
                return;
            }
            reloading.put(server.id(), false);
        }
        fleet.target(server)
                .ifPresentOrElse(
                        target -> control.call(target, ControlCall.change("POST", "/reload", null, user))
                                .whenComplete((answer, failure) -> reloaded(server, user, failure)),
                        () -> reloaded(server, user, null));
    }

    private void reloaded(ServerRow server, String user, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.warn(
                    "a server does not read its changed configuration at once, but when it asks for it: server={} reason={}",
                    server.name(),
                    failure.getMessage());
        }
        boolean isAgain;
        synchronized (reloading) {
            isAgain = Boolean.TRUE.equals(reloading.remove(server.id()));
        }
        if (isAgain) {
            reload(server, user);
        }
    }
}
