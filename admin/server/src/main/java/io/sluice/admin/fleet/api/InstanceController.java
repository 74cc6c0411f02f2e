package io.sluice.admin.fleet.api;

import io.sluice.admin.config.ConfigEdits;
import io.sluice.admin.config.InstanceRow;
import io.sluice.admin.fleet.action.ActionResult;
import io.sluice.admin.fleet.action.InstanceActions;
import io.sluice.admin.fleet.action.InstanceMove;
import io.sluice.admin.fleet.action.RecordedActions;
import io.sluice.admin.fleet.action.ServerCalls;
import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.InstanceDetail;
import io.sluice.admin.fleet.live.InstanceError;
import io.sluice.admin.fleet.live.InstanceSummary;
import io.sluice.admin.fleet.live.InstanceView;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.problem.ProblemException;
import jakarta.validation.Valid;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The calls about instances, but for streams. */
@RestController
@RequestMapping("/api/v2/instances")
class InstanceController {
    private static final Set<String> ACTIONS = Set.of("start", "stop", "restart", "release", "resume", "reload");
    private static final long REFRESH_SECONDS = 3;
    private static final JsonMapper JSON = new JsonMapper();

    private final FleetWatch fleet;
    private final ConfigEdits edits;
    private final InstanceMove move;
    private final InstanceActions actions;
    private final InstanceErrors errors;
    private final ServerCalls calls;
    private final Logs logs;
    private final RecordedActions recorded;

    InstanceController(
            FleetWatch fleet,
            ConfigEdits edits,
            InstanceMove move,
            InstanceActions actions,
            InstanceErrors errors,
            ServerCalls calls,
            Logs logs,
            RecordedActions recorded) {
        this.fleet = fleet;
        this.edits = edits;
        this.move = move;
        this.actions = actions;
        this.errors = errors;
        this.calls = calls;
        this.logs = logs;
        this.recorded = recorded;
    }

    @GetMapping
    Page<InstanceSummary> list(
            @RequestParam(required = false) @Nullable String search,
            @RequestParam(required = false) @Nullable Long cluster,
            @RequestParam(required = false) @Nullable Long server,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(required = false) @Nullable Boolean healthy,
            @RequestParam(required = false) @Nullable Boolean paused,
            @RequestParam(required = false) @Nullable String counted,
            @RequestParam(required = false) @Nullable String sort,
            @RequestParam(defaultValue = "1") int page,
            @RequestParam(defaultValue = "50") int size) {
        return Page.of(
                new InstanceQuery(search, cluster, server, state, healthy, paused, counted, sort).run(fleet.now()),
                page,
                size);
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    InstanceSummary create(@RequestBody @Valid InstanceInputs.NewInstance input) {
        Boolean enabled = input.enabled();
        return afterChange(edits.createInstance(
                input.name(),
                input.clusterId(),
                input.serverId(),
                input.content(),
                enabled == null || enabled,
                input.comment()));
    }

    @GetMapping("/{name}")
    InstanceDetail get(@PathVariable String name) {
        InstanceView view = actions.instance(name);
        return InstanceDetail.of(view, errors.ask(view).join());
    }

    @PutMapping("/{name}")
    InstanceSummary update(@PathVariable String name, @RequestBody @Valid InstanceInputs.InstanceInput input) {
        Boolean force = input.force();
        return afterChange(
                input.isMove()
                        ? move.move(name, input.clusterId(), input.serverId(), input.enabled(), force != null && force)
                        : edits.changeInstance(name, null, null, input.enabled()));
    }

    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String name) {
        edits.deleteInstance(name);
        refresh();
    }

    private InstanceSummary afterChange(InstanceRow row) {
        refresh();
        InstanceView view = fleet.now().instances().get(row.name());
        if (view == null) {
            throw notShownYet();
        }
        return view.summary();
    }

    private void refresh() {
        try {
            fleet.refresh().get(REFRESH_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw notShownYet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ProblemException notShownYet() {
        return ProblemException.of(
                HttpStatus.SERVICE_UNAVAILABLE, "It was changed, but cannot be shown yet. Load the page again.");
    }

    @GetMapping("/{name}/errors")
    List<InstanceError> errors(@PathVariable String name) {
        InstanceView view = actions.instance(name);
        ServerRow server = actions.asked(view);
        return server.controlUrl() == null
                ? List.of()
                : InstanceErrors.read(calls.call(server, ControlCall.get(ControlCall.instance(name, "/errors"))));
    }

    @GetMapping("/{name}/tables")
    InstanceTables tables(@PathVariable String name) {
        return InstanceTables.of(InstanceActions.json(ask(name, "/tables")));
    }

    @GetMapping("/{name}/cursor")
    Lines cursor(@PathVariable String name) {
        return Lines.of(ask(name, "/cursor"));
    }

    private ControlAnswer ask(String name, String rest) {
        return calls.call(actions.asked(actions.instance(name)), ControlCall.get(ControlCall.instance(name, rest)));
    }

    @GetMapping("/{name}/log")
    LogText log(
            @PathVariable String name,
            @RequestParam(defaultValue = "200") int lines,
            @RequestParam(required = false) @Nullable String file) {
        return logs.read(actions.asked(actions.instance(name)), name, lines, file);
    }

    @PostMapping("/{name}/actions/{action}")
    ActionResult act(@PathVariable String name, @PathVariable String action) {
        if (!ACTIONS.contains(action)) {
            throw ProblemException.badRequest(
                    "There are the actions start, stop, restart, release, resume and reload.");
        }
        return recorded(name, action, null, () -> actions.act(name, action));
    }

    @PostMapping("/{name}/pause")
    ActionResult pause(@PathVariable String name, @RequestBody @Valid InstanceInputs.PauseInput input) {
        ObjectNode body = JSON.createObjectNode();
        put(body, "position", input.position());
        put(body, "gtid", input.gtid());
        put(body, "time", input.time());
        put(body, "reason", input.reason());
        return recorded(name, "pause", body.toString(), () -> actions.pause(name, input.isAtPoint(), body.toString()));
    }

    @PutMapping("/{name}/limits")
    ActionResult limit(@PathVariable String name, @RequestBody @Valid InstanceInputs.LimitsInput input) {
        Long rows = input.rowsPerSecond();
        Long bytes = input.bytesPerSecond();
        if (rows == null && bytes == null) {
            throw ProblemException.badRequest("Give rowsPerSecond, bytesPerSecond or both.");
        }
        InstanceDetail.Limits now = rows == null || bytes == null ? limitsOf(name) : null;
        String body = JSON.createObjectNode()
                .put("rowsPerSecond", rows != null || now == null ? rows : Long.valueOf(now.rowsPerSecond()))
                .put("bytesPerSecond", bytes != null || now == null ? bytes : Long.valueOf(now.bytesPerSecond()))
                .toString();
        return recorded(name, "limits", body, () -> actions.limit(name, body));
    }

    /** The limits as they were reported last. */
    private InstanceDetail.Limits limitsOf(String name) {
        InstanceView view = actions.instance(name);
        if (view.asked().filter(InstanceView.Place::knowsIt).isEmpty()) {
            throw ProblemException.conflict(
                    "The limits of now are not known, since no server reports the instance. Give both.");
        }
        return InstanceDetail.of(view, List.of()).limits();
    }

    @PostMapping("/{name}/cursor")
    Lines moveCursor(@PathVariable String name, @RequestBody @Valid InstanceInputs.CursorInput input) {
        ObjectNode body = JSON.createObjectNode();
        put(body, "position", input.position());
        put(body, "gtid", input.gtid());
        put(body, "time", input.time());
        body.put("dryRun", input.dryRun());
        Boolean restart = input.restart();
        body.put("restart", restart != null && restart);
        ServerRow server = actions.asked(actions.instance(name));
        Supplier<Lines> move = () -> Lines.of(calls.call(
                server, ControlCall.change("POST", ControlCall.instance(name, "/cursor"), body.toString(), "")));
        return input.dryRun()
                ? move.get()
                : recorded.run(
                        "instance.cursor",
                        "instance " + name,
                        stateOf(name),
                        move,
                        body.toString(),
                        lines -> lines.with(RecordedActions.NOT_RECORDED));
    }

    private static void put(ObjectNode body, String name, @Nullable String value) {
        if (value != null) {
            body.put(name, value);
        }
    }

    /** Does something, and records that. */
    private ActionResult recorded(String name, String action, @Nullable String what, Supplier<ActionResult> change) {
        return recorded.run("instance." + action, "instance " + name, stateOf(name), what, change);
    }

    private String stateOf(String name) {
        InstanceView view = fleet.now().instances().get(name);
        if (view == null) {
            return "unknown";
        }
        return view.summary().paused() ? "paused" : view.summary().state();
    }

    /** Lines for people. */
    record Lines(List<String> lines) {
        static Lines of(ControlAnswer answer) {
            List<String> lines = new ArrayList<>();
            InstanceActions.json(answer).path("lines").forEach(line -> lines.add(line.asString("")));
            return new Lines(List.copyOf(lines));
        }

        /** Returns a copy with one more line. */
        Lines with(String line) {
            List<String> more = new ArrayList<>(lines);
            more.add(line);
            return new Lines(List.copyOf(more));
        }
    }
}
