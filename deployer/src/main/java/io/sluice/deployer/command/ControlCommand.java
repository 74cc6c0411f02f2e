package io.sluice.deployer.command;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.text.PrintableText;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** A verb that calls a running server. */
abstract class ControlCommand implements Callable<Integer> {
    static final ObjectMapper JSON = new ObjectMapper();

    final CommandContext context;

    @Mixin
    final ControlOptions control = new ControlOptions();

    @Mixin
    final CommonOptions common = new CommonOptions();

    ControlCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public final Integer call() {
        try {
            return run(control.client(context, common));
        } catch (ControlCallException e) {
            context.errors().println(PrintableText.lines(String.valueOf(e.getMessage())));
            return ExitCode.FAILED;
        }
    }

    /** Does it; the result is the exit code. */
    abstract int run(ControlClient client) throws ControlCallException;

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    static String instance(String destination) {
        return "/instances/" + ControlClient.part(destination);
    }

    /** Prints the answer of the server, or a sentence about it. */
    final void print(JsonNode answer, String sentence) {
        context.out().println(control.json ? answer.toPrettyString() : PrintableText.lines(sentence));
    }
}
