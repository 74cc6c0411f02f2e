package io.sluice.deployer.command;

import io.sluice.deployer.command.Arguments.UsageException;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.Configuration;
import io.sluice.server.cursor.CursorAdmin;
import io.sluice.server.cursor.CursorRefusedException;
import io.sluice.server.cursor.CursorTarget;
import io.sluice.server.cursor.InstanceCursors;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Shows and changes how far the clients of an instance have got. */
public final class CursorCommand implements Command {
    /** Says that this machine's server runs, and as which process; set by the script. */
    static final String SERVER_PROCESS = "sluice.server.pid";

    @Override
    public String name() {
        return "cursor";
    }

    @Override
    public String arguments() {
        return "show|set|rewind|delete|restore DESTINATION [--client N]"
                + " [--to FILE:OFFSET|oldest|newest | --gtid SET | --time T] [--dry-run] [--conf FILE]";
    }

    @Override
    public String summary() {
        return "show or change how far a client of an instance has got; changes need a stopped instance";
    }

    @Override
    public int run(List<String> arguments, CommandContext context) {
        try {
            return run(CursorArguments.read(arguments), context);
        } catch (UsageException e) {
            context.errors().println(e.getMessage());
            context.errors().println("usage: sluice.sh cursor " + arguments());
            return FAILED;
        } catch (CursorRefusedException e) {
            context.errors().println(e.getMessage());
            return FAILED;
        }
    }

    private static int run(CursorArguments arguments, CommandContext context)
            throws UsageException, CursorRefusedException {
        Path file = context.configFile(arguments.configFile());
        Configuration configuration;
        try {
            configuration = context.load(file);
        } catch (ConfigException e) {
            context.errors().println(e.getMessage());
            return BAD_CONFIGURATION;
        }
        Optional<String> server = Optional.ofNullable(
                        context.environment().systemProperties().get(SERVER_PROCESS))
                .filter(pid -> !pid.isBlank())
                .map(pid -> "this server, process " + pid + ",");
        try (CursorAdmin desk = new CursorAdmin(configuration, server)) {
            lines(arguments, desk.of(arguments.destination()))
                    .forEach(line -> context.out().println(line));
        }
        return DONE;
    }

    private static List<String> lines(CursorArguments arguments, InstanceCursors cursors)
            throws UsageException, CursorRefusedException {
        return switch (arguments.action()) {
            case "show" -> cursors.show();
            case "set" -> cursors.move(arguments.client(), target(arguments), false, arguments.dryRun());
            case "rewind" -> cursors.move(arguments.client(), target(arguments), true, arguments.dryRun());
            case "delete" -> cursors.delete(arguments.client(), arguments.dryRun());
            case "restore" -> cursors.restore(arguments.dryRun());
            default -> throw new UsageException("there is no action " + arguments.action());
        };
    }

    private static CursorTarget target(CursorArguments arguments) throws UsageException {
        return arguments
                .target()
                .orElseThrow(() -> new UsageException(arguments.action() + " needs --to, --gtid or --time"));
    }
}
