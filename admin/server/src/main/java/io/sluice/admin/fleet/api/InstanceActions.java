package io.sluice.admin.fleet.api;

import io.sluice.admin.canal.ManagementRequest;
import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.live.Fleet;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.InstanceView;
import io.sluice.admin.fleet.live.InstanceView.Place;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.web.ProblemException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Has the right servers do something with an instance: the one that runs it, or all that know it if another one would take it over else. Waits until
 * it is done. Thread-safe.
 */
@Component
class InstanceActions {
    private static final int AT_ONCE = 8;
    private static final int MAX_SHOWN = 10;

    private final FleetWatch fleet;
    private final ServerCalls calls;

    InstanceActions(FleetWatch fleet, ServerCalls calls) {
        this.fleet = fleet;
        this.calls = calls;
    }

    /**
     * An instance.
     *
     * @throws ProblemException 404 if there is none
     */
    InstanceView instance(String name) {
        InstanceView view = fleet.now().instances().get(name);
        if (view == null) {
            throw ProblemException.notFound(
                    "There is no such instance: neither is its configuration kept here, nor does a server that answers report it.");
        }
        return view;
    }

    /**
     * The server that is asked about an instance.
     *
     * @throws ProblemException 409 if there is none
     */
    ServerRow asked(InstanceView view) {
        return view.asked()
                .map(Place::server)
                .orElseThrow(() -> ProblemException.conflict(
                        "There is no server that could run this instance. Add one, or move the instance."));
    }

    /** Carries out {@code start}, {@code stop}, {@code restart}, {@code release}, {@code resume} or {@code reload}. */
    ActionResult act(String name, String action) {
        InstanceView view = instance(name);
        List<Place> targets = targets(view, action);
        if (action.equals("reload")) {
            return onEach(targets, place -> reload(place.server(), name));
        }
        return onEach(targets, place -> change(place.server(), name, action, null));
    }

    private List<Place> targets(InstanceView view, String action) {
        List<Place> answering = view.places().stream()
                .filter(place -> place.status().state().isAnswering())
                .toList();
        List<Place> meant = switch (action) {
            case "start" ->
                answering.stream()
                        .filter(place -> place.isStopped()
                                || place.state().equals("failed")
                                || isCanal(place) && !place.isRunning())
                        .toList();
            case "stop" ->
                answering.stream()
                        .filter(place -> isCanal(place) || place.knowsIt() && !place.isStopped())
                        .toList();
            case "resume", "pause", "limits" -> {
                Place runner = view.runner();
                yield runner != null && runner.sharesPace() && answering.contains(runner)
                        ? List.of(runner) // only that one takes it
                        : answering.stream().filter(place -> !isCanal(place)).toList();
            }
            case "reload" -> answering.stream().filter(place -> !isCanal(place)).toList();
            default -> List.of();
        };
        if (!meant.isEmpty()) {
            return runnerFirst(view, meant);
        }
        return view.asked()
                .map(List::of)
                .orElseThrow(() -> ProblemException.conflict(
                        "There is no server that could run this instance. Add one, or move the instance."));
    }

    private static boolean isCanal(Place place) {
        return place.server().controlUrl() == null;
    }

    private static List<Place> runnerFirst(InstanceView view, List<Place> places) {
        Place runner = view.runner();
        return runner == null || !places.contains(runner)
                ? places
                : Stream.concat(Stream.of(runner), places.stream().filter(place -> !place.equals(runner)))
                        .toList();
    }

    /** Does something on several servers. It has failed if it has failed on the first one; failures of others are told. */
    private ActionResult onEach(List<Place> places, Function<Place, ActionResult> action) {
        ActionResult first = action.apply(places.get(0));
        boolean isChanged = first.changed();
        List<String> messages = new ArrayList<>();
        String own = first.message();
        if (own != null) {
            messages.add(own);
        }
        for (Place place : places.subList(1, places.size())) {
            try {
                isChanged |= action.apply(place).changed();
            } catch (ProblemException e) {
                messages.add("Not done on all servers: " + e.problem().detail());
            }
        }
        places.forEach(place -> fleet.hurry(place.server().id()));
        return new ActionResult(isChanged, messages.isEmpty() ? null : String.join(" ", messages));
    }

    private ActionResult change(ServerRow server, String name, String action, @Nullable String body) {
        if (server.controlUrl() == null) {
            return byManagement(server, name, action);
        }
        ControlAnswer answer =
                calls.call(server, ControlCall.change("POST", ControlCall.instance(name, "/" + action), body, ""));
        JsonNode json = json(answer);
        return new ActionResult(json.path("changed").asBoolean(true), null);
    }

    private ActionResult byManagement(ServerRow server, String name, String action) {
        if (!List.of("start", "stop", "restart", "release").contains(action)) {
            throw ProblemException.conflict(
                    "%s is managed by canal's protocol, which has no such action. Add its control URL and a token if it is a Sluice server."
                            .formatted(server.name()));
        }
        String answer =
                calls.manage(server, ManagementRequest.instance(name, action)).get(0);
        if (!answer.equals("1")) {
            throw ProblemException.conflict(
                    "%s does not know the instance, or its canal.auto.scan is false: see its log."
                            .formatted(server.name()));
        }
        return new ActionResult(true, null);
    }

    private ActionResult reload(ServerRow server, String name) {
        return ReloadText.of(
                json(calls.call(server, ControlCall.change("POST", ControlCall.instance(name, "/reload"), null, ""))));
    }

    /**
     * Pauses: at a point where it runs; at once on all servers that know it, so that none delivers that takes it over, unless they share
     * what is set.
     */
    ActionResult pause(String name, boolean isAtPoint, String body) {
        InstanceView view = instance(name);
        List<Place> places = targets(view, "pause");
        return onEach(isAtPoint ? places.subList(0, 1) : places, place -> change(place.server(), name, "pause", body));
    }

    /** Limits the rates on all servers that know it. */
    ActionResult limit(String name, String body) {
        InstanceView view = instance(name);
        return onEach(targets(view, "limits"), place -> {
            calls.call(place.server(), ControlCall.change("PUT", ControlCall.instance(name, "/limits"), body, ""));
            return new ActionResult(true, null);
        });
    }

    /** Does something with all instances of a Sluice server, at the same time. */
    ActionResult ofAll(ServerRow server, String action) {
        Fleet now = fleet.now();
        List<String> names = now.instances().values().stream()
                .filter(view -> view.places().stream()
                        .anyMatch(place -> place.server().id() == server.id() && isMeant(place, action)))
                .map(view -> view.summary().name())
                .toList();
        if (names.isEmpty()) {
            calls.call(server, ControlCall.get("/server")); // fails if the server cannot be asked at all
            return new ActionResult(false, "There is no instance to %s.".formatted(action));
        }
        boolean isChanged = false;
        List<String> failures = new ArrayList<>();
        for (int from = 0; from < names.size(); from += AT_ONCE) {
            Map<String, CompletableFuture<ControlAnswer>> answers = new LinkedHashMap<>();
            for (String name : names.subList(from, Math.min(names.size(), from + AT_ONCE))) {
                String path = ControlCall.instance(name, "/" + action);
                answers.put(name, calls.start(server, ControlCall.change("POST", path, null, "")));
            }
            for (Map.Entry<String, CompletableFuture<ControlAnswer>> one : answers.entrySet()) {
                try {
                    isChanged |= json(calls.waitFor(one.getValue(), server))
                            .path("changed")
                            .asBoolean(true);
                } catch (ProblemException e) {
                    failures.add(one.getKey() + ": " + e.problem().detail());
                }
            }
        }
        String shown = String.join(" ", failures.subList(0, Math.min(MAX_SHOWN, failures.size())));
        if (failures.size() == names.size()) {
            throw ProblemException.conflict("No instance could be changed. " + shown);
        }
        return new ActionResult(
                isChanged, failures.isEmpty() ? null : "%d were not changed. %s".formatted(failures.size(), shown));
    }

    private static boolean isMeant(Place place, String action) {
        return switch (action) {
            case "start" -> place.isStopped() || place.state().equals("failed");
            case "stop" -> place.knowsIt() && !place.isStopped();
            default -> place.isRunning();
        };
    }

    static JsonNode json(ControlAnswer answer) {
        try {
            return answer.json();
        } catch (ControlFailure e) {
            throw ProblemException.badGateway(Sentences.of(String.valueOf(e.getMessage())));
        }
    }
}
