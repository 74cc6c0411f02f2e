package io.sluice.server.reload;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Warning;
import io.sluice.server.control.ReloadReport;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what an operator must know of changes of the configuration, each thing once and not at each look. For one thread at a time. */
final class ReloadLog {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadLog.class);
    private static final String NOT_IN_FORCE = "a changed configuration is not in force: {}";

    private List<String> notInForce = List.of();

    /** What the configuration that was read last has of warnings. */
    private Set<Warning> warnings;

    /** The instances that are named and have no file, as far as that was logged. */
    private final Set<String> withoutFile;

    /** @param current of which all was logged at the start */
    ReloadLog(Configuration current) {
        this.warnings = Set.copyOf(current.warnings());
        this.withoutFile = new TreeSet<>(current.withoutFile().keySet());
    }

    /** Scripts look for these lines. */
    static void logInCanalsWords(ReloadReport report) {
        report.removed().forEach(destination -> LOG.info("auto notify stop {} successful", destination));
        report.changed().forEach(destination -> LOG.info("auto notify reload {} successful", destination));
        report.added().forEach(destination -> LOG.info("auto notify start {} successful", destination));
    }

    /**
     * Logs the warnings that are new, and returns them.
     *
     * @param scope what is taken over: warnings about the files of others are left to a reload that takes those over
     */
    List<String> warn(ReadConfiguration read, ReloadScope scope) {
        List<Warning> found = read.configuration().warnings().stream()
                .filter(warning -> !read.isOfOther(warning, scope.only()))
                .distinct()
                .toList();
        Set<Warning> before = warnings;
        Set<Warning> known = new HashSet<>(found);
        before.stream().filter(warning -> read.isOfOther(warning, scope.only())).forEach(known::add);
        warnings = known;
        List<Warning> fresh =
                found.stream().filter(warning -> !before.contains(warning)).toList();
        Map<String, Path> missing = read.configuration().withoutFile();
        for (Warning warning : fresh) {
            if (missing.values().stream().noneMatch(file -> file.toString().equals(warning.document()))) { // see below
                LOG.warn("the configuration does not work as written: {}", warning);
            }
        }
        return Warning.texts(fresh);
    }

    /** Warns of instances that are named and have no file. */
    void warnOfMissingFiles(Map<String, Path> missing, ReloadScope scope) {
        missing.forEach((destination, file) -> {
            if (scope.covers(destination) && withoutFile.add(destination)) {
                LOG.warn(
                        "an instance that canal.destinations names has no file, and does not run until it has one, which may be empty: instance={} file={}",
                        destination,
                        file);
            }
        });
        withoutFile.retainAll(missing.keySet());
    }

    /** A file that is touched to restart an instance, as canal does then, has no effect on one that runs. */
    void logTouched(String destination) {
        LOG.info(
                "the file of an instance was written again with the same values, so it runs on: instance={}",
                destination);
    }

    /**
     * Logs why something of the newest configuration is not in force.
     *
     * @param scope what was taken over; if that is one destination, the lines are not all of what is wrong with others
     */
    void logNotInForce(List<String> lines, ReloadScope scope) {
        if (!scope.isAll()) {
            lines.stream().filter(line -> !notInForce.contains(line)).forEach(line -> LOG.warn(NOT_IN_FORCE, line));
        } else if (!lines.equals(notInForce)) {
            lines.forEach(line -> LOG.warn(NOT_IN_FORCE, line));
            if (lines.isEmpty()) {
                LOG.info("all of the configuration is in force");
            }
            notInForce = List.copyOf(lines);
        }
    }
}
