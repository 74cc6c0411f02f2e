package io.sluice.deployer.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Warning;
import io.sluice.server.cursor.CursorAdmin;
import io.sluice.server.cursor.CursorRejectedException;
import io.sluice.server.cursor.CursorTarget;
import io.sluice.server.cursor.InstanceCursors;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows and changes the cursors of an instance. */
@Command(
        name = "cursor",
        description = "show or change how far a client of an instance has got; changes need a stopped instance")
final class CursorCommand implements Callable<Integer> {
    private final CommandContext context;

    @Parameters(
            index = "0",
            paramLabel = "show|set|rewind|delete|restore",
            description =
                    "set moves the cursor, rewind never moves it ahead, delete removes the client, restore takes the"
                            + " last change back")
    String action = "";

    @Parameters(index = "1", paramLabel = "DESTINATION", description = "the instance")
    String destination = "";

    @Option(names = "--client", paramLabel = "N", description = "another client than ${DEFAULT-VALUE}")
    int client = 1001;

    @ArgGroup
    @Nullable Where where;

    @Option(names = "--dry-run", description = "only say what would be sent again or skipped")
    boolean dryRun;

    @Option(
            names = "--restart",
            description =
                    "have the running server stop the instance, which may have failed, change the cursor, and start the instance again")
    boolean restart;

    @Mixin
    final ControlOptions control = new ControlOptions();

    @Mixin
    final CommonOptions common = new CommonOptions();

    CursorCommand(CommandContext context) {
        this.context = context;
    }

    /** Where a cursor is moved to: one of the options. */
    static final class Where {
        @Option(
                names = "--to",
                paramLabel = "FILE:OFFSET|oldest|newest",
                description = "between two transactions, or at the end of one; the begin or the end of the binlog")
        @Nullable String to;

        @Option(names = "--gtid", paramLabel = "SET", description = "the first transaction that is not in the set")
        @Nullable String gtid;

        @Option(
                names = "--time",
                paramLabel = "T",
                description =
                        "the first transaction at or after 2026-03-01T10:00:00Z, '2026-03-01 10:00:00' of this machine, or"
                                + " milliseconds")
        @Nullable String time;

        CursorTarget target() {
            if (to != null) {
                return CursorTarget.parse(to);
            }
            return time == null ? new CursorTarget.After(String.valueOf(gtid)) : CursorTarget.parseTime(time);
        }
    }

    @Override
    public Integer call() {
        Optional<CursorTarget> target = target();
        if (client < 0) {
            throw common.usageError("not a client's number: " + client);
        }
        if (restart || control.url != null) {
            return callServer();
        }
        Path file = context.configFile(common.configFile());
        Configuration configuration;
        try {
            configuration = context.load(file, destination);
        } catch (ConfigException e) {
            context.errors().println(e.getMessage());
            return ExitCode.BAD_CONFIGURATION;
        }
        configuration.warnings().stream()
                .filter(Warning.OfAnotherInstance.class::isInstance)
                .forEach(warning -> context.errors().println("note: " + warning));
        try (CursorAdmin admin = new CursorAdmin(configuration, context.runningServer())) {
            lines(target, admin.of(destination)).forEach(context.out()::println);
        } catch (CursorRejectedException e) {
            context.errors().println(e.getMessage());
            return ExitCode.FAILED;
        }
        return ExitCode.DONE;
    }

    /** Has a running server do it. */
    private int callServer() {
        try {
            ControlClient server = control.client(context, common);
            String path = "/instances/" + ControlClient.part(destination) + "/cursor";
            JsonNode answer;
            if (action.equals("show")) {
                answer = server.call("GET", path);
            } else if (action.equals("set") || action.equals("rewind")) {
                answer = server.call("POST", path, moveBody(), ControlClient.SEARCH_LIMIT);
            } else if (action.equals("delete")) {
                answer = server.call("POST", path + "/delete", body().put("client", client));
            } else if (action.equals("restore")) {
                answer = server.call("POST", path + "/restore", body());
            } else {
                throw noSuchAction();
            }
            return show(answer);
        } catch (ControlCallException e) {
            context.errors().println(e.getMessage());
            return ExitCode.FAILED;
        }
    }

    /** Shows what was done, and as an error that the instance was not started again after it. */
    private int show(JsonNode answer) {
        String notStarted = answer.path("notStarted").asText();
        if (control.json) {
            context.out().println(answer.toPrettyString());
        } else {
            answer.path("lines").forEach(line -> {
                if (!line.asText().equals(notStarted)) {
                    context.out().println(line.asText());
                }
            });
            ChangeCommands.withoutEffect(answer).forEach(context.out()::println);
        }
        if (notStarted.isEmpty()) {
            return ExitCode.DONE;
        }
        context.errors().println(notStarted);
        return ExitCode.FAILED;
    }

    private ObjectNode body() {
        return ControlCommand.object().put("dryRun", dryRun).put("restart", restart);
    }

    private ObjectNode moveBody() {
        needed(target());
        ObjectNode body = body().put("client", client).put("onlyBack", action.equals("rewind"));
        Where wanted = where;
        if (wanted != null) {
            put(body, "position", wanted.to);
            put(body, "gtid", wanted.gtid);
            put(body, "time", wanted.time);
        }
        return body;
    }

    private static void put(ObjectNode body, String name, @Nullable String value) {
        if (value != null) {
            body.put(name, value);
        }
    }

    private Optional<CursorTarget> target() {
        try {
            return Optional.ofNullable(where).map(Where::target);
        } catch (IllegalArgumentException e) {
            throw common.usageError(e.getMessage());
        }
    }

    private List<String> lines(Optional<CursorTarget> target, InstanceCursors cursors) throws CursorRejectedException {
        return switch (action) {
            case "show" -> cursors.show();
            case "set" -> cursors.move(client, needed(target), false, dryRun);
            case "rewind" -> cursors.move(client, needed(target), true, dryRun);
            case "delete" -> cursors.delete(client, dryRun);
            case "restore" -> cursors.restore(dryRun);
            default -> throw noSuchAction();
        };
    }

    private ParameterException noSuchAction() {
        return common.usageError("there is no action " + action);
    }

    private CursorTarget needed(Optional<CursorTarget> target) {
        return target.orElseThrow(() -> common.usageError(action + " needs --to, --gtid or --time"));
    }
}
