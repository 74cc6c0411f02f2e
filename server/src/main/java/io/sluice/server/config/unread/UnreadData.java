package io.sluice.server.config.unread;

import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.key.MemoryKeys;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.InstanceLookup;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Placeholders;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Setting;
import io.sluice.store.cursor.file.FileCursorStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Finds cursors and schema histories that are in an instance's folder of the configuration, where canal keeps them by default, or in
 * the directory that canal takes from a file that is not read here, and would not be read, since {@code canal.file.data.dir} is another
 * directory, which has none. The instance would begin at the newest position.
 *
 * <p>An instance that was read with its cursors in that folder takes them along when the directory changes, so what has been read is kept.
 */
public final class UnreadData {
    private final Path baseDirectory;
    private final Environment environment;
    private final CanalConf canal;
    private final Set<Path> read = new HashSet<>();

    /**
     * Creates it.
     *
     * @param file the server's file
     * @param baseDirectory what relative paths start from
     */
    public UnreadData(Path file, Path baseDirectory, Environment environment) {
        this.baseDirectory = baseDirectory;
        this.environment = environment;
        this.canal = new CanalConf(file, baseDirectory);
    }

    /**
     * Returns what was read, with such instances among those that have a problem.
     *
     * @param isManaged whether it was read from an admin server, whose texts win over the files in canal, too
     */
    public ReadConfiguration check(ReadConfiguration given, boolean isManaged) {
        Optional<PropertiesFile> canalServer = isManaged ? Optional.empty() : canal.server();
        Configuration configuration = given.configuration();
        Path confDirectory = configuration.server().confDirectory();
        Map<String, List<Problem>> problems = new HashMap<>(given.instanceProblems());
        List<InstanceConfig> right = new ArrayList<>();
        for (InstanceConfig instance : configuration.instances()) {
            String destination = instance.destination();
            Optional<Problem> problem = problem(instance, confDirectory.resolve(destination), UnreadData::ofThisServer)
                    .or(() -> problem(
                            instance,
                            canal.directory().resolve(destination),
                            them -> ofAnotherServer(them, destination)))
                    .or(() -> canalServer.flatMap(server -> dataDirectory(server, destination)
                            .flatMap(folder -> problem(
                                    instance,
                                    folder,
                                    them -> ofFile(them, server.origin().document())))));
            if (problem.isPresent()) {
                problems.put(instance.destination(), List.of(problem.get()));
            } else {
                right.add(instance);
                read.add(instance.cursor().directory());
            }
        }
        return right.size() == configuration.instances().size() ? given : given.with(right, problems);
    }

    /** Where canal keeps the cursor of an instance. */
    private Optional<Path> dataDirectory(PropertiesFile server, String destination) {
        PropertiesFile own = canal.instance(destination);
        Setting found = new InstanceLookup(environment, server, own, destination, Placeholders.ofComparedTexts())
                .find(MemoryKeys.DATA_DIR.name());
        if (found == null || found.isBlank()) {
            return Optional.empty();
        }
        try {
            return Optional.of(
                    baseDirectory.resolve(found.text()).resolve(destination).normalize());
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /**
     * Finds what is in a folder, and would not be read.
     *
     * @param remedy what to do with {@code it} or {@code them}
     */
    private Optional<Problem> problem(InstanceConfig instance, Path folder, UnaryOperator<String> remedy) {
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
        if (names.isEmpty()) {
            return Optional.empty();
        }
        String them = names.size() == 1 ? "it" : "them";
        return Optional.of(new Problem(
                new Origin.FileLine(folder.resolve(names.get(0)), 0),
                "",
                "",
                "%s would not be read, since %s has this instance look in %s, and changes would be lost: %s"
                        .formatted(
                                String.join(", ", names), MemoryKeys.DATA_DIR.name(), directory, remedy.apply(them))));
    }

    private static String ofThisServer(String them) {
        return "move %s there, or remove %s".formatted(them, them);
    }

    /** The cursor of another server that runs must stay where it is. */
    private static String ofAnotherServer(String them, String destination) {
        return "canal keeps %s in that place, and another server of this package may: while neither runs, copy %s there, and for another begin run bin/sluice.sh cursor set %s after that"
                .formatted(them, them, destination);
    }

    private static String ofFile(String them, String unread) {
        return "canal takes that place from %s, which is not read here; while neither canal nor another server runs with that file, copy %s there, or, if none ever ran with it, remove or rename the file"
                .formatted(unread, them);
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
