package io.sluice.admin.fleet.action;

import io.sluice.admin.canal.ManagementRequest;
import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.live.Fleet;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.InstanceView;
import io.sluice.admin.fleet.live.InstanceView.Place;
import io.sluice.admin.fleet.live.ServerView;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.watch.ServerState;
import io.sluice.admin.problem.ProblemException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/**
 * Has the right servers do something with an instance: the one that runs it, or all that know it if another one would take it over else. Waits until
 * it is done. Thread-safe.
 */
@Component
public class InstanceActions {
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
    public InstanceView instance(String name) {
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
    public ServerRow asked(InstanceView view) {
        return view.asked()
                .map(Place::server)
                .orElseThrow(() -> ProblemException.conflict(
                        "There is no server that could run this instance. Add one, or move the instance."));
    }

    /** Carries out {@code start}, {@code stop}, {@code restart}, {@code release}, {@code resume} or {@code reload}. */
    public ActionResult act(String name, String action) {
        InstanceView view = instance(name);
        Targets targets = targets(view, action);
        if (action.equals("reload")) {
            return onEach(targets, place -> reload(place.server(), name));
        }
        return onEach(targets, place -> change(place.server(), name, action, null));
    }

    /**
     * The servers that do something with an instance, in this order.
     *
     * @param decisive the one of them without which it has failed
     * @param isOneEnough it has failed only if it has failed on all of them
     * @param skipped those that are not asked, and could take the instance over
     */
    private record Targets(List<Place> places, Place decisive, boolean isOneEnough, List<Place> skipped) {}

    private static Targets targets(InstanceView view, String action) {
        List<Place> answering = view.places().stream()
                .filter(place -> place.status().state().isAnswering())
                .toList();
        Place runner = view.runner();
        Place sharing = runner != null && runner.sharesPace() && answering.contains(runner) ? runner : null;
        List<Place> meant = switch (action) {
            case "start" ->
                answering.stream()
                        .filter(place -> isStartable(place) || isCanal(place) && !place.isRunning())
                        .toList();
            case "stop" ->
                answering.stream()
                        .filter(place -> isCanal(place) || place.knowsIt() && !place.isStopped())
                        .toList();
            case "resume", "pause", "limits" ->
                sharing != null
                        ? List.of(sharing) // only that one takes it
                        : answering.stream().filter(place -> !isCanal(place)).toList();
            case "reload" -> answering.stream().filter(place -> !isCanal(place)).toList();
            default -> List.of();
        };
        List<Place> asked = meant.isEmpty()
                ? view.asked()
                        .map(List::of)
                        .orElseThrow(() -> ProblemException.conflict(
                                "There is no server that could run this instance. Add one, or move the instance."))
                : meant;
        boolean isForAll = switch (action) {
            case "stop" -> true;
            case "resume", "pause", "limits" -> sharing == null;
            default -> false;
        };
        List<Place> skipped = isForAll
                ? view.places().stream()
                        .filter(place -> !asked.contains(place) && !place.isStopped())
                        .toList()
                : List.of();
        return ordered(asked, runner, action, skipped);
    }

    /** The server starts one that is being stopped when that has ended. */
    private static boolean isStartable(Place place) {
        return place.isStopped() || place.isStopping() || place.state().equals("failed");
    }

    private static boolean isCanal(Place place) {
        return place.server().controlUrl() == null;
    }

    /**
     * The server that runs it comes first; last for a stop, after which another one would start it that is not stopped yet. A start that has to
     * wait for the end of a stop comes after those that need not wait, and may be rejected: the others take the instance over then.
     */
    private static Targets ordered(List<Place> places, @Nullable Place runner, String action, List<Place> skipped) {
        boolean isStop = action.equals("stop");
        boolean isStart = action.equals("start");
        List<Place> ordered = new ArrayList<>(places);
        if (runner != null && ordered.remove(runner)) {
            ordered.add(isStop ? ordered.size() : 0, runner);
        }
        if (isStart) {
            ordered.sort(Comparator.comparing(Place::isStopping));
        }
        return new Targets(List.copyOf(ordered), ordered.get(isStop ? ordered.size() - 1 : 0), isStart, skipped);
    }

    /**
     * Does something on several servers. It has failed if it has failed on the decisive one, or on all; what was not done on others is
     * reported. Only a stop has others before the decisive one.
     */
    private ActionResult onEach(Targets targets, Function<Place, ActionResult> action) {
        boolean isChanged = false;
        List<String> messages = new ArrayList<>();
        List<String> done = new ArrayList<>();
        ProblemException failure = null;
        try {
            for (Place place : targets.places()) {
                boolean isDecisive = place.equals(targets.decisive());
                try {
                    ActionResult result = action.apply(place);
                    isChanged |= result.changed();
                    done.add(place.server().name());
                    String own = result.message();
                    boolean isShown = targets.isOneEnough() ? done.size() == 1 : isDecisive;
                    if (isShown && own != null) {
                        messages.add(0, own);
                    }
                } catch (ProblemException e) {
                    if (isDecisive && !targets.isOneEnough()) {
                        throw done.isEmpty() ? e : withoutTakeOver(e, done);
                    }
                    failure = failure == null ? e : failure;
                    messages.add("Not done on all servers: " + e.problem().detail());
                }
            }
        } finally {
            targets.places().forEach(place -> fleet.hurry(place.server().id()));
        }
        if (failure != null && done.isEmpty()) {
            throw failure;
        }
        if (!targets.skipped().isEmpty()) {
            messages.add("Not done on %s: a server that was not asked may take the instance over."
                    .formatted(targets.skipped().stream()
                            .map(InstanceActions::whyNotAsked)
                            .collect(Collectors.joining(", "))));
        }
        return new ActionResult(isChanged, messages.isEmpty() ? null : String.join(" ", messages));
    }

    /** The failure of a stop, which has stopped the instance only where it does not run. */
    private static ProblemException withoutTakeOver(ProblemException failure, List<String> stopped) {
        return ProblemException.of(
                HttpStatus.valueOf(failure.problem().status()),
                "%s It was stopped on %s, which will not take it over until it is started there."
                        .formatted(failure.problem().detail(), String.join(", ", stopped)));
    }

    private static String whyNotAsked(Place place) {
        ServerState state = place.status().state();
        String why = !state.isAnswering()
                ? state.text()
                : isCanal(place) ? "it is managed by canal's protocol" : "it does not know the instance yet";
        return "%s (%s)".formatted(place.server().name(), why);
    }

    private ActionResult change(ServerRow server, String name, String action, @Nullable String body) {
        if (server.controlUrl() == null) {
            return byManagement(server, name, action);
        }
        ControlAnswer answer =
                calls.call(server, ControlCall.change("POST", ControlCall.instance(name, "/" + action), body, ""));
        JsonNode json = json(answer);
        return new ActionResult(json.path("changed").asBoolean(true), ReloadText.ofStart(json));
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
    public ActionResult pause(String name, boolean isAtPoint, String body) {
        InstanceView view = instance(name);
        Targets all = targets(view, "pause");
        Targets targets = isAtPoint ? new Targets(List.of(all.decisive()), all.decisive(), false, List.of()) : all;
        return onEach(targets, place -> change(place.server(), name, "pause", body));
    }

    /** Limits the rates on all servers that know it. */
    public ActionResult limit(String name, String body) {
        InstanceView view = instance(name);
        return onEach(targets(view, "limits"), place -> {
            calls.call(place.server(), ControlCall.change("PUT", ControlCall.instance(name, "/limits"), body, ""));
            return new ActionResult(true, null);
        });
    }

    /** Does something with all instances of a Sluice server, at the same time. */
    public ActionResult ofAll(ServerRow server, String action) {
        Fleet now = fleet.now();
        List<String> names = now.instances().values().stream()
                .filter(view -> view.places().stream()
                        .anyMatch(place -> place.server().id() == server.id() && isMeant(place, action)))
                .map(view -> view.summary().name())
                .toList();
        if (names.isEmpty()) {
            calls.call(server, ControlCall.get("/server")); // fails if the server cannot be asked at all
            requireReported(now.server(server.id()), server);
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

    /** A server that has answered again is without instances here until it has reported them. */
    private void requireReported(@Nullable ServerView view, ServerRow server) {
        if (view == null || !view.status().state().isAnswering()) {
            fleet.hurry(server.id());
            throw ProblemException.conflict(
                    "Nothing was done: %s answers, but which instances it has is not known at the moment. Try again in some seconds."
                            .formatted(server.name()));
        }
    }

    private static boolean isMeant(Place place, String action) {
        return switch (action) {
            case "start" -> isStartable(place);
            case "stop" -> place.knowsIt() && !place.isStopped();
            default -> place.isRunning();
        };
    }

    public static JsonNode json(ControlAnswer answer) {
        try {
            return answer.json();
        } catch (ControlFailure e) {
            throw ProblemException.badGateway(Sentences.of(String.valueOf(e.getMessage())));
        }
    }
}
