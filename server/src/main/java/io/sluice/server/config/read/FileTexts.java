package io.sluice.server.config.read;

import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of a server: {@code canal.properties}, and {@code <conf dir>/<destination>/instance.properties}. */
record FileTexts(Path file) implements ConfigTexts {
    private static final String INSTANCE_FILE = "instance.properties";

    @Override
    public boolean sayWhere() {
        return true;
    }

    @Override
    public PropertiesFile server(Set<Problem> problems, Set<String> warnings) {
        return read(file, true, problems, warnings);
    }

    @Override
    public List<String> found(Path confDirectory, Set<Problem> problems) {
        if (!Files.isDirectory(confDirectory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(confDirectory)) {
            return entries.filter(entry -> Files.isRegularFile(entry.resolve(INSTANCE_FILE)))
                    .map(entry -> String.valueOf(entry.getFileName()))
                    .filter(name -> !name.equalsIgnoreCase("spring") && ValueType.isDestination(name))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            problems.add(
                    new Problem(new Origin.FileLine(confDirectory, 0), "", "", "the directory cannot be listed: " + e));
            return List.of();
        }
    }

    @Override
    public PropertiesFile instance(
            Path confDirectory, String destination, Set<Problem> problems, Set<String> warnings) {
        return read(instanceFile(confDirectory, destination), false, problems, warnings);
    }

    static Path instanceFile(Path confDirectory, String destination) {
        return confDirectory.resolve(destination).resolve(INSTANCE_FILE);
    }

    /** Reads a file; one that is not there or cannot be read is as an empty one, and a problem if it is required. */
    private static PropertiesFile read(Path path, boolean required, Set<Problem> problems, Set<String> warnings) {
        if (!required && !Files.exists(path)) {
            return PropertiesFile.empty(path);
        }
        try {
            return PropertiesFile.read(path, problems, warnings);
        } catch (IOException e) {
            String why = Files.exists(path) ? "the file cannot be read: " + e : "there is no such file";
            problems.add(new Problem(new Origin.FileLine(path, 0), "", "", why));
            return PropertiesFile.empty(path);
        }
    }
}
