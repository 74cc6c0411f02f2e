package io.sluice.bench.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs scripts whose child processes may outlive them, so the end of the output is not the end of the script. */
final class Script {
    private Script() {}

    /**
     * Runs a script and waits until it has ended.
     *
     * @param environment variables in addition to those of this process
     * @param output the file for its standard output and standard error
     * @return its exit status
     */
    static int run(Path folder, Map<String, String> environment, Path output, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().putAll(environment);
        try {
            return builder.start().waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while running " + command, e);
        }
    }

    /** The last lines of a file; empty if there is no such file. */
    static String tail(Path file) throws IOException {
        if (!Files.exists(file)) {
            return "";
        }
        List<String> lines = Files.readAllLines(file);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }
}
