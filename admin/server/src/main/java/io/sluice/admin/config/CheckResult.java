package io.sluice.admin.config;

import io.sluice.admin.problem.ConfigProblem;
import java.util.List;

/**
 * What a check has found.
 *
 * @param problems errors before warnings, by line
 * @param effective all keys with the values that count; empty if there are errors
 */
record CheckResult(List<ConfigProblem> problems, List<EffectiveValue> effective) {
    CheckResult {
        problems = List.copyOf(problems);
        effective = List.copyOf(effective);
    }

    /** The characters of all of its texts. */
    long characters() {
        return problems.stream()
                        .mapToLong(problem -> problem.message().length())
                        .sum()
                + effective.stream()
                        .mapToLong(value -> value.key().length()
                                + value.value().length()
                                + value.from().length())
                        .sum();
    }

    /** Whether a server would reject the configuration. */
    boolean hasErrors() {
        return problems.stream().anyMatch(problem -> problem.severity() == ConfigProblem.Severity.ERROR);
    }
}
