package io.sluice.deployer;

import io.sluice.deployer.command.CheckCommand;
import io.sluice.deployer.command.Command;
import io.sluice.deployer.command.CommandContext;
import io.sluice.deployer.command.CursorCommand;
import io.sluice.deployer.command.RouteCommand;
import io.sluice.server.config.Environment;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;

/** The process behind {@code sluice.sh}: does what a verb says, beside a running server or without one, and ends. */
public final class Tool {
    private static final List<Command> COMMANDS = List.of(new CheckCommand(), new RouteCommand(), new CursorCommand());

    private Tool() {}

    public static void main(String[] arguments) {
        Path bin = Path.of("").toAbsolutePath();
        ClassLoader resources = ResourceFolder.loader(bin.resolve("../conf").normalize());
        Thread.currentThread().setContextClassLoader(resources);
        Connectors connectors =
                new Connectors(new PluginLoader(bin.resolve("../plugin").normalize(), resources));
        try {
            connectors.load();
        } catch (IOException | LinkageError | ServiceConfigurationError e) {
            System.err.println("the connectors cannot be loaded: " + e);
            System.exit(Command.FAILED);
        }
        CommandContext context = new CommandContext(
                Launcher.configFile(System.getProperty("canal.conf", "classpath:canal.properties"), bin),
                bin,
                Path.of(System.getProperty("sluice.caller.directory", bin.toString())),
                Environment.ofThisProcess(),
                connectors,
                System.out,
                System.err);
        System.exit(run(List.of(arguments), context));
    }

    /** Does what the first of the arguments says; the result is the exit code. */
    static int run(List<String> arguments, CommandContext context) {
        String verb = arguments.isEmpty() ? "" : arguments.get(0);
        for (Command command : COMMANDS) {
            if (command.name().equals(verb)) {
                return command.run(arguments.subList(1, arguments.size()), context);
            }
        }
        boolean asked = verb.equals("help") || verb.equals("--help");
        PrintStream to = asked ? context.out() : context.errors();
        if (!asked && !verb.isEmpty()) {
            to.println("there is no verb " + verb);
        }
        to.println("usage: sluice.sh VERB [ARGUMENTS]");
        for (Command command : COMMANDS) {
            to.println("  " + command.name() + " " + command.arguments());
            to.println("      " + command.summary());
        }
        // By the script itself.
        to.println("  warm\n      make the archive of classes by which starts are quicker, after a first start");
        return asked ? Command.DONE : Command.FAILED;
    }
}
