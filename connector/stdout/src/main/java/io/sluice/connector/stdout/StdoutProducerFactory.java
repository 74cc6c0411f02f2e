package io.sluice.connector.stdout;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerOptions;
import io.sluice.protocol.time.Time;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes producers for {@code canal.serverMode=stdout}.
 *
 * <p>Destinations that name the same file share it, so that their lines stay whole when it is full.
 */
public final class StdoutProducerFactory implements MessageProducerFactory {
    private static final String FILE = "stdout.file";
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kmg]?)b?");
    private static final long DEFAULT_SIZE = 100L << 20;

    private final StandardOutput standardOutput = new StandardOutput();

    @GuardedBy("files") private final Map<Path, RollingFile> files = new HashMap<>();

    /** What the keys say. */
    private record Settings(@Nullable Path file, long maxBytes, int kept, boolean prefixed) {
        static Settings read(ProducerOptions options) {
            Settings settings = new Settings(
                    path(options),
                    size(options, "stdout.file.maxSize"),
                    options.number("stdout.file.keep", 5, 0, 1_000),
                    options.flag("stdout.prefix", false));
            options.refuseUnknown();
            return settings;
        }

        private static @Nullable Path path(ProducerOptions options) {
            String text = options.text(FILE);
            try {
                Path path =
                        text.isEmpty() ? null : Path.of(text).toAbsolutePath().normalize();
                if (path != null && Files.isDirectory(path)) {
                    options.problem(FILE, path + " is a directory");
                }
                return path;
            } catch (InvalidPathException e) {
                options.problem(FILE, "is not a path: " + e.getMessage());
                return null;
            }
        }

        private static long size(ProducerOptions options, String key) {
            String text = options.text(key).toLowerCase(Locale.ROOT);
            Matcher size = SIZE.matcher(text);
            if (text.isEmpty()) {
                return DEFAULT_SIZE;
            }
            if (!size.matches()) {
                options.problem(key, text + " must be a size such as 100M, 2G, or 0 for no bound");
                return DEFAULT_SIZE;
            }
            int shift = 10 * " kmg".indexOf(size.group(2).isEmpty() ? " " : size.group(2));
            return Long.parseLong(size.group(1)) << shift;
        }
    }

    @Override
    public String name() {
        return "stdout";
    }

    @Override
    public List<ConfigProblem> check(Map<String, String> properties) {
        ProducerOptions options = new ProducerOptions("stdout.", properties);
        Settings unused = Settings.read(options);
        return options.problems();
    }

    @Override
    public boolean knows(String key) {
        ProducerOptions options = new ProducerOptions("stdout.", Map.of());
        Settings unused = Settings.read(options);
        return options.knows(key);
    }

    @Override
    public MessageProducer create(Map<String, String> properties, Ownership ownership) {
        ProducerOptions options = new ProducerOptions("stdout.", properties);
        Settings settings = Settings.read(options);
        if (!options.problems().isEmpty()) {
            throw new ProducerConfigException(options.problems());
        }
        return new AttemptProducer(new LineBroker(sink(settings), settings.prefixed()), ownership, Time.SYSTEM);
    }

    @Override
    public void probe(Map<String, String> properties, List<TopicNeed> topics, Duration limit, Findings findings) {
        Path file = Settings.read(new ProducerOptions("stdout.", properties)).file();
        if (file == null) {
            findings.ok("output", "lines go to standard output");
            return;
        }
        Path there = file;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (Files.isWritable(there)) {
            findings.ok("output", "lines go to " + file);
        } else {
            findings.failed("output", there + " may not be written", "change its rights, or stdout.file");
        }
    }

    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return properties.getOrDefault(FILE, "").isBlank() ? List.of() : List.of(FILE);
    }

    private LineSink sink(Settings settings) {
        Path path = settings.file();
        if (path == null) {
            return standardOutput;
        }
        synchronized (files) {
            return files.computeIfAbsent(path, file -> new RollingFile(file, settings.maxBytes(), settings.kept()));
        }
    }
}
