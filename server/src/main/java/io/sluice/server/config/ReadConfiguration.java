package io.sluice.server.config;

import io.sluice.server.config.text.Problem;
import java.util.List;
import java.util.Map;

/**
 * A configuration as it was read again: what is right of it, and what is wrong with the rest.
 *
 * @param configuration with the instances that have no problem; not to be used if the server has any
 * @param serverProblems what is wrong with the server's file, or with several instances together
 * @param instanceProblems what is wrong with single instances, by destination; these are not among those of the configuration
 * @param sourceProblem why it could not be asked for again, so that this is what was read before; empty if it could. It is the same
 *     text as long as that lasts
 */
public record ReadConfiguration(
        Configuration configuration,
        List<Problem> serverProblems,
        Map<String, List<Problem>> instanceProblems,
        String sourceProblem) {
    public ReadConfiguration {
        serverProblems = List.copyOf(serverProblems);
        instanceProblems = Map.copyOf(instanceProblems);
    }

    /** The result of a reading whose source was reachable. */
    public ReadConfiguration(
            Configuration configuration, List<Problem> serverProblems, Map<String, List<Problem>> instanceProblems) {
        this(configuration, serverProblems, instanceProblems, "");
    }

    /** The same, as it was read before. */
    public ReadConfiguration with(String problem) {
        return new ReadConfiguration(configuration, serverProblems, instanceProblems, problem);
    }
}
