package io.sluice.deployer.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code errors}: the newest errors of an instance of a running server. */
@Command(name = "errors", description = "show the newest errors of an instance, with what to do")
final class ErrorsCommand extends ControlCommand {
    @Parameters(index = "0", paramLabel = "DESTINATION", description = "the instance")
    String destination = "";

    ErrorsCommand(CommandContext context) {
        super(context);
    }

    @Override
    int run(ControlClient client) throws ControlCallException {
        JsonNode errors = client.call("GET", instance(destination) + "/errors");
        List<String> lines = new ArrayList<>();
        for (JsonNode error : errors) {
            int times = error.path("times").asInt();
            lines.add("%s %s, %s%s: %s%n    %s"
                    .formatted(
                            error.path("time").asText(),
                            error.path("part").asText(),
                            error.path("kind").asText(),
                            times > 1 ? ", " + times + " times" : "",
                            error.path("message").asText(),
                            error.path("remedy").asText()));
        }
        print(errors, lines.isEmpty() ? "no errors since the server was started" : String.join("\n", lines));
        return ExitCode.DONE;
    }
}
