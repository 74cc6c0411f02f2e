package io.sluice.connector.api.producer;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a producer's configuration keys, and collects the problems. A blank value is as if it were not there.
 * For one thread.
 */
public final class ProducerOptions {
    private final String prefix;
    private final Map<String, String> properties;
    private final Set<String> known = new TreeSet<>();
    private final List<ConfigProblem> problems = new ArrayList<>();

    /**
     * Reads some properties.
     *
     * @param prefix what those keys begin with that are this producer's alone, so that an unknown one is a mistake
     */
    public ProducerOptions(String prefix, Map<String, String> properties) {
        this.prefix = prefix;
        this.properties = properties;
    }

    /** The text of a key, trimmed; empty if it is not set. */
    public String text(String key) {
        known.add(key);
        return properties.getOrDefault(key, "").trim();
    }

    /** The text of a key as it is, also if it begins with white space; empty if it is not set. */
    public String exactText(String key) {
        known.add(key);
        return properties.getOrDefault(key, "");
    }

    /** A whole number within bounds, which are included. */
    public int number(String key, int standard, int least, int most) {
        String text = text(key);
        if (text.isEmpty()) {
            return standard;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        problem(key, "%s must be a whole number from %d to %d".formatted(text, least, most));
        return standard;
    }

    /** {@code true} or {@code false}. */
    public boolean flag(String key, boolean standard) {
        String text = text(key);
        if (text.isEmpty() || text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return text.isEmpty() ? standard : Boolean.parseBoolean(text);
        }
        problem(key, text + " must be true or false");
        return standard;
    }

    /** A file that can be read; null if none is named, or there is no such file. */
    public @Nullable Path file(String key) {
        String text = text(key);
        if (text.isEmpty()) {
            return null;
        }
        try {
            Path file = Path.of(text).toAbsolutePath();
            if (Files.isRegularFile(file) && Files.isReadable(file)) {
                return file;
            }
            problem(key, "there is no readable file " + file);
        } catch (InvalidPathException e) {
            problem(key, "is not a path: " + e.getMessage());
        }
        return null;
    }

    /** Notes that something is wrong with a key. */
    public void problem(String key, String problem) {
        problems.add(new ConfigProblem(key, problem));
    }

    /** Reports each key that was not read. */
    public void refuseUnknown() {
        refuseUnknown(Set.of());
    }

    /**
     * Reports each key that was not read.
     *
     * @param ignored keys that mean something elsewhere, and may be there
     */
    public void refuseUnknown(Set<String> ignored) {
        Set<String> own = new TreeSet<>(known);
        own.removeIf(key -> !key.startsWith(prefix));
        for (String key : new TreeSet<>(properties.keySet())) {
            if (key.startsWith(prefix) && !known.contains(key) && !ignored.contains(key)) {
                problem(
                        key,
                        "there is no such key"
                                + Spelling.nearest(key, own)
                                        .map(meant -> "; did you mean " + meant + "?")
                                        .orElse(""));
            }
        }
    }

    /** Whether a key was read. */
    public boolean knows(String key) {
        return known.contains(key);
    }

    /** What is wrong, in the order in which it was found. */
    public List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }
}
