package io.sluice.server.config.origin;

import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Warning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The files of a server: {@code canal.properties}, and {@code <conf dir>/<destination>/instance.properties}.
 *
 * <p>An instance may do without a file of its own. One that was read before and is gone is a problem, though: without its settings, such as
 * filters, the instance would deliver what it must not.
 *
 * @param file the server's file
 * @param known the files of instances that were read; gets those that are read. Thread-safe
 */
public record FileTexts(Path file, Set<Path> known) implements ConfigTexts {
    private static final String INSTANCE_FILE = "instance.properties";

    /** The files of a server of which none was read before. */
    public FileTexts(Path file) {
        this(file, ConcurrentHashMap.newKeySet());
    }

    @Override
    public boolean sayWhere() {
        return true;
    }

    @Override
    public boolean areHere() {
        return true;
    }

    @Override
    public PropertiesFile server(Set<Problem> problems, Set<Warning> warnings) {
        return read(file, problems, warnings);
    }

    @Override
    public List<String> found(Path confDirectory, Set<Problem> problems) {
        if (!Files.isDirectory(confDirectory)) {
            problems.add(new Problem(new Origin.FileLine(confDirectory, 0), "", "", "there is no such directory"));
            return List.of();
        }
        try (Stream<Path> entries = Files.list(confDirectory)) {
            return entries.filter(entry -> !isNoFolder(entry))
                    .filter(entry -> isThere(entry.resolve(INSTANCE_FILE)))
                    .map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> !name.equalsIgnoreCase("spring") && !name.startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            problems.add(
                    new Problem(new Origin.FileLine(confDirectory, 0), "", "", "the directory cannot be listed: " + e));
            return List.of();
        }
    }

    @Override
    public Origin origin(Path confDirectory, String destination) {
        try {
            return new Origin.FileLine(instanceFile(confDirectory, destination), 0);
        } catch (InvalidPathException e) {
            return new Origin.BuiltIn(); // a name of canal.destinations, and of no folder
        }
    }

    /** A directory that cannot be searched may be of something else, unless its file was read before: then it is a problem. */
    private boolean isThere(Path instanceFile) {
        return Files.exists(instanceFile) || (known.contains(instanceFile) && !Files.notExists(instanceFile));
    }

    @Override
    public PropertiesFile instance(
            Path confDirectory, String destination, Set<Problem> problems, Set<Warning> warnings) {
        Path path = instanceFile(confDirectory, destination);
        if (!lacks(confDirectory, destination)) {
            known.add(path);
        } else if (!known.contains(path)) {
            warnings.add(new Warning.At(
                    new Origin.FileLine(path, 0),
                    "there is no such file: the instance %s has only the settings of canal.properties, system properties and environment variables"
                            .formatted(destination)));
            return PropertiesFile.empty(path);
        }
        return read(path, problems, warnings);
    }

    @Override
    public boolean lacks(Path confDirectory, String destination) {
        Path folder = confDirectory.resolve(destination);
        return isNoFolder(folder) || Files.notExists(folder.resolve(INSTANCE_FILE));
    }

    /** Whether it is certainly something else: a folder that cannot be read, such as a link into one that may not be searched, does not count as that. */
    private static boolean isNoFolder(Path path) {
        return Files.exists(path) && !Files.isDirectory(path);
    }

    @Override
    public Optional<Instant> modified(Path confDirectory, String destination) {
        try {
            return Optional.of(Files.getLastModifiedTime(instanceFile(confDirectory, destination))
                    .toInstant());
        } catch (IOException e) {
            return Optional.empty(); // what is wrong is found when it is read
        }
    }

    public static Path instanceFile(Path confDirectory, String destination) {
        return confDirectory.resolve(destination).resolve(INSTANCE_FILE);
    }

    /** Reads a file; one that is not there or cannot be read is a problem, and as an empty one. */
    private static PropertiesFile read(Path path, Set<Problem> problems, Set<Warning> warnings) {
        try {
            return PropertiesFile.read(path, problems, warnings);
        } catch (IOException e) {
            String why = Files.notExists(path) ? "there is no such file" : "the file cannot be read: " + e;
            problems.add(new Problem(new Origin.FileLine(path, 0), "", "", why));
            return PropertiesFile.empty(path);
        }
    }
}
