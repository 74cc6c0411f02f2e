package io.sluice.deployer.command;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code alarm test}: has a running server post an alarm to each of its web hooks. */
@Command(
        name = "alarm",
        description = "send a test alarm to each web hook that is configured, and show what they answer")
final class AlarmCommand extends ControlCommand {
    @Parameters(index = "0", paramLabel = "test", description = "what to do; there is only this")
    String action = "";

    AlarmCommand(CommandContext context) {
        super(context);
    }

    @Override
    int run(ControlClient client) throws ControlCallException {
        if (!action.equals("test")) {
            throw common.usageError("there is no action " + action);
        }
        JsonNode answer = client.call("POST", "/alarm/test");
        List<String> lines = new ArrayList<>();
        for (JsonNode webhook : answer.path("webhooks")) {
            lines.add("web hook %d (%s): %s"
                    .formatted(
                            webhook.path("webhook").asInt(),
                            webhook.path("format").asText(),
                            webhook.path("delivered").asBoolean()
                                    ? "accepted"
                                    : "not accepted: " + webhook.path("detail").asText()));
        }
        print(answer, String.join("\n", lines));
        return answer.path("delivered").asBoolean() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
