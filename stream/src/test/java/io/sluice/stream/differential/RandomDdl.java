package io.sluice.stream.differential;

import io.sluice.testkit.mysql.MySqlServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Compares the names, types, keys and values that are delivered of tables with what the server itself reports, while random DDL changes the tables.
 *
 * <p>A difference is reported with its seed and the smallest script that still shows it.
 */
public final class RandomDdl {
    private static final Duration TIME_TO_REDUCE = Duration.ofSeconds(Integer.getInteger("sluice.reduce.seconds", 60));

    private final MySqlServer server;
    private final Path folder;
    private final boolean findsWarnings;

    /**
     * On a server, which keeps nothing of it.
     *
     * @param folder for schema histories
     * @param findsWarnings whether a schema that did not follow from DDL alone is a difference; servers have statements of which it cannot
     */
    public RandomDdl(MySqlServer server, Path folder, boolean findsWarnings) {
        this.server = server;
        this.folder = folder;
        this.findsWarnings = findsWarnings;
    }

    /** Fails if a step of a seed is delivered otherwise than the server reports it. */
    public void requireNoDifference(long seed, int steps) throws Exception {
        Report report = run(EnumSet.allOf(ReadingMode.class)).generate(seed, steps);
        System.getLogger("ddl")
                .log(
                        System.Logger.Level.INFO,
                        "{0} seed {1}: {2} steps, {3} rows, {4} warnings",
                        server.release(),
                        Long.toString(seed),
                        report.script().size(),
                        report.rows(),
                        report.warnings());
        if (report.rows() == 0) {
            throw new AssertionError("seed %d: no row was compared".formatted(seed));
        }
        requireClean("seed " + seed, report);
    }

    /** Fails if a step of a script, as a failure shows it, is delivered otherwise than the server reports it. */
    public void requireNoDifference(String script) throws Exception {
        requireClean("the script", run(EnumSet.allOf(ReadingMode.class)).replay(Step.script(script)));
    }

    private void requireClean(String origin, Report report) {
        if (report.isClean()) {
            return;
        }
        StringBuilder text = new StringBuilder();
        Set<Finding> reduced = new HashSet<>();
        report.findings().forEach((mode, findings) -> {
            Finding finding = findings.get(0);
            text.append("\n%s, %s, read %s: %s %s\n"
                    .formatted(origin, server.release(), mode, finding.kind(), finding.text()));
            if (reduced.add(finding)) {
                text.append(smallest(report.script(), mode, finding));
            }
        });
        throw new AssertionError(text.toString());
    }

    private String smallest(List<Step> script, ReadingMode mode, Finding finding) {
        if (!shows(script, mode, finding)) {
            return "It does not appear again with the same statements.\n";
        }
        long end = System.nanoTime() + TIME_TO_REDUCE.toNanos();
        List<Step> reduced =
                ScriptReducer.reduce(script, fewer -> shows(fewer, mode, finding), () -> System.nanoTime() - end < 0);
        return "The smallest script that shows it:\n%s\nwhich gives %s\n"
                .formatted(Step.text(reduced), replay(reduced, mode));
    }

    private boolean shows(List<Step> script, ReadingMode mode, Finding finding) {
        return replay(script, mode).stream().anyMatch(finding::isLike);
    }

    private List<Finding> replay(List<Step> script, ReadingMode mode) {
        try {
            return run(Set.of(mode)).replay(script).findings().getOrDefault(mode, List.of());
        } catch (ServerEndedException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("the script could not be executed again", e);
        }
    }

    private DifferentialRun run(Set<ReadingMode> modes) {
        return new DifferentialRun(server, folder, modes, findsWarnings);
    }
}
