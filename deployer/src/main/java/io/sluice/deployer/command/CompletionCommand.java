package io.sluice.deployer.command;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code completion}: the script by which shells complete the verbs and options. */
@Command(
        name = "completion",
        description =
                "print the script that completes verbs and options in bash and zsh: source <(sluice.sh completion)")
final class CompletionCommand implements Callable<Integer> {
    private final CommandContext context;

    @Mixin
    final CommonOptions common = new CommonOptions();

    CompletionCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        context.out().print(AutoComplete.bash("sluice.sh", common.verb.root().commandLine()));
        context.out().flush();
        return ExitCode.DONE;
    }
}
