package io.sluice.deployer.command;

import io.sluice.deployer.command.Arguments.UsageException;
import io.sluice.server.cursor.CursorTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What follows {@code cursor}.
 *
 * @param action the word that says what to do
 * @param destination whose cursor
 * @param client whose cursor of those
 * @param target where to; empty if none was named
 * @param dryRun whether nothing is to be changed
 * @param configFile the value of {@code --conf}
 */
record CursorArguments(
        String action,
        String destination,
        int client,
        Optional<CursorTarget> target,
        boolean dryRun,
        Optional<String> configFile) {
    private static final int QUEUE_CLIENT = 1001;

    static CursorArguments read(List<String> arguments) throws UsageException {
        List<String> words = new ArrayList<>();
        int client = QUEUE_CLIENT;
        CursorTarget target = null;
        boolean dryRun = false;
        String configFile = null;
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--dry-run")) {
                dryRun = true;
            } else if (!argument.startsWith("-")) {
                words.add(argument);
            } else {
                i++;
                if (i == arguments.size()) {
                    throw new UsageException(argument + " is unknown, or needs a value");
                }
                String value = arguments.get(i);
                switch (argument) {
                    case "--conf" -> configFile = value;
                    case "--client" -> client = clientId(value);
                    case "--to", "--gtid", "--time" -> target = only(target, argument, value);
                    default -> throw new UsageException("there is no option " + argument);
                }
            }
        }
        if (words.size() != 2) {
            throw new UsageException("one action and one destination are needed");
        }
        return new CursorArguments(
                words.get(0),
                words.get(1),
                client,
                Optional.ofNullable(target),
                dryRun,
                Optional.ofNullable(configFile));
    }

    private static CursorTarget only(@Nullable CursorTarget before, String option, String value) throws UsageException {
        if (before != null) {
            throw new UsageException("only one of --to, --gtid and --time makes sense");
        }
        try {
            return switch (option) {
                case "--to" -> CursorTarget.parse(value);
                case "--time" -> CursorTarget.parseTime(value);
                default -> new CursorTarget.Behind(value);
            };
        } catch (IllegalArgumentException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }

    private static int clientId(String value) throws UsageException {
        if (!value.matches("\\d{1,9}")) {
            throw new UsageException("not a client's number: " + value);
        }
        return Integer.parseInt(value);
    }
}
