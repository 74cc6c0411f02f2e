package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.Spelling;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the operator's keys, and gathers what is wrong with them. A blank value is as if it were not there. */
final class RabbitOptions {
    private static final String PREFIX = "rabbitmq.";

    private final Map<String, String> properties;
    private final Set<String> known = new TreeSet<>();
    private final List<ConfigProblem> problems = new ArrayList<>();

    RabbitOptions(Map<String, String> properties) {
        this.properties = properties;
    }

    /** The text of a key, trimmed; empty if it is not set. */
    String text(String key) {
        known.add(key);
        return properties.getOrDefault(key, "").trim();
    }

    /** A whole number within bounds, which are included. */
    int number(String key, int standard, int least, int most) {
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
            // told below
        }
        problem(key, "%s must be a whole number from %d to %d".formatted(text, least, most));
        return standard;
    }

    /** {@code true} or {@code false}. */
    boolean flag(String key, boolean standard) {
        String text = text(key);
        if (text.isEmpty() || text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return text.isEmpty() ? standard : Boolean.parseBoolean(text);
        }
        problem(key, text + " must be true or false");
        return standard;
    }

    /** A file that can be read; null if none is named, or there is no such file. */
    @Nullable Path file(String key) {
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

    void problem(String key, String problem) {
        problems.add(new ConfigProblem(key, problem));
    }

    /** Reports each key that nobody has asked for. */
    void refuseUnknown() {
        Set<String> own = new TreeSet<>(known);
        own.removeIf(key -> !key.startsWith(PREFIX));
        for (String key : new TreeSet<>(properties.keySet())) {
            if (key.startsWith(PREFIX) && !known.contains(key)) {
                problem(
                        key,
                        "is not known"
                                + Spelling.nearest(key, own)
                                        .map(meant -> ", did you mean " + meant + "?")
                                        .orElse(""));
            }
        }
    }

    List<ConfigProblem> problems() {
        return List.copyOf(problems);
    }
}
