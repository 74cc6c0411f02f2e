package io.sluice.deployer.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs that change what the instances of a running server do. */
final class ChangeCommands {
    private static final String NOT_IN_FORCE = "not in force: ";
    private static final String NEEDS_RESTART = "needs a restart of the server: ";

    private ChangeCommands() {}

    /** What of the server's configuration has no effect yet, as the answer of a command that has read it says. */
    static List<String> withoutEffect(JsonNode answer) {
        List<String> lines = new ArrayList<>();
        if (answer.hasNonNull("serverProblem")) {
            lines.add(NOT_IN_FORCE + answer.path("serverProblem").asText());
        }
        answer.path("restartKeys").forEach(key -> lines.add(NEEDS_RESTART + key.asText()));
        return lines;
    }

    /** All of them. */
    static List<Object> of(CommandContext context) {
        return List.of(
                new Start(context),
                new Stop(context),
                new Restart(context),
                new Release(context),
                new Pause(context),
                new Resume(context),
                new Limit(context),
                new Reload(context));
    }

    /** One that is a call without arguments for each of some instances. */
    abstract static class Simple extends ControlCommand {
        @Parameters(paramLabel = "DESTINATION", arity = "1..*", description = "the instances")
        List<String> destinations = new ArrayList<>();

        private final String verb;
        private final String done;
        private final String notNeeded;

        Simple(CommandContext context, String verb, String done, String notNeeded) {
            super(context);
            this.verb = verb;
            this.done = done;
            this.notNeeded = notNeeded;
        }

        ObjectNode body() {
            return object();
        }

        @Override
        final int run(ControlClient client) throws ControlCallException {
            for (String destination : destinations) {
                JsonNode answer = client.call("POST", instance(destination) + "/" + verb, body());
                boolean isChanged = answer.path("changed").asBoolean(true);
                List<String> lines = new ArrayList<>();
                lines.add(destination + " " + (isChanged ? done : notNeeded) + "; " + StatusTable.sentence(answer));
                lines.addAll(withoutEffect(answer));
                print(answer, String.join("\n", lines));
            }
            return ExitCode.DONE;
        }
    }

    /** Starts instances. */
    @Command(name = "start", description = "start stopped or failed instances, as they are configured now")
    static final class Start extends Simple {
        Start(CommandContext context) {
            super(context, "start", "was started", "runs already");
        }
    }

    /** Stops instances. */
    @Command(name = "stop", description = "stop instances until they are started: what is in flight is delivered")
    static final class Stop extends Simple {
        Stop(CommandContext context) {
            super(context, "stop", "was stopped", "was stopped already");
        }
    }

    /** Restarts instances. */
    @Command(name = "restart", description = "stop instances, and start them as they are configured now")
    static final class Restart extends Simple {
        Restart(CommandContext context) {
            super(context, "restart", "was restarted", "");
        }
    }

    /** Leaves instances to other servers. */
    @Command(name = "release", description = "leave instances to the other servers of a cluster")
    static final class Release extends Simple {
        Release(CommandContext context) {
            super(context, "release", "was released", "");
        }
    }

    /** Resumes instances. */
    @Command(name = "resume", description = "end a pause")
    static final class Resume extends Simple {
        Resume(CommandContext context) {
            super(context, "resume", "is not paused any more", "");
        }
    }

    /** Pauses instances. */
    @Command(
            name = "pause",
            description = "deliver nothing more, now or from a position in the stream on; nothing is lost")
    static final class Pause extends Simple {
        @ArgGroup
        @Nullable Point point;

        @Option(names = "--reason", paramLabel = "TEXT", description = "shown in the status and the audit log")
        String reason = "";

        Pause(CommandContext context) {
            super(context, "pause", "will be paused, or is", "was paused already");
        }

        /** Where to pause: one of the options. */
        static final class Point {
            @Option(names = "--to", paramLabel = "FILE:OFFSET", description = "at the first transaction there")
            @Nullable String position;

            @Option(names = "--gtid", paramLabel = "SET", description = "after the last transaction of a set")
            @Nullable String gtid;

            @Option(
                    names = "--time",
                    paramLabel = "T",
                    description = "before the first transaction of 2026-03-01T10:00:00Z or later")
            @Nullable String time;
        }

        @Override
        ObjectNode body() {
            ObjectNode body = object();
            Point at = point;
            if (at != null) {
                put(body, "position", at.position);
                put(body, "gtid", at.gtid);
                put(body, "time", at.time);
            }
            put(body, "reason", reason.isBlank() ? null : reason);
            return body;
        }

        private static void put(ObjectNode body, String name, @Nullable String value) {
            if (value != null) {
                body.put(name, value);
            }
        }
    }

    /** Limits an instance. */
    @Command(name = "limit", description = "limit how many rows or bytes an instance delivers in a second, from now on")
    static final class Limit extends ControlCommand {
        @Parameters(index = "0", paramLabel = "DESTINATION", description = "the instance")
        String destination = "";

        @Option(names = "--rows", paramLabel = "N", description = "rows in a second; 0: any number")
        long rows;

        @Option(names = "--bytes", paramLabel = "N", description = "bytes of messages in a second; 0: any number")
        long bytes;

        @Option(names = "--none", description = "without a limit")
        boolean none;

        Limit(CommandContext context) {
            super(context);
        }

        @Override
        int run(ControlClient client) throws ControlCallException {
            if (rows < 0 || bytes < 0) {
                throw common.usageError("--rows and --bytes must not be negative; --none is without a limit");
            }
            if (none == (rows > 0 || bytes > 0)) {
                throw common.usageError("limit needs --rows or --bytes, or --none");
            }
            JsonNode answer = client.call(
                    "PUT",
                    instance(destination) + "/limits",
                    object().put("rowsPerSecond", rows).put("bytesPerSecond", bytes));
            print(answer, destination + ": " + StatusTable.sentence(answer));
            return ExitCode.DONE;
        }
    }

    /** Reloads the configuration. */
    @Command(
            name = "reload",
            description =
                    "read the configuration, and take over what has changed; of one instance, restart it in any case")
    static final class Reload extends ControlCommand {
        @Parameters(arity = "0..1", paramLabel = "DESTINATION", description = "only this instance")
        @Nullable String destination;

        Reload(CommandContext context) {
            super(context);
        }

        @Override
        int run(ControlClient client) throws ControlCallException {
            String only = destination;
            JsonNode answer = client.call("POST", only == null ? "/reload" : instance(only) + "/reload");
            List<String> lines = new ArrayList<>();
            for (String change : List.of("added", "changed", "removed")) {
                answer.path(change).forEach(name -> lines.add(change + ": " + name.asText()));
            }
            answer.path("refused")
                    .properties()
                    .forEach(refused -> refused.getValue()
                            .forEach(line -> lines.add(NOT_IN_FORCE + refused.getKey() + ": " + line.asText())));
            answer.path("otherTables")
                    .forEach(
                            name -> lines.add(
                                    "its filter accepts other tables: " + name.asText()
                                            + " (sluice.sh status names those that are new or dropped, as soon as the source was asked)"));
            answer.path("serverProblems").forEach(line -> lines.add(NOT_IN_FORCE + line.asText()));
            answer.path("warnings").forEach(line -> lines.add("warning: " + line.asText()));
            answer.path("restartKeys").forEach(key -> lines.add(NEEDS_RESTART + key.asText()));
            print(answer, lines.isEmpty() ? "nothing has changed" : String.join("\n", lines));
            return answer.path("complete").asBoolean(false) ? ExitCode.DONE : ExitCode.FAILED;
        }
    }
}
