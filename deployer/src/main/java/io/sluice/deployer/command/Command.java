package io.sluice.deployer.command;

import java.util.List;

/** One verb of {@code sluice.sh}. */
public interface Command {
    /** All went well. */
    int DONE = 0;
    /** Something could not be done, or was asked for wrongly. */
    int FAILED = 1;
    /** The configuration is wrong. */
    int BAD_CONFIGURATION = 2;

    /** The verb. */
    String name();

    /** What may follow the verb. */
    String arguments();

    /** What it does, in a line. */
    String summary();

    /**
     * Does it.
     *
     * @param arguments what follows the verb
     * @return the exit code
     */
    int run(List<String> arguments, CommandContext context);
}
