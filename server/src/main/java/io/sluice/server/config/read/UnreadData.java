package io.sluice.server.config.read;

import io.sluice.schema.history.HistoryLocation;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.CursorKind;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.ReadConfiguration;
import io.sluice.server.config.key.MemoryKeys;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Problem;
import io.sluice.store.cursor.FileCursorStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds cursors and schema histories that are in an instance's folder of the configuration, where canal keeps them by default, and would
 * not be read, since {@code canal.file.data.dir} is another directory, which has none. The instance would begin at the newest position.
 *
 * <p>An instance that was read with its cursors in that folder takes them along when the directory changes, so what has been read is kept.
 */
final class UnreadData {
    private final Set<Path> read = new HashSet<>();

    /** Returns what was read, with such instances among those that have a problem. */
    ReadConfiguration check(ReadConfiguration given) {
        Configuration configuration = given.configuration();
        Path confDirectory = configuration.server().confDirectory();
        Map<String, List<Problem>> problems = new HashMap<>(given.instanceProblems());
        List<InstanceConfig> right = new ArrayList<>();
        for (InstanceConfig instance : configuration.instances()) {
            Optional<Problem> problem = problem(instance, confDirectory.resolve(instance.destination()));
            if (problem.isPresent()) {
                problems.put(instance.destination(), List.of(problem.get()));
            } else {
                right.add(instance);
                read.add(instance.cursor().directory());
            }
        }
        return right.size() == configuration.instances().size()
                ? given
                : new ReadConfiguration(
                        configuration.with(right), given.serverProblems(), problems, given.sourceProblem());
    }

    private Optional<Problem> problem(InstanceConfig instance, Path folder) {
        Path directory = instance.cursor().directory();
        if (instance.cursor().kind() != CursorKind.FILE || read.contains(folder) || isSame(folder, directory)) {
            return Optional.empty();
        }
        List<String> names = new ArrayList<>();
        if (isOnlyIn(folder, directory, List.of(FileCursorStore.FILE_NAME))) {
            names.add(FileCursorStore.FILE_NAME);
        }
        List<String> history = historyFiles(instance);
        if (isOnlyIn(folder, directory, history)) {
            history.stream().filter(name -> Files.exists(folder.resolve(name))).forEach(names::add);
        }
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(new Problem(
                        new Origin.FileLine(folder.resolve(names.get(0)), 0),
                        "",
                        "",
                        "%s would not be read, since %s has this instance look in %s, and changes would be lost: move %s there, or remove %s"
                                .formatted(
                                        String.join(", ", names),
                                        MemoryKeys.DATA_DIR.name(),
                                        directory,
                                        names.size() == 1 ? "it" : "them",
                                        names.size() == 1 ? "it" : "them")));
    }

    /** The names that the file of its schema history may have, if that is beside the cursor. */
    private static List<String> historyFiles(InstanceConfig instance) {
        return instance.schema().history() != null
                        && instance.schema().history().location() instanceof HistoryLocation.LocalFile local
                        && instance.cursor().directory().equals(local.file().getParent())
                ? List.of(String.valueOf(local.file().getFileName()), local.h2().getFileName() + ".mv.db")
                : List.of();
    }

    private static boolean isOnlyIn(Path folder, Path directory, List<String> names) {
        return names.stream().anyMatch(name -> Files.exists(folder.resolve(name)))
                && names.stream().noneMatch(name -> Files.exists(directory.resolve(name)));
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return one.equals(other) || Files.exists(other) && Files.isSameFile(one, other);
        } catch (IOException e) {
            return false;
        }
    }
}
