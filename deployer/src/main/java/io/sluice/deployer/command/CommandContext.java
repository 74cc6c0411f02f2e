package io.sluice.deployer.command;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.read.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The files, folders, environment and output streams of a command.
 *
 * @param configFile the server's file, unless the operator names another
 * @param baseDirectory the base of relative paths in the configuration
 * @param callerDirectory the base of relative paths in arguments
 * @param environment overrides what files say
 * @param producerCheck finds the problems of the producer's properties
 * @param out for results
 * @param errors for failures and usage errors
 */
public record CommandContext(
        Path configFile,
        Path baseDirectory,
        Path callerDirectory,
        Environment environment,
        ProducerCheck producerCheck,
        PrintStream out,
        PrintStream errors) {
    /** The server's file: the one that the operator names, relative to the operator's directory, or the usual one. */
    Path configFile(Optional<String> named) {
        return named.map(name -> callerDirectory.resolve(name).normalize()).orElse(configFile);
    }

    /**
     * Reads the configuration as the server would.
     *
     * @throws ConfigException if anything is wrong, with all problems
     */
    Configuration load(Path file) throws ConfigException {
        return ConfigLoader.load(file, baseDirectory, environment, producerCheck);
    }
}
