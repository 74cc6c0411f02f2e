package io.sluice.testkit.prometheus;

import io.sluice.testkit.debian.DebianRoot;
import io.sluice.testkit.debian.ServerUnavailableException;
import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Prometheus 2.42 of Debian's package, under the Apache License 2.0, in a folder of the build.
 *
 * @param root what the package's own paths begin in
 */
record PrometheusInstallation(Path root) {
    private static final DebianRoot.Wanted WANTED =
            new DebianRoot.Wanted("bookworm", "prometheus", "2.42", "usr/bin/prometheus");
    private static final String TOOL = "usr/bin/promtool";

    /**
     * The installation, fetched unless it is there.
     *
     * @throws ServerUnavailableException if it cannot be had
     */
    static PrometheusInstallation find() {
        Path folder = Folders.servers().resolve("prometheus-2.42");
        return new PrometheusInstallation(
                DebianRoot.of(folder.resolve("root"), WANTED, root -> new PrometheusInstallation(root).check()));
    }

    /** What runs the server. */
    List<String> server(List<String> arguments) {
        return command(WANTED.program(), arguments);
    }

    /** What runs {@code promtool}. */
    List<String> tool(List<String> arguments) {
        return command(TOOL, arguments);
    }

    private List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>(DebianRoot.command(root, program));
        command.addAll(arguments);
        return command;
    }

    private void check() {
        Commands.Outcome outcome = Commands.run(root, Map.of(), server(List.of("--version")));
        if (!outcome.isSuccess() || !outcome.output().contains("version " + WANTED.version() + ".")) {
            throw new ServerUnavailableException(
                    "%s is not what the archive has now, or does not run here: %s".formatted(WANTED, outcome.output()));
        }
    }
}
