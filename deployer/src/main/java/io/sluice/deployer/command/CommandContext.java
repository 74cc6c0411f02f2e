package io.sluice.deployer.command;

import io.sluice.connector.api.producer.Connector;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The files, folders, environment and output streams of a command.
 *
 * @param configFile the server's file, unless the operator names another
 * @param baseDirectory the base of relative paths in the configuration
 * @param callerDirectory the base of relative paths in arguments
 * @param environment overrides what files say
 * @param producerCheck finds the problems of the producer's properties
 * @param connectors finds the connector of a mode
 * @param out for results
 * @param errors for failures and usage errors
 */
public record CommandContext(
        Path configFile,
        Path baseDirectory,
        Path callerDirectory,
        Environment environment,
        ProducerCheck producerCheck,
        Function<ServerMode, Optional<Connector>> connectors,
        PrintStream out,
        PrintStream errors) {
    /** The process in which this machine's server runs; set by the script. */
    private static final String SERVER_PROCESS = "sluice.server.pid";

    /** Set by the script if progress can be shown. */
    private static final String HAS_TERMINAL = "sluice.terminal";

    /** Whether standard error is a terminal. */
    boolean hasTerminal() {
        return Boolean.parseBoolean(environment.systemProperties().get(HAS_TERMINAL));
    }

    /** The server's file: the one that the operator names, relative to the operator's directory, or the usual one. */
    Path configFile(Optional<String> named) {
        return named.map(name -> callerDirectory.resolve(name).normalize()).orElse(configFile);
    }

    /** This machine's server, as the script has found it, for messages; empty if it does not run. */
    Optional<String> runningServer() {
        return Optional.ofNullable(environment.systemProperties().get(SERVER_PROCESS))
                .filter(pid -> !pid.isBlank())
                .map(pid -> "this server, process " + pid + ",");
    }

    /** Reads the configuration as the server would. */
    ConfigReader reader(Path file) {
        return reader(file, producerCheck);
    }

    private ConfigReader reader(Path file, ProducerCheck check) {
        return new ConfigReader(file, baseDirectory, environment, check, Time.SYSTEM);
    }

    /**
     * Reads the configuration as the server would, for a command about one instance.
     *
     * @throws ConfigException if anything is wrong with this instance or with the server; what is wrong with other instances is a warning
     */
    Configuration load(Path file, String destination) throws ConfigException {
        return reader(file).load(List.of(destination));
    }

    /**
     * What is set for the server, as far as it can be read; what is wrong with instances does not matter. If an admin server cannot be
     * asked, it is what the local file sets.
     */
    ServerConfig server(Path file) {
        try {
            return reader(file, ProducerCheck.NONE).readOnce().configuration().server();
        } catch (ConfigException e) {
            errors.println(e.getMessage());
            return ConfigLoader.read(file, baseDirectory, environment, ProducerCheck.NONE)
                    .configuration()
                    .server();
        }
    }
}
