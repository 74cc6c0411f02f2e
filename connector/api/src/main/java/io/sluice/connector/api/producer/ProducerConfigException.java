package io.sluice.connector.api.producer;

import java.util.List;
import java.util.stream.Collectors;

/** A producer cannot be made from its properties; lists all problems. */
public final class ProducerConfigException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** Holds {@code problems}, at least one. */
    public ProducerConfigException(List<ConfigProblem> problems) {
        super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    public List<ConfigProblem> problems() {
        return problems;
    }
}
