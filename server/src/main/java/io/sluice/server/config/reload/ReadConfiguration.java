package io.sluice.server.config.reload;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A configuration as it was read again: what is right of it, and what is wrong with the rest.
 *
 * @param configuration with the instances that have no problem; not to be used if the server has any
 * @param serverProblems what is wrong with the server's file, or with several instances together
 * @param instanceProblems what is wrong with single instances, by destination; these are not among those of the configuration
 * @param documents by destination, the file or the text of its own, as {@link Problem} and {@link Warning} name it
 * @param sourceProblem why it could not be asked for again, so that this is what was read before; empty if it could. It is the same
 *     text as long as that lasts
 */
public record ReadConfiguration(
        Configuration configuration,
        List<Problem> serverProblems,
        Map<String, List<Problem>> instanceProblems,
        Map<String, String> documents,
        String sourceProblem) {
    public ReadConfiguration {
        serverProblems = List.copyOf(serverProblems);
        instanceProblems = Map.copyOf(instanceProblems);
        documents = Map.copyOf(documents);
    }

    /** Why the source could not be asked for it again; empty if it could. */
    public Optional<String> noteOfSource() {
        return sourceProblem.isEmpty() ? Optional.empty() : Optional.of(sourceProblem);
    }

    /** Returns a copy as one that was read before, with the reason why the source could not be asked for it again. */
    public ReadConfiguration with(String problem) {
        return new ReadConfiguration(configuration, serverProblems, instanceProblems, documents, problem);
    }

    /** Returns a copy with the given instances that are right, and what is wrong with the others by destination. */
    public ReadConfiguration with(List<InstanceConfig> right, Map<String, List<Problem>> problems) {
        return new ReadConfiguration(configuration.with(right), serverProblems, problems, documents, sourceProblem);
    }

    /** Whether a warning is about the file or text of another destination; none is if {@code destination} is null. */
    public boolean isOfOther(Warning warning, @Nullable String destination) {
        return destination != null
                && documents.entrySet().stream()
                        .anyMatch(own -> !own.getKey().equals(destination)
                                && own.getValue().equals(warning.document()));
    }
}
