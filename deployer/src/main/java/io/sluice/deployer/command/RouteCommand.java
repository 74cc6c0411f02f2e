package io.sluice.deployer.command;

import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.server.check.GivenRow;
import io.sluice.server.check.RouteCheck;
import io.sluice.server.check.RouteReport;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.text.ConfigException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the configuration as the server would, and shows where the rows and the DDL of tables go, and why. */
@Command(
        name = "route",
        description = "show which topic and partition the rows and the DDL of a table go to, and by which rule")
final class RouteCommand implements Callable<Integer> {
    private final CommandContext context;

    @Option(names = "--json", description = "one JSON object, for machines")
    boolean json;

    @Option(
            names = "--row",
            paramLabel = "COLUMN=VALUE,...",
            description = "a row whose partition is shown, too; without =VALUE, the column is NULL")
    List<String> rows = new ArrayList<>();

    @Mixin
    final CommonOptions common = new CommonOptions();

    // That both are needed is checked below, for one message.
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "DESTINATION",
            hideParamSyntax = true,
            description = "the instance")
    String destination = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "SCHEMA.TABLE...",
            hideParamSyntax = true,
            description = "its tables; SCHEMA alone is for what belongs to the schema as a whole")
    List<String> tables = new ArrayList<>();

    RouteCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (tables.isEmpty()) {
            throw common.usageError("a destination and at least one table are needed");
        }
        List<GivenRow> givenRows = givenRows();
        Path file = context.configFile(common.configFile());
        Configuration configuration;
        try {
            configuration = context.load(file, destination);
        } catch (ConfigException e) {
            CheckOutput output = json ? new CheckJson(context.out()) : new CheckText(context.out(), false);
            output.badConfiguration(file, e.problems());
            return ExitCode.BAD_CONFIGURATION;
        }
        InstanceConfig instance = chosen(configuration.instances());
        if (!configuration.server().mode().isQueue()) {
            context.errors()
                    .println("clients pull from this server, so that nothing has a topic: see canal.serverMode");
            return ExitCode.FAILED;
        }
        RouteCheck check = new RouteCheck(configuration.server(), instance);
        List<RouteReport> reports;
        try {
            reports = tables.stream()
                    .map(name -> check.of(schemaOf(name), tableOf(name), givenRows))
                    .toList();
        } catch (ExpensivePatternException e) {
            context.errors().println(e.getMessage());
            return ExitCode.FAILED;
        }
        if (json) {
            new RouteJson(context.out()).show(file, instance, configuration.warnings(), reports);
        } else {
            new RouteText(context.out()).show(file, instance, configuration.warnings(), reports);
        }
        return ExitCode.DONE;
    }

    private List<GivenRow> givenRows() {
        try {
            return rows.stream().map(GivenRow::parse).toList();
        } catch (IllegalArgumentException e) {
            throw common.usageError(e.getMessage());
        }
    }

    private InstanceConfig chosen(List<InstanceConfig> instances) {
        for (InstanceConfig instance : instances) {
            if (instance.destination().equals(destination)) {
                return instance;
            }
        }
        throw common.usageError("there is no destination " + destination + "; the configuration has "
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
