package io.sluice.admin.fleet.action;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.config.UnreadChanges;
import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlClient;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.control.ControlTarget;
import io.sluice.admin.fleet.live.Fleet;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.InstanceSummary;
import io.sluice.admin.fleet.live.InstanceView;
import io.sluice.admin.fleet.live.ServerView;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.notice.ChangeNotice;
import io.sluice.admin.time.SteadyClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Requests a reload from Sluice servers when their configuration was changed here, so that it is in force at once. A server that does not answer
 * gets the request as soon as it does. A server that answers and fails gets it some times more, and then when it answers after an interruption, or
 * when something is saved. A server that runs instances of this admin server also gets it when it answers first after a start of this process, which
 * does not know what was saved before.
 *
 * <p>Thread-safe.
 */
@Component
class ReloadAfterSave {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadAfterSave.class);
    private static final Duration FIRST_WAIT = Duration.ofSeconds(2);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final int MAX_FAILURES = 10;

    private final FleetWatch fleet;
    private final ControlClient control;
    private final UnreadChanges unread;
    private final Clock waits = new SteadyClock();

    @GuardedBy("servers") private final Map<Long, ReloadRequest> servers = new HashMap<>();

    /** The state of the reload requests to a server; guarded by the map that has it. */
    private static final class ReloadRequest {
        private boolean isWanted;
        private boolean isRunning;
        private boolean hasAnswered;
        private int failures;
        private Instant next = Instant.MIN;
        private String user = "";

        void want() {
            isWanted = true;
            retry();
        }

        void retry() {
            failures = 0;
            next = Instant.MIN;
        }

        void failed(Instant now) {
            isWanted = true;
            Duration wait = FIRST_WAIT.multipliedBy(1L << failures);
            next = now.plus(wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait);
            failures++;
        }
    }

    ReloadAfterSave(FleetWatch fleet, ControlClient control, UnreadChanges unread) {
        this.fleet = fleet;
        this.control = control;
        this.unread = unread;
        fleet.onMerged(this::merged);
    }

    /** Requests a reload from the servers that a change is for: those that had the instance, and those that have it now. */
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
        Set<Long> before = new HashSet<>();
        concerned(fleet.now(), kind, id).forEach(server -> {
            before.add(server.id());
            changed(server, kind, id, user);
        });
        fleet.refresh().thenAccept(now -> {
            concerned(now, kind, id).stream()
                    .filter(server -> !before.contains(server.id()))
                    .forEach(server -> changed(server, kind, id, user));
            merged(now);
        });
    }

    private void changed(ServerRow server, OwnerKind kind, String id, String user) {
        unread.add(server.id(), kind, id);
        synchronized (servers) {
            ReloadRequest request = servers.computeIfAbsent(server.id(), key -> new ReloadRequest());
            request.want();
            request.user = user;
        }
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
            if (isMeant) {
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

    /** Requests a reload from the servers that are due. */
    private void merged(Fleet now) {
        Set<Long> ids = new HashSet<>();
        now.servers().forEach(view -> ids.add(view.row().id()));
        unread.retain(ids);
        synchronized (servers) {
            servers.keySet().retainAll(ids);
        }
        for (ServerView view : now.servers()) {
            String user = userIfDue(view);
            if (user != null) {
                reload(view.row(), user);
            }
        }
    }

    /** The user on whose behalf a reload is due now; null if none is due. */
    private @Nullable String userIfDue(ServerView view) {
        synchronized (servers) {
            ReloadRequest request = servers.computeIfAbsent(view.row().id(), key -> new ReloadRequest());
            if (view.row().controlUrl() == null) {
                return null;
            }
            if (!view.status().state().isAnswering()) {
                request.retry();
                return null;
            }
            if (!request.hasAnswered) {
                request.hasAnswered = true;
                request.isWanted |= view.instances() > 0;
            }
            boolean isDue = request.isWanted
                    && !request.isRunning
                    && request.failures < MAX_FAILURES
                    && !waits.instant().isBefore(request.next);
            if (!isDue) {
                return null;
            }
            request.isWanted = false;
            request.isRunning = true;
            return request.user;
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what fails is logged
    private void reload(ServerRow server, String user) {
        long newest = unread.newest();
        Optional<ControlTarget> target = fleet.target(server);
        if (target.isEmpty()) {
            answered(server, newest, "there is no token that can be used");
            return;
        }
        control.call(target.get(), ControlCall.change("POST", "/reload", null, user))
                .whenComplete((answer, failure) -> answered(
                        server,
                        newest,
                        answer == null
                                ? failure == null ? "there is no answer" : String.valueOf(failure.getMessage())
                                : whyNotTaken(answer)));
    }

    /** Why nothing of what was read is in force, by the answer; null if it is. */
    private static @Nullable String whyNotTaken(ControlAnswer answer) {
        try {
            List<String> problems = new ArrayList<>();
            for (JsonNode problem : answer.json().path("serverProblems")) {
                problems.add(problem.asString(""));
            }
            return problems.isEmpty() ? null : String.join("; ", problems.subList(0, Math.min(5, problems.size())));
        } catch (ControlFailure e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void answered(ServerRow server, long newest, @Nullable String failure) {
        if (failure == null) {
            unread.read(server.id(), newest);
        } else if (unread.failed(server.id(), failure)) {
            LOG.warn(
                    "a changed configuration is not in force, since the reload request to its server failed; it is sent again: server={} reason={}",
                    server.name(),
                    failure);
        }
        fleet.hurry(server.id()); // it also reports itself whether its configuration is in force
        boolean isAgain;
        synchronized (servers) {
            ReloadRequest request = servers.get(server.id());
            if (request == null) {
                return;
            }
            request.isRunning = false;
            if (failure == null) {
                request.retry();
            } else if (!request.isWanted) {
                request.failed(waits.instant());
            }
            isAgain = request.isWanted && failure == null;
        }
        if (isAgain) {
            merged(fleet.now());
        }
    }
}
