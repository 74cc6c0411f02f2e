package io.sluice.server.config.load;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.read.ReadRequest;
import io.sluice.server.config.read.TextsReader;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.OutsideValues;
import io.sluice.server.config.text.Problem;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Reads a server's configuration: {@code canal.properties}, and {@code <conf dir>/<destination>/instance.properties}
 * of every instance, or other texts in their place, below the values of the environment. {@link ConfigReader} finds out which texts these
 * are.
 *
 * <p>It continues where something is wrong, so that one attempt shows everything.
 */
public final class ConfigLoader {
    private ConfigLoader() {}

    /**
     * Reads it.
     *
     * @param file the server's file
     * @param baseDirectory what relative paths in it start from: {@code bin/}, the scripts' working directory
     * @param producerCheck finds what is wrong with the producer's properties
     * @throws ConfigException if anything is wrong, with all that is
     */
    public static Configuration load(
            Path file, Path baseDirectory, Environment environment, ProducerCheck producerCheck)
            throws ConfigException {
        return complete(read(file, baseDirectory, environment, producerCheck), file);
    }

    /**
     * Reads it again while a server runs: what is wrong with one instance keeps none of the others from being taken over.
     *
     * @param file see {@link #load}, as for the other parameters
     */
    public static ReadConfiguration read(
            Path file, Path baseDirectory, Environment environment, ProducerCheck producerCheck) {
        return TextsReader.read(new ReadRequest(
                new FileTexts(file),
                file,
                baseDirectory,
                environment,
                new OutsideValues(environment, baseDirectory),
                producerCheck));
    }

    /**
     * What was read, if nothing is wrong with it.
     *
     * @throws ConfigException if anything is, with all problems
     */
    static Configuration complete(ReadConfiguration read, Path path) throws ConfigException {
        Set<Problem> all = new LinkedHashSet<>(read.serverProblems());
        read.instanceProblems().values().forEach(all::addAll);
        if (!all.isEmpty()) {
            throw new ConfigException(all.stream()
                    .sorted(Comparator.comparingInt((Problem problem) -> rank(problem, path))
                            .thenComparing(problem -> whereabouts(problem.origin())))
                    .toList());
        }
        return read.configuration();
    }

    /** The server's file comes first, then those of the instances, then what is in no file. */
    private static int rank(Problem problem, Path serverFile) {
        String document = problem.origin().document();
        if (document.isEmpty()) {
            return 2;
        }
        return document.equals(serverFile.toString()) ? 0 : 1;
    }

    private static String whereabouts(Origin origin) {
        return origin.document().isEmpty() ? "" : "%s:%9d".formatted(origin.document(), origin.lineNumber());
    }
}
