package io.sluice.connector.stdout;

import io.sluice.connector.api.producer.OptionKeys;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerOptions;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the keys below {@code stdout.}. */
final class StdoutSettingsReader {
    /** The key that names a file. */
    static final String FILE = "stdout.file";

    private static final String MAX_SIZE = "stdout.file.maxSize";
    private static final String KEPT = "stdout.file.keep";
    private static final String PREFIXED = "stdout.prefix";

    /** All keys. */
    static final OptionKeys KEYS = new OptionKeys("stdout.", Set.of(FILE, MAX_SIZE, KEPT, PREFIXED));

    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmg]?)b?");
    private static final long DEFAULT_SIZE = 100L << 20;

    private final ProducerOptions options;

    private StdoutSettingsReader(ProducerOptions options) {
        this.options = options;
    }

    /**
     * Reads a server's properties.
     *
     * @throws ProducerConfigException if anything is wrong, with all problems
     */
    static StdoutSettings read(Map<String, String> properties) {
        return new StdoutSettingsReader(new ProducerOptions(KEYS, properties)).read();
    }

    private StdoutSettings read() {
        StdoutSettings settings =
                new StdoutSettings(path(), size(), options.number(KEPT, 5, 0, 1_000), options.flag(PREFIXED, false));
        options.requireValid();
        return settings;
    }

    private @Nullable Path path() {
        String text = options.text(FILE);
        try {
            Path path = text.isEmpty() ? null : Path.of(text).toAbsolutePath().normalize();
            if (path != null && Files.isDirectory(path)) {
                options.problem(FILE, path + " is a directory");
            }
            return path;
        } catch (InvalidPathException e) {
            options.problem(FILE, "is not a path: " + e.getMessage());
            return null;
        }
    }

    private long size() {
        String text = options.text(MAX_SIZE).toLowerCase(Locale.ROOT);
        Matcher size = SIZE.matcher(text);
        if (text.isEmpty()) {
            return DEFAULT_SIZE;
        }
        if (!size.matches()) {
            options.problem(MAX_SIZE, text + " must be a size such as 100M, 2G, or 0 for no bound");
            return DEFAULT_SIZE;
        }
        int shift = 10 * " kmg".indexOf(size.group(2).isEmpty() ? " " : size.group(2));
        return Long.parseLong(size.group(1)) << shift;
    }
}
