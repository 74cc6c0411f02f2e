package io.sluice.admin.problem;

import org.springframework.boot.ExitCodeGenerator;

/** The configuration of this server does not let it start. The process ends with code 2. */
public final class StartProblem extends RuntimeException implements ExitCodeGenerator {
    private static final long serialVersionUID = 1L;
    private static final int BAD_CONFIGURATION = 2;

    private final String remedy;

    /**
     * Makes an exception of a start.
     *
     * @param problem what is wrong
     * @param remedy what to do
     */
    public StartProblem(String problem, String remedy) {
        super(problem);
        this.remedy = remedy;
    }

    /** Returns what to do about it, as a sentence. */
    public String remedy() {
        return remedy;
    }

    @Override
    public int getExitCode() {
        return BAD_CONFIGURATION;
    }
}
