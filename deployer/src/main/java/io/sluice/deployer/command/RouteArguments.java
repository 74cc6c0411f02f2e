package io.sluice.deployer.command;

import io.sluice.deployer.command.Arguments.UsageException;
import io.sluice.server.check.GivenRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What follows {@code route}.
 *
 * @param destination whose tables
 * @param tables those, as {@code schema.table}, or {@code schema} for what belongs to the schema as a whole
 * @param rows rows of them
 * @param json whether machines read the answer
 * @param configFile the value of {@code --conf}
 */
record RouteArguments(
        String destination, List<String> tables, List<GivenRow> rows, boolean json, Optional<String> configFile) {
    static RouteArguments read(List<String> arguments) throws UsageException {
        List<String> words = new ArrayList<>();
        List<GivenRow> rows = new ArrayList<>();
        boolean json = false;
        Optional<String> configFile = Optional.empty();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--json")) {
                json = true;
            } else if (argument.equals("--row") || argument.equals("--conf")) {
                i++;
                if (i == arguments.size()) {
                    throw new UsageException(argument + " needs a value");
                }
                if (argument.equals("--conf")) {
                    configFile = Optional.of(arguments.get(i));
                } else {
                    rows.add(row(arguments.get(i)));
                }
            } else if (argument.startsWith("-")) {
                throw new UsageException("there is no option " + argument);
            } else {
                words.add(argument);
            }
        }
        if (words.size() < 2) {
            throw new UsageException("a destination and at least one table are needed");
        }
        return new RouteArguments(words.get(0), words.subList(1, words.size()), rows, json, configFile);
    }

    private static GivenRow row(String text) throws UsageException {
        try {
            return GivenRow.parse(text);
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
