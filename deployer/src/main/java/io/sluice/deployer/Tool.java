package io.sluice.deployer;

import io.sluice.deployer.command.CommandContext;
import io.sluice.deployer.command.ExitCode;
import io.sluice.deployer.command.SluiceCommand;
import io.sluice.server.config.text.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.ServiceConfigurationError;

/** The process of {@code sluice.sh}: runs one command, beside a running server or without one, and ends. */
public final class Tool {
    private Tool() {}

    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ENGLISH); // as in the server
        Path bin = Path.of("").toAbsolutePath();
        ClassLoader resources = ResourceFolder.loader(bin.resolve("../conf").normalize());
        Thread.currentThread().setContextClassLoader(resources);
        Connectors connectors =
                new Connectors(new PluginLoader(bin.resolve("../plugin").normalize(), resources));
        try {
            if (SluiceCommand.needsConnectors(List.of(arguments))) {
                connectors.load();
            }
        } catch (IOException | LinkageError | ServiceConfigurationError e) {
            System.err.println("the connectors cannot be loaded: " + e);
            System.exit(ExitCode.FAILED);
        }
        CommandContext context = new CommandContext(
                Launcher.configFile(System.getProperty("canal.conf", "classpath:canal.properties"), bin),
                bin,
                Path.of(System.getProperty("sluice.caller.directory", bin.toString())),
                Environment.ofThisProcess(),
                connectors,
                connectors::find,
                System.out,
                System.err);
        try {
            System.exit(SluiceCommand.run(List.of(arguments), context));
        } catch (OutOfMemoryError e) {
            System.err.println("this needs more heap than "
                    + Runtime.getRuntime().maxMemory()
                    + " bytes: set SLUICE_TOOL_HEAP to more, such as 2g, and start it again (" + e.getMessage() + ")");
            System.exit(ExitCode.FAILED);
        }
    }
}
