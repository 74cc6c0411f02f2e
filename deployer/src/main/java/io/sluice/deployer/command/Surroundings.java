package io.sluice.deployer.command;

import io.sluice.server.config.Environment;
import io.sluice.server.config.ProducerCheck;
import java.io.PrintStream;
import java.nio.file.Path;

/**
 * What a command works with.
 *
 * @param configFile the server's file, unless the operator names another
 * @param baseDirectory what relative paths in the configuration start from
 * @param callerDirectory what relative paths in arguments start from
 * @param environment what wins over files
 * @param producerCheck finds what is wrong with the producer's properties
 * @param out takes answers
 * @param errors takes what went wrong
 */
public record Surroundings(
        Path configFile,
        Path baseDirectory,
        Path callerDirectory,
        Environment environment,
        ProducerCheck producerCheck,
        PrintStream out,
        PrintStream errors) {}
