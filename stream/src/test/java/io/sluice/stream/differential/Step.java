package io.sluice.stream.differential;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Statements that are executed together, after which the state of the server is compared.
 *
 * @param client the session that executes them
 */
record Step(Client client, List<String> statements) {
    private static final String BETWEEN_STEPS = "\n%%\n";
    private static final String BETWEEN_STATEMENTS = "\n;;\n";
    private static final Pattern ROWS = Pattern.compile(
            "(?is)(insert|replace|update|delete|begin|start|commit|rollback|savepoint|release|xa)\\b.*");

    /** The reader stops and continues where it was. */
    static final Step RESTART = new Step(Client.UTF8, List.of("-- the reader restarts"));

    /** A statement at which the session ends, and another one begins. */
    static final String RECONNECT = "-- the session ends";

    Step {
        statements = List.copyOf(statements);
    }

    /** Whether it changes rows, and nothing else. */
    boolean changesRowsOnly() {
        return !statements.isEmpty()
                && statements.stream().allMatch(sql -> ROWS.matcher(sql).matches());
    }

    /** The text from which {@link #script} reads it. */
    @Override
    public String toString() {
        return "[" + client.name().toLowerCase(Locale.ROOT) + "] " + String.join(BETWEEN_STATEMENTS, statements);
    }

    /** Writes a script. */
    static String text(List<Step> script) {
        return script.stream().map(Step::toString).collect(Collectors.joining(BETWEEN_STEPS));
    }

    /** Reads a script that {@link #text} has written. */
    static List<Step> script(String text) {
        return Arrays.stream(text.strip().split(BETWEEN_STEPS)).map(Step::parse).toList();
    }

    private static Step parse(String text) {
        int end = text.indexOf("] ");
        if (!text.startsWith("[") || end < 0) {
            throw new IllegalArgumentException("a step begins with its session, as in [utf8] select 1: " + text);
        }
        return new Step(
                Client.valueOf(text.substring(1, end).toUpperCase(Locale.ROOT)),
                Arrays.asList(text.substring(end + 2).split(BETWEEN_STATEMENTS)));
    }
}
