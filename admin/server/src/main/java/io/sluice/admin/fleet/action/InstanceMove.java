package io.sluice.admin.fleet.action;

import io.sluice.admin.canal.ManagementRequest;
import io.sluice.admin.config.ConfigEdits;
import io.sluice.admin.config.InstanceRow;
import io.sluice.admin.config.Owner;
import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.ServerView;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.problem.ProblemException;
import io.sluice.admin.time.SteadyClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Moves instances to another cluster or server, so that no two servers deliver one.
 *
 * <p>The instance is disabled first, where it is. It gets its new owner, and is enabled again, when every server that loses it has answered
 * that it does not have it any more. So a server that gains it cannot begin before, also if it reads its configuration by itself. If this process ends
 * in between, the instance stays disabled where it was.
 *
 * <p>Thread-safe.
 */
@Component
public class InstanceMove {
    /** A server without a control API reads its configuration by itself, every five seconds unless it is set otherwise. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FleetWatch fleet;
    private final ConfigEdits edits;
    private final ServerCalls calls;
    private final Clock waits = new SteadyClock();

    InstanceMove(FleetWatch fleet, ConfigEdits edits, ServerCalls calls) {
        this.fleet = fleet;
        this.edits = edits;
        this.calls = calls;
    }

    /**
     * Moves an instance.
     *
     * @param enabled whether it is enabled then; null: as it is
     * @param force move it although a server that loses it does not answer, or still has it
     * @throws ProblemException 409 if such a server does not answer, or still has the instance, which is then where it was
     */
    public InstanceRow move(
            String name, @Nullable Long clusterId, @Nullable Long serverId, @Nullable Boolean enabled, boolean force) {
        InstanceRow before = edits.instance(name);
        Owner to = edits.parent(clusterId, serverId);
        List<ServerView> losing = to.equals(before.parent()) ? List.of() : serversOf(before.parent());
        if (losing.isEmpty()) {
            return edits.changeInstance(name, clusterId, serverId, enabled);
        }
        List<String> silent = losing.stream()
                .filter(view -> !view.status().state().isAnswering())
                .map(view -> view.row().name())
                .toList();
        if (!silent.isEmpty() && !force) {
            throw ProblemException.conflict(
                    "The instance was not moved: %s %s, and would deliver beside the server that gets it if it runs it. Try again when it answers; or make sure that it does not run, and confirm the move."
                            .formatted(
                                    String.join(", ", silent),
                                    silent.size() == 1 ? "does not answer" : "do not answer"));
        }
        InstanceRow held = before.enabled() ? edits.changeInstance(name, null, null, false) : before;
        List<String> problems = release(name, losing);
        if (!problems.isEmpty() && !force) {
            if (before.enabled()) {
                edits.changeInstance(held, null, true);
            }
            throw ProblemException.conflict(
                    "The instance was not moved, since it would be delivered twice: %s Remove the cause and move it again; or make sure that it does not run there, and confirm the move."
                            .formatted(String.join(" ", problems)));
        }
        return edits.changeInstance(held, to, enabled == null ? before.enabled() : enabled);
    }

    private List<ServerView> serversOf(@Nullable Owner owner) {
        return fleet.now().servers().stream()
                .filter(view -> owner != null
                        && Objects.equals(
                                owner.kind() == OwnerKind.CLUSTER
                                        ? view.row().clusterId()
                                        : Long.valueOf(view.row().id()),
                                owner.id()))
                .toList();
    }

    /**
     * Has servers give up an instance that is disabled, and waits until they have.
     *
     * @return which of them have not, a sentence each
     */
    private List<String> release(String name, List<ServerView> servers) {
        List<String> problems = new ArrayList<>();
        Map<ServerRow, CompletableFuture<ControlAnswer>> reloads = new LinkedHashMap<>();
        for (ServerView view : servers) {
            ServerRow server = view.row();
            if (view.status().state().isAnswering() && server.controlUrl() != null) {
                trying(problems, () -> {
                    reloads.put(server, calls.start(server, ControlCall.change("POST", "/reload", null, "")));
                    return null;
                });
            }
        }
        // All have to read it before one is asked: in a cluster, another one takes over what the first one gives up.
        reloads.forEach((server, reload) -> trying(problems, () -> {
            calls.waitFor(reload, server);
            return null;
        }));
        for (ServerView view : servers) {
            ServerRow server = view.row();
            if (view.status().state().isAnswering()) {
                trying(problems, () -> server.controlUrl() == null ? awaitGone(server, name) : has(server, name));
            }
            fleet.hurry(server.id());
        }
        return problems.stream().distinct().toList();
    }

    /** Something that may fail, and returns what is wrong; null: nothing. */
    private interface Step {
        @Nullable String run();
    }

    private static void trying(List<String> problems, Step step) {
        try {
            String problem = step.run();
            if (problem != null) {
                problems.add(problem);
            }
        } catch (ProblemException e) {
            problems.add(Optional.ofNullable(e.problem().detail()).orElse("A server does not answer."));
        }
    }

    private @Nullable String has(ServerRow server, String name) {
        ControlAnswer answer;
        try {
            answer = calls.call(server, ControlCall.get(ControlCall.instance(name, "")));
        } catch (ProblemException e) {
            if (e.problem().status() == 404) {
                return null;
            }
            throw e;
        }
        return InstanceActions.json(answer).path("state").asString().equals("not_ended")
                ? "%s has removed the instance, which did not end in good order there. Restart %s, since a part of it may still run, or move it by force if none does."
                        .formatted(server.name(), server.name())
                : "%s has read its configuration, and still has the instance.".formatted(server.name());
    }

    private @Nullable String awaitGone(ServerRow server, String name) {
        Instant end = waits.instant().plus(PATIENCE);
        while (Arrays.asList(calls.manage(server, ManagementRequest.server("list"))
                        .get(0)
                        .split(",", -1))
                .contains(name)) {
            if (waits.instant().isAfter(end)) {
                return "%s still runs the instance. Stop it there.".formatted(server.name());
            }
            try {
                TimeUnit.SECONDS.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "This server is stopping.";
            }
        }
        return null;
    }
}
