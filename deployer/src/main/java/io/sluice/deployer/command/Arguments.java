package io.sluice.deployer.command;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What follows a verb.
 *
 * @param words what is no option
 * @param flags the options that were given and have no value, without their dashes
 * @param configFile the value of {@code --conf}
 */
record Arguments(List<String> words, Set<String> flags, Optional<String> configFile) {
    /** Arguments that make no sense; the message says which. */
    static final class UsageException extends Exception {
        private static final long serialVersionUID = 1L;

        UsageException(String message) {
            super(message);
        }
    }

    /**
     * Reads arguments.
     *
     * @param known the options without a value that make sense
     */
    static Arguments read(List<String> arguments, Set<String> known) throws UsageException {
        List<String> words = new ArrayList<>();
        Set<String> flags = new HashSet<>();
        Optional<String> configFile = Optional.empty();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (argument.equals("--conf")) {
                i++;
                if (i == arguments.size()) {
                    throw new UsageException("--conf needs a file");
                }
                configFile = Optional.of(arguments.get(i));
            } else if (argument.startsWith("--") && known.contains(argument.substring(2))) {
                flags.add(argument.substring(2));
            } else if (argument.startsWith("-")) {
                throw new UsageException("there is no option " + argument);
            } else {
                words.add(argument);
            }
        }
        return new Arguments(List.copyOf(words), Set.copyOf(flags), configFile);
    }
}
