package io.sluice.deployer.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.protocol.text.PrintableText;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code status}: the state of the instances of a running server, once or as a table that is kept up to date. */
@Command(
        name = "status",
        description = "show the state, position, lag and rates of instances; the exit code is 1 if one needs attention")
final class StatusCommand extends ControlCommand {
    private static final String CLEAR = "\033[H\033[2J";

    @Parameters(arity = "0..*", paramLabel = "DESTINATION", description = "only these instances; else all")
    List<String> destinations = new ArrayList<>();

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = "2",
            description = "show it again every so many seconds, 2 if no number is given, until it is interrupted")
    int watch;

    StatusCommand(CommandContext context) {
        super(context);
    }

    @Override
    int run(ControlClient client) throws ControlCallException {
        if (watch <= 0) {
            ArrayNode chosen = chosen(client.call("GET", "/instances"));
            List<String> lines = new ArrayList<>(StatusTable.lines(chosen));
            JsonNode server = client.call("GET", "/server");
            boolean isInForce = !server.hasNonNull("configurationProblem");
            if (!isInForce) {
                lines.add("the server: its newest configuration is not in force: "
                        + server.path("configurationProblem").asText());
            }
            boolean isAlone = !server.hasNonNull("clusterProblem");
            if (!isAlone) {
                lines.add("the server: " + server.path("clusterProblem").asText());
            }
            print(chosen, String.join("\n", lines));
            return isWell(chosen) && isInForce && isAlone ? ExitCode.DONE : ExitCode.FAILED;
        }
        client.follow("/events?interval=" + watch, (name, data) -> {
            if (name.equals("instances")) {
                ArrayNode chosen = chosenOrAll(data);
                context.out()
                        .println(
                                control.json
                                        ? chosen
                                        : CLEAR + PrintableText.lines(String.join("\n", StatusTable.lines(chosen))));
            }
            return !context.out().checkError();
        });
        return ExitCode.DONE;
    }

    private ArrayNode chosenOrAll(JsonNode all) {
        ArrayNode chosen = JSON.createArrayNode();
        for (JsonNode instance : all) {
            if (destinations.isEmpty()
                    || destinations.contains(instance.path("destination").asText())) {
                chosen.add(instance);
            }
        }
        return chosen;
    }

    private ArrayNode chosen(JsonNode all) throws ControlCallException {
        ArrayNode chosen = chosenOrAll(all);
        for (String destination : destinations) {
            boolean isThere = false;
            for (JsonNode instance : chosen) {
                isThere |= destination.equals(instance.path("destination").asText());
            }
            if (!isThere) {
                throw new ControlCallException("there is no destination " + destination);
            }
        }
        return chosen;
    }

    private static boolean isWell(ArrayNode instances) {
        for (JsonNode instance : instances) {
            boolean isRight = instance.path("healthy").asBoolean()
                    && !instance.hasNonNull("configurationProblem")
                    && !instance.path("state").asText().equals("failed");
            if (!isRight) {
                return false;
            }
        }
        return true;
    }
}
