package io.sluice.deployer.command;

import io.sluice.protocol.text.PrintableText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code log}: the end of a log of a running server. */
@Command(name = "log", description = "show the end of the log of the server, or of an instance")
final class LogCommand extends ControlCommand {
    @Parameters(arity = "0..1", paramLabel = "DESTINATION", description = "the instance; else the server")
    @Nullable String destination;

    @Option(names = "--lines", paramLabel = "N", description = "how many lines; ${DEFAULT-VALUE} if it is not given")
    int lines = 200;

    LogCommand(CommandContext context) {
        super(context);
    }

    @Override
    int run(ControlClient client) throws ControlCallException {
        String only = destination;
        context.out()
                .println(PrintableText.lines(
                        client.text((only == null ? "/log" : instance(only) + "/log") + "?lines=" + lines)));
        return ExitCode.DONE;
    }
}
