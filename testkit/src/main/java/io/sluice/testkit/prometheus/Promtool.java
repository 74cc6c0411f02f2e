package io.sluice.testkit.prometheus;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Prometheus's own check of metrics and rules. It prints a line for each fault; no output means that there is none. */
public final class Promtool {
    private static final Path NOTHING = Path.of("/dev/null");
    /** The line that it prints for every file, good or bad. */
    private static final Predicate<String> REMARK = Pattern.compile(
                    "\\s*|Checking .*|Unit Testing: .*|\\s*FAILED:|\\s*SUCCESS.*")
            .asMatchPredicate();

    private final PrometheusInstallation installation;

    private Promtool(PrometheusInstallation installation) {
        this.installation = installation;
    }

    /**
     * The tool, fetched unless it is there.
     *
     * @throws io.sluice.testkit.debian.ServerUnavailableException if its package is not available, which skips a test
     *     skipped
     */
    public static Promtool find() {
        return new Promtool(PrometheusInstallation.find());
    }

    /** What is wrong with what a target serves: its form, and names and help texts that are not as they should be. */
    public List<String> checkMetrics(String text) {
        Path folder = Folders.temporary("sluice-promtool-");
        try {
            return complaints(
                    Files.writeString(folder.resolve("metrics"), text, StandardCharsets.UTF_8), "check", "metrics");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Folders.delete(folder);
        }
    }

    /** What is wrong with a file of rules, rules that are there twice included. */
    public List<String> checkRules(Path rules) {
        return complaints(NOTHING, "check", "rules", "--lint-fatal", path(rules));
    }

    /** Which expectations of a file of tests the rules that it names do not meet. */
    public List<String> testRules(Path tests) {
        return complaints(NOTHING, "test", "rules", path(tests));
    }

    private static String path(Path file) {
        return file.toAbsolutePath().toString();
    }

    private List<String> complaints(Path input, String... arguments) {
        List<String> command = installation.tool(List.of(arguments));
        Commands.Outcome outcome = Commands.run(installation.root(), Map.of(), command, input);
        // All other lines, even if the exit status is 0: tests whose file of rules is missing are a warning to it, no
        // more.
        List<String> complaints = new ArrayList<>(outcome.output()
                .lines()
                .filter(REMARK.negate())
                .map(String::stripTrailing)
                .toList());
        if (!outcome.isSuccess() && complaints.isEmpty()) {
            complaints.add("%s ended with status %d".formatted(command, outcome.status()));
        }
        return complaints;
    }
}
