package io.sluice.deployer.command;

/** The exit codes of the commands. */
public final class ExitCode {
    /** All went well. */
    public static final int DONE = 0;
    /** Something could not be done, or the arguments are wrong. */
    public static final int FAILED = 1;
    /** The configuration is wrong. */
    public static final int BAD_CONFIGURATION = 2;

    private ExitCode() {}
}
