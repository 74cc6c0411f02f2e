package io.sluice.server.version;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;

/**
 * The version of this build, and the commit that it was made from. Immutable.
 *
 * <p>There is no time of the build, so that two builds of a commit are the same; the commit has a time.
 *
 * @param version that of the project, such as {@code 1.2.0}; {@code unknown} if the classes were not built by Maven
 * @param commit 40 hexadecimal digits, with {@code -dirty} after them if files that git knows had been changed; empty if the
 *     sources came neither from a git checkout nor from a {@code git archive}
 * @param committed the commit's time; empty if the commit is
 */
public record BuildVersion(String version, Optional<String> commit, Optional<Instant> committed) {
    /** Stands for what is not known, where a text is needed. */
    public static final String UNKNOWN = "unknown";

    private static final String RESOURCE = "version.properties";

    /**
     * Returns the version of the running classes.
     *
     * @throws UncheckedIOException if the jar cannot be read
     */
    public static BuildVersion ofThisBuild() {
        Properties properties = new Properties();
        try (InputStream resource = BuildVersion.class.getResourceAsStream(RESOURCE)) {
            if (resource != null) {
                properties.load(resource);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the version cannot be read from the jar of the server", e);
        }
        return of(properties);
    }

    /** Reads what the build has filled in. Placeholders that it could not fill in count as nothing. */
    static BuildVersion of(Properties properties) {
        return new BuildVersion(
                value(properties, "version").orElse(UNKNOWN), value(properties, "commit"), time(properties));
    }

    private static Optional<String> value(Properties properties, String key) {
        String value = properties.getProperty(key, "").strip();
        return value.isEmpty() || value.contains("$") ? Optional.empty() : Optional.of(value);
    }

    private static Optional<Instant> time(Properties properties) {
        return value(properties, "committed")
                .filter(seconds -> seconds.matches("[0-9]{1,12}"))
                .map(seconds -> Instant.ofEpochSecond(Long.parseLong(seconds)));
    }

    /** The commit, or {@link #UNKNOWN}. */
    public String commitText() {
        return commit.orElse(UNKNOWN);
    }

    /** The commit's time in UTC, such as {@code 2026-03-01T10:00:00Z}, or {@link #UNKNOWN}. */
    public String committedText() {
        return committed.map(Instant::toString).orElse(UNKNOWN);
    }

    /** The Java that this process runs on, such as {@code 17.0.15+6-Debian-1}. */
    public static String java() {
        return Runtime.version().toString();
    }
}
