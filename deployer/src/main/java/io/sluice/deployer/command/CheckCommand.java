package io.sluice.deployer.command;

import io.sluice.deployer.command.Arguments.UsageException;
import io.sluice.server.check.InstanceCheck;
import io.sluice.server.check.InstanceReport;
import io.sluice.server.config.ConfigException;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.InstanceConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Reads the configuration as the server would, and says which tables and columns of the sources it lets through. */
public final class CheckCommand implements Command {
    @Override
    public String name() {
        return "check";
    }

    @Override
    public String arguments() {
        return "[--json] [--columns] [--conf FILE] [DESTINATION...]";
    }

    @Override
    public String summary() {
        return "read the configuration, and say which tables and columns it lets through";
    }

    @Override
    public int run(List<String> arguments, CommandContext context) {
        try {
            return check(Arguments.read(arguments, Set.of("json", "columns")), context);
        } catch (UsageException e) {
            context.errors().println(e.getMessage());
            context.errors().println("usage: sluice.sh check " + arguments());
            return FAILED;
        }
    }

    private static int check(Arguments arguments, CommandContext context) throws UsageException {
        Path file = context.configFile(arguments.configFile());
        CheckOutput output = arguments.flags().contains("json")
                ? new CheckJson(context.out())
                : new CheckText(context.out(), arguments.flags().contains("columns"));
        Configuration configuration;
        try {
            configuration = context.load(file);
        } catch (ConfigException e) {
            output.badConfiguration(file, e.problems());
            return BAD_CONFIGURATION;
        }
        List<InstanceConfig> chosen = chosen(configuration.instances(), arguments.words());
        List<InstanceReport> reports = chosen.stream()
                .parallel()
                .map(instance -> InstanceCheck.check(configuration.server(), instance))
                .toList();
        output.configuration(file, configuration.warnings(), reports);
        return reports.stream().allMatch(InstanceReport::isComplete) ? DONE : FAILED;
    }

    private static List<InstanceConfig> chosen(List<InstanceConfig> instances, List<String> names)
            throws UsageException {
        if (names.isEmpty()) {
            return instances;
        }
        Set<String> unknown = new TreeSet<>(names);
        instances.forEach(instance -> unknown.remove(instance.destination()));
        if (!unknown.isEmpty()) {
            throw new UsageException("there is no destination " + String.join(", ", unknown) + ", there are "
                    + String.join(
                            ", ",
                            instances.stream().map(InstanceConfig::destination).toList()));
        }
        return instances.stream()
                .filter(instance -> names.contains(instance.destination()))
                .toList();
    }
}
