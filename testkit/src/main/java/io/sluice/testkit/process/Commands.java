package io.sluice.testkit.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a program to its end. */
public final class Commands {
    /** What a program ended with, and what it printed on both its outputs. */
    public record Outcome(int status, String output) {
        /** Whether the exit status is 0. */
        public boolean isSuccess() {
            return status == 0;
        }
    }

    private Commands() {}

    /** The {@code java} of this JVM. */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Runs a program in a folder, with nothing to read, and waits for it. */
    public static Outcome run(Path folder, Map<String, String> environment, List<String> command) {
        return run(folder, environment, command, Path.of("/dev/null"));
    }

    /** Runs a program in a folder, with a file as its standard input, and waits for it. */
    public static Outcome run(Path folder, Map<String, String> environment, List<String> command, Path input) {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(input.toFile()));
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output);
        } catch (IOException e) {
            throw new UncheckedIOException("could not run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }

    /** Runs a program and fails, with what it printed, when it does. */
    public static String require(Path folder, Map<String, String> environment, List<String> command) {
        Outcome outcome = run(folder, environment, command);
        if (!outcome.isSuccess()) {
            throw new IllegalStateException(
                    "%s ended with status %d: %s".formatted(command, outcome.status(), outcome.output()));
        }
        return outcome.output();
    }
}
