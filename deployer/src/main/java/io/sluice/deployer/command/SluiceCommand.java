package io.sluice.deployer.command;

import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code sluice.sh}: reads the arguments, and runs the verb that they name. */
@Command(
        name = "sluice.sh",
        synopsisHeading = SluiceCommand.SYNOPSIS_HEADING,
        customSynopsis = "sluice.sh VERB [ARGUMENTS]",
        commandListHeading = "",
        footer = {
            "  warm        make the archive of classes by which starts are quicker, after a first start",
            "",
            "sluice.sh help VERB, or --help after it, shows its options. Verbs from status to alarm call a running server.",
            "sluice.sh --version shows which version and commit this is, and which Java it runs on."
        },
        versionProvider = VersionText.class)
public final class SluiceCommand implements Callable<Integer> {
    static final String SYNOPSIS_HEADING = "usage: ";

    private static final int USAGE_WIDTH = 120;

    @Option(names = "--help", usageHelp = true, hidden = true)
    boolean help;

    @Option(names = "--version", versionHelp = true, hidden = true)
    boolean version;

    private final PrintWriter errors;
    private final CommandLine line;

    private SluiceCommand(CommandContext context) {
        errors = new PrintWriter(context.errors(), true, Charset.defaultCharset());
        line = new CommandLine(this)
                .addSubcommand(new CheckCommand(context))
                .addSubcommand(new RouteCommand(context))
                .addSubcommand(new CursorCommand(context))
                .addSubcommand(new StatusCommand(context))
                .addSubcommand(new ErrorsCommand(context))
                .addSubcommand(new LogCommand(context))
                .addSubcommand(new TailCommand(context));
        ChangeCommands.of(context).forEach(line::addSubcommand);
        line.addSubcommand(new AlarmCommand(context))
                .addSubcommand(new TokenCommand(context))
                .addSubcommand("completion", new CompletionCommand(context))
                .addSubcommand(help())
                .setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF))
                .setExpandAtFiles(false)
                .setOverwrittenOptionsAllowed(true)
                .setUsageHelpWidth(USAGE_WIDTH)
                .setOut(new PrintWriter(context.out(), true, Charset.defaultCharset()))
                .setErr(errors)
                .setParameterExceptionHandler((e, arguments) -> usageError(e));
        line.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, SluiceCommand::verbs);
    }

    private static CommandLine help() {
        CommandLine help = new CommandLine(new HelpCommand());
        help.getCommandSpec()
                .usageMessage()
                .customSynopsis("sluice.sh help [VERB]")
                .description("show what a verb does, and its options");
        return help;
    }

    /** Whether the arguments ask for anything but the version, which is known of a package with damaged plugins, too. */
    public static boolean needsConnectors(List<String> arguments) {
        return !arguments.equals(List.of("--version"));
    }

    /** Runs the verb that the first of the arguments names; returns the exit code. */
    public static int run(List<String> arguments, CommandContext context) {
        return new SluiceCommand(context).line.execute(arguments.toArray(String[]::new));
    }

    /**
     * Reads the arguments, and runs nothing.
     *
     * @throws ParameterException if there is no such verb or option, or a verb lacks what it needs
     */
    static void parse(List<String> arguments, CommandContext context) {
        new SluiceCommand(context).line.parseArgs(arguments.toArray(String[]::new));
    }

    /** Without a verb. */
    @Override
    public Integer call() {
        line.usage(errors);
        return ExitCode.FAILED;
    }

    /** The purpose of each verb. */
    private static String verbs(Help help) {
        return help.subcommands().entrySet().stream()
                .map(verb -> "  %-12s%s%n".formatted(verb.getKey(), purpose(verb.getValue())))
                .collect(Collectors.joining());
    }

    private static String purpose(Help verb) {
        return String.join(" ", verb.commandSpec().usageMessage().description());
    }

    private int usageError(ParameterException e) {
        errors.println(message(e));
        CommandLine where = e.getCommandLine();
        if (where == line) {
            where.usage(errors);
        } else {
            errors.print(SYNOPSIS_HEADING + where.getHelp().synopsis(SYNOPSIS_HEADING.length()));
            errors.flush();
        }
        return ExitCode.FAILED;
    }

    private String message(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String word = unmatched.getUnmatched().get(0);
            String kind = word.startsWith("-") ? "option " : e.getCommandLine() == line ? "verb " : "argument ";
            return "there is no " + kind + word;
        }
        if (e instanceof MissingParameterException missing) {
            ArgSpec argument = missing.getMissing().get(0);
            return argument instanceof OptionSpec option
                    ? option.longestName() + " needs a value"
                    : argument.paramLabel() + " is missing";
        }
        return String.valueOf(e.getMessage());
    }
}
