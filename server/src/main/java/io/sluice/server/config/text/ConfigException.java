package io.sluice.server.config.text;

import java.util.List;
import java.util.stream.Collectors;

/** The configuration cannot be used; it holds everything that is wrong with it. */
public final class ConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public ConfigException(List<Problem> problems) {
        super(problems.stream()
                .map(problem -> "  " + problem)
                .collect(Collectors.joining(
                        System.lineSeparator(),
                        "the configuration has " + problems.size() + (problems.size() == 1 ? " problem:" : " problems:")
                                + System.lineSeparator(),
                        "")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}
