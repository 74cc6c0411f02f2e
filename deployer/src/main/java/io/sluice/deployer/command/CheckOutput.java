package io.sluice.deployer.command;

import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.util.List;

/** Writes the outcome of a check; one of its methods is called, once. */
interface CheckOutput {
    /** Shows what is wrong with the configuration; nothing else was checked. */
    void badConfiguration(Path file, List<Problem> problems);

    /** Shows what is true of a configuration that can be used. */
    void configuration(Path file, List<Warning> warnings, CheckResult result);
}
