package io.sluice.admin.fleet.api;

import io.sluice.admin.canal.ManagementRequest;
import io.sluice.admin.config.UnreadChanges;
import io.sluice.admin.fleet.action.ActionResult;
import io.sluice.admin.fleet.action.InstanceActions;
import io.sluice.admin.fleet.action.RecordedActions;
import io.sluice.admin.fleet.action.ReloadText;
import io.sluice.admin.fleet.action.Sentences;
import io.sluice.admin.fleet.action.ServerCalls;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.control.ControlUrl;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.ServerView;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.problem.ProblemException;
import jakarta.validation.Valid;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The calls about servers. */
@RestController
@RequestMapping("/api/v2/servers")
class ServerController {
    private static final Set<String> ACTIONS = Set.of("start", "stop", "restart", "reload");
    private static final long REFRESH_SECONDS = 3;

    private final Servers servers;
    private final ServerTrial trial;
    private final ServerCalls calls;
    private final InstanceActions actions;
    private final Logs logs;
    private final FleetWatch fleet;
    private final UnreadChanges unread;
    private final RecordedActions recorded;

    ServerController(
            Servers servers,
            ServerTrial trial,
            ServerCalls calls,
            InstanceActions actions,
            Logs logs,
            FleetWatch fleet,
            UnreadChanges unread,
            RecordedActions recorded) {
        this.servers = servers;
        this.trial = trial;
        this.calls = calls;
        this.actions = actions;
        this.logs = logs;
        this.fleet = fleet;
        this.unread = unread;
        this.recorded = recorded;
    }

    @GetMapping
    Page<ServerJson> list(
            @RequestParam(required = false) @Nullable String search,
            @RequestParam(required = false) @Nullable Long cluster,
            @RequestParam(required = false) @Nullable String state,
            @RequestParam(defaultValue = "1") int page,
            @RequestParam(defaultValue = "50") int size) {
        String text = search == null ? "" : search.strip().toLowerCase(Locale.ROOT);
        List<ServerView> found = fleet.now().servers().stream()
                .filter(server -> text.isEmpty()
                        || server.row().name().toLowerCase(Locale.ROOT).contains(text)
                        || server.row().ip().toLowerCase(Locale.ROOT).contains(text))
                .filter(server -> cluster == null || isOf(server.row(), cluster))
                .filter(server ->
                        state == null || server.status().state().text().equals(state))
                .toList();
        Page<ServerView> views = Page.of(found, page, size);
        return new Page<>(views.items().stream().map(ServerJson::of).toList(), views.total(), page, size);
    }

    private static boolean isOf(ServerRow row, long cluster) {
        Long own = row.clusterId();
        return cluster == 0 ? own == null : own != null && own == cluster;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    ServerJson create(@RequestBody @Valid ServerInput input) {
        return afterChange(servers.add(input));
    }

    @PostMapping("/test")
    ServerTest test(@RequestBody @Valid ServerInput input, @RequestParam(required = false) @Nullable Long id) {
        ControlUrl url = Servers.url(input);
        String token = url == null ? "" : servers.tokenToTry(id, url, input.controlToken());
        ServerTest result = trial.run(input.ip().strip(), input.adminPort(), url, token);
        if (id != null) {
            fleet.hurry(id); // what was found now is to be seen on the pages, too
        }
        return result;
    }

    @GetMapping("/{id}")
    ServerJson get(@PathVariable long id) {
        ServerView view = fleet.now().server(id);
        return view == null ? ServerJson.of(servers.get(id)) : ServerJson.of(view);
    }

    @PutMapping("/{id}")
    ServerJson update(@PathVariable long id, @RequestBody @Valid ServerInput input) {
        return afterChange(servers.update(id, input));
    }

    @PatchMapping("/{id}")
    ServerJson change(@PathVariable long id, @RequestBody ObjectNode changed) {
        return afterChange(servers.change(id, changed));
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable long id) {
        servers.delete(id);
        refresh();
    }

    private ServerJson afterChange(ServerRow row) {
        refresh();
        ServerView view = fleet.now().server(row.id());
        return view == null || !view.row().equals(row) ? ServerJson.of(row) : ServerJson.of(view);
    }

    /** So that a list that is read next has what was changed. */
    private void refresh() {
        try {
            fleet.refresh().get(REFRESH_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw ProblemException.of(
                    HttpStatus.SERVICE_UNAVAILABLE, "It was changed, but cannot be shown yet. Load the page again.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @PostMapping("/{id}/{action}")
    ActionResult act(@PathVariable long id, @PathVariable String action) {
        ServerRow server = servers.get(id);
        if (!ACTIONS.contains(action)) {
            throw ProblemException.badRequest("There are the actions start, stop, restart and reload.");
        }
        String before = stateOf(id);
        try {
            return recorded.run("server." + action, "server " + server.name(), before, null, () -> run(server, action));
        } finally {
            fleet.hurry(id);
        }
    }

    private String stateOf(long id) {
        ServerView view = fleet.now().server(id);
        return view == null ? "unknown" : view.status().state().text();
    }

    private ActionResult run(ServerRow server, String action) {
        if (action.equals("reload")) {
            return reload(server);
        }
        if (server.controlUrl() != null) {
            return actions.ofAll(server, action);
        }
        String answer = calls.manage(server, ManagementRequest.server(action)).get(0);
        return new ActionResult(answer.equals("1"), null);
    }

    private ActionResult reload(ServerRow server) {
        long newest = unread.newest();
        try {
            JsonNode report = calls.call(server, ControlCall.change("POST", "/reload", null, ""))
                    .json();
            if (report.path("serverProblems").isEmpty()) {
                unread.read(server.id(), newest);
            }
            return ReloadText.of(report);
        } catch (ControlFailure e) {
            throw ProblemException.badGateway(Sentences.of(String.valueOf(e.getMessage())));
        }
    }

    @GetMapping("/{id}/log")
    LogText log(
            @PathVariable long id,
            @RequestParam(defaultValue = "200") int lines,
            @RequestParam(required = false) @Nullable String file) {
        return logs.read(servers.get(id), "", lines, file);
    }
}
