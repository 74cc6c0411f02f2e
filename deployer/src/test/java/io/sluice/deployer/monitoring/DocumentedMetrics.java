package io.sluice.deployer.monitoring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of {@code docs/metrics.md}. */
final class DocumentedMetrics {
    private static final Path FILE = Path.of("../docs/metrics.md");
    private static final Pattern METRIC = Pattern.compile("(?m)^\\| `((canal|sluice)_\\w+)` \\|");
    private static final Pattern ALERT = Pattern.compile("(?m)^\\| `(Sluice\\w+)` \\|");

    private DocumentedMetrics() {}

    /** The names of all metrics, but for those of the JVM. */
    static Set<String> names() throws IOException {
        return firstColumns(METRIC);
    }

    /** The names of all alerts. */
    static Set<String> alerts() throws IOException {
        return firstColumns(ALERT);
    }

    private static Set<String> firstColumns(Pattern row) throws IOException {
        Set<String> names = new TreeSet<>();
        Matcher found = row.matcher(Files.readString(FILE));
        while (found.find()) {
            names.add(found.group(1));
        }
        return names;
    }
}
