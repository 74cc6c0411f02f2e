package io.sluice.admin.fleet.api;

import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.Owner;
import io.sluice.admin.config.StoredText;
import io.sluice.admin.fleet.action.InstanceActions;
import io.sluice.admin.fleet.action.Sentences;
import io.sluice.admin.fleet.action.ServerCalls;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.problem.ConfigProblem;
import io.sluice.admin.problem.ConfigProblem.Severity;
import io.sluice.admin.problem.ProblemException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Lets a server try what a configuration needs: it reaches what this one may not reach. */
@RestController
class ConnectController {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String INSTANCE = "instance.properties";
    private static final Set<String> VERDICTS = Set.of("ok", "warning", "failed", "unknown");

    /** As many as {@code /config/route} takes. */
    private static final int MAX_TABLES = 1_000;

    private final Servers servers;
    private final ServerCalls calls;
    private final ConfigStore configurations;

    ConnectController(Servers servers, ServerCalls calls, ConfigStore configurations) {
        this.servers = servers;
        this.calls = calls;
        this.configurations = configurations;
    }

    /** A configuration, and the server that tries it. */
    record ConnectInput(
            @NotNull @Size(max = ConfigStore.MAX_LENGTH) String content,
            @NotBlank @Size(max = 100) String name,
            @NotNull Long serverId,
            @Nullable Long ownerClusterId,
            @Nullable Long ownerServerId) {
        /** Without the content. */
        @Override
        public String toString() {
            return "ConnectInput[name=" + name + ", serverId=" + serverId + "]";
        }
    }

    /** What was found out about something. */
    record ConnectVerdict(
            String target,
            String what,
            String verdict,
            String message,
            @Nullable String remedy) {}

    /** Tables of a source. */
    record TableNames(List<String> tables, int visible, int accepted, boolean truncated) {}

    @PostMapping("/api/v2/config/connect")
    List<ConnectVerdict> connect(@RequestBody @Valid ConnectInput input) {
        List<ConnectVerdict> verdicts = new ArrayList<>();
        for (JsonNode target : ask(input, "connect").path("targets")) {
            for (JsonNode finding : target.path("findings")) {
                String verdict = finding.path("verdict").asString("");
                verdicts.add(new ConnectVerdict(
                        target.path("target").asString(""),
                        finding.path("subject").asString(""),
                        VERDICTS.contains(verdict) ? verdict : "unknown",
                        finding.path("evidence").asString(""),
                        remedy(finding)));
            }
        }
        return verdicts;
    }

    @PostMapping("/api/v2/config/tables")
    TableNames tables(@RequestBody @Valid ConnectInput input) {
        JsonNode answer = ask(input, "tables");
        JsonNode failure = answer.path("failure");
        if (failure.isObject()) {
            String what = failure.path("subject").asString("") + ": "
                    + failure.path("evidence").asString("");
            String remedy = remedy(failure);
            throw ProblemException.badGateway(Sentences.of(what) + (remedy == null ? "" : " " + Sentences.of(remedy)));
        }
        List<String> names = new ArrayList<>();
        for (JsonNode table : answer.path("tables")) {
            if (names.size() < MAX_TABLES) {
                names.add(table.path("schema").asString("") + "."
                        + table.path("table").asString(""));
            }
        }
        return new TableNames(
                names,
                answer.path("visible").asInt(names.size()),
                answer.path("delivered").asInt(0),
                answer.path("truncated").asBoolean(false));
    }

    private static @Nullable String remedy(JsonNode finding) {
        String remedy = finding.path("remedy").asString("");
        return remedy.isEmpty() ? null : remedy;
    }

    private JsonNode ask(ConnectInput input, String what) {
        ServerRow server = serverOf(input.serverId());
        if (server.controlUrl() == null) {
            throw unsupported(server);
        }
        ObjectNode body =
                JSON.createObjectNode().put("destination", input.name()).put("instance.properties", input.content());
        otherOwner(input, server)
                .flatMap(configurations::text)
                .map(StoredText::content)
                .ifPresent(text -> body.put("canal.properties", text));
        ControlCall call = ControlCall.change("POST", "/config/" + what, body.toString(), "");
        JsonNode answer = InstanceActions.json(calls.waitFor(
                calls.start(server, call).exceptionally(failure -> {
                    throw problemOf(failure, server);
                }),
                server));
        requireNoProblems(answer);
        return answer;
    }

    /** The server would not run it as it is, so there is nothing to try. */
    private static void requireNoProblems(JsonNode answer) {
        List<ConfigProblem> problems = new ArrayList<>();
        for (JsonNode problem : answer.path("problems")) {
            boolean isOwn = problem.path("text").asString("").equals(INSTANCE);
            String key = problem.path("key").asString("");
            int line = problem.path("line").asInt(0);
            String where =
                    isOwn ? "" : ", at " + problem.path("text").asString("") + (line > 0 ? ", line " + line : "");
            problems.add(new ConfigProblem(
                    key.isEmpty() ? null : key,
                    isOwn && line > 0 ? Integer.valueOf(line) : null,
                    Severity.ERROR,
                    problem.path("problem").asString("") + where));
        }
        if (!problems.isEmpty()) {
            throw ProblemException.unusable(
                    "The configuration has errors, so nothing was tried. Correct them first.", problems);
        }
    }

    /**
     * Whose file has what the instance's does not say; empty if it is the one that the trying server has. That one is in force there, with
     * all that it takes from files, whether it comes from here or not.
     */
    private Optional<Owner> otherOwner(ConnectInput input, ServerRow trying) {
        Owner own = ownerOf(trying);
        Owner owner = input.ownerClusterId() != null
                ? Owner.cluster(input.ownerClusterId())
                : input.ownerServerId() != null ? ownerOf(serverOf(input.ownerServerId())) : own;
        return owner.equals(own) ? Optional.empty() : Optional.of(owner);
    }

    private static Owner ownerOf(ServerRow server) {
        Long cluster = server.clusterId();
        return cluster == null ? Owner.server(server.id()) : Owner.cluster(cluster);
    }

    private ServerRow serverOf(long id) {
        try {
            return servers.get(id);
        } catch (ProblemException e) {
            throw ProblemException.badRequest("There is no such server.");
        }
    }

    /** The message of the server, with the remedy here. */
    private static RuntimeException problemOf(Throwable failure, ServerRow server) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ControlFailure known) {
            switch (known.status()) {
                case 404, 405 -> {
                    return unsupported(server);
                }
                case 403 -> {
                    return ProblemException.badGateway(
                            Sentences.of(server.name() + ": " + known.getMessage())
                                    + " Make one with `sluice.sh token add admin --role administrator` on that server, and enter it here.");
                }
                case 413 -> {
                    return ProblemException.badGateway(
                            "The configuration of the instance and that of its server are too large together to be tried: %s takes 64 KiB."
                                    .formatted(server.name()));
                }
                default -> {}
            }
        }
        return new CompletionException(cause);
    }

    private static ProblemException unsupported(ServerRow server) {
        return ProblemException.badGateway(
                "%s cannot try configurations: that needs a Sluice server of this version, with its control URL."
                        .formatted(server.name()));
    }
}
