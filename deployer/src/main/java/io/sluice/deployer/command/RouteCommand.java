package io.sluice.deployer.command;

import io.sluice.deployer.command.Arguments.UsageException;
import io.sluice.server.check.RouteCheck;
import io.sluice.server.check.RouteReport;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Reads the configuration as the server would, and says where the rows and the DDL of tables go, and why. */
public final class RouteCommand implements Command {
    @Override
    public String name() {
        return "route";
    }

    @Override
    public String arguments() {
        return "[--json] [--row COLUMN=VALUE,...]... [--conf FILE] DESTINATION SCHEMA.TABLE...";
    }

    @Override
    public String summary() {
        return "say which topic and partition the rows and the DDL of a table go to, and which rule says so";
    }

    @Override
    public int run(List<String> arguments, CommandContext context) {
        try {
            return route(RouteArguments.read(arguments), context);
        } catch (UsageException e) {
            context.errors().println(e.getMessage());
            context.errors().println("usage: sluice.sh route " + arguments());
            return FAILED;
        }
    }

    private static int route(RouteArguments arguments, CommandContext context) throws UsageException {
        Path file = context.configFile(arguments.configFile());
        Configuration configuration;
        try {
            configuration = context.load(file);
        } catch (ConfigException e) {
            CheckOutput output = arguments.json() ? new CheckJson(context.out()) : new CheckText(context.out(), false);
            output.badConfiguration(file, e.problems());
            return BAD_CONFIGURATION;
        }
        InstanceConfig instance = chosen(configuration.instances(), arguments.destination());
        if (!configuration.server().mode().isQueue()) {
            context.errors()
                    .println("clients pull from this server, so that nothing has a topic: see canal.serverMode");
            return FAILED;
        }
        RouteCheck check = new RouteCheck(configuration.server(), instance);
        List<RouteReport> reports = arguments.tables().stream()
                .map(name -> check.of(schemaOf(name), tableOf(name), arguments.rows()))
                .toList();
        if (arguments.json()) {
            new RouteJson(context.out()).show(file, instance, configuration.warnings(), reports);
        } else {
            new RouteText(context.out()).show(file, instance, configuration.warnings(), reports);
        }
        return DONE;
    }

    private static InstanceConfig chosen(List<InstanceConfig> instances, String name) throws UsageException {
        for (InstanceConfig instance : instances) {
            if (instance.destination().equals(name)) {
                return instance;
            }
        }
        throw new UsageException("there is no destination " + name + ", there are "
                + instances.stream().map(InstanceConfig::destination).collect(Collectors.joining(", ")));
    }

    private static String schemaOf(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? name : name.substring(0, dot);
    }

    private static String tableOf(String name) {
        int dot = name.indexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1);
    }
}
