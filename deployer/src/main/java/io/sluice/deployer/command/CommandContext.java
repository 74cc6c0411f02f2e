package io.sluice.deployer.command;

import io.sluice.server.config.ConfigException;
import io.sluice.server.config.ConfigLoader;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.Environment;
import io.sluice.server.config.ProducerCheck;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The files, folders, environment and output streams of a command.
 *
 * @param configFile the server's file, unless the operator names another
 * @param baseDirectory what relative paths in the configuration start from
 * @param callerDirectory what relative paths in arguments start from
 * @param environment what wins over files
 * @param producerCheck finds what is wrong with the producer's properties
 * @param out takes answers
 * @param errors takes what went wrong
 */
public record CommandContext(
        Path configFile,
        Path baseDirectory,
        Path callerDirectory,
        Environment environment,
        ProducerCheck producerCheck,
        PrintStream out,
        PrintStream errors) {
    /** The server's file that counts: the one that the operator names, from where the operator is, or the usual one. */
    Path configFile(Optional<String> named) {
        return named.map(name -> callerDirectory.resolve(name).normalize()).orElse(configFile);
    }

    /**
     * Reads the configuration as the server would.
     *
     * @throws ConfigException if anything is wrong, with all that is
     */
    Configuration load(Path file) throws ConfigException {
        return ConfigLoader.load(file, baseDirectory, environment, producerCheck);
    }
}
