package io.sluice.server.config.read;

import io.sluice.server.config.key.ServerKeys;
import io.sluice.server.config.origin.ConfigTexts;
import io.sluice.server.config.origin.FileTexts;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.ValueType;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads which destinations there are: those that are named, those that have a file, or those of an admin server. */
final class DestinationReader {
    private final Settings settings;
    private final Path confDirectory;
    private final ConfigTexts texts;
    private final Origin missing;
    private final Set<Problem> problems;
    private final Set<Warning> warnings;
    private final Map<String, Path> withoutFile = new LinkedHashMap<>();

    DestinationReader(
            Settings settings,
            Path confDirectory,
            ConfigTexts texts,
            Origin missing,
            Set<Problem> problems,
            Set<Warning> warnings) {
        this.settings = settings;
        this.confDirectory = confDirectory;
        this.texts = texts;
        this.missing = missing;
        this.problems = problems;
        this.warnings = warnings;
    }

    /** The files of the instances that are named and have none, where only those that have one run; known after {@link #read}. */
    Map<String, Path> withoutFile() {
        return withoutFile;
    }

    /**
     * The destinations that are named, then, with automatic scanning, those that have a file. Of those that are named, automatic scanning
     * leaves out the ones that have none. Those of an admin server are all that there are.
     */
    List<String> read() {
        if (texts.namesAll()) {
            return texts.found(confDirectory, problems);
        }
        Set<String> names = new LinkedHashSet<>(
                settings.find(ServerKeys.DESTINATION_RANGE).orElseGet(() -> settings.get(ServerKeys.DESTINATIONS)));
        if (settings.get(ServerKeys.AUTO_SCAN)) {
            names.removeIf(name -> {
                boolean lacksFile = ValueType.isDestination(name) && texts.lacks(confDirectory, name);
                if (lacksFile) {
                    Path file = FileTexts.instanceFile(confDirectory, name);
                    withoutFile.put(name, file);
                    warnings.add(new Warning.At(new Origin.FileLine(file, 0), noFile(name)));
                }
                return lacksFile;
            });
            names.addAll(texts.found(confDirectory, problems));
            if (names.isEmpty()) {
                // With others there, one whose folder was removed must not keep them from running. If all are gone, the
                // directory may be missing.
                withoutFile.forEach(
                        (name, file) -> problems.add(new Problem(new Origin.FileLine(file, 0), "", "", noFile(name))));
            }
        }
        if (names.isEmpty()
                && settings.isBlank(ServerKeys.DESTINATIONS)
                && settings.isBlank(ServerKeys.DESTINATION_RANGE)) {
            settings.complain(missing, ServerKeys.DESTINATIONS, "is required: the names of the instances");
        }
        return List.copyOf(names);
    }

    private static String noFile(String destination) {
        return "there is no such file, so the instance %s does not run: with canal.auto.scan = true those run that have a file, as with canal; create it, empty if the instance needs no settings of its own, or remove the name from %s"
                .formatted(destination, ServerKeys.DESTINATIONS.name());
    }
}
