package io.sluice.deployer.command;

import io.sluice.protocol.time.Time;
import io.sluice.server.check.InstanceCheck;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.probe.ConnectCheck;
import io.sluice.server.probe.ConnectReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the configuration as the server would, and shows which tables and columns of the sources it lets through. */
@Command(
        name = "check",
        description = "find what is wrong before a start, and show which tables and columns are delivered")
final class CheckCommand implements Callable<Integer> {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(30);

    private final CommandContext context;

    @Option(names = "--json", description = "one JSON object, for machines")
    boolean json;

    @Option(names = "--columns", description = "name the columns that are delivered, too")
    boolean columns;

    @Option(
            names = "--connect",
            description = "try everything that the instances need: sources, broker, ZooKeeper; changes nothing there")
    boolean connect;

    @Option(
            names = "--effective",
            description = "list the values that count, and where each was found, instead of the tables")
    boolean effective;

    @Option(names = "--defaults", description = "with --effective: list the keys that are not set, too")
    boolean defaults;

    @Option(
            names = "--start",
            hidden = true,
            description = "only find what keeps a server from starting, also if one runs: for restart.sh")
    boolean start;

    @Mixin
    final CommonOptions common = new CommonOptions();

    @Parameters(paramLabel = "DESTINATION", description = "only these instances; else all")
    List<String> destinations = new ArrayList<>();

    CheckCommand(CommandContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        if (defaults && !effective) {
            throw common.usageError("--defaults needs --effective");
        }
        Path file = context.configFile(common.configFile());
        CheckOutput output = json ? new CheckJson(context.out()) : new CheckText(context.out(), columns);
        try {
            ConfigReader reader = context.reader(file);
            if (start) {
                reader.requireStart();
                return ExitCode.DONE;
            }
            // While the server runs, a changed directory is one that cursors are moved to.
            Configuration configuration =
                    context.runningServer().isPresent() ? reader.load(destinations) : reader.loadForStart(destinations);
            CheckResult result = check(configuration, reader);
            output.configuration(file, configuration.warnings(), result);
            return result.isGood() ? ExitCode.DONE : ExitCode.FAILED;
        } catch (ConfigException e) {
            output.badConfiguration(file, e.problems());
            return ExitCode.BAD_CONFIGURATION;
        }
    }

    private CheckResult check(Configuration configuration, ConfigReader reader) throws ConfigException {
        List<InstanceConfig> instances = chosen(configuration.instances());
        Optional<EffectiveOutput> values = Optional.empty();
        Optional<ConnectOutput> trial = Optional.empty();
        if (effective) {
            List<String> names =
                    instances.stream().map(InstanceConfig::destination).toList();
            values = Optional.of(new EffectiveOutput(reader.effective(configuration), names, defaults));
        }
        if (connect) {
            trial = Optional.of(new ConnectOutput(connect(configuration, instances)));
        }
        if (effective || connect) {
            return new CheckResult(values, trial, List.of());
        }
        return new CheckResult(
                values,
                trial,
                instances.stream()
                        .parallel()
                        .map(instance -> InstanceCheck.check(configuration.server(), instance))
                        .toList());
    }

    private ConnectReport connect(Configuration configuration, List<InstanceConfig> instances) {
        ConnectCheck check = new ConnectCheck(
                configuration,
                context.connectors().apply(configuration.server().mode()),
                context.runningServer(),
                CONNECT_LIMIT,
                Time.SYSTEM);
        try {
            return check.run(instances, context.hasTerminal() ? context.errors()::println : line -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while servers were tried", e);
        }
    }

    private List<InstanceConfig> chosen(List<InstanceConfig> instances) {
        if (destinations.isEmpty()) {
            return instances;
        }
        Set<String> unknown = new TreeSet<>(destinations);
        instances.forEach(instance -> unknown.remove(instance.destination()));
        if (!unknown.isEmpty()) {
            throw common.usageError("there is no destination " + String.join(", ", unknown) + "; the configuration has "
                    + String.join(
                            ", ",
                            instances.stream().map(InstanceConfig::destination).toList()));
        }
        return instances.stream()
                .filter(instance -> destinations.contains(instance.destination()))
                .toList();
    }
}
