package io.sluice.admin.fleet.api;

import io.sluice.admin.config.ConfigStore;
import io.sluice.admin.config.Owner;
import io.sluice.admin.config.StoredText;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.web.ProblemException;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.ArrayList;
import java.util.List;
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
    private static final int MAX_TABLES = 10_000;

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
            @NotNull Long serverId) {
        /** Without the content. */
        @Override
        public String toString() {
            return "ConnectInput[name=" + name + ", serverId=" + serverId + "]";
        }
    }

    /** What was found out about something. */
    record ConnectVerdict(
            String what,
            boolean ok,
            String message,
            @Nullable String remedy) {}

    /** Tables of a source. */
    record TableNames(List<String> tables, boolean truncated) {}

    @PostMapping("/api/v2/config/connect")
    List<ConnectVerdict> connect(@RequestBody @Valid ConnectInput input) {
        List<ConnectVerdict> verdicts = new ArrayList<>();
        for (JsonNode target : ask(input, "connect").path("targets")) {
            for (JsonNode finding : target.path("findings")) {
                String remedy = finding.path("remedy").asString("");
                verdicts.add(new ConnectVerdict(
                        target.path("target").asString("") + ": "
                                + finding.path("subject").asString(""),
                        !finding.path("verdict").asString("").equals("failed"),
                        finding.path("evidence").asString(""),
                        remedy.isEmpty() ? null : remedy));
            }
        }
        return verdicts;
    }

    @PostMapping("/api/v2/config/tables")
    TableNames tables(@RequestBody @Valid ConnectInput input) {
        JsonNode answer = ask(input, "tables");
        List<String> names = new ArrayList<>();
        for (JsonNode table : answer.path("tables")) {
            if (names.size() < MAX_TABLES) {
                names.add(table.asString(""));
            }
        }
        return new TableNames(names, answer.path("truncated").asBoolean(false));
    }

    private JsonNode ask(ConnectInput input, String what) {
        ServerRow server = serverOf(input);
        Long cluster = server.clusterId();
        ObjectNode body =
                JSON.createObjectNode().put("destination", input.name()).put("instance.properties", input.content());
        configurations
                .text(cluster == null ? Owner.server(server.id()) : Owner.cluster(cluster))
                .map(StoredText::content)
                .ifPresent(text -> body.put("canal.properties", text));
        ControlCall call = ControlCall.change("POST", "/config/" + what, body.toString(), "");
        if (server.controlUrl() == null) {
            throw unsupported(server);
        }
        try {
            return InstanceActions.json(calls.waitFor(
                    calls.start(server, call).exceptionally(failure -> {
                        if (isUnknown(failure)) {
                            throw unsupported(server);
                        }
                        throw new CompletionException(failure.getCause() == null ? failure : failure.getCause());
                    }),
                    server));
        } catch (ProblemException e) {
            throw e.problem().status() == 404
                    ? ProblemException.badGateway(e.problem().detail())
                    : e;
        }
    }

    private ServerRow serverOf(ConnectInput input) {
        try {
            return servers.get(input.serverId());
        } catch (ProblemException e) {
            throw ProblemException.badRequest("There is no such server.");
        }
    }

    private static boolean isUnknown(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof ControlFailure known && (known.status() == 404 || known.status() == 405);
    }

    private static ProblemException unsupported(ServerRow server) {
        return ProblemException.badGateway(
                "%s cannot try configurations: that needs a Sluice server of this version, with its control URL."
                        .formatted(server.name()));
    }
}
