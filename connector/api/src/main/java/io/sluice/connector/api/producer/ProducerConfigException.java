package io.sluice.connector.api.producer;

import java.util.List;
import java.util.stream.Collectors;

/** Thrown when a connector's properties are wrong: lists all problems. Its message has the keys, and no value of a secret. */
public final class ProducerConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** Holds {@code problems}, at least one. */
    public ProducerConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    /** All problems, in the order in which they were found: at least one. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
