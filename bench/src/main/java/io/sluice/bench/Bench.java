package io.sluice.bench;

import io.sluice.bench.e2e.EndToEndBench;
import io.sluice.bench.latency.LatencyBench;
import io.sluice.bench.micro.MicroBench;
import io.sluice.bench.stage.StageBench;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The program behind {@code bench.sh}. */
@Command(
        name = "bench.sh",
        mixinStandardHelpOptions = true,
        subcommands = {EndToEndBench.class, LatencyBench.class, StageBench.class, MicroBench.class})
public final class Bench {
    private Bench() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Bench())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(Bench::report);
    }

    /** A wrong combination of options is an IllegalArgumentException; all else is reported with its stack. */
    private static int report(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        if (failure instanceof IllegalArgumentException) {
            command.getErr().println(failure.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        StringWriter stack = new StringWriter();
        failure.printStackTrace(new PrintWriter(stack));
        command.getErr().println(stack);
        return CommandLine.ExitCode.SOFTWARE;
    }
}
