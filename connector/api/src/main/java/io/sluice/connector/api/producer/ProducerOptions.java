package io.sluice.connector.api.producer;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the properties of a connector into values of their types, and collects all that is wrong with them.
 *
 * <p>A blank value counts as one that is not set. A value that cannot be used is noted as a problem, and the default is returned, so
 * that reading continues and finds the others; {@link #requireValid} then throws, before anything is made of the defaults:
 *
 * <pre>{@code
 *   int channels = options.number("rabbitmq.channels", 4, 1, 256);
 *   Duration confirm = options.millis("rabbitmq.confirm.timeout.ms", 30_000, 100, 3_600_000);
 *   options.requireValid();
 *   return new Settings(channels, confirm, options.corrections());
 * }</pre>
 *
 * <p>For one thread.
 */
public final class ProducerOptions {
    private final OptionKeys keys;
    private final Map<String, String> properties;
    private final List<ConfigProblem> problems = new ArrayList<>();
    private final List<String> corrections = new ArrayList<>();

    /**
     * Begins to read.
     *
     * @param keys no other keys can be read
     * @param properties those of the server, with their full keys
     */
    public ProducerOptions(OptionKeys keys, Map<String, String> properties) {
        this.keys = keys;
        this.properties = properties;
        for (String key : new TreeSet<>(properties.keySet())) {
            if (keys.ofConsumers().contains(key)) {
                correction(key, "ignored, it is for consumers");
            }
        }
    }

    /**
     * The text of a key, trimmed; empty if it is not set.
     *
     * @throws IllegalArgumentException if it is not one of the connector's keys
     */
    public String text(String key) {
        if (!keys.read().contains(key)) {
            throw new IllegalArgumentException("not a key of this connector: " + key);
        }
        return properties.getOrDefault(key, "").trim();
    }

    /** A whole number from {@code least} to {@code most}, both included; {@code standard} if it is not set. */
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

    /** A time in whole milliseconds, from {@code least} to {@code most}; {@code standard} if it is not set. */
    public Duration millis(String key, int standard, int least, int most) {
        return Duration.ofMillis(number(key, standard, least, most));
    }

    /** {@code true} or {@code false}, in any case; {@code standard} if it is not set. */
    public boolean flag(String key, boolean standard) {
        String text = text(key);
        if (text.isEmpty() || text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false")) {
            return text.isEmpty() ? standard : Boolean.parseBoolean(text);
        }
        problem(key, text + " must be true or false");
        return standard;
    }

    /** The absolute path of a file that can be read; null if none is set, or there is no such file, which is a problem. */
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

    /**
     * Notes that something is wrong with a key.
     *
     * @param problem what is wrong and what is allowed; never the value of a secret
     */
    public void problem(String key, String problem) {
        problems.add(new ConfigProblem(key, problem));
    }

    /**
     * Notes that a value is accepted, and does not have the effect that it states, or is a risk.
     *
     * @param what a sentence that continues {@code <key>:}, never the value of a secret
     */
    public void correction(String key, String what) {
        corrections.add(key + ": " + what);
    }

    /** All corrections so far, as sentences that begin with the key, to be logged when a producer is made: a copy. */
    public List<String> corrections() {
        return List.copyOf(corrections);
    }

    /**
     * Ends the reading; to be called when every key was read.
     *
     * @throws ProducerConfigException if anything was wrong, or there are keys with the prefix that mean nothing: with all problems
     */
    public void requireValid() {
        TreeSet<String> own = new TreeSet<>(keys.read());
        own.removeIf(key -> !key.startsWith(keys.prefix()));
        for (String key : new TreeSet<>(properties.keySet())) {
            if (keys.isMistake(key)) {
                problem(
                        key,
                        "there is no such key"
                                + Spelling.nearest(key, own)
                                        .map(meant -> "; did you mean " + meant + "?")
                                        .orElse(""));
            }
        }
        if (!problems.isEmpty()) {
            throw new ProducerConfigException(problems);
        }
    }
}
